#include "sensors/ahrs.h"

#include "deepsim/math.h"
#include "sensors/process.h"

#include <string.h>

#define LEVEL_LIMIT 2000e-9 // of the level field [T]: blackout zone of the WMM

// Slots of the streams, three each; those of the magnetometer come first.
enum
{
	SLOT_ACCELEROMETER = 16, // white noise, walk, turn-on bias
	SLOT_GYRO = 32
};

// Unit vectors to north, east and down in mount axes: the rows of the rotation from mount to world.
typedef struct triad
{
	ds_vec3 north, east, down;
} triad;

static ds_vec3 vec( const double v[3] )
{
	return ds_v3( v[0], v[1], v[2] );
}

static bool make_triad( ds_vec3 force, ds_vec3 field, triad *t )
{
	double f = ds_length( force );
	if ( !( f > 1e-9 ) )
	{
		return false;
	}
	t->down = ds_scale( -1 / f, force );
	ds_vec3 east = ds_cross( t->down, field );
	double level = ds_length( east );
	if ( !( level > 1e-9 * ds_length( field ) ) )
	{
		return false;
	}
	t->east = ds_scale( 1 / level, east );
	t->north = ds_cross( t->east, t->down );
	return true;
}

// The unit quaternion of a rotation matrix, from its largest component.
static ds_quat quat_of( const triad *t )
{
	const ds_vec3 n = t->north, e = t->east, d = t->down;
	const double ww = 1 + n.x + e.y + d.z, xx = 1 + n.x - e.y - d.z, yy = 1 - n.x + e.y - d.z, zz = 1 - n.x - e.y + d.z;
	ds_quat q;
	if ( ww >= xx && ww >= yy && ww >= zz )
	{
		q = ( ds_quat ){ ww, d.y - e.z, n.z - d.x, e.x - n.y };
	}
	else if ( xx >= yy && xx >= zz )
	{
		q = ( ds_quat ){ d.y - e.z, xx, n.y + e.x, n.z + d.x };
	}
	else if ( yy >= zz )
	{
		q = ( ds_quat ){ n.z - d.x, n.y + e.x, yy, e.z + d.y };
	}
	else
	{
		q = ( ds_quat ){ e.x - n.y, n.z + d.x, e.z + d.y, zz };
	}
	return ds_quat_normalize( q );
}

bool ds_ahrs_attitude( ds_vec3 specific_force, ds_vec3 field, ds_quat *attitude )
{
	triad t;
	if ( !make_triad( specific_force, field, &t ) )
	{
		return false;
	}
	*attitude = quat_of( &t );
	return true;
}

// ---- elements ----------------------------------------------------------------------------------------------------

void ds_ahrs_reset( const ds_ahrs_model *model, ds_ahrs_state *state, const ds_random *stream )
{
	const ds_ahrs_config *c = &model->config;
	memset( state, 0, sizeof( *state ) );
	ds_magnetometer_reset( &c->magnetometer, &state->magnetometer, stream );
	double accelerometer[3], gyro[3];
	ds_random_normals( stream, SLOT_ACCELEROMETER + 6, 3, accelerometer );
	ds_random_normals( stream, SLOT_GYRO + 6, 3, gyro );
	for ( int i = 0; i < 3; ++i )
	{
		state->accelerometer_turn_on[i] = c->accelerometer.turn_on[i] * accelerometer[i];
		state->gyro_turn_on[i] = c->gyro.turn_on[i] * gyro[i];
	}
	state->attitude = ds_quat_identity();
}

// The mean of a triad's error over an interval [s].
static void triad_error( const ds_ahrs_triad *c, const double turn_on[3], double walk[3], double interval,
	const ds_random *stream, uint32_t slot, double error[3] )
{
	double normal[16], *white = normal, *step = normal + 3;
	ds_random_normals( stream, slot, 16, normal ); // a row of 16 costs no more than of one
	double root = interval > 0 ? 1 / sqrt( interval ) : 0;
	for ( int i = 0; i < 3; ++i )
	{
		walk[i] = ds_walk_step( walk[i], c->K[i], interval, step[i] );
		error[i] = c->bias[i] + turn_on[i] + walk[i] + c->N[i] * root * white[i];
	}
}

void ds_ahrs_sense( const ds_ahrs_model *model, ds_ahrs_state *state, const ds_ahrs_truth *truth,
	const ds_random *stream, ds_ahrs_signals *signals )
{
	const ds_ahrs_config *c = &model->config;
	double interval = truth->magnetic.interval, force_error[3], rate_error[3];
	// the first sample is the mean of nothing: its noise is that of a period
	double mean = interval > 0 ? interval : truth->magnetic.period;
	triad_error( &c->accelerometer, state->accelerometer_turn_on, state->accelerometer_walk, mean, stream,
		SLOT_ACCELEROMETER, force_error );
	triad_error( &c->gyro, state->gyro_turn_on, state->gyro_walk, mean, stream, SLOT_GYRO, rate_error );
	const double force[3] = { truth->specific_force.x, truth->specific_force.y, truth->specific_force.z };
	const double angle[3] = { truth->delta_angle.x, truth->delta_angle.y, truth->delta_angle.z };
	ds_magnetometer m;
	ds_magnetometer_measure( &c->magnetometer, &state->magnetometer, &truth->magnetic, stream, &m );
	for ( int i = 0; i < 3; ++i )
	{
		signals->specific_force[i] = force[i] + force_error[i];
		signals->delta_angle[i] = angle[i] + interval * rate_error[i];
		signals->field[i] = m.field[i];
		signals->field_variance[i] = m.variance[i];
		signals->force_variance[i] = mean > 0 ? c->accelerometer.N[i] * c->accelerometer.N[i] / mean : 0;
		signals->rate_density[i] = c->gyro.N[i];
	}
	signals->interval = interval;
	signals->field_valid = m.valid;
	signals->heading_unreliable = m.heading_unreliable;
}

// ---- attitude ----------------------------------------------------------------------------------------------------

static ds_vec3 calibrate( const ds_ahrs_model *model, ds_vec3 field )
{
	const double *m = model->calibration;
	ds_vec3 b = ds_sub( field, vec( model->config.calibration_hard_iron ) );
	return ds_v3( m[0] * b.x + m[1] * b.y + m[2] * b.z, m[3] * b.x + m[4] * b.y + m[5] * b.z,
		m[6] * b.x + m[7] * b.y + m[8] * b.z );
}

// What a small change of the triad is, as a rotation about north, east and down.
static ds_vec3 rotation_between( const triad *from, const triad *to )
{
	return ds_v3( ds_dot( to->down, from->east ), ds_dot( to->north, from->down ), ds_dot( to->east, from->north ) );
}

// Covariance of the attitude of one sample: by differences, for each of the six numbers it is made of.
static void sample_covariance(
	const ds_ahrs_model *model, const ds_ahrs_signals *s, ds_vec3 field, const triad *t, double covariance[9] )
{
	memset( covariance, 0, 9 * sizeof( double ) );
	ds_vec3 force = vec( s->specific_force );
	for ( int i = 0; i < 6; ++i )
	{
		double variance = i < 3 ? s->force_variance[i] : s->field_variance[i - 3];
		if ( !( variance > 0 ) )
		{
			continue;
		}
		double axis[3] = { 0 }, step = 1e-5 * ds_length( i < 3 ? force : vec( s->field ) );
		axis[i % 3] = step;
		triad moved;
		bool good = i < 3 ? make_triad( ds_add( force, vec( axis ) ), field, &moved )
						  : make_triad( force, calibrate( model, ds_add( vec( s->field ), vec( axis ) ) ), &moved );
		ds_vec3 e = good ? ds_scale( 1 / step, rotation_between( t, &moved ) ) : ds_v3( 0, 0, 0 );
		const double j[3] = { e.x, e.y, e.z };
		for ( int k = 0; k < 9; ++k )
		{
			covariance[k] += variance * j[k / 3] * j[k % 3];
		}
	}
}

static double card( const double d[5], double compass )
{
	return d[0] + d[1] * sin( compass ) + d[2] * cos( compass ) + d[3] * sin( 2 * compass ) + d[4] * cos( 2 * compass );
}

static ds_quat about_down( double angle )
{
	return ( ds_quat ){ cos( 0.5 * angle ), 0, 0, sin( 0.5 * angle ) };
}

// A covariance about north, east and down, seen from axes that are turned about down: as the attitude is, when it turns by `angle`.
static void turn_covariance( double angle, double covariance[9] )
{
	const double c = cos( angle ), s = sin( angle ), r[3][3] = { { c, -s, 0 }, { s, c, 0 }, { 0, 0, 1 } };
	double half[9] = { 0 }, out[9] = { 0 };
	for ( int i = 0; i < 27; ++i )
	{
		half[i / 9 * 3 + i % 3] += r[i / 9][i / 3 % 3] * covariance[i / 3 % 3 * 3 + i % 3];
	}
	for ( int i = 0; i < 27; ++i )
	{
		out[i / 9 * 3 + i % 3] += half[i / 9 * 3 + i / 3 % 3] * r[i % 3][i / 3 % 3];
	}
	memcpy( covariance, out, sizeof( out ) );
}

// Carries the attitude on by the gyroscopes, and draws it to the sample's.
static void filter( const ds_ahrs_model *model, ds_ahrs_state *state, const ds_ahrs_signals *s, bool measured,
	ds_quat sample, const double sample_covariance_[9] )
{
	const ds_ahrs_config *c = &model->config;
	double dt = s->interval;
	ds_quat q = ds_quat_mul( state->attitude, ds_quat_exp( vec( s->delta_angle ) ) );
	double tilt = measured ? -expm1( -dt / c->tilt_tau ) : 0;
	double heading = measured && s->field_valid ? -expm1( -dt / c->heading_tau ) : 0;
	const double gain[3] = { tilt, tilt, heading };
	ds_vec3 error = ds_quat_log( ds_quat_mul( sample, ds_quat_conjugate( q ) ) );
	error = measured ? ds_v3( tilt * error.x, tilt * error.y, heading * error.z ) : ds_v3( 0, 0, 0 );
	state->attitude = ds_quat_normalize( ds_quat_mul( ds_quat_exp( error ), q ) );

	ds_mat3 r = ds_mat3_from_quat( q );
	for ( int k = 0; k < 9; ++k )
	{
		int i = k / 3, j = k % 3;
		double walked = state->covariance[k];
		for ( int axis = 0; axis < 3; ++axis )
		{
			walked += r.m[i][axis] * r.m[j][axis] * s->rate_density[axis] * s->rate_density[axis] * dt;
		}
		state->covariance[k] = ( 1 - gain[i] ) * ( 1 - gain[j] ) * walked + gain[i] * gain[j] * sample_covariance_[k];
	}
}

void ds_ahrs_update(
	const ds_ahrs_model *model, ds_ahrs_state *state, const ds_ahrs_signals *s, double declination, ds_ahrs *reading )
{
	const ds_ahrs_config *c = &model->config;
	ds_vec3 field = calibrate( model, vec( s->field ) );
	triad t;
	bool measured = make_triad( vec( s->specific_force ), field, &t );
	ds_quat sample = state->attitude;
	double covariance[9];
	memcpy( covariance, state->covariance, sizeof( covariance ) );
	if ( measured )
	{
		sample = quat_of( &t );
		double deviation = card( c->deviation, ds_quat_to_rpy( sample ).z );
		sample = ds_quat_mul( about_down( deviation ), sample );
		sample_covariance( model, s, field, &t, covariance );
		turn_covariance( deviation, covariance );
	}
	// of the two quaternions of an attitude, that which the last reading had
	ds_quat last = state->attitude;
	if ( sample.w * last.w + sample.x * last.x + sample.y * last.y + sample.z * last.z < 0 )
	{
		sample = ( ds_quat ){ -sample.w, -sample.x, -sample.y, -sample.z };
	}
	if ( c->filter == DS_AHRS_NONE || !state->started )
	{
		state->attitude = sample;
		memcpy( state->covariance, covariance, sizeof( covariance ) );
		state->started = measured;
	}
	else
	{
		filter( model, state, s, measured, sample, covariance );
	}
	ds_vec3 magnetic = ds_quat_to_rpy( state->attitude );
	ds_quat attitude = ds_quat_mul( about_down( declination ), state->attitude );
	ds_vec3 rpy = ds_quat_to_rpy( attitude );
	reading->roll = rpy.x;
	reading->pitch = rpy.y;
	reading->yaw = rpy.z;
	reading->magnetic_heading = magnetic.z;
	reading->declination = declination;
	memcpy( reading->attitude, &attitude, sizeof( reading->attitude ) );
	memcpy( reading->covariance, state->covariance, sizeof( reading->covariance ) );
	turn_covariance( declination, reading->covariance );
	reading->valid = measured || ( c->filter == DS_AHRS_COMPLEMENTARY && state->started );
	reading->heading_unreliable =
		!s->field_valid || s->heading_unreliable || !measured || ds_length( ds_cross( t.down, field ) ) < LEVEL_LIMIT;
	if ( !reading->valid )
	{
		*reading = ( ds_ahrs ){ .attitude = { 1, 0, 0, 0 }, .heading_unreliable = true };
	}
}
