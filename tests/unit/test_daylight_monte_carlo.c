// Daylight under water against a Monte Carlo simulation of radiative transfer (photons that are scattered as often as they are): how it
// fades, and how bright the water looks in all directions. The library's model is a few closed formulas: bounds are wide, but they hold
// it to the truth.

#include "light_kit.h"

#include "optics/pure_water.h"

#define INDEX   DS_WATER_INDEX
#define PHOTONS 60000
#define BINS    20 // of the cosine of a direction with down, from -1 to 1
#define ANGLES  2000
#define LEAST   1e-5

static uint64_t chance = 7;

static double dice( void )
{
	return kit_uniform( &chance, 0, 1 );
}

// ---- the simulation ------------------------------------------------------------------------------------------------

static double angles[ANGLES], below[ANGLES]; // of Petzold's particles: share that is scattered by less than an angle

static void make_particles( void )
{
	const ds_phase_config petzold = { .kind = DS_PHASE_PETZOLD };
	double sum = 0, last = 0;
	for ( int i = 0; i < ANGLES; ++i )
	{
		angles[i] = LEAST * exp( log( DS_PI / LEAST ) * i / ( ANGLES - 1 ) );
		double density = 2 * DS_PI * ds_phase_at( &petzold, angles[i] ) * sin( angles[i] );
		sum += i > 0 ? 0.5 * ( density + last ) * ( angles[i] - angles[i - 1] ) : density * angles[i];
		last = density;
		below[i] = sum;
	}
}

static double cosine_by_particles( void )
{
	double share = dice() * below[ANGLES - 1];
	int low = 0, high = ANGLES - 1;
	if ( share <= below[0] )
	{
		return 1;
	}
	while ( high - low > 1 )
	{
		int middle = ( low + high ) / 2;
		*( share < below[middle] ? &high : &low ) = middle;
	}
	double t = ( share - below[low] ) / ( below[high] - below[low] );
	return cos( angles[low] + t * ( angles[high] - angles[low] ) );
}

static double cosine_by_water( void )
{
	for ( ;; )
	{
		double c = 2 * dice() - 1;
		if ( dice() * 1.835 < 1 + 0.835 * c * c )
		{
			return c;
		}
	}
}

static void turn( double d[3], double cosine )
{
	double a = 2 * DS_PI * dice(), s = sqrt( fmax( 0, 1 - cosine * cosine ) ), x = s * cos( a ), y = s * sin( a );
	double across = sqrt( fmax( 0, 1 - d[2] * d[2] ) ), u = d[0], v = d[1], w = d[2];
	if ( across < 1e-7 )
	{
		d[0] = x;
		d[1] = y;
		d[2] = w * cosine;
		return;
	}
	d[0] = u * cosine + ( u * w * x - v * y ) / across;
	d[1] = v * cosine + ( v * w * x + u * y ) / across;
	d[2] = w * cosine - across * x;
}

// Share that a flat surface reflects back into the water (Fresnel), by the cosine of incidence.
static double mirrored( double cosine )
{
	double sine = INDEX * sqrt( 1 - cosine * cosine );
	if ( sine >= 1 )
	{
		return 1;
	}
	double out = sqrt( 1 - sine * sine );
	double s = ( INDEX * cosine - out ) / ( INDEX * cosine + out );
	double p = ( cosine - INDEX * out ) / ( cosine + INDEX * out );
	return 0.5 * ( s * s + p * p );
}

typedef struct field
{
	double down; // irradiance from above, of what entered
	double radiance[BINS];
} field;

// A photon goes from depth z to another.
static void pass( field *f, double depth, double z, double next, double weight, double cosine )
{
	if ( ( z < depth ) != ( next < depth ) )
	{
		int bin = (int)fmin( ( cosine + 1 ) * 0.5 * BINS, BINS - 1 );
		f->down += cosine > 0 ? weight / PHOTONS : 0;
		f->radiance[bin] += weight / fabs( cosine ) / PHOTONS / ( 2 * DS_PI * 2 / BINS );
	}
}

// Light of the sun at a zenith angle in the air, or of an even sky (zenith < 0), at a depth.
static field simulate( const ds_iop *w, double zenith, double depth )
{
	field f = { 0 };
	for ( int i = 0; i < PHOTONS; ++i )
	{
		double sine = ( zenith < 0 ? sqrt( dice() ) : sin( zenith ) ) / INDEX;
		double d[3] = { sine, 0, sqrt( 1 - sine * sine ) }, z = 0, weight = 1;
		while ( weight > 0 && z < 2 * depth + 20 )
		{
			double next = z - log( 1 - dice() ) / w->c * d[2];
			pass( &f, depth, z, next, weight, d[2] );
			if ( next < 0 )
			{
				weight *= mirrored( -d[2] );
				d[2] = -d[2];
				next = -next;
				pass( &f, depth, 0, next, weight, d[2] );
			}
			z = next;
			weight *= w->b / w->c;
			if ( weight < 1e-3 )
			{
				weight = dice() < 0.1 ? 10 * weight : 0;
			}
			turn( d, dice() * w->b < w->b_water ? cosine_by_water() : cosine_by_particles() );
		}
	}
	return f;
}

// ---- the library ---------------------------------------------------------------------------------------------------

// Radiance of the water far out, in a mean over all sides, for rays that look against light that goes at this cosine with down.
static double seen( ds_light_scene *scene, double cosine )
{
	static ds_tile tile;
	enum
	{
		SIDES = 64
	};
	double sum = 0;
	tile.count = 0;
	for ( int i = 0; i < SIDES; ++i )
	{
		double a = 2 * DS_PI * ( i + 0.5 ) / SIDES, s = sqrt( 1 - cosine * cosine );
		const double d[3] = { s * cos( a ), -cosine, s * sin( a ) };
		kit_pixel( &tile, i, d, INFINITY );
	}
	ds_tile_light( scene, &tile );
	for ( int i = 0; i < SIDES; ++i )
	{
		sum += (double)tile.scattered[0][i] / SIDES;
	}
	return sum;
}

static void compare( int32_t type, double wavelength, double elevation, double depth )
{
	ds_water_optics_def def = { .kind = DS_WATER_OPTICS_JERLOV, .jerlov = type, .turbidity = 1 };
	ds_water_optics *water;
	assert_int_equal( ds_water_optics_create( &def, NULL, &water ), DS_OK );
	ds_iop w = ds_water_optics_at( water, depth, wavelength );
	field truth = simulate( &w, elevation < 0 ? -1 : 0.5 * DS_PI - elevation, depth );

	ds_sky_def sky = { .irradiance = 400, .diffuse = elevation < 0 ? 1 : 0, .elevation = fmax( elevation, 0 ) };
	ds_daylight top = ds_daylight_at( &sky, water, 0, wavelength, 1 );
	ds_daylight here = ds_daylight_at( &sky, water, depth, wavelength, 1 );
	ds_daylight lower = ds_daylight_at( &sky, water, depth + 1, wavelength, 1 );
	double left = ( here.sun + here.sky ) / ( top.sun + top.sky );
	print_message( "type %d, %g nm, %g m, sun %.2f rad: %.4f of the light, by chance %.4f; water looks", (int)type,
		wavelength, depth, elevation, left, truth.down );
	NEAR( left / truth.down, 0.96, 0.08 ); // what the surface mirrors back comes on top

	static ds_phase_table table;
	ds_phase_table_make( &def.phase, &table );
	ds_light_scene scene = { .bands = 1, .phase = &table, .down = { 0, 1, 0 }, .depth = (float)depth, .steps = 1 };
	scene.a[0] = (float)w.a;
	scene.b_water[0] = (float)w.b_water;
	scene.b_particles[0] = (float)w.b_particles;
	scene.c[0] = (float)w.c;
	scene.kd[0] = (float)log( ( here.sun + here.sky ) / ( lower.sun + lower.sky ) );
	scene.sun_direction[0] = (float)-here.direction.x;
	scene.sun_direction[1] = (float)here.direction.z;
	scene.sun[0] = (float)( here.sun / ( here.sun + here.sky ) );
	scene.sky[0] = (float)( here.sky / ( here.sun + here.sky ) );
	// from the bottom up to 37 degrees over the horizon; farther up the sky itself is seen
	for ( int bin = 0; bin < 16; ++bin )
	{
		double value = seen( &scene, -1 + ( bin + 0.5 ) * 2 / BINS ) * truth.down / truth.radiance[bin];
		print_message( " %.2f", value );
		assert_true( value > 0.5 && value < 1.4 );
	}
	print_message( "\n" );
	ds_water_optics_release( water );
}

static void test_clear_water( void **state )
{
	(void)state;
	compare( DS_JERLOV_IB, 475, DS_PI / 3, 10 );
	compare( DS_JERLOV_IB, 475, -1, 30 );
	compare( DS_JERLOV_I, 475, DS_PI / 3, 30 );
}

static void test_turbid_water( void **state )
{
	(void)state;
	compare( DS_JERLOV_III, 550, DS_PI / 3, 6 );
	compare( DS_JERLOV_1C, 550, -1, 10 );
}

int main( void )
{
	make_particles();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_clear_water ),
		cmocka_unit_test( test_turbid_water ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
