#include "io/mesh_bytes.h"

#include <string.h>

ds_status ds_bytes_reserve( ds_bytes *bytes, int64_t more )
{
	int64_t need = bytes->size + more;
	if ( need <= bytes->capacity )
	{
		return DS_OK;
	}
	int64_t capacity = 2 * bytes->capacity > need ? 2 * bytes->capacity : need;
	uint8_t *data;
	DS_TRY( DS_NEW( bytes->allocator, capacity, &data ) );
	if ( bytes->size > 0 )
	{
		memcpy( data, bytes->data, (size_t)bytes->size );
	}
	DS_FREE( bytes->allocator, bytes->data, bytes->capacity );
	bytes->data = data;
	bytes->capacity = capacity;
	return DS_OK;
}

ds_status ds_bytes_add( ds_bytes *bytes, const void *data, int64_t size )
{
	DS_TRY( ds_bytes_reserve( bytes, size ) );
	if ( size > 0 )
	{
		memcpy( bytes->data + bytes->size, data, (size_t)size );
	}
	bytes->size += size;
	return DS_OK;
}

ds_status ds_bytes_add_little32( ds_bytes *bytes, uint32_t word )
{
	uint8_t data[4] = { (uint8_t)word, (uint8_t)( word >> 8 ), (uint8_t)( word >> 16 ), (uint8_t)( word >> 24 ) };
	return ds_bytes_add( bytes, data, 4 );
}

void ds_bytes_free( ds_bytes *bytes )
{
	DS_FREE( bytes->allocator, bytes->data, bytes->capacity );
	bytes->data = NULL;
	bytes->size = bytes->capacity = 0;
}
