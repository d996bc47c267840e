// The nodes of a glTF scene, visited once each, without recursion: which meshes are shown, and where.

#include "io/mesh_gltf.h"

#include <string.h>

static ds_status read_numbers( const ds_json *node, const char *key, int64_t count, double *out )
{
	const ds_json *array = ds_json_find( node, key ), *item = array ? array->first : NULL;
	if ( array == NULL )
	{
		return DS_OK;
	}
	if ( array->type != DS_JSON_ARRAY || array->count != count )
	{
		return ds_json_error( DS_ERROR_FORMAT, array, "expected an array of %lld numbers", (long long)count );
	}
	for ( int64_t i = 0; i < count; ++i, item = item->next )
	{
		if ( item->type != DS_JSON_NUMBER )
		{
			return ds_json_error( DS_ERROR_FORMAT, item, "expected a number" );
		}
		out[i] = item->number;
	}
	return DS_OK;
}

static ds_status local_matrix( const ds_json *node, double out[16] )
{
	double move[3] = { 0, 0, 0 }, turn[4] = { 0, 0, 0, 1 }, size[3] = { 1, 1, 1 };
	DS_TRY( read_numbers( node, "translation", 3, move ) );
	DS_TRY( read_numbers( node, "rotation", 4, turn ) );
	DS_TRY( read_numbers( node, "scale", 3, size ) );
	ds_quat q = { turn[3], turn[0], turn[1], turn[2] };
	ds_mat3 r = ds_mat3_from_quat( ds_quat_normalize( q ) );
	for ( int column = 0; column < 3; ++column )
	{
		for ( int row = 0; row < 3; ++row )
		{
			out[4 * column + row] = r.m[row][column] * size[column];
		}
		out[4 * column + 3] = 0;
		out[12 + column] = move[column];
	}
	out[15] = 1;
	return read_numbers( node, "matrix", 16, out );
}

static void multiply( const double a[16], const double b[16], double out[16] )
{
	for ( int column = 0; column < 4; ++column )
	{
		for ( int row = 0; row < 4; ++row )
		{
			double sum = 0;
			for ( int k = 0; k < 4; ++k )
			{
				sum += a[4 * k + row] * b[4 * column + k];
			}
			out[4 * column + row] = sum;
		}
	}
}

// The nodes that are still to be visited, each with its parent's transform.
typedef struct node_walk
{
	int64_t *pending;
	double ( *parents )[16];
	uint8_t *seen;
	int64_t pending_count;
	ds_gltf_instance *instances;
	int64_t instance_count;
} node_walk;

static ds_status push_nodes( const ds_gltf *gltf, const ds_json *list, const double matrix[16], node_walk *walk )
{
	if ( list && list->type != DS_JSON_ARRAY )
	{
		return ds_json_error( DS_ERROR_FORMAT, list, "expected an array of node numbers" );
	}
	for ( const ds_json *item = list ? list->first : NULL; item; item = item->next )
	{
		double n = item->type == DS_JSON_NUMBER ? item->number : -1;
		if ( !( n >= 0 && n < (double)gltf->nodes.count ) || floor( n ) != n )
		{
			return ds_json_error(
				DS_ERROR_FORMAT, item, "expected the number of one of %lld nodes", (long long)gltf->nodes.count );
		}
		if ( walk->seen[(int64_t)n] )
		{
			return ds_json_error(
				DS_ERROR_FORMAT, item, "node %lld has two parents, or is its own ancestor", (long long)n );
		}
		walk->seen[(int64_t)n] = 1;
		memcpy( walk->parents[walk->pending_count], matrix, 16 * sizeof( double ) );
		walk->pending[walk->pending_count++] = (int64_t)n;
	}
	return DS_OK;
}

static ds_status push_roots( const ds_gltf *gltf, node_walk *walk )
{
	static const double identity[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
	const ds_json *scenes = ds_json_find( gltf->root, "scenes" );
	if ( scenes && scenes->count > 0 )
	{
		int64_t number;
		DS_TRY( ds_gltf_integer( gltf->root, "scene", 0, scenes->count - 1, &number ) );
		return push_nodes( gltf, ds_json_find( ds_json_at( scenes, number ), "nodes" ), identity, walk );
	}

	// without scenes: every node that is no other one's child
	uint8_t *child = walk->seen;
	for ( int64_t i = 0; i < gltf->nodes.count; ++i )
	{
		const ds_json *list = ds_json_find( gltf->nodes.items[i], "children" );
		for ( const ds_json *item = list ? list->first : NULL; item; item = item->next )
		{
			if ( item->type == DS_JSON_NUMBER && item->number >= 0 && item->number < (double)gltf->nodes.count )
			{
				child[(int64_t)item->number] = 1;
			}
		}
	}
	for ( int64_t i = 0; i < gltf->nodes.count; ++i )
	{
		if ( !child[i] )
		{
			memcpy( walk->parents[walk->pending_count], identity, sizeof( identity ) );
			walk->pending[walk->pending_count++] = i;
		}
		walk->seen[i] = !child[i];
	}
	return DS_OK;
}

static ds_status note_instance( const ds_gltf *gltf, const ds_json *node, const double world[16], node_walk *walk )
{
	if ( ds_json_find( node, "mesh" ) == NULL )
	{
		return DS_OK;
	}
	ds_gltf_instance *made = walk->instances + walk->instance_count++;
	for ( int k = 0; k < 16; ++k )
	{
		if ( !isfinite( world[k] ) )
		{
			return ds_json_error( DS_ERROR_NOT_FINITE, node, "the transform of this node is not finite" );
		}
		made->matrix[k] = world[k];
	}
	return ds_gltf_integer( node, "mesh", -1, gltf->meshes.count - 1, &made->mesh );
}

ds_status ds_gltf_walk( ds_gltf *gltf, ds_gltf_instance **instances, int64_t *count_out )
{
	size_t count = (size_t)gltf->nodes.count;
	void *memory[4];
	const size_t sizes[4] = { sizeof( int64_t ), 16 * sizeof( double ), 1, sizeof( ds_gltf_instance ) };
	for ( int i = 0; i < 4; ++i )
	{
		DS_TRY( ds_arena_new( &gltf->arena, count * sizes[i], &memory[i] ) );
	}
	node_walk walk = { memory[0], memory[1], memory[2], 0, memory[3], 0 };
	DS_TRY( push_roots( gltf, &walk ) );
	while ( walk.pending_count > 0 )
	{
		int64_t number = walk.pending[--walk.pending_count];
		const ds_json *node = gltf->nodes.items[number];
		double local[16], world[16];
		DS_TRY( local_matrix( node, local ) );
		multiply( walk.parents[walk.pending_count], local, world );
		DS_TRY( note_instance( gltf, node, world, &walk ) );
		DS_TRY( push_nodes( gltf, ds_json_find( node, "children" ), world, &walk ) );
	}
	*instances = walk.instances;
	*count_out = walk.instance_count;
	return DS_OK;
}
