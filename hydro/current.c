#include "hydro/current.h"

#include "deepsim/math.h"
#include "hydro/current_internal.h"

#include <math.h>

#define DIFFERENCE_LENGTH 1e-3 // to either side, along the flow [m]

// ---- models of the depth -------------------------------------------------------------------------------------------

static double bed_below( const ds_currents *currents, const ds_current_model *model, ds_vec3 position )
{
	const ds_currents_setting *s = &currents->setting;
	return model->bed_varies ? s->bed( s->user, position.x, position.y ) : model->bed;
}

static ds_vec3 velocity_of( const ds_current_def *def )
{
	return ds_v3( def->velocity[0], def->velocity[1], def->velocity[2] );
}

// The power law has an infinite slope at the bed: its lowest thousandth is straight.
static ds_vec3 power_flow( const ds_current_def *def, double bed, double z )
{
	double height = def->height > 0 ? def->height : bed;
	double h = ( bed - z ) / height, least = 1e-3;
	if ( !( h > 0 ) || !( height > 0 ) )
	{
		return ds_v3( 0, 0, 0 );
	}
	double scale = h > least ? pow( h, def->exponent ) : pow( least, def->exponent ) * h / least;
	return ds_scale( scale, velocity_of( def ) );
}

static ds_vec3 ekman_flow( const ds_currents *currents, const ds_current_model *model, ds_vec3 position, double z )
{
	ds_complex flow;
	if ( model->bed_varies )
	{
		ds_ekman_column column = ds_ekman_solve( &model->ekman, bed_below( currents, model, position ) );
		flow = ds_ekman_at( &model->ekman, &column, z, NULL );
	}
	else
	{
		flow = ds_ekman_at( &model->ekman, &model->column, z, NULL );
	}
	return ds_v3( flow.re, flow.im, 0 );
}

void ds_current_profile_slopes( const ds_current_level *levels, int64_t count, double *slopes )
{
	for ( int64_t i = 0; i < count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			// flat at both ends, where the profile goes on as a constant, and at extremes
			slopes[3 * i + k] = 0;
			if ( i == 0 || i == count - 1 )
			{
				continue;
			}
			double h0 = levels[i].depth - levels[i - 1].depth, h1 = levels[i + 1].depth - levels[i].depth;
			double d0 = ( levels[i].velocity[k] - levels[i - 1].velocity[k] ) / h0;
			double d1 = ( levels[i + 1].velocity[k] - levels[i].velocity[k] ) / h1;
			if ( d0 * d1 > 0 )
			{
				double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
				slopes[3 * i + k] = ( w0 + w1 ) / ( w0 / d0 + w1 / d1 );
			}
		}
	}
}

static ds_vec3 profile_flow( const ds_current_model *model, double z )
{
	const ds_current_level *levels = model->def.levels.data;
	int64_t low = 0, high = model->def.levels.count - 1;
	if ( z <= levels[0].depth || z >= levels[high].depth )
	{
		const double *v = levels[z <= levels[0].depth ? 0 : high].velocity;
		return ds_v3( v[0], v[1], v[2] );
	}
	while ( high - low > 1 )
	{
		int64_t middle = ( low + high ) / 2;
		*( z < levels[middle].depth ? &high : &low ) = middle;
	}
	double h = levels[high].depth - levels[low].depth, t = ( z - levels[low].depth ) / h;
	double a = ( 1 + 2 * t ) * ( 1 - t ) * ( 1 - t ), b = t * t * ( 3 - 2 * t );
	double c = h * t * ( 1 - t ) * ( 1 - t ), d = -h * t * t * ( 1 - t ), v[3];
	for ( int k = 0; k < 3; ++k )
	{
		v[k] = a * levels[low].velocity[k] + b * levels[high].velocity[k] + c * model->slopes[3 * low + k] +
			   d * model->slopes[3 * high + k];
	}
	return ds_v3( v[0], v[1], v[2] );
}

// ---- jet and pipe --------------------------------------------------------------------------------------------------

// 1 at s <= 0, 0 at s >= length, smooth.
static double fade( double s, double length )
{
	double t = s / length;
	return t <= 0 ? 1 : t >= 1 ? 0 : ( 1 - t ) * ( 1 - t ) * ( 1 + 2 * t );
}

// A round turbulent jet. Far off, the axis has U0 B d/x and half of it is met at the radius S x, in a Gaussian profile;
// S = 0.096 (Pope, Turbulent Flows (2000), section 5.1), and B = 6.13 makes the flux of momentum that of the nozzle
// ( S B = sqrt( ln 2 / 2 ); Pope has 6.0). Near the nozzle the axis keeps U0 over a core of about B d, joined by
// ( 1 + ( x/(B d) )^4 )^(1/4), at the same flux all along. Behind the nozzle it fades over a diameter.
static ds_vec3 jet_flow( const ds_current_model *model, ds_vec3 position )
{
	const double spread = 0.096, half = 0.5887050112577373; // sqrt( ln 2 / 2 )
	const ds_current_def *def = &model->def;
	ds_vec3 r = ds_sub( position, ds_v3( def->position[0], def->position[1], def->position[2] ) );
	double x = ds_dot( r, model->axis ), diameter = 2 * def->radius;
	if ( x <= -diameter )
	{
		return ds_v3( 0, 0, 0 );
	}
	double core = x > 0 ? x * spread / ( half * diameter ) : 0;
	double growth = sqrt( sqrt( 1 + core * core * core * core ) );
	ds_vec3 across = ds_mad( r, -x, model->axis );
	double ratio2 = ds_dot( across, across ) / ( half * half * diameter * diameter * growth * growth );
	double speed = def->speed / growth * exp( -0.6931471805599453 * ratio2 ) * fade( -x, diameter );
	return ds_scale( speed, model->axis );
}

// Hagen-Poiseuille's parabola; beyond the ends it fades over a radius.
static ds_vec3 pipe_flow( const ds_current_model *model, ds_vec3 position )
{
	const ds_current_def *def = &model->def;
	ds_vec3 r = ds_sub( position, ds_v3( def->position[0], def->position[1], def->position[2] ) );
	double x = ds_dot( r, model->axis );
	ds_vec3 across = ds_mad( r, -x, model->axis );
	double shape = 1 - ds_dot( across, across ) / ( def->radius * def->radius );
	double ends = fade( -x, def->radius ) * fade( x - def->length, def->radius );
	return ds_scale( shape > 0 ? def->speed * shape * ends : 0, model->axis );
}

ds_vec3 ds_current_place( const ds_currents *currents, const ds_current_model *model, ds_vec3 position )
{
	double z = position.z > 0 ? position.z : 0;
	switch ( model->def.kind )
	{
		case DS_CURRENT_EXPONENTIAL:
			return ds_scale( exp( -z / model->def.depth ), velocity_of( &model->def ) );
		case DS_CURRENT_POWER:
			return power_flow( &model->def, bed_below( currents, model, position ), z );
		case DS_CURRENT_EKMAN:
			return ekman_flow( currents, model, position, z );
		case DS_CURRENT_PROFILE:
			return profile_flow( model, z );
		case DS_CURRENT_JET:
			return jet_flow( model, position );
		default:
			return pipe_flow( model, position );
	}
}

// ---- models of the time --------------------------------------------------------------------------------------------

static void add_tide( const ds_current_def *def, double time, ds_currents_state *state )
{
	const ds_tidal_constituent *c = def->constituents.data;
	for ( int64_t i = 0; i < def->constituents.count; ++i )
	{
		double rate = 2 * DS_PI / c[i].period, angle = rate * time - c[i].phase;
		double along = c[i].major * cos( angle ), across = c[i].minor * sin( angle );
		double along_rate = -rate * c[i].major * sin( angle ), across_rate = rate * c[i].minor * cos( angle );
		double ca = cos( c[i].axis ), sa = sin( c[i].axis );
		state->velocity = ds_add( state->velocity, ds_v3( ca * along - sa * across, sa * along + ca * across, 0 ) );
		state->rate =
			ds_add( state->rate, ds_v3( ca * along_rate - sa * across_rate, sa * along_rate + ca * across_rate, 0 ) );
	}
}

void ds_currents_prepare( const ds_currents *currents, double time, ds_currents_state *state )
{
	state->time = time;
	state->rate = ds_v3( 0, 0, 0 );
	state->velocity = currents ? currents->uniform : state->rate;
	for ( int32_t i = 0; currents && i < currents->time_count; ++i )
	{
		const ds_current_model *model = &currents->time[i];
		if ( model->def.kind == DS_CURRENT_TIDAL )
		{
			add_tide( &model->def, time, state );
			continue;
		}
		ds_vec3 velocity, rate;
		ds_current_random( model, state->seed, time, &velocity, &rate );
		state->velocity = ds_add( state->velocity, velocity );
		state->rate = ds_add( state->rate, rate );
	}
}

// ---- queries -------------------------------------------------------------------------------------------------------

// A state of this time: the caller's, or `own`, filled.
static const ds_currents_state *state_at(
	const ds_currents *currents, const ds_currents_state *state, double time, ds_currents_state *own )
{
	if ( state && state->time == time )
	{
		return state;
	}
	own->seed = state ? state->seed : 0;
	ds_currents_prepare( currents, time, own );
	return own;
}

static ds_vec3 place_sum( const ds_currents *currents, ds_vec3 velocity, ds_vec3 position )
{
	for ( int32_t i = 0; i < currents->space_count; ++i )
	{
		velocity = ds_add( velocity, ds_current_place( currents, &currents->space[i], position ) );
	}
	return velocity;
}

ds_vec3 ds_currents_at( const ds_currents *currents, const ds_currents_state *state, ds_vec3 position, double time )
{
	if ( currents == NULL )
	{
		return ds_v3( 0, 0, 0 );
	}
	ds_currents_state own;
	return place_sum( currents, state_at( currents, state, time, &own )->velocity, position );
}

ds_vec3 ds_currents_acceleration(
	const ds_currents *currents, const ds_currents_state *state, ds_vec3 position, double time )
{
	if ( currents == NULL )
	{
		return ds_v3( 0, 0, 0 );
	}
	ds_currents_state own;
	const ds_currents_state *now = state_at( currents, state, time, &own );
	ds_vec3 velocity = place_sum( currents, now->velocity, position ), zero = ds_v3( 0, 0, 0 );
	double speed = ds_length( velocity );
	if ( currents->space_count == 0 || !( speed > 0 ) )
	{
		return now->rate;
	}
	ds_vec3 step = ds_scale( DIFFERENCE_LENGTH / speed, velocity );
	ds_vec3 ahead = place_sum( currents, zero, ds_add( position, step ) );
	ds_vec3 behind = place_sum( currents, zero, ds_sub( position, step ) );
	return ds_mad( now->rate, 0.5 * speed / DIFFERENCE_LENGTH, ds_sub( ahead, behind ) );
}

void ds_currents_column( const ds_currents *currents, const ds_currents_state *state, ds_vec3 position, double time,
	double half_height, ds_current_column *column )
{
	*column = ( ds_current_column ){ { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } };
	if ( currents == NULL )
	{
		return;
	}
	ds_currents_state own;
	ds_vec3 everywhere = state_at( currents, state, time, &own )->velocity, zero = ds_v3( 0, 0, 0 );
	ds_vec3 here = place_sum( currents, zero, position );
	column->velocity = ds_add( everywhere, here );
	if ( currents->space_count > 0 )
	{
		ds_vec3 down = ds_v3( 0, 0, half_height );
		ds_vec3 above = place_sum( currents, zero, ds_sub( position, down ) );
		ds_vec3 below = place_sum( currents, zero, ds_add( position, down ) );
		ds_vec3 bend = ds_sub( ds_add( above, below ), ds_scale( 2, here ) );
		column->gradient = ds_scale( 0.5 / half_height, ds_sub( below, above ) );
		column->curvature = ds_scale( 1 / ( half_height * half_height ), bend );
	}
}

bool ds_currents_vary_in_space( const ds_currents *currents )
{
	return currents && currents->space_count > 0;
}

bool ds_currents_vary_in_time( const ds_currents *currents )
{
	return currents && currents->time_count > 0;
}
