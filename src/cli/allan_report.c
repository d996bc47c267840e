#include "base/json.h"
#include "base/text.h"
#include "cli/allan.h"
#include "deepsim/imu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_MISFIT                                                                                                    \
	4.0 // chi squared over its degrees of freedom; these are 25 or so, and by chance it is hardly above 2

const char *allan_kind_name( ds_allan_kind kind )
{
	static const char *const names[DS_ALLAN_KIND_COUNT] = { "adev", "oadev", "mdev", "hdev", "ohdev", "tdev" };
	return names[kind];
}

void allan_kind_unit( ds_allan_kind kind, const char *unit, char *text, size_t size )
{
	snprintf( text, size, "%s%s", unit[0] ? unit : "1", kind == DS_ALLAN_TDEV ? " s" : "" );
}

// ---- coefficients ------------------------------------------------------------------------------------------------

const char *allan_term_name( int term )
{
	static const char *const names[ALLAN_TERMS] = { "Q", "N", "B", "K", "markov_sigma", "markov_tau" };
	return names[term];
}

const ds_allan_term *allan_term( const ds_allan_fit *fit, int term )
{
	const ds_allan_term *const terms[ALLAN_TERMS] = { &fit->Q, &fit->N, &fit->B, &fit->K, &fit->markov_sigma,
		&fit->markov_tau };
	return terms[term];
}

void allan_term_units( const allan_column *column, int term, char *si, size_t size, const char **datasheet )
{
	static const char *const gyro[ALLAN_TERMS][2] = { { "rad", "arcsec" }, { "rad/s/sqrt(Hz)", "deg/sqrt(h)" },
		{ "rad/s", "deg/h" }, { "rad/s2/sqrt(Hz)", "deg/h/sqrt(h)" }, { "rad/s", "deg/h" }, { "s", NULL } };
	static const char *const accel[ALLAN_TERMS][2] = { { "m/s", NULL }, { "m/s2/sqrt(Hz)", "ug/sqrt(Hz)" },
		{ "m/s2", "ug" }, { "m/s3/sqrt(Hz)", "ug/sqrt(h)" }, { "m/s2", "ug" }, { "s", NULL } };
	static const char *const other[ALLAN_TERMS] = { " s", "/sqrt(Hz)", "", "/s/sqrt(Hz)", "", NULL };
	*datasheet = NULL;
	if ( column->triad != ALLAN_OTHER )
	{
		const char *const *pair = ( column->triad == ALLAN_GYRO ? gyro : accel )[term];
		snprintf( si, size, "%s", pair[0] );
		*datasheet = pair[1];
		return;
	}
	const char *unit = column->unit[0] ? column->unit : "1";
	snprintf( si, size, "%s%s", other[term] ? unit : "s", other[term] ? other[term] : "" );
}

// ---- the table ---------------------------------------------------------------------------------------------------

static double mean_of( const allan_result *r, const allan_column *c )
{
	return c->scale * ( c->first + c->sum / (double)r->samples );
}

static void print_one( const allan_result *r, const allan_column *c )
{
	char unit[DS_NAME_SIZE + 8], bounds[32];
	allan_kind_unit( r->kind, c->unit, unit, sizeof( unit ) );
	snprintf( bounds, sizeof( bounds ), "%g %%", 100 * r->confidence );
	printf( "%12s %14s %14s %14s %11s %10s %6s\n", "tau", allan_kind_name( r->kind ), "from", "to", "count", "freedom",
		"noise" );
	printf( "%12s %14s %14s %14s %11s %10s %6s\n", "s", unit, bounds, bounds, "", "", "f^" );
	for ( int64_t i = 0; i < c->count; ++i )
	{
		const ds_allan_point *p = &c->points[i];
		printf( "%12.6g %14.6g %14.6g %14.6g %11lld %10.5g %6d\n", p->tau, p->deviation, p->low, p->high,
			(long long)p->count, p->freedom, p->noise );
	}
}

// Names over columns of numbers; long ones are cut at their front, where they differ less.
static void print_many( const allan_result *r )
{
	int64_t most = 0;
	printf( "%12s", "tau" );
	for ( int k = 0; k < r->column_count; ++k )
	{
		const char *name = r->columns[k].name;
		size_t length = strlen( name );
		printf( " %12s", name + ( length > 12 ? length - 12 : 0 ) );
		most = r->columns[k].count > most ? r->columns[k].count : most;
	}
	printf( "\n%12s", "s" );
	for ( int k = 0; k < r->column_count; ++k )
	{
		char unit[DS_NAME_SIZE + 8];
		allan_kind_unit( r->kind, r->columns[k].unit, unit, sizeof( unit ) );
		printf( " %12.12s", unit );
	}
	printf( "\n" );
	for ( int64_t i = 0; i < most; ++i )
	{
		printf( "%12.6g", r->columns[0].points[i].tau );
		for ( int k = 0; k < r->column_count; ++k )
		{
			printf( " %12.6g", r->columns[k].points[i].deviation );
		}
		printf( "\n" );
	}
}

static void print_term( const allan_column *c, int term )
{
	const ds_allan_term *t = allan_term( &c->fit, term );
	char si[DS_NAME_SIZE + 16], in_sheet[64] = "";
	const char *sheet;
	if ( !t->present )
	{
		return;
	}
	allan_term_units( c, term, si, sizeof( si ), &sheet );
	double shown = t->identifiable ? t->value : t->high, converted;
	if ( sheet && ds_imu_convert( shown, si, sheet, &converted ) == DS_OK )
	{
		snprintf( in_sheet, sizeof( in_sheet ), "  %.4g %s", converted, sheet );
	}
	if ( t->identifiable )
	{
		printf( "  %-12s %11.5g %-16s (%.4g to %.4g)%s\n", allan_term_name( term ), t->value, si, t->low, t->high,
			in_sheet );
	}
	else if ( term != ALLAN_TERMS - 1 )
	{
		printf( "  %-12s %11s %-16s below %.4g%s\n", allan_term_name( term ), "-", si, t->high, in_sheet );
	}
}

static void print_fit( const allan_result *r, const allan_column *c )
{
	printf( "\n%s%s%s", cli_bold( stdout ), c->name, cli_plain( stdout ) );
	printf( "  mean %.8g %s\n", mean_of( r, c ), c->unit );
	if ( !c->has_fit )
	{
		printf( "  no fit: %s\n", c->why_not );
		return;
	}
	for ( int term = 0; term < ALLAN_TERMS; ++term )
	{
		print_term( c, term );
	}
	printf( "  minimum %.5g %s at %.4g s%s\n", c->fit.minimum, c->unit, c->fit.minimum_tau,
		c->fit.falling ? "; at a tenth of the record it still falls: bias instability was not reached" : "" );
	if ( !( c->fit.misfit <= MOST_MISFIT ) ) // or it could not even be told
	{
		printf(
			"  misfit  %.3g, where noise of this model has 1: the curve is not of these terms, and coefficients and "
			"intervals mean\n          little. %s\n",
			c->fit.misfit,
			r->bandwidth > 0
				? "Does --bandwidth agree with the sensor's low-pass?"
				: "A low-pass in the sensor (--bandwidth), vibration or a drift of temperature does that" );
	}
}

// ---- the config --------------------------------------------------------------------------------------------------

// Five digits: more than an estimate is worth.
static void put_rounded( ds_json_writer *json, double number )
{
	char text[32];
	snprintf( text, sizeof( text ), "%.4e", number );
	ds_json_put_number( json, strtod( text, NULL ) );
}

// Coefficients as the configuration of a sensor has them: one number, or an array of three where the file has three axes.
static bool put_triad( ds_json_writer *json, const allan_result *r, allan_triad triad, const char *key )
{
	const allan_column *axes[3];
	int count = 0;
	for ( int k = 0; k < r->column_count && count < 3; ++k )
	{
		if ( r->columns[k].triad == triad && r->columns[k].has_fit )
		{
			axes[count++] = &r->columns[k];
		}
	}
	if ( count == 0 )
	{
		return false;
	}
	ds_json_key( json, key );
	ds_json_begin( json, '{' );
	if ( r->bandwidth > 0 )
	{
		ds_json_key( json, "bandwidth" ); // the coefficients are those before it
		put_rounded( json, r->bandwidth );
	}
	// quantisation is not a density: the model has it as its least step
	for ( int term = 1; term < ALLAN_TERMS; ++term )
	{
		double values[3], squares = 0;
		bool any = false;
		for ( int k = 0; k < count; ++k )
		{
			const ds_allan_term *t = allan_term( &axes[k]->fit, term );
			values[k] = t->present && t->identifiable ? t->value : 0;
			squares += values[k] * values[k];
			any = any || values[k] > 0;
		}
		if ( !any )
		{
			continue;
		}
		ds_json_key( json, allan_term_name( term ) );
		if ( count < 3 )
		{
			put_rounded( json, sqrt( squares / count ) );
			continue;
		}
		ds_json_begin_flat( json, '[' );
		for ( int k = 0; k < count; ++k )
		{
			put_rounded( json, values[k] );
		}
		ds_json_end( json, ']' );
	}
	ds_json_end( json, '}' );
	return true;
}

static bool put_config( ds_json_writer *json, const allan_result *r )
{
	ds_json_begin( json, '{' );
	bool gyro = put_triad( json, r, ALLAN_GYRO, "gyro" ), accel = put_triad( json, r, ALLAN_ACCEL, "accel" );
	ds_json_end( json, '}' );
	return gyro || accel;
}

void allan_print( const allan_result *r )
{
	printf( "%s: %lld samples at %.10g Hz%s, %.4g s\n", r->file, (long long)r->samples, r->rate,
		r->rate_from_time ? " (by its time column)" : "", (double)r->samples / r->rate );
	if ( r->gaps > 0 )
	{
		printf( "%lld gaps in time, with %lld samples missing, are passed over\n", (long long)r->gaps,
			(long long)r->missing );
	}
	printf( "\n" );
	if ( r->column_count == 1 )
	{
		print_one( r, &r->columns[0] );
	}
	else
	{
		print_many( r );
	}
	for ( int k = 0; k < r->column_count; ++k )
	{
		print_fit( r, &r->columns[k] );
	}
	ds_text text = { 0 };
	ds_json_writer json = { .text = &text };
	if ( put_config( &json, r ) && text.status == DS_OK )
	{
		printf( "\nconfig of a sensor of type imu:\n%s\n", ds_text_get( &text ) );
	}
	ds_text_clear( &text );
}

// ---- files -------------------------------------------------------------------------------------------------------

static void put_pair( ds_json_writer *json, const char *key, double number )
{
	ds_json_key( json, key );
	ds_json_put_number( json, number );
}

static void put_points( ds_json_writer *json, const allan_column *c )
{
	ds_json_key( json, "points" );
	ds_json_begin( json, '[' );
	for ( int64_t i = 0; i < c->count; ++i )
	{
		const ds_allan_point *p = &c->points[i];
		ds_json_begin_flat( json, '{' );
		put_pair( json, "m", (double)p->m );
		put_pair( json, "tau", p->tau );
		put_pair( json, "deviation", p->deviation );
		put_pair( json, "low", p->low );
		put_pair( json, "high", p->high );
		put_pair( json, "count", (double)p->count );
		put_pair( json, "freedom", p->freedom );
		put_pair( json, "noise", p->noise );
		ds_json_end( json, '}' );
	}
	ds_json_end( json, ']' );
}

static void put_fit( ds_json_writer *json, const allan_column *c )
{
	ds_json_key( json, "fit" );
	ds_json_begin( json, '{' );
	for ( int term = 0; term < ALLAN_TERMS; ++term )
	{
		const ds_allan_term *t = allan_term( &c->fit, term );
		char si[DS_NAME_SIZE + 16];
		const char *sheet;
		if ( !t->present )
		{
			continue;
		}
		allan_term_units( c, term, si, sizeof( si ), &sheet );
		double converted;
		ds_json_key( json, allan_term_name( term ) );
		ds_json_begin_flat( json, '{' );
		put_pair( json, "value", t->value );
		put_pair( json, "error", t->error );
		put_pair( json, "low", t->low );
		put_pair( json, "high", t->high );
		ds_json_key( json, "identifiable" );
		ds_json_put_bool( json, t->identifiable );
		ds_json_key( json, "unit" );
		ds_json_put_string( json, si );
		if ( sheet && ds_imu_convert( t->value, si, sheet, &converted ) == DS_OK )
		{
			put_pair( json, "datasheet", converted );
			ds_json_key( json, "datasheet_unit" );
			ds_json_put_string( json, sheet );
		}
		ds_json_end( json, '}' );
	}
	put_pair( json, "minimum", c->fit.minimum );
	put_pair( json, "minimum_tau", c->fit.minimum_tau );
	ds_json_key( json, "falling" );
	ds_json_put_bool( json, c->fit.falling );
	put_pair( json, "misfit", c->fit.misfit );
	ds_json_end( json, '}' );
}

int allan_print_json( const allan_result *r )
{
	ds_text text = { 0 };
	ds_json_writer json = { .text = &text };
	ds_json_begin( &json, '{' );
	ds_json_key( &json, "file" );
	ds_json_put_string( &json, r->file );
	ds_json_key( &json, "kind" );
	ds_json_put_string( &json, allan_kind_name( r->kind ) );
	put_pair( &json, "rate", r->rate );
	put_pair( &json, "samples", (double)r->samples );
	put_pair( &json, "missing", (double)r->missing );
	put_pair( &json, "confidence", r->confidence );
	ds_json_key( &json, "columns" );
	ds_json_begin( &json, '[' );
	for ( int k = 0; k < r->column_count; ++k )
	{
		const allan_column *c = &r->columns[k];
		ds_json_begin( &json, '{' );
		ds_json_key( &json, "name" );
		ds_json_put_string( &json, c->name );
		ds_json_key( &json, "unit" );
		ds_json_put_string( &json, c->unit );
		put_pair( &json, "mean", mean_of( r, c ) );
		put_points( &json, c );
		if ( c->has_fit )
		{
			put_fit( &json, c );
		}
		ds_json_end( &json, '}' );
	}
	ds_json_end( &json, ']' );
	ds_json_key( &json, "config" );
	(void)put_config( &json, r );
	ds_json_end( &json, '}' );
	bool good = text.status == DS_OK;
	if ( good )
	{
		printf( "%s\n", ds_text_get( &text ) );
	}
	ds_text_clear( &text );
	return good ? CLI_OK : cli_fail();
}
