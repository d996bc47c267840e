// A program outside the project, in C11: a body in vacuum falls for one second. Exits with 0 if it fell g t^2 / 2.

#include <deepsim/deepsim.h>
#include <math.h>
#include <stdio.h>

static int fail( const char *what )
{
	fprintf( stderr, "%s: %s\n", what, ds_last_error() );
	return 1;
}

int main( void )
{
	ds_environment_def vacuum = ds_environment_def_default();
	vacuum.water = DS_WATER_NONE;
	ds_world_def def = ds_world_def_default();
	def.environment = &vacuum;
	ds_world *world = NULL;
	if ( ds_world_create( &def, &world ) != DS_OK )
	{
		return fail( "ds_world_create" );
	}

	ds_body_def body = ds_body_def_default();
	snprintf( body.name, sizeof( body.name ), "stone" );
	body.mass = 2.0;
	body.inertia_kind = DS_INERTIA_DIAGONAL;
	body.inertia_diagonal[0] = body.inertia_diagonal[1] = body.inertia_diagonal[2] = 0.1;
	body.hydrodynamics.model = DS_HYDRO_NONE;
	ds_id stone;
	if ( ds_body_create( world, &body, &stone ) != DS_OK )
	{
		return fail( "ds_body_create" );
	}
	if ( ds_world_step( world, ds_world_ticks( world, 1.0 ) ) != DS_OK )
	{
		return fail( "ds_world_step" );
	}

	ds_body_motion motion;
	if ( ds_body_motion_get( world, stone, &motion ) != DS_OK )
	{
		return fail( "ds_body_motion_get" );
	}
	ds_world_destroy( world );
	printf( "deepsim %s: fell %.12f m\n", ds_version(), motion.pose.position.z );
	return fabs( motion.pose.position.z - 0.5 * vacuum.gravity ) < 1e-9 ? 0 : 1;
}
