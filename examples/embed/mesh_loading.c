// How long meshes take to load: the same hull as glTF, GLB and OBJ, coarse and fine, again and again, and until a first ray has met it.
// That is Fig 10 of "Beyond Shallow-Water Photorealism". The files are made here.
//   FOLDER/coarse.gltf ...   the meshes
//   FOLDER/mesh_loading.csv  a row for each load
// The first run of each file finds it not in memory, where the system lets a program ask for that; the others do.
// Returns 0 if all files are the same hull: to rays, and by their number of triangles. How long they took is for people to judge.
// cc mesh_loading.c $(pkg-config --cflags --libs deepsim) -lm
// ./a.out out/mesh_loading

#include <deepsim/deepsim.h>

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// Stops with the library's own explanation when a call fails.
#define TRY( call )                                                                                                    \
	if ( ( call ) != DS_OK )                                                                                           \
	{                                                                                                                  \
		return fprintf( stderr, "%s\n", ds_last_error() ), 1;                                                          \
	}

#define MOST_RUNS 100
#define RADIUS    0.0955 // of the hull's middle [m]

static const char *const formats[] = { "gltf", "glb", "obj" };
static const ds_material yellow = { { 0.8, 0.55, 0.03 }, 0, 0.5 };

static double now( void )
{
	struct timespec t;
	clock_gettime( CLOCK_MONOTONIC, &t );
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- files -----------------------------------------------------------------------------------------------------------

static void put_little( FILE *file, uint32_t bits )
{
	for ( int i = 0; i < 4; ++i )
	{
		putc( (int)( bits >> 8 * i & 0xFF ), file );
	}
}

static int finish( FILE *file, const char *path )
{
	int bad = ferror( file );
	bad |= fclose( file );
	return bad ? fprintf( stderr, "%s: could not be written whole\n", path ), 1 : 0;
}

// The JSON of a glTF file whose buffer holds all positions, then all corners of triangles, 12 bytes each. `uri`: of the buffer, with
// its key, or "".
static void write_json( const ds_mesh *mesh, const char *uri, char *text, size_t size )
{
	int64_t vertices, faces;
	ds_mesh_vertices( mesh, &vertices );
	ds_mesh_triangles( mesh, &faces );
	ds_mesh_properties box = ds_mesh_measure( mesh );
	const long long split = 12 * (long long)vertices, rest = 12 * (long long)faces;
	snprintf( text, size,
		"{ \"asset\": { \"version\": \"2.0\" }, \"scene\": 0, \"scenes\": [ { \"nodes\": [0] } ], \"nodes\": [ { "
		"\"mesh\": 0 } ],\n"
		"\"meshes\": [ { \"primitives\": [ { \"attributes\": { \"POSITION\": 0 }, \"indices\": 1, \"material\": 0 } ] "
		"} ],\n"
		"\"materials\": [ { \"pbrMetallicRoughness\": { \"baseColorFactor\": [%g, %g, %g, 1], \"metallicFactor\": %g, "
		"\"roughnessFactor\": %g } } ],\n"
		"\"buffers\": [ { %s\"byteLength\": %lld } ],\n"
		"\"bufferViews\": [ { \"buffer\": 0, \"byteLength\": %lld }, { \"buffer\": 0, \"byteOffset\": %lld, "
		"\"byteLength\": %lld } ],\n"
		"\"accessors\": [ { \"bufferView\": 0, \"componentType\": 5126, \"count\": %lld, \"type\": \"VEC3\",\n"
		"  \"min\": [%.9g, %.9g, %.9g], \"max\": [%.9g, %.9g, %.9g] },\n"
		"  { \"bufferView\": 1, \"componentType\": 5125, \"count\": %lld, \"type\": \"SCALAR\" } ] }\n",
		yellow.color[0], yellow.color[1], yellow.color[2], yellow.metallic, yellow.roughness, uri, split + rest, split,
		split, rest, (long long)vertices, (double)(float)box.lower.x, (double)(float)box.lower.y,
		(double)(float)box.lower.z, (double)(float)box.upper.x, (double)(float)box.upper.y, (double)(float)box.upper.z,
		(long long)( 3 * faces ) );
}

static void write_buffer( const ds_mesh *mesh, FILE *file )
{
	int64_t vertices, faces;
	const ds_vec3 *v = ds_mesh_vertices( mesh, &vertices );
	const int32_t *corners = ds_mesh_triangles( mesh, &faces );
	for ( int64_t i = 0; i < vertices; ++i )
	{
		const float p[3] = { (float)v[i].x, (float)v[i].y, (float)v[i].z };
		uint32_t bits[3];
		memcpy( bits, p, sizeof bits );
		for ( int k = 0; k < 3; ++k )
		{
			put_little( file, bits[k] );
		}
	}
	for ( int64_t i = 0; i < 3 * faces; ++i )
	{
		put_little( file, (uint32_t)corners[i] );
	}
}

// JSON with a buffer beside it.
static int write_gltf( const ds_mesh *mesh, const char *folder, const char *name )
{
	char path[4096], uri[128], text[4096];
	snprintf( uri, sizeof uri, "\"uri\": \"%s.bin\", ", name );
	write_json( mesh, uri, text, sizeof text );
	snprintf( path, sizeof path, "%s/%s.gltf", folder, name );
	FILE *file = fopen( path, "w" );
	if ( file == NULL )
	{
		return perror( path ), 1;
	}
	fputs( text, file );
	if ( finish( file, path ) != 0 )
	{
		return 1;
	}
	snprintf( path, sizeof path, "%s/%s.bin", folder, name );
	file = fopen( path, "wb" );
	if ( file == NULL )
	{
		return perror( path ), 1;
	}
	write_buffer( mesh, file );
	return finish( file, path );
}

// The same in one file: a head, and two chunks, each with its length and kind before it.
static int write_glb( const ds_mesh *mesh, const char *folder, const char *name )
{
	char path[4096], text[4096];
	int64_t vertices, faces;
	ds_mesh_vertices( mesh, &vertices );
	ds_mesh_triangles( mesh, &faces );
	write_json( mesh, "", text, sizeof text - 4 );
	while ( strlen( text ) % 4 )
	{
		strcat( text, " " );
	}
	const uint32_t json = (uint32_t)strlen( text ), buffer = (uint32_t)( 12 * ( vertices + faces ) );
	snprintf( path, sizeof path, "%s/%s.glb", folder, name );
	FILE *file = fopen( path, "wb" );
	if ( file == NULL )
	{
		return perror( path ), 1;
	}
	const uint32_t head[] = { 0x46546C67, 2, 12 + 8 + json + 8 + buffer, json, 0x4E4F534A };
	for ( int i = 0; i < 5; ++i )
	{
		put_little( file, head[i] );
	}
	fputs( text, file );
	put_little( file, buffer );
	put_little( file, 0x004E4942 );
	write_buffer( mesh, file );
	return finish( file, path );
}

// The hull of a REMUS 100 (Prestero 2001) of about so many triangles, in all formats; *faces: how many it has.
static int write_files( const char *folder, const char *name, int64_t about, int64_t *faces )
{
	char path[4096];
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_MYRING );
	shape.faces = about;
	ds_mesh *mesh;
	TRY( ds_mesh_make( &shape, NULL, &mesh ) );
	ds_mesh_triangles( mesh, faces );
	snprintf( path, sizeof path, "%s/%s.obj", folder, name );
	TRY( ds_mesh_save( mesh, path ) );
	int code = write_gltf( mesh, folder, name );
	code = code ? code : write_glb( mesh, folder, name );
	ds_mesh_release( mesh );
	return code;
}

// The size of a file; what the system keeps of it in memory is let go of, if it can be.
static long long forget( const char *path )
{
	int file = open( path, O_RDONLY );
	if ( file < 0 )
	{
		return 0;
	}
	long long size = (long long)lseek( file, 0, SEEK_END );
	(void)fsync( file );
	(void)posix_fadvise( file, 0, 0, POSIX_FADV_DONTNEED );
	close( file );
	return size;
}

// ---- loads -----------------------------------------------------------------------------------------------------------

typedef struct timing
{
	double load, scene; // until the mesh is there; from then until a ray has met it [s]
} timing;

// Loads the file, puts it into a world, and looks at its side.
static int load( const char *path, int64_t faces, timing *t )
{
	ds_visual_options options = ds_visual_options_default();
	ds_visual *visual;
	double start = now();
	TRY( ds_visual_load( path, &options, NULL, &visual ) );
	double loaded = now();

	int64_t count;
	ds_visual_triangles( visual, &count );
	if ( count != faces )
	{
		return fprintf( stderr, "%s: %lld triangles, not %lld\n", path, (long long)count, (long long)faces ), 1;
	}
	ds_world *world;
	ds_id body;
	ds_world_def def = ds_world_def_default();
	ds_body_def hull = ds_body_def_default();
	snprintf( hull.name, sizeof hull.name, "hull" );
	hull.fixed = true;
	hull.visual_kind = DS_VISUAL_GIVEN;
	hull.visual = visual;
	ds_look_ray ray = { { 0.02, 3, 0.001 }, { 0, -1, 0 }, 10, 0, 0, DS_NO_ID };
	ds_look look;
	TRY( ds_world_create( &def, &world ) );
	TRY( ds_body_create( world, &hull, &body ) );
	TRY( ds_world_step( world, 0 ) );
	TRY( ds_look_many( world, 1, &ray, &look ) );
	t->load = loaded - start;
	t->scene = now() - loaded;
	ds_world_destroy( world );
	ds_visual_release( visual );
	if ( !( fabs( look.distance - ( 3 - RADIUS ) ) < 0.001 ) )
	{
		return fprintf( stderr, "%s: the hull's side is met after %g m, not %g\n", path, look.distance, 3 - RADIUS ), 1;
	}
	return 0;
}

static int compare( const void *a, const void *b )
{
	double x = *(const double *)a, y = *(const double *)b;
	return ( x > y ) - ( x < y );
}

static double median( double *values, int count )
{
	qsort( values, (size_t)count, sizeof *values, compare );
	return 0.5 * ( values[( count - 1 ) / 2] + values[count / 2] );
}

static int measure( const char *folder, const char *name, int64_t faces, int runs, FILE *log )
{
	for ( int f = 0; f < 3; ++f )
	{
		char path[4096], bin[4096];
		snprintf( path, sizeof path, "%s/%s.%s", folder, name, formats[f] );
		snprintf( bin, sizeof bin, "%s/%s.bin", folder, name );
		long long bytes = forget( path ) + ( f == 0 ? forget( bin ) : 0 );
		timing first = { 0 };
		double loads[MOST_RUNS], scenes[MOST_RUNS];
		for ( int run = 0; run < runs; ++run )
		{
			timing t = { 0 };
			if ( load( path, faces, &t ) != 0 )
			{
				return 1;
			}
			fprintf( log, "%s,%lld,%s,%lld,%d,%.6f,%.6f\n", name, (long long)faces, formats[f], bytes, run + 1, t.load,
				t.scene );
			first = run == 0 ? t : first;
			loads[run > 0 ? run - 1 : 0] = t.load;
			scenes[run > 0 ? run - 1 : 0] = t.scene;
		}
		int others = runs > 1 ? runs - 1 : 1;
		double again = median( loads, others ), scene = median( scenes, others );
		printf( "%10lld  %-5s %8.1f %12.4f %12.4f %12.4f %12.4f\n", (long long)faces, formats[f], 1e-6 * (double)bytes,
			first.load, again, scene, again + scene );
		fflush( stdout );
	}
	return 0;
}

int main( int argc, char **argv )
{
	long long fine = argc > 2 ? atoll( argv[2] ) : 1000000;
	int runs = argc > 3 ? atoi( argv[3] ) : 5;
	if ( argc < 2 || argc > 4 || fine < 1000 || fine > 10000000 || runs < 1 || runs > MOST_RUNS )
	{
		fprintf( stderr, "usage: mesh_loading FOLDER [TRIANGLES of the fine mesh, 1000000] [RUNS, 5]\n" );
		return 2;
	}
	static const char *const names[2] = { "coarse", "fine" };
	const int64_t wanted[2] = { fine / 50, fine };
	char path[4096];
	snprintf( path, sizeof path, "%s/mesh_loading.csv", argv[1] );
	FILE *log = fopen( path, "w" );
	if ( log == NULL )
	{
		return perror( path ), 1;
	}
	fprintf( log, "mesh,triangles,format,bytes,run,load[s],scene[s]\n" );
	printf( "%10s  %-5s %8s %12s %12s %12s %12s\n", "triangles", "file", "MB", "first [s]", "again [s]", "scene [s]",
		"ready [s]" );
	int code = 0;
	for ( int i = 0; i < 2 && code == 0; ++i )
	{
		int64_t faces = 0;
		code = write_files( argv[1], names[i], wanted[i], &faces );
		code = code ? code : measure( argv[1], names[i], faces, runs, log );
	}
	if ( ferror( log ) | fclose( log ) )
	{
		fprintf( stderr, "%s: could not be written whole\n", path );
		code = 1;
	}
	return code;
}
