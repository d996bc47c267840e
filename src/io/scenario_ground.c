// "seabed" of a scenario: from what the file says to a terrain and its soils.

#include "deepsim/math.h"
#include "io/raster.h"
#include "io/scenario_internal.h"
#include "terrain/soil_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ds_json *seabed_node( const ds_loader *loader )
{
	return ds_json_find( ds_json_find( loader->tree, "environment" ), "seabed" );
}

// A member of the seabed, or the seabed itself where it is not given.
static const ds_json *member_node( const ds_loader *loader, const char *key )
{
	const ds_json *member = ds_json_find( seabed_node( loader ), key );
	return member ? member : seabed_node( loader );
}

void ds_release_seabed( ds_environment_def *environment )
{
	ds_terrain_release( (ds_terrain *)environment->terrain );
	environment->terrain = NULL;
}

// ---- elevation -----------------------------------------------------------------------------------------------------

static ds_raster_options raster_options( const ds_loader *loader, const ds_file_raster *raster )
{
	const ds_environment_def *e = &loader->scenario->environment;
	const ds_json *origin = ds_json_find( loader->tree, "origin" );
	ds_raster_options options = ds_raster_options_default();
	options.crs = raster->crs;
	if ( ds_json_find( origin, "latitude_deg" ) && ds_json_find( origin, "longitude_deg" ) )
	{
		options.latitude = e->latitude;
		options.longitude = e->longitude;
	}
	options.placed = raster->position.given;
	memcpy( options.position, raster->position.number, sizeof( options.position ) );
	options.cell = raster->cell;
	options.scale = raster->scale.given ? raster->scale.number[0] : NAN;
	options.offset = raster->offset;
	options.depths = raster->depths == 1;
	options.nodata = raster->nodata.given ? raster->nodata.number[0] : NAN;
	options.band = (int32_t)raster->band;
	ds_copy_string( options.variable, sizeof( options.variable ), raster->variable );
	if ( raster->window.given )
	{
		memcpy( options.window, raster->window.number, sizeof( options.window ) );
	}
	return options;
}

static ds_status load_mesh( ds_loader *loader, ds_terrain **terrain )
{
	const ds_file_seabed *s = &loader->file.seabed;
	const ds_hooks *hooks = &loader->scenario->hooks;
	ds_mesh_options options = ds_mesh_options_default();
	options.scale = s->mesh_scale;
	options.axes = (ds_mesh_axes)s->mesh_axes;
	options.topology = DS_MESH_OPEN_ALLOWED;
	const char *path;
	ds_mesh *mesh;
	DS_TRY( ds_join_path( &loader->tree_arena, loader->directory, s->mesh_file, &path ) );
	DS_TRY( ds_mesh_load( path, &options, hooks, &mesh, NULL ) );
	ds_status status = ds_terrain_mesh( mesh, ds_file_pose_get( &s->mesh_pose ), hooks, terrain );
	ds_mesh_release( mesh );
	return status;
}

static ds_status make_shape( ds_loader *loader, ds_terrain_shape_kind kind, ds_terrain **terrain )
{
	ds_terrain_shape shape = loader->file.seabed.shape;
	shape.struct_size = sizeof( shape );
	shape.kind = (int32_t)kind;
	for ( int i = 0; i < 2; ++i )
	{
		shape.wavelength[i] = shape.wavelength[i] > 0 ? shape.wavelength[i] : INFINITY;
	}
	return ds_terrain_make( &shape, &loader->scenario->hooks, terrain );
}

static ds_status make_terrain( ds_loader *loader, ds_terrain **terrain )
{
	const ds_file_seabed *s = &loader->file.seabed;
	const ds_hooks *hooks = &loader->scenario->hooks;
	double depth = loader->file.environment.seabed_depth;
	const char *path;
	switch ( s->elevation )
	{
		case DS_ELEVATION_FLAT:
			return ds_terrain_plane( depth, 0, 0, hooks, terrain );
		case DS_ELEVATION_SLOPE:
			return ds_terrain_plane( depth, s->slope, s->towards, hooks, terrain );
		case DS_ELEVATION_SINUSOID:
			return make_shape( loader, DS_TERRAIN_SINUSOID, terrain );
		case DS_ELEVATION_FRACTAL:
			return make_shape( loader, DS_TERRAIN_FRACTAL, terrain );
		case DS_ELEVATION_SEAMOUNT:
			return make_shape( loader, DS_TERRAIN_SEAMOUNT, terrain );
		case DS_ELEVATION_MESH:
			return load_mesh( loader, terrain );
		default:
			DS_TRY( ds_join_path( &loader->tree_arena, loader->directory, s->raster.file, &path ) );
			ds_raster_options options = raster_options( loader, &s->raster );
			return ds_terrain_load( path, &options, hooks, terrain, NULL );
	}
}

// A flat seabed without soil needs no terrain. What asks for one depth (waves, currents) gets that below the origin, or the mean of
// the extremes where there is no ground.
static ds_status load_elevation( ds_loader *loader )
{
	ds_environment_def *e = &loader->scenario->environment;
	const ds_file_seabed *s = &loader->file.seabed;
	e->terrain = NULL;
	if ( s->elevation == DS_ELEVATION_FLAT && s->soil.kind == DS_FILE_SOIL_NONE )
	{
		return DS_OK;
	}
	ds_terrain *terrain;
	ds_status status = make_terrain( loader, &terrain );
	if ( status != DS_OK )
	{
		return ds_json_prefix( status, member_node( loader, "elevation" ) );
	}
	e->seabed = DS_SEABED_TERRAIN;
	e->terrain = terrain;
	ds_terrain_point below;
	ds_terrain_properties all = ds_terrain_measure( terrain );
	e->seabed_depth = ds_terrain_at( terrain, 0, 0, &below ) ? below.z : 0.5 * ( all.top + all.bottom );
	return DS_OK;
}

// ---- soils ---------------------------------------------------------------------------------------------------------

// A custom soil has the numbers of its set but where the file says others.
static ds_status get_soil( const ds_json *node, const ds_file_soil *from, ds_soil *soil )
{
	if ( from->kind != DS_FILE_SOIL_CUSTOM )
	{
		*soil = ds_soil_at( from->kind )->soil;
		return DS_OK;
	}
	ds_file_soil own = { .soil = ds_soil_at( from->set )->soil };
	const ds_table *table = &ds_file_custom_soil_table;
	for ( int32_t i = 0; i < table->field_count; ++i )
	{
		char key[DS_FIELD_KEY_SIZE];
		ds_field_key( &table->fields[i], key, sizeof( key ) );
		const ds_json *value = ds_json_find( node, key );
		if ( value )
		{
			DS_TRY( ds_field_read( &table->fields[i], value, NULL, &own ) );
		}
	}
	*soil = own.soil;
	ds_status status = ds_soil_check( soil );
	return status == DS_OK ? DS_OK : ds_json_prefix( status, node );
}

static ds_status load_patches( ds_loader *loader )
{
	ds_scenario *scenario = loader->scenario;
	const ds_array *array = &loader->file.seabed.patches;
	const ds_file_patch *from = array->data;
	const ds_json *node = ds_json_find( seabed_node( loader ), "patches" );
	void *memory;
	DS_TRY( ds_new_array( &scenario->arena, array->count, sizeof( ds_soil_patch ), &memory ) );
	ds_soil_patch *patches = memory;
	for ( int64_t i = 0; i < array->count; ++i )
	{
		DS_TRY( get_soil( ds_json_find( ds_json_at( node, i ), "soil" ), &from[i].soil, &patches[i].soil ) );
		const ds_file_point *corners = from[i].polygon.data;
		int64_t count = from[i].polygon.count;
		DS_TRY( ds_new_array( &scenario->arena, count, 2 * sizeof( double ), &memory ) );
		for ( int64_t k = 0; k < count; ++k )
		{
			memcpy( (double *)memory + 2 * k, corners[k].place, sizeof( corners[k].place ) );
		}
		patches[i].polygon = ( ds_array ){ memory, count };
	}
	scenario->environment.soil_patches = ( ds_array ){ array->count ? patches : NULL, array->count };
	return DS_OK;
}

// The numbers of a mask's samples.
static ds_status number_mask( const ds_terrain_grid_def *grid, int64_t soils, const char *file, int16_t *index )
{
	for ( int64_t i = 0; i < grid->rows * grid->columns; ++i )
	{
		double value = grid->z[i], whole = floor( value + 0.5 );
		index[i] = -1;
		if ( isnan( value ) )
		{
			continue;
		}
		if ( !( fabs( value - whole ) < 1e-6 && whole >= 0 && whole <= (double)soils ) )
		{
			return ds_error( DS_ERROR_RANGE,
				"%s: the sample at north %g m, east %g m is %g: a mask holds whole numbers from 0 to %lld, the number "
				"of its "
				"soils",
				file, grid->north + (double)( i / grid->columns ) * grid->spacing_north,
				grid->east + (double)( i % grid->columns ) * grid->spacing_east, value, (long long)soils );
		}
		index[i] = (int16_t)whole;
	}
	return DS_OK;
}

static ds_status read_mask( ds_loader *loader, int64_t soils )
{
	ds_scenario *scenario = loader->scenario;
	const ds_file_raster *from = &loader->file.seabed.mask;
	ds_raster_options options = raster_options( loader, from );
	options.scale = 1;
	options.offset = 0;
	options.depths = true;
	const char *path;
	ds_raster raster;
	ds_raster_report report;
	ds_terrain_grid_def grid;
	DS_TRY( ds_join_path( &loader->tree_arena, loader->directory, from->file, &path ) );
	DS_TRY( ds_raster_load( path, &options, &scenario->hooks, &raster, &report, &grid ) );
	void *memory, *index;
	ds_status status = ds_new_array( &scenario->arena, 1, sizeof( ds_soil_mask ), &memory );
	if ( status == DS_OK )
	{
		status = ds_new_array( &scenario->arena, grid.rows * grid.columns, sizeof( int16_t ), &index );
	}
	if ( status == DS_OK )
	{
		status = number_mask( &grid, soils, path, index );
	}
	if ( status == DS_OK )
	{
		ds_soil_mask *mask = memory;
		*mask = ( ds_soil_mask ){ grid.north, grid.east, grid.spacing_north, grid.spacing_east, grid.rows, grid.columns,
			index };
		scenario->environment.soil_mask = mask;
	}
	ds_raster_release( &raster );
	return status;
}

static ds_status load_mask( ds_loader *loader )
{
	ds_scenario *scenario = loader->scenario;
	const ds_array *array = &loader->file.seabed.mask_soils;
	const ds_file_soil *from = array->data;
	const ds_json *node = ds_json_find( seabed_node( loader ), "mask" ), *soils_node = ds_json_find( node, "soils" );
	if ( array->count < 1 || array->count > INT16_MAX )
	{
		return ds_json_error(
			DS_ERROR_RANGE, soils_node, "a mask needs 1 to %d soils, got %lld", INT16_MAX, (long long)array->count );
	}
	void *memory;
	DS_TRY( ds_new_array( &scenario->arena, array->count, sizeof( ds_soil ), &memory ) );
	ds_soil *soils = memory;
	for ( int64_t i = 0; i < array->count; ++i )
	{
		DS_TRY( get_soil( ds_json_at( soils_node, i ), &from[i], &soils[i] ) );
	}
	scenario->environment.mask_soils = ( ds_array ){ soils, array->count };
	ds_status status = read_mask( loader, array->count );
	return status == DS_OK ? DS_OK : ds_json_prefix( status, node );
}

// What only the map itself checks, the polygons, is told where they stand.
static ds_status check_map( const ds_loader *loader )
{
	const ds_environment_def *e = &loader->scenario->environment;
	const ds_soil_map_def def = { e->soil, e->soil_patches.data, e->soil_patches.count, e->mask_soils.data,
		e->mask_soils.count, e->soil_mask };
	ds_soil_map *map;
	ds_status status = ds_soil_map_create( &loader->scenario->hooks.allocator, &def, &map );
	if ( status == DS_OK )
	{
		ds_soil_map_destroy( map );
		return DS_OK;
	}
	static const char start[] = "soil patch ";
	char text[512], *end = text;
	snprintf( text, sizeof( text ), "%s", ds_last_error() );
	const ds_json *node = seabed_node( loader );
	if ( strncmp( text, start, sizeof( start ) - 1 ) == 0 )
	{
		const ds_json *patch =
			ds_json_at( ds_json_find( node, "patches" ), strtoll( text + sizeof( start ) - 1, &end, 10 ) );
		const ds_json *polygon = ds_json_find( patch, "polygon" );
		node = polygon ? polygon : patch;
		end += strncmp( end, ": ", 2 ) == 0 ? 2 : 0;
	}
	return ds_json_error( status, node, "%s", end );
}

static ds_status load_soils( ds_loader *loader )
{
	ds_environment_def *e = &loader->scenario->environment;
	const ds_file_seabed *s = &loader->file.seabed;
	e->has_soil = s->soil.kind != DS_FILE_SOIL_NONE;
	if ( !e->has_soil )
	{
		const char *key = s->patches.count > 0 ? "patches" : s->has_mask ? "mask" : e->deformable ? "deformable" : NULL;
		return key ? ds_json_error( DS_ERROR_NOT_FOUND, member_node( loader, key ),
						 "\"soil\" is missing: what all other ground is made of; `deepsim describe soils` lists names" )
				   : DS_OK;
	}
	DS_TRY( get_soil( ds_json_find( seabed_node( loader ), "soil" ), &s->soil, &e->soil ) );
	DS_TRY( load_patches( loader ) );
	if ( s->has_mask )
	{
		DS_TRY( load_mask( loader ) );
	}
	return check_map( loader );
}

// ---- all of it -----------------------------------------------------------------------------------------------------

ds_status ds_load_seabed( ds_loader *loader )
{
	ds_environment_def *e = &loader->scenario->environment;
	const ds_environment_def usual = ds_environment_def_default();
	bool any = e->seabed != DS_SEABED_NONE, options = any && loader->file.seabed.deformable_kind == 1;
	e->soil = usual.soil;
	e->seabed_look = any ? e->seabed_look : usual.seabed_look;
	e->soil_step = any ? e->soil_step : usual.soil_step;
	e->deformable = any && ( options || e->deformable );
	e->rut_cell = options ? e->rut_cell : usual.rut_cell;
	e->rut_memory = options ? 1e6 * e->rut_memory : usual.rut_memory;
	e->rut_erosion = options ? e->rut_erosion : usual.rut_erosion;
	if ( !any )
	{
		return DS_OK;
	}
	DS_TRY( load_elevation( loader ) );
	return load_soils( loader );
}
