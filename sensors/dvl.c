#include "deepsim/dvl.h"

#include "sensors/beams.h"
#include "sensors/process.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

#define LAYER_SHARE 0.8 // of the shortest distance to the bottom: Teledyne RDI, Pathfinder DVL Guide, April 2018, p. 27

// Slots of the sample's stream: each noise term has its own.
enum
{
	NORMAL_NOISE = 0,
	NORMAL_PROPORTIONAL = 4,
	NORMAL_OUTLIER = 8,
	NORMAL_RANGE = 12,
	NORMAL_WALK = 16,
	NORMAL_WATER = 20, // noise, proportional, outlier, as above
	NORMAL_COUNT = 32,
	UNIFORM_OUTLIER = 0,
	UNIFORM_RETURN = 4,
	UNIFORM_WATER_OUTLIER = 8,
	UNIFORM_WATER_RETURN = 12
};

// ---- fixed ---------------------------------------------------------------------------------------------------------

ds_status ds_dvl_prepare( const ds_dvl_config *config, ds_dvl_model *model )
{
	if ( config == NULL || model == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_dvl_prepare needs a config and room for the model" );
	}
	DS_TRY( ds_table_check_value( &ds_dvl_options, config ) );
	ds_beam_set set;
	DS_TRY( ds_beams_prepare( &config->beams, &set ) );
	memset( model, 0, sizeof( *model ) );
	model->config = *config;
	memcpy( model->direction, set.direction, sizeof( set.direction ) );
	memcpy( model->cosine, set.cosine, sizeof( set.cosine ) );
	model->axis = set.axis;
	model->incidence_limit_cosine = cos( config->incidence_limit );
	model->incidence_full_cosine = cos( fmax( config->incidence_limit - config->incidence_fade, 0 ) );
	return DS_OK;
}

void ds_dvl_reset( ds_dvl_state *state )
{
	memset( state, 0, sizeof( *state ) );
	state->busy_until = -1;
}

void ds_dvl_beams( const ds_dvl_model *model, double sound_speed, ds_vec3 beams[DS_BEAMS] )
{
	const ds_dvl_config *c = &model->config;
	double speed = sound_speed > 0 ? sound_speed : ds_beams_speed( c->sound_speed, 0 );
	ds_beams_look( c->array, model->direction, model->axis, speed / c->array_sound_speed, beams );
}

double ds_dvl_reach( const ds_dvl_model *model )
{
	const ds_dvl_config *c = &model->config;
	double reach = c->track == DS_DVL_WATER ? 0 : c->maximum_altitude;
	if ( c->track != DS_DVL_BOTTOM && c->water == DS_DVL_WATER_LAYER )
	{
		reach = fmax( reach, c->layer_far / LAYER_SHARE );
	}
	double least = model->cosine[0];
	for ( int i = 1; i < DS_BEAMS; ++i )
	{
		least = fmin( least, model->cosine[i] );
	}
	return 1.01 * reach / least + 0.01; // a phased array's beams may lie a bit farther out
}

bool ds_dvl_due( const ds_dvl_model *model, const ds_dvl_state *state, double time )
{
	return !model->config.adaptive || time >= state->busy_until - 1e-9;
}

bool ds_dvl_layer(
	const ds_dvl_model *model, const double range[DS_BEAMS], double nearest[DS_BEAMS], double farthest[DS_BEAMS] )
{
	const ds_dvl_config *c = &model->config;
	memset( nearest, 0, DS_BEAMS * sizeof( *nearest ) );
	memset( farthest, 0, DS_BEAMS * sizeof( *farthest ) );
	if ( c->track == DS_DVL_BOTTOM || c->water == DS_DVL_WATER_PRINTED )
	{
		return c->track != DS_DVL_BOTTOM;
	}
	double end = c->layer_far;
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		end = range[i] >= 0 ? fmin( end, LAYER_SHARE * range[i] * model->cosine[i] ) : end;
	}
	if ( !( end > c->layer_near && end - c->layer_near >= c->layer_minimum ) )
	{
		return false;
	}
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		nearest[i] = c->layer_near / model->cosine[i];
		farthest[i] = end / model->cosine[i];
	}
	return true;
}

// ---- beams ---------------------------------------------------------------------------------------------------------

// 1 at 0, 0 at 1, level at both ends.
static double fade( double u )
{
	return u <= 0 ? 1 : u >= 1 ? 0 : 1 - u * u * ( 3 - 2 * u );
}

// The chance that a beam hears what it meets.
static double return_chance( const ds_dvl_model *m, int beam, double range, double cosine )
{
	const ds_dvl_config *c = &m->config;
	double altitude = range * m->cosine[beam];
	if ( !( range >= 0 ) || altitude < c->minimum_altitude || altitude > c->maximum_altitude ||
		 cosine < m->incidence_limit_cosine || !( cosine > 0 ) )
	{
		return 0;
	}
	double chance = 1 - c->dropout;
	if ( c->range_fade > 0 )
	{
		chance *= fade( 1 - ( 1 - altitude / c->maximum_altitude ) / c->range_fade );
	}
	if ( cosine < m->incidence_full_cosine )
	{
		chance *= fade( 1 - ( c->incidence_limit - acos( fmin( cosine, 1 ) ) ) / c->incidence_fade );
	}
	return chance;
}

// A track's noise: its normal numbers, 12 in a row, and where it draws the chance of outliers.
typedef struct track_noise
{
	const double *white, *proportional, *outlier;
	uint32_t outlier_uniform;
	double deviation; // [m/s]
} track_noise;

// What the beams report of velocities that they see without noise, and the variances of their white noise. (7), (11): each beam has
// noise of its own; its size follows |v|, so that backward motion has forward's noise.
static void disturb( const ds_dvl_config *c, const track_noise *n, const ds_random *stream, double along[DS_BEAMS],
	double variance[DS_BEAMS] )
{
	double chance[DS_BEAMS] = { 0 };
	bool outliers = c->outlier_probability > 0 && c->outlier_size > 0;
	if ( outliers )
	{
		ds_random_uniforms( stream, n->outlier_uniform, DS_BEAMS, chance );
	}
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		double extra = c->noise_proportional * fabs( along[i] );
		variance[i] = n->deviation * n->deviation + extra * extra + c->resolution * c->resolution / 12;
		along[i] += n->deviation * n->white[i] + extra * n->proportional[i];
		if ( outliers && chance[i] < c->outlier_probability )
		{
			along[i] += c->outlier_size * n->outlier[i];
		}
		along[i] = ds_quantise( along[i], c->resolution );
	}
}

// ---- tracks --------------------------------------------------------------------------------------------------------

// One ping, as far as both tracks share it.
typedef struct ping
{
	const ds_dvl_model *model;
	const ds_dvl_truth *truth;
	const ds_random *stream;
	const double *normal; // by slots
	ds_vec3 along[DS_BEAMS]; // where the beams look
	ds_vec3 taken[DS_BEAMS]; // where the instrument takes them to look
	double factor; // scale of velocities
	ds_vec3 bias; // mount axes [m/s]
	double range_factor; // scale of ranges
} ping;

// A reflector's Doppler shift is 2 f times the slowness of sound there times its velocity along the ray. Snell's law keeps the slowness
// across the layers all the way, so for a bottom at rest the speed of sound at the transducer alone matters (RD Instruments, WorkHorse
// Sentinel User's Guide, 2001, p. 38: horizontal velocities do not feel the layers). The bias lies in the velocity, as in (11).
static double seen( const ping *p, int beam, ds_vec3 target )
{
	return p->factor * ds_dot( ds_sub( p->truth->velocity, target ), p->along[beam] ) +
		   ds_dot( p->bias, p->taken[beam] );
}

// Whether a solution of four beams that disagree is refused.
static bool refused( const ds_dvl_config *c, const ds_beam_solution *s )
{
	return c->error_limit > 0 && fabs( s->error_velocity ) > c->error_limit;
}

static void store( ds_vec3 v, double out[3] )
{
	out[0] = v.x;
	out[1] = v.y;
	out[2] = v.z;
}

static void track_bottom( const ping *p, ds_dvl *r )
{
	const ds_dvl_config *c = &p->model->config;
	const double *normal = p->normal;
	const track_noise noise = { normal + NORMAL_NOISE, normal + NORMAL_PROPORTIONAL, normal + NORMAL_OUTLIER,
		UNIFORM_OUTLIER, c->noise };
	const double *range_noise = normal + NORMAL_RANGE;
	double along[DS_BEAMS], variance[DS_BEAMS], chance[DS_BEAMS], uniform[DS_BEAMS] = { 0 };
	bool doubt = false;
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		chance[i] = return_chance( p->model, i, p->truth->range[i], p->truth->cosine[i] );
		doubt = doubt || ( chance[i] > 0 && chance[i] < 1 );
		along[i] = chance[i] > 0 ? seen( p, i, p->truth->surface_velocity[i] ) : 0;
	}
	if ( doubt )
	{
		ds_random_uniforms( p->stream, UNIFORM_RETURN, DS_BEAMS, uniform );
	}
	disturb( c, &noise, p->stream, along, variance );
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		r->beam_valid[i] = chance[i] > 0 && uniform[i] < chance[i];
		if ( r->beam_valid[i] )
		{
			double range = p->range_factor * p->truth->range[i] + c->range_noise * range_noise[i];
			r->beam_range[i] = fmax( ds_quantise( range, c->range_resolution ), 0 );
			r->beam_velocity[i] = along[i];
			r->beam_quality[i] = chance[i];
			++r->n_good;
		}
	}
	ds_beam_solution s = ds_beams_solve( p->taken, r->beam_valid, along, variance );
	r->error_velocity = s.error_velocity;
	r->bottom_valid = s.valid && !refused( c, &s );
	if ( r->bottom_valid )
	{
		store( s.velocity, r->velocity );
		memcpy( r->covariance, s.covariance, sizeof( s.covariance ) );
		double square = s.error_velocity * s.error_velocity,
			   trace = s.covariance[0] + s.covariance[4] + s.covariance[8];
		r->figure_of_merit =
			sqrt( trace * ( square > s.error_variance && s.error_variance > 0 ? square / s.error_variance : 1 ) );
	}
}

static void track_water( const ping *p, ds_dvl *r )
{
	const ds_dvl_config *c = &p->model->config;
	const double *normal = p->normal + NORMAL_WATER;
	const track_noise noise = { normal + NORMAL_NOISE, normal + NORMAL_PROPORTIONAL, normal + NORMAL_OUTLIER,
		UNIFORM_WATER_OUTLIER, c->water_noise };
	double nearest[DS_BEAMS], farthest[DS_BEAMS];
	if ( !ds_dvl_layer( p->model, p->truth->range, nearest, farthest ) )
	{
		return;
	}
	double along[DS_BEAMS], variance[DS_BEAMS], uniform[DS_BEAMS] = { 0 };
	if ( c->dropout > 0 )
	{
		ds_random_uniforms( p->stream, UNIFORM_WATER_RETURN, DS_BEAMS, uniform );
	}
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		r->water_beam_valid[i] = p->truth->water_present[i] && uniform[i] < 1 - c->dropout;
		along[i] = r->water_beam_valid[i] ? seen( p, i, p->truth->water_velocity[i] ) : 0;
	}
	disturb( c, &noise, p->stream, along, variance );
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		r->water_beam_velocity[i] = r->water_beam_valid[i] ? along[i] : 0;
		r->n_water += r->water_beam_valid[i];
	}
	ds_beam_solution s = ds_beams_solve( p->taken, r->water_beam_valid, along, variance );
	r->water_error_velocity = s.error_velocity;
	r->water_valid = s.valid && !refused( c, &s );
	if ( r->water_valid )
	{
		store( s.velocity, r->water_velocity );
		memcpy( r->water_covariance, s.covariance, sizeof( s.covariance ) );
	}
}

// World vertical from the transducer to the plane z = a + b x + c y through the footprints of the beams, by least squares: a. On a plane
// bottom it is exact, whatever the slope and the attitude. Two footprints, or footprints in a line, make no plane: their mean height.
static void find_altitude( const ping *p, ds_dvl *r )
{
	ds_vec3 foot[DS_BEAMS], mean = ds_v3( 0, 0, 0 );
	int count = 0;
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		if ( r->beam_valid[i] )
		{
			foot[count] = ds_rotate( p->truth->attitude, ds_scale( r->beam_range[i], p->taken[i] ) );
			mean = ds_add( mean, foot[count++] );
		}
	}
	if ( count == 0 )
	{
		return;
	}
	mean = ds_scale( 1.0 / count, mean );
	double xx = 0, xy = 0, yy = 0, xz = 0, yz = 0;
	for ( int i = 0; i < count; ++i )
	{
		ds_vec3 d = ds_sub( foot[i], mean );
		xx += d.x * d.x;
		xy += d.x * d.y;
		yy += d.y * d.y;
		xz += d.x * d.z;
		yz += d.y * d.z;
	}
	double det = xx * yy - xy * xy, altitude = mean.z;
	if ( count >= 3 && det > 1e-4 * ( xx + yy ) * ( xx + yy ) )
	{
		double north = ( xz * yy - yz * xy ) / det, east = ( yz * xx - xz * xy ) / det;
		altitude = mean.z - north * mean.x - east * mean.y;
	}
	r->altitude_valid = altitude >= 0;
	r->altitude = r->altitude_valid ? altitude : 0;
}

// From the ping to the last echo waited for: that of every beam, or the end of the greatest range where one hears nothing.
static double ping_time( const ping *p, const ds_dvl *r, double mean_speed )
{
	const ds_dvl_config *c = &p->model->config;
	double way = 0;
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		if ( c->track != DS_DVL_WATER )
		{
			way = fmax( way, r->beam_valid[i] ? p->truth->range[i] : c->maximum_altitude / p->model->cosine[i] );
		}
		if ( c->track != DS_DVL_BOTTOM && c->water == DS_DVL_WATER_LAYER )
		{
			way = fmax( way, c->layer_far / p->model->cosine[i] );
		}
	}
	return 2 * way / mean_speed + c->overhead;
}

// ---- a sample ------------------------------------------------------------------------------------------------------

// (9), with the square root of time that makes it a random walk. It goes on while a ping is under way.
static void step_bias( const ds_dvl_config *c, double interval, const double normal[3], ds_dvl_state *state )
{
	double dt = c->walk == DS_DVL_WALK_PRINTED ? interval * interval : interval;
	for ( int i = 0; i < 3; ++i )
	{
		state->walk[i] = ds_walk_step( state->walk[i], c->bias_walk[i], dt, normal[i] );
	}
}

void ds_dvl_measure( const ds_dvl_model *model, ds_dvl_state *state, const ds_dvl_truth *truth, const ds_random *stream,
	ds_dvl *reading )
{
	const ds_dvl_config *c = &model->config;
	memset( reading, 0, sizeof( *reading ) );
	reading->fresh = ds_dvl_due( model, state, truth->time );
	bool walks = c->bias_walk[0] > 0 || c->bias_walk[1] > 0 || c->bias_walk[2] > 0;
	double normal[NORMAL_COUNT] = { 0 };
	if ( walks || reading->fresh )
	{
		// in one row they cost little
		bool all = walks || c->track != DS_DVL_BOTTOM;
		ds_random_normals( stream, 0, all ? NORMAL_COUNT : NORMAL_WALK, normal );
	}
	if ( walks && truth->interval > 0 )
	{
		step_bias( c, truth->interval, normal + NORMAL_WALK, state );
	}
	if ( !reading->fresh )
	{
		return;
	}
	double assumed = ds_beams_speed( c->sound_speed, truth->sound_speed );
	double speed = truth->sound_speed > 0 ? truth->sound_speed : assumed;
	double mean = truth->mean_sound_speed > 0 ? truth->mean_sound_speed : speed;
	ping p = { .model = model, .truth = truth, .stream = stream, .normal = normal };
	ds_dvl_beams( model, speed, p.along );
	ds_dvl_beams( model, assumed, p.taken );
	p.factor = ( 1 + c->scale ) * assumed / speed;
	p.range_factor = assumed / mean;
	p.bias = ds_v3( c->bias[0] + state->walk[0], c->bias[1] + state->walk[1], c->bias[2] + state->walk[2] );
	if ( truth->wet && c->track != DS_DVL_WATER )
	{
		track_bottom( &p, reading );
		find_altitude( &p, reading );
	}
	if ( truth->wet && c->track != DS_DVL_BOTTOM )
	{
		track_water( &p, reading );
	}
	reading->mode = reading->bottom_valid ? DS_DVL_MODE_BOTTOM : reading->water_valid ? DS_DVL_MODE_WATER : DS_DVL_NONE;
	reading->sound_speed = assumed;
	reading->ping_time = ping_time( &p, reading, mean );
	state->busy_until = truth->time + reading->ping_time;
}
