// A module of another release than any: it serves no version.

#include "deepsim/base.h"

__attribute__( ( visibility( "default" ) ) ) const void *ds_module_table( uint32_t version, const void *host );

const void *ds_module_table( uint32_t version, const void *host )
{
	(void)version;
	(void)host;
	return NULL;
}
