// Time of the contact model: nanoseconds a face, one thread, the median of repeats.

#include "deepsim/math.h"
#include "terrain/contact.h"
#include "terrain/soil_map.h"
#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPEATS 41
#define CALLS   20

typedef struct rig
{
	ds_terrain *terrain;
	ds_soil_map *soils;
	ds_ground ground;
	ds_contact_mesh *mesh;
	ds_element_block *state;
	void *scratch;
	int32_t count;
} rig;

// A flat plate of 64 by 40 squares, of two faces each: 5120, all on the ground.
static bool rig_make( rig *r )
{
	const int nx = 64, ny = 40;
	memset( r, 0, sizeof( *r ) );
	ds_vec3 *v = calloc( (size_t)( ( nx + 1 ) * ( ny + 1 ) ), sizeof( *v ) );
	int32_t *t = calloc( (size_t)( 6 * nx * ny ), sizeof( *t ) );
	if ( v == NULL || t == NULL )
	{
		free( v );
		free( t );
		return false;
	}
	for ( int i = 0; i < ( nx + 1 ) * ( ny + 1 ); ++i )
	{
		v[i] = ds_v3( ( i % ( nx + 1 ) ) * 0.01 - 0.32, ( i / ( nx + 1 ) ) * 0.01 - 0.2, 0 );
	}
	for ( int i = 0; i < nx * ny; ++i )
	{
		int32_t a = i % nx + ( nx + 1 ) * ( i / nx ), b = a + 1, c = a + nx + 1, d = c + 1;
		const int32_t two[6] = { a, b, d, a, d, c };
		memcpy( t + 6 * i, two, sizeof( two ) );
	}
	ds_soil soil = ds_soil_default();
	ds_soil_map_def map = { .soil = soil };
	ds_contact_mesh_def def = { v, ( nx + 1 ) * ( ny + 1 ), t, 2 * nx * ny, ds_pose_identity(), 1, 0 };
	bool made = ds_terrain_plane( 3000, 0.02, 0.3, NULL, &r->terrain ) == DS_OK &&
				ds_soil_map_create( NULL, &map, &r->soils ) == DS_OK &&
				ds_contact_mesh_create( NULL, &def, &r->mesh ) == DS_OK;
	free( v );
	free( t );
	if ( made )
	{
		r->count = ds_contact_mesh_count( r->mesh );
		r->state = calloc( (size_t)ds_element_blocks( r->count ), sizeof( *r->state ) );
		r->scratch = calloc( 1, ds_contact_scratch_size( r->mesh ) );
		r->ground = ( ds_ground ){ r->terrain, r->soils, NULL, 9.81 };
	}
	return made && r->state != NULL && r->scratch != NULL;
}

static void rig_free( rig *r )
{
	ds_contact_mesh_destroy( r->mesh );
	ds_soil_map_destroy( r->soils );
	ds_terrain_release( r->terrain );
	free( r->state );
	free( r->scratch );
}

// Steps of 0.5 ms: patches, press and commit; or where the bounding box says that there is none.
static double time_steps( double depth, const char *what, char *detail, size_t size )
{
	rig r;
	if ( !rig_make( &r ) )
	{
		rig_free( &r );
		return bench_fail( detail, size );
	}
	ds_contact_step step = { { { 0, 0, 3000 + depth }, ds_quat_from_rpy( ds_v3( 0.01, 0.005, 0.4 ) ) },
		{ { 0.2, 0.02, 0.0001 }, { 0.0001, 0.0002, 0.01 } }, 0.0005, 0, 1 };
	double times[REPEATS];
	ds_elements elements;
	ds_contact_forces forces = { 0 };
	ds_contact_sums sums;
	// pressed down to where it is
	ds_contact_step down = step;
	down.pose.position.z -= 0.1;
	down.dt = 1;
	down.velocity = ( ds_twist ){ ds_unrotate( step.pose.attitude, ds_v3( 0, 0, 0.1 ) ), { 0, 0, 0 } };
	ds_contact_mesh_see( r.mesh, &r.ground, &down, r.scratch, &elements );
	ds_contact_commit( &r.ground, &elements, r.state, &down, &down.velocity, &sums );
	for ( int i = 0; i < REPEATS; ++i )
	{
		double start = bench_clock();
		for ( int k = 0; k < CALLS; ++k )
		{
			ds_contact_mesh_see( r.mesh, &r.ground, &step, r.scratch, &elements );
			if ( ds_contact_near( &r.ground, &elements, &step ) )
			{
				ds_contact_press( &r.ground, &elements, r.state, &step, &forces );
				ds_contact_commit( &r.ground, &elements, r.state, &step, &step.velocity, &sums );
			}
			step.pose.position.x += 0.0001;
			step.pose.position.z += 1e-15 * forces.wrench.force.z;
			++step.tick;
		}
		times[i] = 1e9 * ( bench_clock() - start ) / CALLS / r.count;
	}
	snprintf( detail, size, "plate of %d faces on a plane, %d touch: %s", (int)r.count, (int)forces.touching, what );
	rig_free( &r );
	return bench_median( times, REPEATS );
}

double bench_contact_face( char *detail, size_t size )
{
	return time_steps( 0.03, "patches, press and commit of a step", detail, size );
}

double bench_contact_none( char *detail, size_t size )
{
	return time_steps( -2, "the bounding box is above the ground", detail, size );
}
