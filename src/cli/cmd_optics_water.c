// deepsim optics water: what a water does to light

#include "cli/optics.h"

#include "base/base.h"
#include "core/scenario.h"
#include "deepsim/scenario.h"
#include "deepsim/water_optics.h"
#include "io/log_file.h"
#include "optics/pure_water.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define STEP_PRINTED 25.0 // [nm]
#define STEP_FILE    5.0
#define LOW          400.0
#define HIGH         700.0

typedef struct water_options
{
	const char *water, *csv;
	double depth, turbidity;
	bool has_turbidity;
} water_options;

typedef struct subject
{
	ds_water_optics *water;
	ds_sky_def sky;
	double depth;
} subject;

// ---- what is looked at -------------------------------------------------------------------------------------------

static bool ends_json( const char *path )
{
	size_t length = strlen( path );
	return length > 5 && strcmp( path + length - 5, ".json" ) == 0;
}

static ds_status make_water( const water_options *o, ds_water_optics_def def, subject *s )
{
	if ( o->has_turbidity )
	{
		def.turbidity = o->turbidity;
	}
	s->depth = o->depth;
	ds_hooks hooks = cli_hooks( false );
	return ds_water_optics_create( &def, &hooks, &s->water );
}

static ds_status of_scenario( const water_options *o, subject *s )
{
	ds_registry *registry = NULL;
	ds_scenario *scenario = NULL;
	ds_hooks hooks = cli_hooks( false );
	ds_status status = ds_registry_create( &hooks, &registry );
	if ( status == DS_OK )
	{
		status = ds_scenario_load( o->water, NULL, 0, registry, &scenario );
	}
	if ( status == DS_OK && scenario->environment.water == DS_WATER_NONE )
	{
		status = ds_error( DS_ERROR_UNSUPPORTED, "%s has no water", o->water );
	}
	if ( status == DS_OK )
	{
		s->sky = scenario->environment.sky;
		status = make_water( o, scenario->environment.optics, s );
	}
	ds_scenario_release( scenario );
	ds_registry_release( registry );
	return status;
}

static ds_status of_type( const water_options *o, subject *s )
{
	const char *names[DS_JERLOV_COUNT + 1] = { "pure" };
	ds_water_optics_def def = ds_water_optics_def_default();
	for ( int32_t i = 0; i <= DS_JERLOV_COUNT; ++i )
	{
		names[i] = i > 0 ? ds_jerlov_names[i - 1] : names[i];
		if ( strcmp( o->water, names[i] ) == 0 )
		{
			def.kind = i > 0 ? DS_WATER_OPTICS_JERLOV : DS_WATER_OPTICS_PURE;
			def.jerlov = i > 0 ? i - 1 : 0;
			return make_water( o, def, s );
		}
	}
	const char *nearest = ds_nearest_name( o->water, names, DS_JERLOV_COUNT + 1 );
	return ds_error( DS_ERROR_NOT_FOUND,
		"%s: expected pure, a type of Jerlov's (I IA IB II III 1C 3C 5C 7C 9C) or a scenario FILE.json%s%s%s", o->water,
		nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "" );
}

// ---- printing ----------------------------------------------------------------------------------------------------

// Distance over which light falls to 1 % [m].
static double reach( double attenuation )
{
	return log( 100 ) / attenuation;
}

static void print_iop( const char *name, const ds_iop *iop )
{
	printf( "%-9s %9.5f %9.5f %10.6f %9.5f %8.4f %9.5f %9.1f %9.1f\n", name, iop->a, iop->b, iop->bb, iop->c,
		iop->b / iop->c, iop->kd, reach( iop->c ), reach( iop->kd ) );
}

static void print_water( const subject *s )
{
	static const char *const names[3] = { "blue", "green", "red" };
	printf( "%-9s %9s %9s %10s %9s %8s %9s %9s %9s\n", "wave", "a", "b", "bb", "c", "b/c", "Kd", "beam", "daylight" );
	printf(
		"%-9s %9s %9s %10s %9s %8s %9s %9s %9s\n", "nm", "1/m", "1/m", "1/m", "1/m", "", "1/m", "1 %, m", "1 %, m" );
	for ( double w = LOW; w <= HIGH; w += STEP_PRINTED )
	{
		char name[16];
		snprintf( name, sizeof( name ), "%.0f", w );
		ds_iop iop = ds_water_optics_at( s->water, s->depth, w );
		print_iop( name, &iop );
	}
	ds_bands bands = ds_bands_rgb();
	for ( int32_t i = 0; i < bands.count; ++i )
	{
		ds_iop iop = ds_water_optics_band( s->water, s->depth, bands.wavelength[i], bands.width[i] );
		print_iop( names[i], &iop );
	}
	static const char *const phases[] = { "petzold", "fournier_forand", "henyey_greenstein", "isotropic" };
	const ds_phase_config *phase = ds_water_optics_phase( s->water );
	double backward, cosine;
	ds_phase_moments( phase, &backward, &cosine );
	printf( "\nparticles: phase function %s, %.4f of it backwards, mean cosine %.4f\n", phases[phase->kind], backward,
		cosine );
	printf( "daylight at %g m [W/m2]:", s->depth );
	for ( int32_t i = 0; i < bands.count; ++i )
	{
		ds_daylight light = ds_daylight_at( &s->sky, s->water, s->depth, bands.wavelength[i], bands.width[i] );
		printf( "%s %s %.4g (sun %.4g)", i > 0 ? "," : "", names[i], light.sun + light.sky, light.sun );
	}
	printf( "\n" );
}

static int write_csv( const subject *s, const char *path )
{
	bool standard = strcmp( path, "-" ) == 0;
	FILE *file = standard ? stdout : ds_log_file_stream( path );
	if ( file == NULL )
	{
		ds_log_file_error( path, "open for writing", errno );
		return cli_fail();
	}
	fprintf( file,
		"wavelength[nm],a[1/m],b_water[1/m],b_particles[1/m],b[1/m],bb[1/m],c[1/m],Kd[1/m],beam_1_percent[m],"
		"daylight_1_percent[m],sun[W/m2/nm],sky[W/m2/nm]\n" );
	for ( double w = LOW; w <= HIGH; w += STEP_FILE )
	{
		ds_iop p = ds_water_optics_at( s->water, s->depth, w );
		// within the spectrum's ends
		double low = fmax( w - 0.5 * STEP_FILE, LOW ), high = fmin( w + 0.5 * STEP_FILE, HIGH );
		ds_daylight light = ds_daylight_at( &s->sky, s->water, s->depth, 0.5 * ( low + high ), high - low );
		fprintf( file, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", w, p.a, p.b_water,
			p.b_particles, p.b, p.bb, p.c, p.kd, reach( p.c ), reach( p.kd ), light.sun / ( high - low ),
			light.sky / ( high - low ) );
	}
	errno = 0;
	bool failed = fflush( file ) != 0 || ferror( file ) != 0;
	int code = errno;
	if ( !standard && fclose( file ) != 0 && !failed )
	{
		failed = true;
		code = errno;
	}
	if ( failed )
	{
		ds_log_file_error( standard ? "the standard output" : path, "write", code ? code : EIO );
		return cli_fail();
	}
	return CLI_OK;
}

// ---- the verb ----------------------------------------------------------------------------------------------------

enum
{
	OPTION_DEPTH,
	OPTION_TURBIDITY,
	OPTION_CSV
};

// What is expected of an option; NULL: it was taken.
static const char *take_option( water_options *o, int option, const char *value )
{
	switch ( option )
	{
		case OPTION_DEPTH:
			return cli_number( value, &o->depth ) && o->depth >= 0 && o->depth <= 20000 ? NULL : "metres, 0 to 20000";
		case OPTION_TURBIDITY:
			o->has_turbidity = true;
			return cli_number( value, &o->turbidity ) ? NULL : "a factor, 0 to 10000"; // its table says which
		default:
			o->csv = value;
			return value[0] ? NULL : "the name of a file";
	}
}

int cmd_optics_water( int argc, char **argv )
{
	static const cli_option options[] = { { "--depth", "M", "at this depth (0)" },
		{ "--turbidity", "X", "factor of all that is not pure water (1, or the scenario's)" },
		{ "--csv", "FILE", "write it every 5 nm, with daylight, instead of printing; - is the standard output" } };
	static const cli_command command = { "optics water", "[TYPE|SCENARIO]",
		"Prints what a water does to light, by wavelength and in the bands of a colour camera: absorption a,\n"
		"scattering b, backscattering bb, attenuation c, diffuse attenuation of daylight Kd, and the distances over\n"
		"which a beam and daylight fall to 1 %. TYPE is pure, or I IA IB II III 1C 3C 5C 7C 9C (IB).",
		options, CLI_COUNT( options ),
		"  deepsim optics water pure\n  deepsim optics water 3C --turbidity 2 --csv water.csv\n"
		"  deepsim optics water survey.json --depth 40\n" };
	water_options o = { .water = NULL };
	cli_parser parser = cli_parse( &command, argc, argv );
	const char *value;
	for ( int next = cli_next( &parser, &value ); next != CLI_END; next = cli_next( &parser, &value ) )
	{
		if ( next == CLI_DONE )
		{
			return parser.exit_code;
		}
		if ( next == CLI_ARGUMENT )
		{
			if ( o.water )
			{
				return cli_usage( &command, "one water is enough: %s and %s", o.water, value );
			}
			o.water = value;
		}
		else
		{
			const char *expected = take_option( &o, next, value );
			if ( expected )
			{
				return cli_usage( &command, "%s cannot be \"%s\": expected %s", options[next].name, value, expected );
			}
		}
	}
	o.water = o.water ? o.water : "IB";
	subject s = { NULL, ds_sky_def_default(), 0 };
	if ( ( ends_json( o.water ) ? of_scenario( &o, &s ) : of_type( &o, &s ) ) != DS_OK )
	{
		return cli_fail();
	}
	int code = CLI_OK;
	if ( o.csv )
	{
		code = write_csv( &s, o.csv );
	}
	else
	{
		print_water( &s );
	}
	ds_water_optics_release( s.water );
	return code;
}
