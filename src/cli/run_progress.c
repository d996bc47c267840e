#include "cli/run.h"

#include <math.h>
#include <string.h>
#include <time.h>

#define REDRAW  0.1 // between two versions of a terminal's line [s]
#define PARTS   1000 // updates in a run that is not paced
#define PACE    0.01 // between two looks at the clock of a run that is paced [s]
#define SETTLED 0.5 // before this there is no telling how long a run takes [s]

void run_progress_begin(
	run_progress *progress, const char *name, double rate, int64_t total, bool quiet, bool realtime )
{
	memset( progress, 0, sizeof( *progress ) );
	progress->name = name;
	progress->shown = !quiet;
	progress->terminal = cli_terminal( stderr );
	progress->realtime = realtime;
	progress->rate = rate;
	progress->total = total;
	progress->start = cli_clock();
}

int64_t run_progress_interval( const run_progress *progress )
{
	int64_t interval = progress->realtime ? (int64_t)( progress->rate * PACE ) : progress->total / PARTS;
	return interval > 1 ? interval : 1;
}

// "1:02:03" or "2:03".
static void print_duration( char *text, size_t size, double seconds )
{
	long long whole = (long long)fmin( ceil( seconds ), 1e9 );
	if ( whole >= 3600 )
	{
		snprintf( text, size, "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60 );
	}
	else
	{
		snprintf( text, size, "%lld:%02lld", whole / 60, whole % 60 );
	}
}

// "t 1332.0 of 3600.0 s, 152 x real time, ETA 0:15"
static void describe( const run_progress *progress, int64_t ticks, char *text, size_t size )
{
	double done = (double)ticks / progress->rate, all = (double)progress->total / progress->rate;
	double wall = cli_clock() - progress->start;
	char eta[32] = "-:--";
	if ( ticks > 0 && ( wall > SETTLED || ticks == progress->total ) )
	{
		print_duration( eta, sizeof( eta ), wall * (double)( progress->total - ticks ) / (double)ticks );
	}
	char factor[32];
	cli_print_amount( factor, sizeof( factor ), wall > 0 ? done / wall : 0 );
	snprintf( text, size, "t %.1f of %.1f s, %s x real time, ETA %s", done, all, factor, eta );
}

static void draw_line( run_progress *progress, int64_t ticks )
{
	double now = cli_clock();
	if ( now - progress->drawn < REDRAW )
	{
		return;
	}
	progress->drawn = now;
	char text[128];
	describe( progress, ticks, text, sizeof( text ) );
	double percent = 100 * (double)ticks / (double)progress->total;
	fprintf( stderr, "\r%s%.20s%s %5.1f %%  %s\033[K", cli_bold( stderr ), progress->name, cli_plain( stderr ), percent,
		text );
	fflush( stderr );
}

static void draw_tenth( run_progress *progress, int64_t ticks )
{
	int tenths = (int)( 10 * (double)ticks / (double)progress->total );
	if ( tenths <= progress->tenths )
	{
		return;
	}
	progress->tenths = tenths;
	char text[128];
	describe( progress, ticks, text, sizeof( text ) );
	fprintf( stderr, "deepsim: %s %3d %%  %s\n", progress->name, 10 * tenths, text );
}

// Waits until the clock on the wall has come as far as the world. A signal ends the wait.
static void wait_for_clock( const run_progress *progress, int64_t ticks )
{
	double ahead = (double)ticks / progress->rate - ( cli_clock() - progress->start );
	if ( ahead > 0 )
	{
		struct timespec pause = { (time_t)ahead, (long)( 1e9 * ( ahead - floor( ahead ) ) ) };
		(void)nanosleep( &pause, NULL );
	}
}

void run_progress_update( run_progress *progress, int64_t ticks )
{
	if ( progress->realtime )
	{
		wait_for_clock( progress, ticks );
	}
	if ( !progress->shown || progress->total <= 0 )
	{
		return;
	}
	if ( progress->terminal )
	{
		draw_line( progress, ticks );
	}
	else
	{
		draw_tenth( progress, ticks );
	}
}

void run_progress_end( run_progress *progress )
{
	if ( progress->shown && progress->terminal && progress->drawn > 0 )
	{
		fprintf( stderr, "\r\033[K" );
		fflush( stderr );
	}
}
