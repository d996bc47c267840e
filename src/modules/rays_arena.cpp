#include "modules/rays_arena.h"

#include <tbb/task_arena.h>

bool ds_arena_run( void ( *work )( void *user ), void *user )
{
	try
	{
		tbb::task_arena arena( 1 );
		arena.execute( [=] { work( user ); } );
		return true;
	}
	catch ( ... )
	{
		return false;
	}
}
