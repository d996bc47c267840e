// Making and checking lists of currents.

#include "deepsim/math.h"
#include "hydro/current_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const kind_names[DS_CURRENT_KIND_END] = { "uniform", "exponential", "power", "ekman", "profile",
	"tidal", "gauss_markov", "jet", "pipe" };

ds_current_def ds_current_def_default( int32_t kind )
{
	ds_current_def def;
	memset( &def, 0, sizeof( def ) );
	def.kind = kind;
	def.depth = 100;
	def.exponent = 1.0 / 7;
	def.surface_layer = 50;
	def.bed_layer = 20;
	def.drag_law = DS_DRAG_TABLE;
	def.drag_coefficient = 1.3e-3;
	def.air_density = 1.225;
	def.water_density = 1026;
	def.correlation_time = 600;
	def.direction[0] = 1;
	def.radius = 0.1;
	def.length = 1;
	return def;
}

// Speeds of the constituents [degrees an hour] (NOAA CO-OPS, harmonic constituents).
static double period_of( const ds_tidal_constituent *c )
{
	static const double speeds[DS_TIDE_END] = { 0, 28.984104, 30.0, 28.43973, 30.082138, 15.041069, 13.943035,
		14.958931, 13.398661, 57.96821 };
	return c->tide > DS_TIDE_OTHER && c->tide < DS_TIDE_END ? 360 * 3600 / speeds[c->tide] : c->period;
}

// ---- checks --------------------------------------------------------------------------------------------------------

// A number that a current needs.
typedef struct check
{
	const char *what;
	double value;
	bool positive;
} check;

static ds_status check_numbers( const char *where, const check *checks, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		if ( !isfinite( checks[i].value ) )
		{
			return ds_error( DS_ERROR_NOT_FINITE, "%s: %s is not finite", where, checks[i].what );
		}
		if ( checks[i].positive && !( checks[i].value > 0 ) )
		{
			return ds_error(
				DS_ERROR_RANGE, "%s: %s must be positive, got %g", where, checks[i].what, checks[i].value );
		}
	}
	return DS_OK;
}

#define CHECK_NUMBERS( where, checks ) check_numbers( where, checks, (int)( sizeof( checks ) / sizeof( checks[0] ) ) )

static ds_status check_vector( const char *where, const char *what, const double v[3] )
{
	if ( isfinite( v[0] ) && isfinite( v[1] ) && isfinite( v[2] ) )
	{
		return DS_OK;
	}
	return ds_error( DS_ERROR_NOT_FINITE, "%s: %s is not finite", where, what );
}

static ds_status check_ekman( const char *where, const ds_current_def *d )
{
	const check checks[] = { { "the surface layer", d->surface_layer, true }, { "the bed layer", d->bed_layer, true },
		{ "the density of the water", d->water_density, true }, { "the density of the air", d->air_density, true },
		{ "the latitude", d->latitude, false }, { "the wind's speed", d->wind_speed, false },
		{ "the wind's direction", d->wind_direction, false }, { "the drag coefficient", d->drag_coefficient, false },
		{ "the stress", d->stress[0], false }, { "the stress", d->stress[1], false } };
	DS_TRY( CHECK_NUMBERS( where, checks ) );
	if ( d->wind_speed < 0 || d->drag_coefficient < 0 )
	{
		return ds_error( DS_ERROR_RANGE, "%s: the wind's speed and its drag coefficient cannot be negative", where );
	}
	if ( fabs( d->latitude ) > 0.5 * DS_PI + 1e-9 )
	{
		return ds_error( DS_ERROR_RANGE, "%s: the latitude must be within +-pi/2 rad, got %g", where, d->latitude );
	}
	return DS_OK;
}

static ds_status check_levels( const char *where, const ds_current_def *d )
{
	const ds_current_level *levels = d->levels.data;
	if ( levels == NULL || d->levels.count < 1 )
	{
		return ds_error( DS_ERROR_RANGE, "%s: a profile needs at least one level", where );
	}
	for ( int64_t i = 0; i < d->levels.count; ++i )
	{
		DS_TRY( check_vector( where, "the velocity of a level", levels[i].velocity ) );
		if ( !isfinite( levels[i].depth ) || ( i > 0 && !( levels[i].depth > levels[i - 1].depth ) ) )
		{
			return ds_error( DS_ERROR_RANGE, "%s: depths of levels must increase: level %lld is at %g m", where,
				(long long)i, levels[i].depth );
		}
	}
	return DS_OK;
}

static ds_status check_tide( const char *where, const ds_current_def *d )
{
	const ds_tidal_constituent *c = d->constituents.data;
	if ( d->constituents.count < 0 || ( d->constituents.count > 0 && c == NULL ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "%s: the constituents must have data", where );
	}
	for ( int64_t i = 0; i < d->constituents.count; ++i )
	{
		const check checks[] = { { "the period of a constituent", period_of( &c[i] ), true },
			{ "the major axis of a constituent", c[i].major, false },
			{ "the minor axis of a constituent", c[i].minor, false },
			{ "the phase of a constituent", c[i].phase, false }, { "the axis of a constituent", c[i].axis, false } };
		DS_TRY( CHECK_NUMBERS( where, checks ) );
	}
	return DS_OK;
}

static ds_status check_random( const char *where, const ds_current_def *d )
{
	const check checks[] = { { "the correlation time", d->correlation_time, true } };
	DS_TRY( CHECK_NUMBERS( where, checks ) );
	DS_TRY( check_vector( where, "the deviation", d->deviation ) );
	if ( d->deviation[0] < 0 || d->deviation[1] < 0 || d->deviation[2] < 0 )
	{
		return ds_error( DS_ERROR_RANGE, "%s: standard deviations cannot be negative", where );
	}
	return DS_OK;
}

static ds_status check_stream( const char *where, const ds_current_def *d )
{
	const check checks[] = { { "the radius", d->radius, true }, { "the speed", d->speed, false } };
	DS_TRY( CHECK_NUMBERS( where, checks ) );
	DS_TRY( check_vector( where, "the position", d->position ) );
	DS_TRY( check_vector( where, "the direction", d->direction ) );
	if ( d->direction[0] == 0 && d->direction[1] == 0 && d->direction[2] == 0 )
	{
		return ds_error( DS_ERROR_RANGE, "%s: the direction must not be zero", where );
	}
	if ( d->kind == DS_CURRENT_PIPE )
	{
		const check length[] = { { "the length", d->length, true } };
		return CHECK_NUMBERS( where, length );
	}
	return DS_OK;
}

static ds_status check_bed( const char *where, const ds_current_def *d, const ds_currents_setting *setting )
{
	const check checks[] = { { "the bed's depth", d->bed_depth, true } };
	if ( d->bed_source == DS_CURRENT_OF_DEF )
	{
		return CHECK_NUMBERS( where, checks );
	}
	bool known = setting->bed || ( setting->has_bed && isfinite( setting->bed_depth ) );
	return known || d->kind == DS_CURRENT_EKMAN
			   ? DS_OK
			   : ds_error( DS_ERROR_RANGE,
					 "%s: it is measured from the bed: a seabed is missing, or a bed depth of its own", where );
}

static ds_status check_def( const char *where, const ds_current_def *d, const ds_currents_setting *setting )
{
	const check depth[] = { { "the depth", d->depth, true } };
	const check power[] = { { "the exponent", d->exponent, true }, { "the height", d->height, false } };
	switch ( d->kind )
	{
		case DS_CURRENT_UNIFORM:
			return check_vector( where, "the velocity", d->velocity );
		case DS_CURRENT_EXPONENTIAL:
			DS_TRY( check_vector( where, "the velocity", d->velocity ) );
			return CHECK_NUMBERS( where, depth );
		case DS_CURRENT_POWER:
			DS_TRY( check_vector( where, "the velocity", d->velocity ) );
			DS_TRY( CHECK_NUMBERS( where, power ) );
			return check_bed( where, d, setting );
		case DS_CURRENT_EKMAN:
			DS_TRY( check_vector( where, "the velocity", d->velocity ) );
			DS_TRY( check_ekman( where, d ) );
			return check_bed( where, d, setting );
		case DS_CURRENT_PROFILE:
			return check_levels( where, d );
		case DS_CURRENT_TIDAL:
			return check_tide( where, d );
		case DS_CURRENT_GAUSS_MARKOV:
			return check_random( where, d );
		default:
			return check_stream( where, d );
	}
}

// ---- making --------------------------------------------------------------------------------------------------------

static bool varies_in_time( int32_t kind )
{
	return kind == DS_CURRENT_TIDAL || kind == DS_CURRENT_GAUSS_MARKOV;
}

static ds_status copy_array( ds_arena *arena, size_t size, ds_array *array )
{
	void *copy;
	if ( array->count == 0 )
	{
		array->data = NULL;
		return DS_OK;
	}
	DS_TRY( ds_arena_new( arena, (size_t)array->count * size, &copy ) );
	memcpy( copy, array->data, (size_t)array->count * size );
	array->data = copy;
	return DS_OK;
}

static ds_status make_model( ds_currents *currents, const ds_current_def *def, int32_t index, ds_current_model *model )
{
	const ds_currents_setting *setting = &currents->setting;
	ds_arena *arena = &currents->arena;
	model->def = *def;
	snprintf( model->name, sizeof( model->name ), "current/%d", (int)index );
	model->bed_varies = def->bed_source == DS_CURRENT_OF_WORLD && setting->bed;
	model->bed = def->bed_source == DS_CURRENT_OF_DEF ? def->bed_depth
				 : setting->has_bed                   ? setting->bed_depth
													  : INFINITY;
	if ( def->kind == DS_CURRENT_EKMAN )
	{
		bool own = def->latitude_source == DS_CURRENT_OF_DEF;
		model->ekman = ds_ekman_make( def, own ? def->latitude : setting->latitude );
		model->column = ds_ekman_solve( &model->ekman, model->bed );
	}
	if ( def->kind == DS_CURRENT_JET || def->kind == DS_CURRENT_PIPE )
	{
		// scaled first, so that no square overflows
		ds_vec3 v = ds_v3( def->direction[0], def->direction[1], def->direction[2] );
		v = ds_scale( 1 / fmax( fabs( v.x ), fmax( fabs( v.y ), fabs( v.z ) ) ), v );
		model->axis = ds_scale( 1 / ds_length( v ), v );
	}
	if ( def->kind == DS_CURRENT_TIDAL )
	{
		DS_TRY( copy_array( arena, sizeof( ds_tidal_constituent ), &model->def.constituents ) );
		ds_tidal_constituent *c = (ds_tidal_constituent *)model->def.constituents.data;
		for ( int64_t i = 0; i < def->constituents.count; ++i )
		{
			c[i].period = period_of( &c[i] );
		}
		return DS_OK;
	}
	if ( def->kind == DS_CURRENT_PROFILE )
	{
		void *slopes;
		DS_TRY( copy_array( arena, sizeof( ds_current_level ), &model->def.levels ) );
		DS_TRY( ds_arena_new( arena, 3 * sizeof( double ) * (size_t)def->levels.count, &slopes ) );
		ds_current_profile_slopes( model->def.levels.data, def->levels.count, slopes );
		model->slopes = slopes;
	}
	return DS_OK;
}

// Sorts the definitions into what is uniform, what varies in space and what varies in time.
static ds_status fill( ds_currents *currents, const ds_current_def *defs, int64_t count )
{
	void *space, *time;
	size_t size = ( (size_t)count + 1 ) * sizeof( ds_current_model );
	DS_TRY( ds_arena_new( &currents->arena, size, &space ) );
	DS_TRY( ds_arena_new( &currents->arena, size, &time ) );
	currents->space = space;
	currents->time = time;
	int32_t random = 0;
	for ( int64_t i = 0; i < count; ++i )
	{
		const ds_current_def *d = &defs[i];
		char where[80];
		if ( d->kind < 0 || d->kind >= DS_CURRENT_KIND_END )
		{
			return ds_error( DS_ERROR_ARGUMENT, "current %lld: there is no kind %d", (long long)i, (int)d->kind );
		}
		snprintf( where, sizeof( where ), "current %lld (%s)", (long long)i, kind_names[d->kind] );
		DS_TRY( check_def( where, d, &currents->setting ) );
		if ( d->kind == DS_CURRENT_UNIFORM )
		{
			currents->uniform = ds_add( currents->uniform, ds_v3( d->velocity[0], d->velocity[1], d->velocity[2] ) );
			continue;
		}
		bool timed = varies_in_time( d->kind );
		ds_current_model *model =
			timed ? &currents->time[currents->time_count++] : &currents->space[currents->space_count++];
		DS_TRY( make_model( currents, d, random, model ) );
		random += d->kind == DS_CURRENT_GAUSS_MARKOV;
	}
	return DS_OK;
}

ds_status ds_currents_create( const ds_allocator *allocator, const ds_current_def *defs, int64_t count,
	const ds_currents_setting *setting, ds_currents **currents )
{
	*currents = NULL;
	if ( count < 0 || count > INT32_MAX || ( count > 0 && defs == NULL ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "currents: a count of %lld needs as many definitions", (long long)count );
	}
	ds_arena arena;
	void *memory;
	ds_arena_init( &arena, allocator );
	ds_status status = ds_arena_new( &arena, sizeof( ds_currents ), &memory );
	if ( status == DS_OK )
	{
		ds_currents *made = memory;
		made->arena = arena;
		if ( setting )
		{
			made->setting = *setting;
		}
		status = fill( made, defs, count );
		arena = made->arena;
		*currents = status == DS_OK ? made : NULL;
	}
	if ( status != DS_OK )
	{
		ds_arena_free( &arena );
	}
	return status;
}

void ds_currents_destroy( ds_currents *currents )
{
	if ( currents )
	{
		ds_arena arena = currents->arena;
		ds_arena_free( &arena );
	}
}
