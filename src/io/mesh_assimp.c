// The door to assimp. It gets bytes that our own readers have checked and rewritten, through a file system that has this one
// file only, so that nothing in a mesh file can make it open another.

#include "io/mesh_internal.h"

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/scene.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct memory_file
{
	const char *name;
	const uint8_t *bytes;
	size_t size;
} memory_file;

typedef struct memory_cursor
{
	const memory_file *file;
	size_t at;
} memory_cursor;

static size_t read_proc( struct aiFile *file, char *out, size_t size, size_t count )
{
	memory_cursor *cursor = (memory_cursor *)(void *)file->UserData;
	size_t left = cursor->file->size - cursor->at;
	size_t whole = size > 0 ? left / size : 0;
	whole = whole < count ? whole : count;
	memcpy( out, cursor->file->bytes + cursor->at, whole * size );
	cursor->at += whole * size;
	return whole;
}

static size_t write_proc( struct aiFile *file, const char *bytes, size_t size, size_t count )
{
	(void)file, (void)bytes, (void)size, (void)count;
	return 0;
}

static size_t tell_proc( struct aiFile *file )
{
	return ( (memory_cursor *)(void *)file->UserData )->at;
}

static size_t size_proc( struct aiFile *file )
{
	return ( (memory_cursor *)(void *)file->UserData )->file->size;
}

static aiReturn seek_proc( struct aiFile *file, size_t offset, enum aiOrigin origin )
{
	memory_cursor *cursor = (memory_cursor *)(void *)file->UserData;
	size_t base = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? cursor->at : cursor->file->size;
	if ( offset > cursor->file->size - base )
	{
		return aiReturn_FAILURE;
	}
	cursor->at = base + offset;
	return aiReturn_SUCCESS;
}

static void flush_proc( struct aiFile *file )
{
	(void)file;
}

static struct aiFile *open_proc( struct aiFileIO *io, const char *name, const char *mode )
{
	const memory_file *file = (const memory_file *)(const void *)io->UserData;
	if ( strcmp( name, file->name ) != 0 || strchr( mode, 'w' ) || strchr( mode, 'a' ) )
	{
		return NULL;
	}
	struct aiFile *handle = malloc( sizeof( *handle ) );
	memory_cursor *cursor = malloc( sizeof( *cursor ) );
	if ( handle == NULL || cursor == NULL )
	{
		free( handle );
		free( cursor );
		return NULL;
	}
	cursor->file = file;
	cursor->at = 0;
	handle->ReadProc = read_proc;
	handle->WriteProc = write_proc;
	handle->TellProc = tell_proc;
	handle->FileSizeProc = size_proc;
	handle->SeekProc = seek_proc;
	handle->FlushProc = flush_proc;
	handle->UserData = (aiUserData)(void *)cursor;
	return handle;
}

static void close_proc( struct aiFileIO *io, struct aiFile *file )
{
	(void)io;
	free( file->UserData );
	free( file );
}

// ---- the scene ---------------------------------------------------------------------------------------------------

// A point under a node's transform, in double; assimp's matrices are row major.
static ds_vec3 transform( const struct aiMatrix4x4 *m, const struct aiVector3D *p )
{
	double x = p->x, y = p->y, z = p->z;
	return ds_v3( m->a1 * x + m->a2 * y + m->a3 * z + m->a4, m->b1 * x + m->b2 * y + m->b3 * z + m->b4,
		m->c1 * x + m->c2 * y + m->c3 * z + m->c4 );
}

static bool mirrors( const struct aiMatrix4x4 *m )
{
	ds_vec3 a = { m->a1, m->b1, m->c1 }, b = { m->a2, m->b2, m->c2 }, c = { m->a3, m->b3, m->c3 };
	return ds_dot( a, ds_cross( b, c ) ) < 0;
}

static ds_status take_mesh( ds_soup *soup, const struct aiMesh *mesh, const struct aiMatrix4x4 *matrix )
{
	int32_t corners[DS_MESH_MAX_CORNERS];
	int64_t first = soup->vertex_count, count = mesh->mNumVertices;
	bool mirrored = mirrors( matrix );
	DS_TRY( ds_soup_reserve( soup, count, mesh->mNumFaces ) );
	for ( int64_t i = 0; i < count; ++i )
	{
		DS_TRY( ds_soup_add_vertex( soup, transform( matrix, mesh->mVertices + i ) ) );
	}
	soup->report->faces_read += mesh->mNumFaces;
	for ( unsigned f = 0; f < mesh->mNumFaces; ++f )
	{
		const struct aiFace *face = mesh->mFaces + f;
		int64_t size = face->mNumIndices;
		if ( size > DS_MESH_MAX_CORNERS )
		{
			return ds_error( DS_ERROR_LIMIT, "%s: face %u has %lld corners; at most %d are read", soup->name, f + 1,
				(long long)size, DS_MESH_MAX_CORNERS );
		}
		for ( int64_t k = 0; k < size; ++k )
		{
			unsigned index = face->mIndices[mirrored ? size - 1 - k : k];
			if ( index >= count )
			{
				return ds_error( DS_ERROR_FORMAT, "%s: face %u names vertex %u of %lld", soup->name, f + 1, index,
					(long long)count );
			}
			corners[k] = (int32_t)( first + index );
		}
		DS_TRY( ds_soup_add_polygon( soup, corners, size ) );
	}
	return DS_OK;
}

static ds_status take_node( ds_soup *soup, const struct aiScene *scene, const struct aiNode *node )
{
	for ( unsigned i = 0; i < node->mNumMeshes; ++i )
	{
		DS_TRY( ds_soup_check_time( soup ) );
		DS_TRY( take_mesh( soup, scene->mMeshes[node->mMeshes[i]], &node->mTransformation ) );
	}
	return DS_OK;
}

// What we hand over has one level of nodes at most: the root and its children.
static ds_status take_scene( ds_soup *soup, const struct aiScene *scene )
{
	const struct aiNode *root = scene->mRootNode;
	DS_TRY( take_node( soup, scene, root ) );
	for ( unsigned i = 0; i < root->mNumChildren; ++i )
	{
		DS_TRY( take_node( soup, scene, root->mChildren[i] ) );
	}
	return DS_OK;
}

// assimp keeps its last error in one string of the process.
static pthread_mutex_t assimp_lock = PTHREAD_MUTEX_INITIALIZER;

ds_status ds_mesh_read_assimp( ds_soup *soup, const char *hint, const uint8_t *bytes, int64_t size )
{
	memory_file file = { hint, bytes, (size_t)size };
	struct aiFileIO io = { open_proc, close_proc, (aiUserData)(void *)&file };
	pthread_mutex_lock( &assimp_lock );
	const struct aiScene *scene = aiImportFileEx( hint, 0, &io );
	ds_status status = DS_OK;
	if ( scene == NULL )
	{
		status = ds_error( DS_ERROR_FORMAT, "%s: assimp cannot read it: %s", soup->name, aiGetErrorString() );
	}
	pthread_mutex_unlock( &assimp_lock );
	if ( status != DS_OK )
	{
		return status;
	}
	status = ds_soup_check_time( soup );
	status = status == DS_OK ? take_scene( soup, scene ) : status;
	aiReleaseImport( scene );
	return status;
}
