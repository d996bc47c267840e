// What the beams of a DVL meet on a plane, by geometry alone, and small statistics.

#ifndef DEEPSIM_TESTS_DVL_KIT_H
#define DEEPSIM_TESTS_DVL_KIT_H

#include "world_kit.h"

#include <math.h>

#define DEGREE ( DS_PI / 180 )

static inline ds_dvl_config kit_dvl( const char *json )
{
	ds_dvl_config config;
	OK( ds_table_parse( ds_dvl_config_table(), json, &config ) );
	return config;
}

static inline ds_dvl_model kit_dvl_model( const char *json )
{
	ds_dvl_config config = kit_dvl( json );
	ds_dvl_model model;
	OK( ds_dvl_prepare( &config, &model ) );
	return model;
}

// The normal, out of the ground, of a plane that falls by `slope` towards a bearing.
static inline ds_vec3 kit_plane_normal( double slope, double towards )
{
	return ds_v3( sin( slope ) * cos( towards ), sin( slope ) * sin( towards ), -cos( slope ) );
}

// A transducer at rest `height` straight above a plane.
static inline ds_dvl_truth kit_over_plane( const ds_dvl_model *model, ds_quat attitude, ds_vec3 normal, double height )
{
	ds_dvl_truth truth;
	memset( &truth, 0, sizeof( truth ) );
	truth.wet = true;
	truth.attitude = attitude;
	truth.interval = 0.1;
	ds_vec3 beams[DS_BEAMS];
	ds_dvl_beams( model, 0, beams );
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		double cosine = -ds_dot( normal, ds_rotate( attitude, beams[i] ) );
		truth.range[i] = cosine > 1e-6 ? -normal.z * height / cosine : -1;
		truth.cosine[i] = cosine;
		truth.water_present[i] = true;
	}
	return truth;
}

static inline ds_dvl_truth kit_level( const ds_dvl_model *model, double height )
{
	return kit_over_plane( model, ds_quat_identity(), ds_v3( 0, 0, -1 ), height );
}

static inline ds_dvl kit_ping(
	const ds_dvl_model *model, ds_dvl_state *state, const ds_dvl_truth *truth, uint64_t seed, uint64_t index )
{
	ds_random stream = ds_random_stream( seed, "dvl", DS_RANDOM_SAMPLE, index );
	ds_dvl reading;
	memset( &reading, 0x5a, sizeof( reading ) ); // no sample may leave what was there
	ds_dvl_measure( model, state, truth, &stream, &reading );
	return reading;
}

// One ping of a run's start.
static inline ds_dvl kit_first( const ds_dvl_model *model, const ds_dvl_truth *truth )
{
	ds_dvl_state state;
	ds_dvl_reset( &state );
	return kit_ping( model, &state, truth, 1, 0 );
}

static inline ds_vec3 kit_v3( const double v[3] )
{
	return ds_v3( v[0], v[1], v[2] );
}

// Numbers of a test, the same everywhere: uniform in [-1, 1).
static inline double kit_uniform( uint64_t *s )
{
	*s = *s * UINT64_C( 6364136223846793005 ) + UINT64_C( 1442695040888963407 );
	return (double)( *s >> 11 ) * 0x1p-52 - 1;
}

// Three of them in turn: arguments of a call are drawn in no order.
static inline ds_vec3 kit_random3( uint64_t *s, double x, double y, double z )
{
	ds_vec3 v;
	v.x = x * kit_uniform( s );
	v.y = y * kit_uniform( s );
	v.z = z * kit_uniform( s );
	return v;
}

#endif
