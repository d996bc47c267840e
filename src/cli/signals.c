#include "cli/cli.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t stop_wanted;

static void want_stop( int signal_number )
{
	(void)signal_number;
	stop_wanted = 1;
}

void cli_catch_signals( void )
{
	struct sigaction action;
	memset( &action, 0, sizeof( action ) );
	action.sa_handler = want_stop;
	action.sa_flags = (int)SA_RESETHAND;
	sigemptyset( &action.sa_mask );
	sigaction( SIGINT, &action, NULL );
	sigaction( SIGTERM, &action, NULL );
	sigaction( SIGHUP, &action, NULL );
}

bool cli_stop_wanted( void )
{
	return stop_wanted != 0;
}
