// From an Allan plot to a sensor: fits the noise of an IMU to a curve that was measured, for want of the samples themselves, and
// writes the config of a sensor that has this noise, and the curves that models should give.
//   CURVE.csv            tau_s,gyro_x,gyro_y,gyro_z,accel_x,accel_y,accel_z: deviations in deg/h and m/s2
//   FOLDER/fitted.json   what `deepsim imu record --config` takes
//   FOLDER/theory.csv    tau and deviation by the formulas: old and new model of the paper, then the fitted axes [rad/s], [m/s2]
// Returns 0 if each axis of the fit lies within 15 % of what was measured, from 0.1 s to 100 s.
// cc imu_fit.c $(pkg-config --cflags --libs deepsim) -lm
// ./a.out tests/fixtures/allan/adis16448.csv out/imu_allan

#include <deepsim/deepsim.h>

#include <math.h>
#include <stdio.h>

// Stops with the library's own explanation when a call fails.
#define TRY( call )                                                                                                    \
	if ( ( call ) != DS_OK )                                                                                           \
	{                                                                                                                  \
		return fprintf( stderr, "%s\n", ds_last_error() ), 1;                                                          \
	}

#define AXES        6
#define MOST_POINTS 500
#define RATE        200.0 // of the measurement [Hz]
#define TOLERANCE   0.15

static const char *const axis_names[AXES] = { "gx", "gy", "gz", "ax", "ay", "az" };

typedef struct curve
{
	int count;
	ds_allan_point points[AXES][MOST_POINTS];
} curve;

static int read_curve( const char *path, curve *c )
{
	FILE *file = fopen( path, "r" );
	if ( file == NULL )
	{
		return perror( path ), 1;
	}
	const double deg_h = DS_PI / 180 / 3600;
	char line[512];
	while ( c->count < MOST_POINTS && fgets( line, sizeof line, file ) )
	{
		double tau, v[AXES];
		if ( sscanf( line, "%lf,%lf,%lf,%lf,%lf,%lf,%lf", &tau, v, v + 1, v + 2, v + 3, v + 4, v + 5 ) != 1 + AXES )
		{
			continue; // comments, headings
		}
		for ( int k = 0; k < AXES; ++k )
		{
			ds_allan_point *p = &c->points[k][c->count];
			p->m = lround( tau * RATE );
			p->tau = (double)p->m / RATE;
			p->deviation = v[k] * ( k < 3 ? deg_h : 1 );
		}
		++c->count;
	}
	fclose( file );
	return c->count > 10 ? 0 : ( fprintf( stderr, "%s: no curve of seven columns\n", path ), 1 );
}

// ---- the fit -----------------------------------------------------------------------------------------------------

// A triad has one low-pass: that which leaves the least misfit of its three axes together.
static int fit_triad( const curve *c, int first, ds_allan_model models[3] )
{
	double least = INFINITY;
	for ( double bandwidth = 60; bandwidth < 95; bandwidth += 10 )
	{
		ds_allan_fit_options options = ds_allan_fit_options_default();
		options.markov = true;
		options.bandwidth = bandwidth;
		options.tau_maximum = 1000; // beyond that a record of hours says little
		ds_allan_fit fits[3];
		double misfit = 0;
		for ( int k = 0; k < 3; ++k )
		{
			TRY( ds_allan_fit_curve( c->points[first + k], c->count, RATE, 0, &options, &fits[k] ) );
			misfit += fits[k].misfit;
		}
		for ( int k = 0; misfit < least && k < 3; ++k )
		{
			models[k] = fits[k].model;
		}
		least = fmin( least, misfit );
	}
	return 0;
}

// How far the model's curve is from the measured one at its worst, 0.1 to 100 s.
static double worst_of( const ds_allan_model *model, const ds_allan_point *points, int count )
{
	double worst = 0;
	for ( int i = 0; i < count; ++i )
	{
		if ( points[i].tau > 0.0999 && points[i].tau < 100 )
		{
			double theory = ds_allan_theory( model, DS_ALLAN_OADEV, RATE, points[i].m );
			worst = fmax( worst, fabs( theory / points[i].deviation - 1 ) );
		}
	}
	return worst;
}

// ---- what it writes ----------------------------------------------------------------------------------------------

static void put_axes( FILE *out, const char *key, double x, double y, double z )
{
	fprintf( out, "\t\t\"%s\": [%.4g, %.4g, %.4g],\n", key, x, y, z );
}

static void put_triad( FILE *out, const char *key, const ds_allan_model *models )
{
	fprintf( out, "\t\"%s\": {\n", key );
	const ds_allan_model *x = models, *y = models + 1, *z = models + 2;
	put_axes( out, "N", x->N, y->N, z->N );
	put_axes( out, "B", x->B, y->B, z->B );
	put_axes( out, "K", x->K, y->K, z->K );
	put_axes( out, "markov_sigma", x->markov_sigma, y->markov_sigma, z->markov_sigma );
	// a process that is not there has a time too
	put_axes( out, "markov_tau", x->markov_sigma > 0 ? x->markov_tau : 1, y->markov_sigma > 0 ? y->markov_tau : 1,
		z->markov_sigma > 0 ? z->markov_tau : 1 );
	fprintf( out, "\t\t\"bandwidth\": %g\n\t}", models[0].bandwidth );
}

static int put_theory( FILE *out, const ds_allan_model *models )
{
	ds_allan_model paper[2] = { 0 };
	static const char *const presets[2] = { "paper_old", "paper_new" };
	for ( int k = 0; k < 2; ++k )
	{
		ds_imu_config config;
		TRY( ds_imu_config_preset( presets[k], &config ) );
		paper[k].N = config.gyro.N[0];
		paper[k].B = config.gyro.B[0];
	}
	int64_t m[200];
	int64_t count = ds_allan_taus( 2000000, 20, m, 200 );
	fprintf(
		out, "tau[s],paper_old[rad/s],paper_new[rad/s],gx[rad/s],gy[rad/s],gz[rad/s],ax[m/s2],ay[m/s2],az[m/s2]\n" );
	for ( int64_t i = 0; i < count; ++i )
	{
		fprintf( out, "%.6g", (double)m[i] / RATE );
		for ( int k = 0; k < 2 + AXES; ++k )
		{
			const ds_allan_model *model = k < 2 ? &paper[k] : &models[k - 2];
			fprintf( out, ",%.6g", ds_allan_theory( model, DS_ALLAN_OADEV, RATE, m[i] ) );
		}
		fprintf( out, "\n" );
	}
	return 0;
}

static FILE *open_in( const char *folder, const char *name )
{
	char path[4096];
	snprintf( path, sizeof path, "%s/%s", folder, name );
	FILE *file = fopen( path, "w" );
	if ( file == NULL )
	{
		perror( path );
	}
	return file;
}

static int close_whole( FILE *file, const char *name )
{
	bool whole = !ferror( file );
	whole = fclose( file ) == 0 && whole;
	return whole ? 0 : ( fprintf( stderr, "%s: could not be written whole\n", name ), 1 );
}

static int write_files( const char *folder, const ds_allan_model *models )
{
	FILE *config = open_in( folder, "fitted.json" );
	if ( config == NULL )
	{
		return 1;
	}
	fprintf( config, "{\n" );
	put_triad( config, "gyro", models );
	fprintf( config, ",\n" );
	put_triad( config, "accel", models + 3 );
	fprintf( config, "\n}\n" );
	int code = close_whole( config, "fitted.json" );

	FILE *theory = code == 0 ? open_in( folder, "theory.csv" ) : NULL;
	if ( theory == NULL )
	{
		return 1;
	}
	code = put_theory( theory, models );
	return close_whole( theory, "theory.csv" ) || code;
}

int main( int argc, char **argv )
{
	if ( argc != 3 )
	{
		fprintf( stderr, "usage: imu_fit CURVE.csv FOLDER\n" );
		return 2;
	}
	static curve measured;
	ds_allan_model models[AXES];
	int code = read_curve( argv[1], &measured );
	code = code ? code : fit_triad( &measured, 0, models );
	code = code ? code : fit_triad( &measured, 3, models + 3 );
	code = code ? code : write_files( argv[2], models );
	if ( code )
	{
		return code;
	}

	double worst = 0;
	printf( "fit    white noise N    B, flicker       K, walk  Gauss-Markov sigma, tau  low-pass  off by at most\n" );
	for ( int k = 0; k < AXES; ++k )
	{
		const ds_allan_model *f = &models[k];
		double off = worst_of( f, measured.points[k], measured.count );
		printf( "%s %17.4g %13.4g %13.4g %14.4g %6.3g s %6g Hz %13.1f %%\n", axis_names[k], f->N, f->B, f->K,
			f->markov_sigma, f->markov_tau, f->bandwidth, 100 * off );
		worst = fmax( worst, off );
	}
	return worst < TOLERANCE ? 0 : ( fprintf( stderr, "a fit is off by more than %g\n", TOLERANCE ), 1 );
}
