#include "deepsim/magnetometer.h"

#include "deepsim/math.h"
#include "sensors/magnetic.h"
#include "sensors/magnetometer.h"
#include "sensors/process.h"
#include "sensors/tables.h"

#define BLACKOUT_LIMIT 2000e-9 // of the level field [T] (WMM)

// Slots of the streams, three each.
enum
{
	SLOT_WHITE = 0,
	SLOT_WALK = 3,
	SLOT_MARKOV = 6,
	SLOT_TURN_ON = 9
};

// ---- tables ------------------------------------------------------------------------------------------------------

static const ds_field dipole_fields[] = {
	{ "position", DS_FIELD_F64, 0, offsetof( ds_magnetometer_dipole, dipole.position ), 3, 0, "m", "[0, 0, 0]", -1000,
		1000, "in the body frame", NULL, NULL, 0, DS_ELEMENT_NONE },
	{ "moment", DS_FIELD_F64, 0, offsetof( ds_magnetometer_dipole, dipole.moment ), 3, 0, "A m2", "[0, 0, 0]", -1e6,
		1e6, "body axes; with `input` per unit of its reading", NULL, NULL, 0, DS_ELEMENT_NONE },
	{ "radius", DS_FIELD_F64, 0, offsetof( ds_magnetometer_dipole, dipole.radius ), 1, 0, "m", "0.1", 1e-3, 100,
		"of the magnetised ball; inside it the field is uniform", NULL, NULL, 0, DS_ELEMENT_NONE },
	DS_STRING( ds_magnetometer_dipole, input, "\"\"", "of this sensor, which the moment follows; \"\": constant" ),
	DS_STRING( ds_magnetometer_dipole, reading, "\"\"", "which of the input's readings: \"power\"" ),
};

static ds_status check_dipole( const void *value )
{
	const ds_magnetometer_dipole *d = value;
	return ( d->input[0] != 0 ) == ( d->reading[0] != 0 )
			   ? DS_OK
			   : ds_error( DS_ERROR_ARGUMENT, "\"input\" and \"reading\" must be given together" );
}

static const ds_table dipole_table = { "vehicle_dipole", "A magnet, or a motor, of the vehicle",
	sizeof( ds_magnetometer_dipole ), dipole_fields, DS_COUNT( dipole_fields ), check_dipole, NULL, 0 };

static const ds_choice orders[] = {
	{ DS_MAGNETOMETER_BODY, DS_FORM_NAME, "body", NULL, NULL, "soft iron and noise turn with the vehicle" },
	{ DS_MAGNETOMETER_PRINTED, DS_FORM_NAME, "printed", NULL, NULL,
		"(13) as printed: they stay with the world's axes" },
};

static const ds_field config_fields[] = {
	DS_EACH( ds_magnetometer_config, N, "T/sqrt(Hz)", "[0, 0, 0]", 0, 1, "white noise, density" ),
	DS_EACH( ds_magnetometer_config, K, "T/s/sqrt(Hz)", "[0, 0, 0]", 0, 1, "bias walk: it grows by K sqrt(t)" ),
	DS_EACH( ds_magnetometer_config, markov_sigma, "T", "[0, 0, 0]", 0, 1, "Gauss-Markov process: standard deviation" ),
	DS_EACH( ds_magnetometer_config, markov_tau, "s", "[100, 100, 100]", 1e-6, 1e9,
		"Gauss-Markov process: correlation time" ),
	DS_EACH( ds_magnetometer_config, turn_on, "T", "[0, 0, 0]", 0, 1, "standard deviation of a bias drawn once a run" ),
	DS_F64( ds_magnetometer_config, hard_iron, "T", "[0, 0, 0]", -1, 1,
		"field of what is magnetised for good, mount axes" ),
	DS_MATRIX3( ds_magnetometer_config, soft_iron, "", DS_IDENTITY3, -10, 10,
		"S: what the vehicle's iron makes of the field, mount axes" ),
	DS_EACH( ds_magnetometer_config, scale, "", "[0, 0, 0]", -0.9, 10, "error of the scale factor; 0.001 is 1000 ppm" ),
	DS_MATRIX3( ds_magnetometer_config, misalignment, "", DS_IDENTITY3, -10, 10, "M: axes that are not square" ),
	DS_F64( ds_magnetometer_config, range, "T", "0", 0, 1, "readings are clipped to +- this; 0: none" ),
	DS_F64( ds_magnetometer_config, resolution, "T", "0", 0, 1, "readings are multiples of it; 0: exact" ),
	DS_ENUM( ds_magnetometer_config, order, orders, "\"body\"", "of soft iron and rotation" ),
	{ "dipoles", DS_FIELD_ARRAY, 0, offsetof( ds_magnetometer_config, dipoles ), 1, sizeof( ds_magnetometer_dipole ),
		"", "[]", 0, 0, "magnets and motors of the vehicle, at most 16", &dipole_table, NULL, 0, DS_ELEMENT_NONE },
};

static ds_status check_config( const void *value )
{
	const ds_magnetometer_config *c = value;
	if ( c->dipoles.count > DS_MAGNETOMETER_MAX_DIPOLES )
	{
		return ds_error( DS_ERROR_LIMIT, "expected at most %d dipoles, got %lld", DS_MAGNETOMETER_MAX_DIPOLES,
			(long long)c->dipoles.count );
	}
	return DS_OK;
}

const ds_table ds_magnetometer_options = { "magnetometer_config", "Options of the sensor magnetometer",
	sizeof( ds_magnetometer_config ), config_fields, DS_COUNT( config_fields ), check_config, NULL, 0 };

static const ds_field reading_fields[] = {
	DS_F64( ds_magnetometer, field, "T", NULL, 0, 0, "magnetic field, mount axes" ),
	DS_F64( ds_magnetometer, variance, "T2", NULL, 0, 0, "of white noise and quantisation" ),
	DS_BOOL( ds_magnetometer, valid, NULL, "false: saturated" ),
	DS_BOOL( ds_magnetometer, saturated, NULL, "some axis is at the end of its range" ),
	DS_BOOL( ds_magnetometer, heading_unreliable, NULL, "the level part of the true field is below 2000 nT" ),
};

const ds_table ds_magnetometer_readings =
	DS_TABLE( "magnetometer", "Magnetic field at the mount", ds_magnetometer, reading_fields );

DS_SENSOR_TABLES( magnetometer )

ds_status ds_magnetometer_check( const ds_magnetometer_config *config )
{
	if ( config == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_magnetometer_check needs a config" );
	}
	return ds_table_check_value( &ds_magnetometer_options, config );
}

// ---- the model ---------------------------------------------------------------------------------------------------

static ds_vec3 vec( const double v[3] )
{
	return ds_v3( v[0], v[1], v[2] );
}

static ds_vec3 times( const double m[9], ds_vec3 v )
{
	return ds_v3( m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
		m[6] * v.x + m[7] * v.y + m[8] * v.z );
}

static bool any( const double v[3] )
{
	return v[0] != 0 || v[1] != 0 || v[2] != 0;
}

ds_vec3 ds_magnetometer_vehicle_field( const ds_magnetometer_config *config, ds_pose mount, const double *factors )
{
	ds_vec3 sum = ds_v3( 0, 0, 0 );
	const ds_magnetometer_dipole *d = config->dipoles.data;
	for ( int64_t i = 0; i < config->dipoles.count; ++i )
	{
		sum = ds_mad( sum, factors ? factors[i] : 1, ds_magnetic_dipole_at( &d[i].dipole, mount.position ) );
	}
	return ds_unrotate( mount.attitude, sum );
}

void ds_magnetometer_reset(
	const ds_magnetometer_config *config, ds_magnetometer_state *state, const ds_random *stream )
{
	double turn_on[3], markov[3];
	ds_random_normals( stream, SLOT_TURN_ON, 3, turn_on );
	ds_random_normals( stream, SLOT_MARKOV, 3, markov );
	for ( int i = 0; i < 3; ++i )
	{
		state->turn_on[i] = config->turn_on[i] * turn_on[i];
		state->markov[i] = config->markov_sigma[i] * markov[i];
		state->walk[i] = 0;
	}
}

// Moves the slow errors on; sums them and white noise.
static void errors( const ds_magnetometer_config *c, ds_magnetometer_state *state, const ds_magnetometer_truth *truth,
	const ds_random *stream, double sum[3] )
{
	double normal[16] = { 0 };
	const double *white = normal + SLOT_WHITE, *walk = normal + SLOT_WALK, *markov = normal + SLOT_MARKOV;
	double root_rate = truth->period > 0 ? 1 / sqrt( truth->period ) : 0;
	if ( any( c->N ) || any( c->K ) || any( c->markov_sigma ) )
	{
		ds_random_normals( stream, 0, 16, normal ); // a row of 16 costs no more than of one
	}
	for ( int i = 0; i < 3; ++i )
	{
		if ( truth->interval > 0 )
		{
			state->walk[i] = ds_walk_step( state->walk[i], c->K[i], truth->interval, walk[i] );
			state->markov[i] =
				ds_markov_step( state->markov[i], c->markov_sigma[i], c->markov_tau[i], truth->interval, markov[i] );
		}
		sum[i] = state->turn_on[i] + state->walk[i] + state->markov[i] + c->N[i] * root_rate * white[i];
	}
}

static double clip_axis( const ds_magnetometer_config *c, double value, bool *saturated )
{
	if ( c->range > 0 && fabs( value ) >= c->range )
	{
		*saturated = true;
		return ds_clip( value, -c->range, c->range );
	}
	return value;
}

static bool is_good( const ds_magnetometer_truth *t )
{
	ds_quat q = t->attitude;
	return ds_is_truth( ds_size3( t->field ) + ds_size3( t->vehicle ) + t->interval + t->period + fabs( q.w ) +
						ds_size3( ds_v3( q.x, q.y, q.z ) ) ) &&
		   t->interval >= 0 && ( t->period == 0 || t->period >= 1e-12 );
}

void ds_magnetometer_measure( const ds_magnetometer_config *c, ds_magnetometer_state *state,
	const ds_magnetometer_truth *truth, const ds_random *stream, ds_magnetometer *reading )
{
	bool printed = c->order == DS_MAGNETOMETER_PRINTED;
	double noise[3];
	if ( !is_good( truth ) )
	{
		*reading = ( ds_magnetometer ){ { NAN, NAN, NAN }, { NAN, NAN, NAN }, false, false, true };
		return;
	}
	errors( c, state, truth, stream, noise );

	// the field that the elements are in: mount axes, or as printed the world's
	ds_vec3 vehicle = ds_add( truth->vehicle, vec( c->hard_iron ) );
	ds_vec3 b = printed ? times( c->soft_iron, ds_add( truth->field, ds_rotate( truth->attitude, vehicle ) ) )
						: ds_add( times( c->soft_iron, ds_unrotate( truth->attitude, truth->field ) ), vehicle );
	b = ds_v3( ( 1 + c->scale[0] ) * b.x, ( 1 + c->scale[1] ) * b.y, ( 1 + c->scale[2] ) * b.z );
	b = ds_add( times( c->misalignment, b ), vec( noise ) );
	bool saturated = false;
	b = ds_v3( clip_axis( c, b.x, &saturated ), clip_axis( c, b.y, &saturated ), clip_axis( c, b.z, &saturated ) );

	double rate = truth->period > 0 ? 1 / truth->period : 0;
	double variance[3] = { c->N[0] * c->N[0] * rate, c->N[1] * c->N[1] * rate, c->N[2] * c->N[2] * rate };
	if ( printed )
	{
		b = ds_unrotate( truth->attitude, b );
		ds_mat3 r = ds_mat3_from_quat( truth->attitude );
		double turned[3];
		for ( int i = 0; i < 3; ++i )
		{
			turned[i] = r.m[0][i] * r.m[0][i] * variance[0] + r.m[1][i] * r.m[1][i] * variance[1] +
						r.m[2][i] * r.m[2][i] * variance[2];
		}
		variance[0] = turned[0];
		variance[1] = turned[1];
		variance[2] = turned[2];
	}
	const double field[3] = { b.x, b.y, b.z };
	for ( int i = 0; i < 3; ++i )
	{
		double limit = c->range > 0 && !printed ? c->range : INFINITY;
		reading->field[i] = ds_clip_quantise( field[i], -limit, limit, c->resolution );
		reading->variance[i] = variance[i] + c->resolution * c->resolution / 12;
	}
	reading->saturated = saturated;
	reading->valid = !saturated;
	reading->heading_unreliable = hypot( truth->field.x, truth->field.y ) < BLACKOUT_LIMIT;
}
