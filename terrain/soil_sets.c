#include "terrain/soil_sets.h"

#include "base/base.h"

#include <string.h>

#define SET( name_, title_, source_, assumed_, soil_ ) { #name_, title_, source_, assumed_, soil_ },
static const ds_soil_set sets[DS_SOIL_COUNT] = { DS_SOIL_LIST( SET ) };

int32_t ds_soil_count( void )
{
	return DS_SOIL_COUNT;
}

const ds_soil_set *ds_soil_at( int32_t index )
{
	return index >= 0 && index < DS_SOIL_COUNT ? &sets[index] : NULL;
}

const ds_soil_set *ds_soil_find( const char *name )
{
	const char *names[DS_SOIL_COUNT];
	for ( int32_t i = 0; i < DS_SOIL_COUNT; ++i )
	{
		names[i] = sets[i].name;
		if ( name && strcmp( name, names[i] ) == 0 )
		{
			return &sets[i];
		}
	}
	const char *nearest = name ? ds_nearest_name( name, names, DS_SOIL_COUNT ) : NULL;
	(void)ds_error( DS_ERROR_NOT_FOUND, "there is no soil \"%s\"%s%s%s", name ? name : "(null)",
		nearest ? "; did you mean \"" : "; `deepsim describe soils` lists them", nearest ? nearest : "",
		nearest ? "\"?" : "" );
	return NULL;
}
