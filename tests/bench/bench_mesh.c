// Loading a million triangles: read, checked, welded, measured.

#include "tests/bench/bench.h"

#include "deepsim/mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REPEATS 5

// Bench names and their functions: mesh_load_glb_1m, mesh_load_obj_1m [s].
double bench_mesh_load_glb_1m( char *detail, size_t size );
double bench_mesh_load_obj_1m( char *detail, size_t size );

static void put_word( FILE *file, uint32_t word )
{
	uint8_t bytes[4] = { (uint8_t)word, (uint8_t)( word >> 8 ), (uint8_t)( word >> 16 ), (uint8_t)( word >> 24 ) };
	fwrite( bytes, 1, 4, file );
}

static void put_float( FILE *file, double number )
{
	float narrow = (float)number;
	uint32_t word;
	memcpy( &word, &narrow, 4 );
	put_word( file, word );
}

// A GLB of one indexed primitive, as exporters write it.
static int write_glb( const ds_mesh *mesh, const char *path )
{
	int64_t vertex_count, face_count;
	const ds_vec3 *v = ds_mesh_vertices( mesh, &vertex_count );
	const int32_t *t = ds_mesh_triangles( mesh, &face_count );
	FILE *file = fopen( path, "wb" );
	if ( file == NULL )
	{
		return -1;
	}
	int64_t positions = 12 * vertex_count, indices = 12 * face_count;
	char json[1024];
	int length = snprintf( json, sizeof( json ),
		"{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
		"\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],"
		"\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":%lld,\"type\":\"VEC3\",\"min\":[-1,-1,-1],"
		"\"max\":[1,1,1]},{\"bufferView\":1,\"componentType\":5125,\"count\":%lld,\"type\":\"SCALAR\"}],"
		"\"bufferViews\":[{\"buffer\":0,\"byteLength\":%lld},{\"buffer\":0,\"byteOffset\":%lld,\"byteLength\":%lld}],"
		"\"buffers\":[{\"byteLength\":%lld}]}",
		(long long)vertex_count, (long long)( 3 * face_count ), (long long)positions, (long long)positions,
		(long long)indices, (long long)( positions + indices ) );
	for ( ; length % 4 != 0; ++length )
	{
		json[length] = ' ';
	}
	put_word( file, 0x46546C67u );
	put_word( file, 2 );
	put_word( file, (uint32_t)( 28 + length + positions + indices ) );
	put_word( file, (uint32_t)length );
	put_word( file, 0x4E4F534Au );
	fwrite( json, 1, (size_t)length, file );
	put_word( file, (uint32_t)( positions + indices ) );
	put_word( file, 0x004E4942u );
	for ( int64_t i = 0; i < vertex_count; ++i )
	{
		put_float( file, v[i].x );
		put_float( file, v[i].y );
		put_float( file, v[i].z );
	}
	for ( int64_t i = 0; i < 3 * face_count; ++i )
	{
		put_word( file, (uint32_t)t[i] );
	}
	int failed = ferror( file );
	return fclose( file ) != 0 || failed ? -1 : 0;
}

// Median of the times of REPEATS loads after one that warms up.
static double time_loads( const char *path, char *detail, size_t size )
{
	double seconds[REPEATS];
	for ( int i = -1; i < REPEATS; ++i )
	{
		ds_mesh *mesh;
		double begin = bench_clock();
		if ( ds_mesh_load( path, NULL, NULL, &mesh, NULL ) != DS_OK )
		{
			return bench_fail( detail, size );
		}
		if ( i >= 0 )
		{
			seconds[i] = bench_clock() - begin;
		}
		ds_mesh_properties p = ds_mesh_measure( mesh );
		snprintf( detail, size, "a sphere of %lld vertices and %lld faces", (long long)p.vertices, (long long)p.faces );
		ds_mesh_release( mesh );
	}
	return bench_median( seconds, REPEATS );
}

static double time_format( const char *ending, char *detail, size_t size )
{
	const char *base = getenv( "TMPDIR" );
	char folder[512], path[600];
	snprintf( folder, sizeof( folder ), "%s/deepsim-bench-XXXXXX", base && base[0] ? base : "/tmp" );
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_SPHERE );
	shape.radius = 1;
	shape.faces = 1000000;
	ds_mesh *mesh;
	if ( ds_mesh_make( &shape, NULL, &mesh ) != DS_OK )
	{
		return bench_fail( detail, size );
	}
	bool glb = strcmp( ending, "glb" ) == 0;
	ds_status status = DS_OK;
	if ( mkdtemp( folder ) == NULL )
	{
		status = ds_error( DS_ERROR_IO, "%s: no folder can be made there", folder );
	}
	snprintf( path, sizeof( path ), "%s/sphere.%s", folder, ending );
	if ( status == DS_OK && !glb )
	{
		status = ds_mesh_save( mesh, path );
	}
	else if ( status == DS_OK && write_glb( mesh, path ) != 0 )
	{
		status = ds_error( DS_ERROR_IO, "%s: cannot be written", path );
	}
	ds_mesh_release( mesh );
	double seconds = status == DS_OK ? time_loads( path, detail, size ) : bench_fail( detail, size );
	remove( path );
	rmdir( folder );
	return seconds;
}

double bench_mesh_load_glb_1m( char *detail, size_t size )
{
	return time_format( "glb", detail, size );
}

double bench_mesh_load_obj_1m( char *detail, size_t size )
{
	return time_format( "obj", detail, size );
}
