// The sea near a point as polynomials: their error, the bounds they state, and that patches choose well.

#include "hydro_shapes.h"

#include "hydro/waves_expand.h"

static ds_waves *sea( int32_t kind, double height, double period, double depth, int64_t seed )
{
	ds_waves_def def = ds_waves_def_default();
	def.kind = kind;
	def.height = height;
	def.period = period;
	def.depth = depth;
	def.seed = seed;
	def.direction = 0.7;
	ds_waves *waves = NULL;
	if ( ds_waves_create( NULL, &def, &waves ) != DS_OK )
	{
		fail_msg( "%s", ds_last_error() );
	}
	return waves;
}

typedef struct worst
{
	double head, elevation, velocity; // over the amplitude; over the velocity's amplitude
} worst;

// Compares a field with the sum over components at points of the sphere.
static worst compare(
	const ds_waves *waves, const ds_wave_field *field, ds_vec3 center, double radius, double time, uint64_t *seed )
{
	double amplitude = sqrt( 2 * ds_waves_variance( waves ) ), speed = 0;
	for ( int32_t i = 0; i < ds_waves_count( waves ); ++i )
	{
		ds_wave_component c = ds_waves_component( waves, i );
		double u = c.amplitude * G * c.wavenumber / c.omega;
		speed += u * u;
	}
	worst r = { 0, 0, 0 };
	for ( int i = 0; i < 60; ++i )
	{
		ds_vec3 d = noise3( seed );
		double l = ds_length( d );
		ds_vec3 p = ds_mad( center, i % 2 ? radius / l : l < 1 ? radius : 0, d );
		ds_wave_point exact, near;
		ds_waves_at( waves, p, time, &exact );
		ds_wave_field_at( field, p, &near );
		r.head = fmax( r.head, fabs( near.head - exact.head ) / amplitude );
		r.elevation = fmax( r.elevation, fabs( near.elevation - exact.elevation ) / amplitude );
		r.velocity = fmax( r.velocity, ds_length( ds_sub( near.velocity, exact.velocity ) ) / sqrt( speed ) );
		assert_true( exact.elevation >= field->low - 1e-12 && exact.elevation <= field->high + 1e-12 );
		assert_true( fabs( exact.head ) <= field->most + 1e-12 );
	}
	return r;
}

// In any sea, at any depth, late and far away: where an expansion says that it fits, head (and the elevation at the surface)
// are within 1e-4 of the amplitude and the velocity within 1e-3; where not, the error is within the bound all the same.
static void test_error_is_bounded( void **state )
{
	(void)state;
	uint64_t seed = 11;
	int fits = 0, total = 400;
	worst all = { 0, 0, 0 };
	for ( int k = 0; k < total; ++k )
	{
		double depth = k % 3 == 0 ? 8 + 6 * noise( &seed ) : k % 3 == 1 ? 40 : 0;
		double period = 5 + 3 * noise( &seed );
		double height = fmin( ( 0.5 + 0.45 * noise( &seed ) ) * 0.1 * period * period, depth > 0 ? 0.2 * depth : 9 );
		ds_waves *waves = sea( k % 4 == 0 ? DS_WAVES_REGULAR : DS_WAVES_JONSWAP, height, period, depth, k );
		double radius = exp( 2.5 * noise( &seed ) ), time = 1e4 * ( 1 + noise( &seed ) );
		double z = k % 5 < 3 ? radius * noise( &seed ) : ( depth > 0 ? depth - radius : 20 ) * fabs( noise( &seed ) );
		ds_vec3 center = ds_v3( 1e4 * noise( &seed ), 1e4 * noise( &seed ), z );
		ds_wave_field field;
		bool fit = ds_waves_expand( waves, center, radius, time, k % 2 ? 8 : DS_WAVE_DEGREE, true, &field );
		worst w = compare( waves, &field, center, radius, time, &seed );
		double amplitude = sqrt( 2 * ds_waves_variance( waves ) );
		// a shift of the heights by much is no longer proportional to its effect
		if ( field.error < 0.03 * amplitude )
		{
			assert_true( w.head * amplitude <= field.error + 1e-12 );
		}
		if ( fit )
		{
			++fits;
			assert_true( field.error <= 1e-4 * amplitude );
			assert_true( w.velocity <= 1e-3 );
			if ( center.z - radius < -field.low )
			{
				assert_true( w.elevation <= 1e-4 );
				all.elevation = fmax( all.elevation, w.elevation );
			}
			all.head = fmax( all.head, w.head );
			all.velocity = fmax( all.velocity, w.velocity );
		}
		ds_waves_destroy( waves );
	}
	print_message( "%d of %d fit; head %.1e, elevation %.1e, velocity %.1e\n", fits, total, all.head, all.elevation,
		all.velocity );
	assert_true( fits > total / 4 );
	// and the bounds are no idle ones
	assert_true( all.head > 1e-6 && all.velocity > 1e-5 );
}

// A small body needs a low degree, a large one in short waves does not fit; far below the waves little is left.
static void test_degrees( void **state )
{
	(void)state;
	ds_waves *waves = sea( DS_WAVES_JONSWAP, 2.5, 8, 0, 1 );
	ds_wave_field field;
	assert_true( ds_waves_expand( waves, ds_v3( 10, 20, 0.2 ), 0.1, 5, DS_WAVE_DEGREE, false, &field ) );
	assert_true( field.degree <= 4 );
	assert_false( ds_waves_expand( waves, ds_v3( 10, 20, 0 ), 50, 5, DS_WAVE_DEGREE, false, &field ) );
	assert_true( field.low < field.high && field.error > 1 );
	assert_true( ds_waves_expand( waves, ds_v3( 10, 20, 800 ), 1, 5, DS_WAVE_DEGREE, false, &field ) );
	assert_true( field.most < 1e-9 );
	ds_waves_destroy( waves );
}

static void test_patch( void **state )
{
	(void)state;
	ds_waves *waves = sea( DS_WAVES_JONSWAP, 2.5, 8, 0, 1 );
	ds_wave_patch patch;
	ds_wave_point at;
	ds_waves_patch( waves, ds_v3( 10, 20, 0.2 ), 5, &patch );
	ds_waves_at( waves, ds_v3( 10, 20, 0.2 ), 5, &at );
	assert_memory_equal( &at, &patch.at, sizeof( at ) );
	ds_waves_patch( NULL, ds_v3( 10, 20, 8 ), 5, &patch );
	assert_true( patch.waves == NULL && patch.at.depth == 8 && patch.at.head == 0 );
	ds_waves_destroy( waves );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_error_is_bounded ),
		cmocka_unit_test( test_degrees ),
		cmocka_unit_test( test_patch ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
