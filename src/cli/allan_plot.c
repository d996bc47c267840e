#include "cli/allan.h"
#include "cli/gnuplot.h"

#include <math.h>
#include <string.h>

#define MOST_PANELS 4
#define MODEL_ROWS  200

// Columns that share a unit share a panel.
typedef struct panel
{
	const char *unit;
	int columns[64];
	int count;
} panel;

static int make_panels( const allan_result *r, panel *panels )
{
	int count = 0;
	for ( int k = 0; k < r->column_count; ++k )
	{
		int at = 0;
		while ( at < count && strcmp( panels[at].unit, r->columns[k].unit ) != 0 )
		{
			++at;
		}
		// of more units than there are panels the last one takes the rest
		at = at < MOST_PANELS ? at : MOST_PANELS - 1;
		if ( at == count )
		{
			panels[count++] = ( panel ){ .unit = r->columns[k].unit };
		}
		panels[at].columns[panels[at].count++] = k;
	}
	return count;
}

static void put_curve( FILE *out, const allan_column *c, int index )
{
	fprintf( out, "$curve%d << EOD\n", index );
	for ( int64_t i = 0; i < c->count; ++i )
	{
		const ds_allan_point *p = &c->points[i];
		if ( p->deviation > 0 )
		{
			gnuplot_number( out, p->tau );
			gnuplot_number( out, p->deviation );
			gnuplot_number( out, p->low > 0 ? p->low : p->deviation );
			gnuplot_number( out, p->high > 0 ? p->high : p->deviation );
			fputc( '\n', out );
		}
	}
	fprintf( out, "EOD\n" );
}

// One term of a model; -1: all.
static ds_allan_model only( const ds_allan_model *model, int term )
{
	ds_allan_model one = { .bandwidth = model->bandwidth };
	one.Q = term == 0 ? model->Q : 0;
	one.N = term == 1 ? model->N : 0;
	one.B = term == 2 ? model->B : 0;
	one.K = term == 3 ? model->K : 0;
	one.markov_sigma = term == 4 ? model->markov_sigma : 0;
	one.markov_tau = term == 4 ? model->markov_tau : 0;
	return term < 0 ? *model : one;
}

static bool has_term( const allan_column *c, int term )
{
	const ds_allan_term *t = allan_term( &c->fit, term );
	return c->has_fit && t->present && t->identifiable;
}

// Curves of the fitted model and its terms, below the measured one's least value cut off.
static void put_model( FILE *out, const allan_result *r, const allan_column *c, int index )
{
	int64_t longest = c->points[c->count - 1].m, last = 0;
	double least = INFINITY;
	for ( int64_t i = 0; i < c->count; ++i )
	{
		least = c->points[i].deviation > 0 ? fmin( least, c->points[i].deviation ) : least;
	}
	fprintf( out, "$model%d << EOD\n", index );
	for ( int i = 0; i <= MODEL_ROWS; ++i )
	{
		int64_t m = llround( pow( (double)longest, (double)i / MODEL_ROWS ) );
		if ( m == last )
		{
			continue;
		}
		last = m;
		gnuplot_number( out, (double)m / r->rate );
		for ( int term = -1; term < 5; ++term )
		{
			ds_allan_model model = only( &c->fit.model, term );
			double deviation = ds_allan_theory( &model, r->kind, r->rate, m );
			if ( deviation > 0.2 * least )
			{
				gnuplot_number( out, deviation );
			}
			else
			{
				fprintf( out, "NaN " );
			}
		}
		fputc( '\n', out );
	}
	fprintf( out, "EOD\n" );
}

static void put_panel( FILE *out, const allan_result *r, const panel *p )
{
	char unit[DS_NAME_SIZE + 8], label[DS_NAME_SIZE + 32];
	allan_kind_unit( r->kind, p->unit, unit, sizeof( unit ) );
	snprintf( label, sizeof( label ), "%s [%s]", allan_kind_name( r->kind ), unit );
	fprintf( out, "set ylabel " );
	gnuplot_text( out, label );
	fprintf( out, "\nplot " );
	for ( int i = 0; i < p->count; ++i )
	{
		const allan_column *c = &r->columns[p->columns[i]];
		fprintf( out, "%s$curve%d using 1:3:4 with filledcurves fs transparent solid 0.2 noborder lc %d notitle, ",
			i ? ", " : "", p->columns[i], i + 1 );
		fprintf( out, "$curve%d using 1:2 with points pt 7 ps 0.4 lc %d title ", p->columns[i], i + 1 );
		gnuplot_text( out, c->name );
		if ( c->has_fit )
		{
			fprintf( out, ", $model%d using 1:2 with lines lw 2 lc %d %s", p->columns[i], i + 1,
				p->count > 1 ? "notitle" : "title 'fit'" );
		}
		for ( int term = 0; term < 5; ++term )
		{
			if ( has_term( c, term ) )
			{
				fprintf( out, ", $model%d using 1:%d with lines lw 1 dt %d lc %d ", p->columns[i], term + 3, term + 2,
					i + 1 );
				fprintf( out, p->count > 1 ? "notitle" : "title '%s'", term == 4 ? "Markov" : allan_term_name( term ) );
			}
		}
	}
	fprintf( out, "\n" );
}

static void put_script( FILE *out, const allan_result *r, const char *path )
{
	panel panels[MOST_PANELS];
	int count = make_panels( r, panels );
	const char *ending = strrchr( path, '.' );
	bool svg = strcmp( ending, ".svg" ) == 0, pdf = strcmp( ending, ".pdf" ) == 0;
	for ( int k = 0; k < r->column_count; ++k )
	{
		put_curve( out, &r->columns[k], k );
		if ( r->columns[k].has_fit )
		{
			put_model( out, r, &r->columns[k], k );
		}
	}
	fprintf( out, "set terminal %s size %d%s,%d%s\nset output ",
		svg   ? "svg"
		: pdf ? "pdfcairo"
			  : "pngcairo",
		pdf ? 8 : 900, pdf ? "in" : "", ( pdf ? 6 : 600 ) * count, pdf ? "in" : "" );
	gnuplot_text( out, path );
	fprintf( out, "\nset multiplot layout %d,1 title ", count );
	char title[1200];
	snprintf( title, sizeof( title ), "%s, %.4g h at %.6g Hz, bands of %g %%", r->file,
		(double)r->samples / r->rate / 3600, r->rate, 100 * r->confidence );
	gnuplot_text( out, title );
	fprintf( out, " noenhanced\nset logscale xy\nset format x '10^{%%L}'\nset format y '10^{%%L}'\nset grid xtics "
				  "ytics\nset autoscale xfix\n"
				  "set key noenhanced below\nset xlabel 'tau [s]'\nset ylabel noenhanced\n" );
	for ( int i = 0; i < count; ++i )
	{
		put_panel( out, r, &panels[i] );
	}
	fprintf( out, "unset multiplot\n" );
}

int allan_plot( const allan_result *result, const char *path, const char *data )
{
	for ( int k = 0; k < result->column_count; ++k )
	{
		bool any = false;
		for ( int64_t i = 0; i < result->columns[k].count; ++i )
		{
			any = any || result->columns[k].points[i].deviation > 0;
		}
		if ( !any )
		{
			cli_error( "%s: column %s does not change; a logarithmic plot cannot show it: leave it out by --column",
				path, result->columns[k].name );
			return CLI_FAILURE;
		}
	}
	if ( !gnuplot_found( path, data ) )
	{
		return CLI_OK;
	}
	FILE *out = gnuplot_start();
	if ( out == NULL )
	{
		return CLI_FAILURE;
	}
	put_script( out, result, path );
	return gnuplot_finish( out, path );
}
