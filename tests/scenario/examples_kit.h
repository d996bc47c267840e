// What the tests of the example scenarios share: where the examples stand, checked calls, and a run brought to a time.

#ifndef DEEPSIM_TESTS_EXAMPLES_KIT_H
#define DEEPSIM_TESTS_EXAMPLES_KIT_H

#include "deepsim/deepsim.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define EXAMPLES DEEPSIM_SOURCE_DIR "/examples/"
#define DEGREE   ( DS_PI / 180 )

#define OK( call ) check( call, #call, __LINE__ )

static inline void check( ds_status status, const char *call, int line )
{
	if ( status != DS_OK )
	{
		fail_msg( "line %d: %s: %s", line, call, ds_last_error() );
	}
}

// Within `tolerance` of `right`, relative.
static inline void assert_near( double value, double right, double tolerance )
{
	if ( !( fabs( value - right ) <= tolerance * fabs( right ) ) )
	{
		fail_msg( "%.9g is not within %g of %.9g (off by %g)", value, tolerance, right, value / right - 1 );
	}
}

static inline void assert_small( double value, double limit )
{
	if ( !( fabs( value ) <= limit ) )
	{
		fail_msg( "|%g| is more than %g", value, limit );
	}
}

static inline ds_world *world_of( const char *path, const char *const *overrides, int32_t count )
{
	ds_world_def def = ds_world_def_default();
	ds_world *world = NULL;
	OK( ds_scenario_load( path, overrides, count, NULL, &def.scenario ) );
	OK( ds_world_create( &def, &world ) );
	ds_scenario_release( def.scenario );
	return world;
}

// Steps to a time of the run [s].
static inline void run_to( ds_world *world, double time )
{
	OK( ds_world_step( world, ds_world_ticks( world, time ) - ds_world_tick( world ) ) );
}

static inline ds_body_motion motion_of( const ds_world *world, const char *name )
{
	ds_id body;
	ds_body_motion motion;
	OK( ds_world_find( world, DS_BODY, name, &body ) );
	OK( ds_body_motion_get( world, body, &motion ) );
	return motion;
}

#endif
