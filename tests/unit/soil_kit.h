// Worlds on soil: ground, bodies of few and of many faces, a crawler of two tracks.

#ifndef DEEPSIM_TESTS_SOIL_KIT_H
#define DEEPSIM_TESTS_SOIL_KIT_H

#include "world_kit.h"

#include <math.h>

#define DEGREE ( DS_PI / 180 )

static inline ds_soil soil_named( const char *name )
{
	const ds_soil_set *set = ds_soil_find( name );
	assert_non_null( set );
	return set->soil;
}

// Vacuum over a level plane of soil at z = 0.
static inline ds_environment_def soil_ground( const ds_soil *soil )
{
	ds_environment_def e = kit_vacuum( 9.81 );
	e.has_soil = true;
	e.soil = *soil;
	e.seabed = DS_SEABED_FLAT;
	return e;
}

// A plane that falls by `slope` towards north.
static inline ds_terrain *soil_plane( double slope )
{
	ds_terrain *terrain;
	OK( ds_terrain_plane( 0, slope, 0, NULL, &terrain ) );
	return terrain;
}

// The same ground as a grid of cells of `spacing`, about 2 * `half` long and wide about ( north, east ).
static inline ds_terrain *soil_grid( double slope, double spacing, double half, double north, double east )
{
	ds_terrain_grid_def def = ds_terrain_grid_default();
	def.rows = def.columns = 2 * (int64_t)ceil( half / spacing ) + 2;
	def.spacing_north = def.spacing_east = spacing;
	def.north = north - 0.5 * spacing * (double)( def.rows - 1 );
	def.east = east - 0.5 * spacing * (double)( def.columns - 1 );
	double *z = malloc( (size_t)( def.rows * def.columns ) * sizeof( *z ) );
	assert_non_null( z );
	for ( int64_t i = 0; i < def.rows * def.columns; ++i )
	{
		z[i] = tan( slope ) * ( (double)( i / def.columns ) * spacing + def.north - north );
	}
	def.z = z;
	ds_terrain *terrain;
	OK( ds_terrain_grid( &def, NULL, &terrain ) );
	free( z );
	return terrain;
}

// A world on a terrain, which is released.
static inline ds_world *soil_world_on( double rate, ds_environment_def e, ds_terrain *terrain )
{
	e.seabed = DS_SEABED_TERRAIN;
	e.terrain = terrain;
	ds_world *world = kit_world( rate, &e );
	ds_terrain_release( terrain );
	return world;
}

// A box whose sides are parted into n x n squares of two triangles each: 12 n n faces.
static inline ds_mesh *soil_box( ds_vec3 size, int n )
{
	const double half[3] = { 0.5 * size.x, 0.5 * size.y, 0.5 * size.z };
	ds_vec3 *vertices = malloc( 6 * (size_t)( n + 1 ) * (size_t)( n + 1 ) * sizeof( *vertices ) );
	int32_t *triangles = malloc( 36 * (size_t)n * (size_t)n * sizeof( *triangles ) );
	assert_true( vertices && triangles );
	int32_t v = 0, t = 0;
	for ( int side = 0; side < 6; ++side )
	{
		int axis = side / 2, a = ( axis + 1 ) % 3, b = ( axis + 2 ) % 3;
		int32_t first = v;
		for ( int i = 0; i <= n; ++i )
		{
			for ( int j = 0; j <= n; ++j )
			{
				double p[3];
				p[axis] = side % 2 ? half[axis] : -half[axis];
				p[a] = half[a] * ( 2.0 * i / n - 1 );
				p[b] = half[b] * ( 2.0 * j / n - 1 );
				vertices[v++] = ds_v3( p[0], p[1], p[2] );
			}
		}
		for ( int i = 0; i < n * n; ++i )
		{
			int32_t p = first + ( i / n ) * ( n + 1 ) + i % n, q = p + n + 1;
			const int32_t square[2][6] = { { p, p + 1, q, q, p + 1, q + 1 }, { p, q, p + 1, p + 1, q, q + 1 } };
			memcpy( triangles + t, square[side % 2], sizeof( square[0] ) );
			t += 6;
		}
	}
	ds_mesh *mesh;
	OK( ds_mesh_create( vertices, v, triangles, t / 3, NULL, NULL, &mesh, NULL ) );
	free( vertices );
	free( triangles );
	return mesh;
}

// A body of a mesh, which is released, that has nothing but it and its weight.
static inline ds_id soil_body( ds_world *world, const char *name, ds_mesh *mesh, double mass, ds_pose pose )
{
	ds_body_def def = kit_hull( name, mesh, mass );
	def.pose = pose;
	ds_id id;
	OK( ds_body_create( world, &def, &id ) );
	ds_mesh_release( mesh );
	return id;
}

static inline ds_pose soil_level( double x, double y, double z )
{
	return ( ds_pose ){ ds_v3( x, y, z ), { 1, 0, 0, 0 } };
}

// A crawler of two tracks, 200 kg in vacuum: 1.2 m between the ends of a belt, 0.2 m wide, 0.9 m apart. Its belts' undersides begin
// 0.45 m below its origin.
#define SOIL_CRAWLER_BASE 0.45

static inline void soil_tracks( ds_world *world, ds_id body, const char *prefix )
{
	for ( int i = 0; i < 2; ++i )
	{
		ds_track_config config = { .length = 1.2,
			.radius = 0.15,
			.width = 0.2,
			.speed = 1,
			.torque = 500,
			.efficiency = 0.7,
			.inertia = 0.5,
			.pads = 96,
			.lanes = 3 };
		ds_actuator_def track = ds_actuator_def_default();
		snprintf( track.name, sizeof( track.name ), "%s%s", prefix, i ? "starboard" : "port" );
		snprintf( track.type, sizeof( track.type ), "track" );
		track.body = body;
		track.mount.position = ds_v3( 0, i ? 0.45 : -0.45, 0.3 );
		track.config = &config;
		ds_id id;
		OK( ds_actuator_create( world, &track, &id ) );
	}
}

static inline ds_id soil_crawler( ds_world *world, const char *prefix, ds_pose pose )
{
	char name[32];
	snprintf( name, sizeof( name ), "%scrawler", prefix );
	ds_id body = soil_body( world, name, kit_box( 1.5, 0.6, 0.4 ), 200, pose );
	soil_tracks( world, body, prefix );
	return body;
}

static inline void soil_drive( ds_world *world, const char *prefix, double port, double starboard )
{
	char name[32];
	ds_id id;
	snprintf( name, sizeof( name ), "%sport", prefix );
	OK( ds_world_find( world, DS_ACTUATOR, name, &id ) );
	OK( ds_actuator_set( world, id, &port, 1 ) );
	snprintf( name, sizeof( name ), "%sstarboard", prefix );
	OK( ds_world_find( world, DS_ACTUATOR, name, &id ) );
	OK( ds_actuator_set( world, id, &starboard, 1 ) );
}

static inline ds_track soil_track_reading( const ds_world *world, const char *name )
{
	ds_id id;
	ds_sample_header header;
	ds_track reading;
	OK( ds_world_find( world, DS_ACTUATOR, name, &id ) );
	OK( ds_sensor_latest( world, id, &header, &reading, sizeof( reading ) ) );
	return reading;
}

#endif
