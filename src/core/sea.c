#include "core/sea.h"

#include "deepsim/math.h"
#include "hydro/gravity.h"

#include <math.h>
#include <string.h>

// Rate of the Earth's rotation [rad/s] (WGS-84, NIMA TR8350.2).
#define EARTH_RATE 7.292115e-5

// ---- making ------------------------------------------------------------------------------------------------------

// Copies of a list of levels, column by column.
typedef struct levels
{
	double *values; // 3 * count
	int64_t count;
} levels;

static ds_status copy_levels( const ds_hooks *hooks, const ds_environment_def *e, levels *profile, levels *table )
{
	profile->count = e->profile.count;
	table->count = e->density_table.count;
	DS_TRY( DS_NEW( &hooks->allocator, 3 * profile->count + 1, &profile->values ) );
	DS_TRY( DS_NEW( &hooks->allocator, 2 * table->count + 1, &table->values ) );
	const ds_water_level *p = e->profile.data;
	for ( int64_t i = 0; i < profile->count; ++i )
	{
		profile->values[i] = p[i].depth;
		profile->values[profile->count + i] = p[i].temperature;
		profile->values[2 * profile->count + i] = p[i].salinity;
	}
	const ds_density_level *d = e->density_table.data;
	for ( int64_t i = 0; i < table->count; ++i )
	{
		table->values[i] = d[i].depth;
		table->values[table->count + i] = d[i].density;
	}
	return DS_OK;
}

static ds_status make_column( ds_sea *sea, const ds_environment_def *e )
{
	levels profile = { NULL, 0 }, table = { NULL, 0 };
	ds_status status = copy_levels( &sea->hooks, e, &profile, &table );
	if ( status == DS_OK )
	{
		static const ds_column_kind kinds[] = { DS_COLUMN_UNIFORM, DS_COLUMN_PYCNOCLINE, DS_COLUMN_EOS80,
			DS_COLUMN_TEOS10, DS_COLUMN_TABLE };
		static const ds_sound_kind sounds[] = { DS_SOUND_CHEN_MILLERO, DS_SOUND_MACKENZIE };
		ds_column_def def = ds_column_def_default();
		def.kind = kinds[e->density_kind];
		def.sound = sounds[e->sound];
		def.interpolation = e->linear_profile ? DS_COLUMN_LINEAR : DS_COLUMN_MONOTONE;
		def.density = e->density;
		def.density_increase = e->density_increase;
		def.density_depth = e->density_depth;
		def.temperature = e->temperature;
		def.salinity = e->salinity;
		def.gravity = sea->gravity;
		def.surface_pressure = e->surface_pressure;
		double bottom = e->seabed == DS_SEABED_NONE ? 0 : sea->bed_depth;
		if ( e->seabed == DS_SEABED_TERRAIN && e->terrain )
		{
			ds_terrain_properties p = ds_terrain_measure( e->terrain );
			bottom = p.bounded ? fmax( bottom, p.bottom ) : bottom;
		}
		if ( bottom > 0 )
		{
			def.depth = fmin( bottom + 100, DS_COLUMN_DEEPEST );
		}
		def.table_depth = table.values;
		def.table_density = table.values + table.count;
		def.table_count = table.count;
		def.profile = ( ds_column_profile ){ profile.values, profile.values + profile.count,
			profile.values + 2 * profile.count, profile.count };
		status = ds_column_create( &sea->hooks.allocator, &def, &sea->column );
	}
	DS_FREE( &sea->hooks.allocator, profile.values, 3 * profile.count + 1 );
	DS_FREE( &sea->hooks.allocator, table.values, 2 * table.count + 1 );
	return status == DS_OK ? DS_OK : ds_error_prefix( status, "environment: water: " );
}

double ds_sea_bed_depth( const ds_environment_def *e )
{
	if ( e->seabed != DS_SEABED_TERRAIN || e->terrain == NULL )
	{
		return e->seabed_depth;
	}
	ds_terrain_point point;
	if ( ds_terrain_at( e->terrain, 0, 0, &point ) )
	{
		return point.z;
	}
	ds_terrain_properties all = ds_terrain_measure( e->terrain );
	return 0.5 * ( all.top + all.bottom );
}

// Ground that rises out of the water leaves a little water over it, for the currents there.
static double bed_of_terrain( const void *user, double north, double east )
{
	const ds_sea *sea = user;
	ds_terrain_point point;
	return fmax( ds_terrain_at( sea->terrain, north, east, &point ) ? point.z : sea->bed_depth, 1 );
}

static ds_status make_currents( ds_sea *sea, const ds_environment_def *e )
{
	ds_currents_setting setting;
	memset( &setting, 0, sizeof( setting ) );
	setting.latitude = e->latitude;
	setting.has_bed = e->seabed != DS_SEABED_NONE;
	setting.bed_depth = sea->bed_depth;
	if ( sea->terrain )
	{
		setting.bed = bed_of_terrain;
		setting.user = sea;
	}
	ds_status status =
		ds_currents_create( &sea->hooks.allocator, e->currents.data, e->currents.count, &setting, &sea->currents );
	return status == DS_OK ? DS_OK : ds_error_prefix( status, "environment: " );
}

// A seed of its own for each world's seed and each definition's.
static int64_t mixed_seed( uint64_t world, int64_t own )
{
	uint64_t hash = ds_hash_bytes( DS_HASH_START, &world, sizeof( world ) );
	return (int64_t)( ds_hash_bytes( hash, &own, sizeof( own ) ) >> 11 );
}

static ds_status make_surface( ds_sea *sea, const ds_environment_def *e )
{
	if ( e->waves.kind != DS_WAVES_NONE )
	{
		ds_waves_def waves = e->waves;
		waves.gravity = sea->gravity;
		waves.seed = mixed_seed( sea->seed, waves.seed );
		if ( waves.depth == 0 && e->seabed != DS_SEABED_NONE && sea->bed_depth > 0 )
		{
			waves.depth = sea->bed_depth;
		}
		ds_status status = ds_waves_create( &sea->hooks.allocator, &waves, &sea->waves );
		if ( status != DS_OK )
		{
			return ds_error_prefix( status, "environment: waves: " );
		}
	}
	if ( e->wind.kind != DS_WIND_NONE )
	{
		sea->has_wind = true;
		ds_wind_def wind = e->wind;
		wind.seed = mixed_seed( sea->seed, wind.seed );
		ds_status status = ds_wind_create( &wind, &sea->wind );
		if ( status != DS_OK )
		{
			return ds_error_prefix( status, "environment: wind: " );
		}
	}
	return DS_OK;
}

static ds_status fill( ds_sea *sea, const ds_environment_def *e )
{
	sea->gravity = e->gravity_by_latitude ? ds_gravity_normal( e->latitude ) : e->gravity;
	sea->earth_rotation = e->earth_rotation;
	sea->bed_depth = ds_sea_bed_depth( e );
	sea->terrain = e->seabed == DS_SEABED_TERRAIN ? ds_terrain_retain( (ds_terrain *)(uintptr_t)e->terrain ) : NULL;
	if ( e->earth_rotation )
	{
		sea->earth_rate = ds_v3( EARTH_RATE * cos( e->latitude ), 0, -EARTH_RATE * sin( e->latitude ) );
	}
	if ( e->water == DS_WATER_NONE )
	{
		return DS_OK;
	}
	DS_TRY( make_column( sea, e ) );
	DS_TRY( make_currents( sea, e ) );
	DS_TRY( make_surface( sea, e ) );
	sea->surface_density = ds_column_density( sea->column, 0 );
	sea->stratified = e->density_kind != DS_DENSITY_UNIFORM;
	sea->sheared = ds_currents_vary_in_space( sea->currents );
	sea->unsteady = sea->sheared || ds_currents_vary_in_time( sea->currents );
	return DS_OK;
}

ds_status ds_sea_create( const ds_hooks *hooks, const ds_environment_def *environment, uint64_t seed, ds_sea **out )
{
	ds_sea *sea;
	DS_TRY( DS_NEW( &hooks->allocator, 1, &sea ) );
	atomic_init( &sea->references, 1 );
	sea->hooks = *hooks;
	sea->seed = seed;
	ds_status status = fill( sea, environment );
	if ( status != DS_OK )
	{
		ds_sea_release( sea );
		return status;
	}
	*out = sea;
	return DS_OK;
}

ds_status ds_sea_reseed( const ds_environment_def *environment, uint64_t seed, ds_sea **sea )
{
	ds_sea *old = *sea, *fresh;
	if ( old->seed == seed || ( old->waves == NULL && !old->has_wind ) )
	{
		return DS_OK;
	}
	DS_TRY( DS_NEW( &old->hooks.allocator, 1, &fresh ) );
	*fresh = *old;
	atomic_init( &fresh->references, 1 );
	fresh->base = ds_sea_retain( old->base ? old->base : old );
	fresh->seed = seed;
	fresh->waves = NULL;
	ds_status status = make_surface( fresh, environment );
	if ( status != DS_OK )
	{
		ds_sea_release( fresh );
		return status;
	}
	ds_sea_release( old );
	*sea = fresh;
	return DS_OK;
}

ds_sea *ds_sea_retain( ds_sea *sea )
{
	if ( sea )
	{
		atomic_fetch_add( &sea->references, 1 );
	}
	return sea;
}

void ds_sea_release( ds_sea *sea )
{
	if ( sea && atomic_fetch_sub( &sea->references, 1 ) == 1 )
	{
		ds_waves_destroy( sea->waves );
		if ( sea->base )
		{
			ds_sea_release( sea->base );
		}
		else
		{
			ds_column_destroy( sea->column );
			ds_currents_destroy( sea->currents );
			ds_terrain_release( sea->terrain );
		}
		ds_allocator allocator = sea->hooks.allocator;
		DS_FREE( &allocator, sea, 1 );
	}
}

// ---- time --------------------------------------------------------------------------------------------------------

void ds_sea_start( const ds_sea *sea, ds_sea_state *state )
{
	memset( state, 0, sizeof( *state ) );
	if ( sea->has_wind )
	{
		ds_wind_start( &sea->wind, &state->wind );
	}
}

void ds_sea_advance( const ds_sea *sea, double dt, ds_sea_state *state )
{
	if ( sea->has_wind )
	{
		ds_wind_advance( &sea->wind, dt, &state->wind );
	}
}

// ---- questions ---------------------------------------------------------------------------------------------------

void ds_sea_water( const ds_sea *sea, uint64_t seed, ds_vec3 position, double time, ds_water *water )
{
	ds_wave_point wave;
	if ( sea->waves )
	{
		ds_waves_at( sea->waves, position, time, &wave );
	}
	else
	{
		wave.depth = position.z;
		wave.head = 0;
		wave.velocity = ds_v3( 0, 0, 0 );
	}
	if ( wave.depth < 0 )
	{
		return;
	}
	ds_column_query( sea->column, position.z, water );
	double dynamic = water->density * sea->gravity * wave.head;
	water->present = true;
	water->gauge_pressure += dynamic;
	water->pressure += dynamic;
	water->velocity = wave.velocity;
	if ( sea->currents )
	{
		const ds_currents_state state = { seed, NAN, { 0, 0, 0 }, { 0, 0, 0 } };
		water->velocity = ds_add( wave.velocity, ds_currents_at( sea->currents, &state, position, time ) );
	}
}

// Density along z about a point, by the values there and at both ends of the body.
static void density_profile( const ds_sea *sea, double z, double h, ds_surroundings *out )
{
	out->density = ds_column_density( sea->column, z );
	if ( sea->stratified )
	{
		double above = ds_column_density( sea->column, z - h ), below = ds_column_density( sea->column, z + h );
		out->density_gradient = ( below - above ) / ( 2 * h );
		out->density_curvature = ( below - 2 * out->density + above ) / ( h * h );
	}
}

void ds_sea_surround(
	const ds_sea *sea, uint64_t seed, ds_vec3 position, double half_height, double time, ds_surroundings *out )
{
	memset( out, 0, sizeof( *out ) );
	if ( sea->column == NULL )
	{
		return;
	}
	// a body that floats or flies is surrounded by the water at the surface below it
	ds_vec3 at = position;
	at.z = at.z < 0 ? 0 : at.z;
	density_profile( sea, at.z, half_height, out );
	ds_currents_state state = { seed, NAN, { 0, 0, 0 }, { 0, 0, 0 } };
	ds_currents_prepare( sea->currents, time, &state );
	if ( sea->sheared )
	{
		ds_currents_column( sea->currents, &state, at, time, half_height, &out->current );
	}
	else
	{
		out->current.velocity = ds_currents_at( sea->currents, &state, at, time );
	}
	if ( sea->unsteady )
	{
		out->current_acceleration = ds_currents_acceleration( sea->currents, &state, at, time );
	}
	ds_waves_patch( sea->waves, position, time, &out->waves );
	out->velocity = ds_add( out->current.velocity, out->waves.at.velocity );
	out->acceleration = ds_add( out->current_acceleration, out->waves.at.acceleration );
}
