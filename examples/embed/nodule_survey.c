// A photographic survey of a nodule field: runs the scenario, keeps its data set as the log does, and makes of it a mosaic, a count of
// the nodules and a calibration file.
//   FOLDER/camera.csv, FOLDER/camera/    frames and their stamps: colour, depth along the rays and the axis, instances
//   FOLDER/camera_pose.csv               where the camera was: a row for each frame
//   FOLDER/calibration.yaml              the pinhole that comes nearest to lens and port in the water, as OpenCV reads it
//   FOLDER/mosaic.ppm                    the frames laid on a map, north up, CELL a pixel; FOLDER/coverage.csv: what each frame saw
// Returns 0 if what the frames show lies on the ground to 5 mm, and its share under nodules is the scenario's within 5 %.
// cc nodule_survey.c $(pkg-config --cflags --libs deepsim) -lm
// ./a.out examples/nodule_survey/nodule_survey.json out/nodule_survey

#include <deepsim/deepsim.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Stops with the library's own explanation when a call fails.
#define TRY( call )                                                                                                    \
	if ( ( call ) != DS_OK )                                                                                           \
	{                                                                                                                  \
		return fprintf( stderr, "%s\n", ds_last_error() ), 1;                                                          \
	}

#define COVER    0.22 // of the scenario
#define ALTITUDE 5.0 // where the pinhole is fitted [m]
#define CELL     0.01 // of the map [m]
#define NORTH    17.0 // of the map, about the origin [m]
#define EAST     12.0
#define ROWS     1700 // NORTH / CELL
#define COLUMNS  1200
#define NODULES  ( 1 << 23 ) // the first instance that is one

static int fail( const char *why )
{
	fprintf( stderr, "%s\n", why );
	return 1;
}

// ---- the camera ------------------------------------------------------------------------------------------------------

// What each pixel sees: a ray from the face of the port, in the camera's mount.
typedef struct eye
{
	int64_t width, height;
	ds_vec3 *origins, *directions;
} eye;

// Optical axes are right, down, ahead; the mount's x looks ahead, y right, z down.
static ds_vec3 to_mount( ds_vec3 optical )
{
	return ds_v3( optical.z, optical.x, optical.y );
}

static int make_eye( const char *folder, eye *e )
{
	// as the scenario has them
	ds_lens_config lens_config = ds_lens_config_default();
	ds_port_config port_config = ds_port_config_default();
	lens_config.fov = 65 * DS_PI / 180;
	port_config.kind = DS_PORT_FLAT;
	port_config.glass = DS_GLASS_SAPPHIRE;
	port_config.thickness = 0.008;
	port_config.distance = 0.015;
	port_config.salinity = 34.7;
	port_config.temperature = 1.5;
	port_config.pressure = 40.6e6;
	ds_lens lens;
	ds_port port;
	ds_pinhole_fit fit;
	TRY( ds_lens_make( &lens_config, &lens ) );
	TRY( ds_port_make( &port_config, true, &port ) );

	char path[4096];
	TRY( ds_port_fit_pinhole( &lens, &port, ALTITUDE, &fit ) );
	snprintf( path, sizeof path, "%s/calibration.yaml", folder );
	TRY( ds_lens_save( &fit.lens, "camera", DS_LENS_OPENCV_YAML, path ) );
	printf( "calibration: a pinhole with fx %.2f px in the water, off by %.4f px at worst at %g m, %.2f px at %g m\n",
		fit.lens.fx, fit.worst, ALTITUDE, fit.near_worst, fit.near_distance );

	e->width = lens.width;
	e->height = lens.height;
	e->origins = calloc( (size_t)( e->width * e->height ), sizeof( ds_vec3 ) );
	e->directions = calloc( (size_t)( e->width * e->height ), sizeof( ds_vec3 ) );
	if ( e->origins == NULL || e->directions == NULL )
	{
		return fail( "out of memory" );
	}
	for ( int64_t i = 0; i < e->width * e->height; ++i )
	{
		ds_vec3 inside, origin, direction;
		TRY( ds_lens_ray( &lens, (double)( i % e->width ), (double)( i / e->width ), &inside ) );
		TRY( ds_port_ray( &port, inside, &origin, &direction, NULL ) );
		e->origins[i] = to_mount( origin );
		e->directions[i] = to_mount( direction );
	}
	return 0;
}

// ---- the map ---------------------------------------------------------------------------------------------------------

typedef struct map
{
	float *color; // weighted sums of red, green, blue
	float *weight;
	float *best; // weight of the frame that `nodule` is of
	int32_t *nodule; // instance, where a cell shows one
	unsigned char *counted; // a bit for each instance
	int64_t frames, nodules, points;
	double squares; // of distances from the ground [m2]
} map;

static int make_map( map *m )
{
	m->color = calloc( 3 * ROWS * COLUMNS, sizeof( float ) );
	m->weight = calloc( ROWS * COLUMNS, sizeof( float ) );
	m->best = calloc( ROWS * COLUMNS, sizeof( float ) );
	m->nodule = calloc( ROWS * COLUMNS, sizeof( int32_t ) );
	m->counted = calloc( NODULES / 8, 1 );
	bool whole = m->color && m->weight && m->best && m->nodule && m->counted;
	return whole ? 0 : fail( "out of memory" );
}

static void free_map( map *m )
{
	free( m->color );
	free( m->weight );
	free( m->best );
	free( m->nodule );
	free( m->counted );
}

// One frame onto the map: each pixel where it is, those near the middle of their frame with the more weight.
static int add_frame( map *m, const ds_world *world, const eye *e, ds_pose pose, const ds_camera *r, FILE *table )
{
	const unsigned char *color = (const unsigned char *)r + r->color8.offset;
	const float *depth = (const float *)(const void *)( (const char *)r + r->depth.offset );
	const int32_t *ids = (const int32_t *)(const void *)( (const char *)r + r->segmentation.offset );
	if ( r->width != e->width || r->height != e->height || r->color8.count != 3 * e->width * e->height )
	{
		return fail( "the scenario's camera is another one than this program knows" );
	}
	int64_t under = 0, seen = 0;
	double farthest = 0;
	for ( int64_t i = 0; i < e->width * e->height; ++i )
	{
		if ( !isfinite( depth[i] ) )
		{
			continue;
		}
		ds_vec3 at = ds_pose_point( pose, ds_mad( e->origins[i], (double)depth[i], e->directions[i] ) );
		++seen;
		under += ids[i] >= NODULES;
		if ( i % 97 == 0 )
		{
			ds_ground_point ground;
			TRY( ds_ground_at( world, at.x, at.y, &ground ) );
			m->squares += ( at.z - ground.z ) * ( at.z - ground.z );
			++m->points;
			farthest = fmax( farthest, fabs( at.z - ground.z ) );
		}
		int64_t row = (int64_t)floor( ( 0.5 * NORTH - at.x ) / CELL );
		int64_t column = (int64_t)floor( ( 0.5 * EAST + at.y ) / CELL );
		if ( row < 0 || row >= ROWS || column < 0 || column >= COLUMNS )
		{
			continue;
		}
		double x = 2 * (double)( i % e->width ) / (double)e->width - 1;
		double y = 2 * (double)( i / e->width ) / (double)e->height - 1;
		float weight = (float)pow( ( 1 - x * x ) * ( 1 - y * y ) + 1e-3, 3 );
		int64_t cell = row * COLUMNS + column;
		for ( int k = 0; k < 3; ++k )
		{
			m->color[3 * cell + k] += weight * (float)color[3 * i + k];
		}
		m->weight[cell] += weight;
		if ( weight > m->best[cell] )
		{
			m->best[cell] = weight;
			m->nodule[cell] = ids[i] >= NODULES ? ids[i] : 0;
		}
	}
	++m->frames;
	fprintf( table, "%.3f,%.3f,%.3f,%.5f,%.5f\n", pose.position.x, pose.position.y, pose.position.z,
		seen > 0 ? (double)under / (double)seen : 0, farthest );
	return 0;
}

static int write_mosaic( const map *m, const char *folder )
{
	char path[4096];
	snprintf( path, sizeof path, "%s/mosaic.ppm", folder );
	FILE *file = fopen( path, "wb" );
	if ( file == NULL )
	{
		return perror( path ), 1;
	}
	fprintf( file, "P6\n%d %d\n255\n", COLUMNS, ROWS );
	for ( int64_t i = 0; i < ROWS * COLUMNS; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			putc( m->weight[i] > 0 ? (int)lroundf( m->color[3 * i + k] / m->weight[i] ) : 255, file );
		}
	}
	int bad = ferror( file );
	bad |= fclose( file );
	return bad ? fprintf( stderr, "%s: could not be written whole\n", path ), 1 : 0;
}

static int judge( map *m )
{
	int64_t cells = 0, under = 0;
	for ( int64_t i = 0; i < ROWS * COLUMNS; ++i )
	{
		cells += m->best[i] > 0;
		under += m->nodule[i] != 0;
		int32_t bit = m->nodule[i] - NODULES;
		if ( bit >= 0 && bit < NODULES && !( m->counted[bit / 8] >> bit % 8 & 1 ) )
		{
			m->counted[bit / 8] |= (unsigned char)( 1 << bit % 8 );
			++m->nodules;
		}
	}
	const double area = (double)cells * CELL * CELL, cover = cells > 0 ? (double)under / (double)cells : 0;
	const double off = sqrt( m->squares / (double)( m->points > 0 ? m->points : 1 ) );
	printf( "frames:      %lld, %.1f m2 of the seabed on the map\n", (long long)m->frames, area );
	printf( "geometry:    depth, lens, port and poses put the seabed where it is to %.2g mm rms\n", 1e3 * off );
	printf( "nodules:     %lld, %.0f in a square metre\n", (long long)m->nodules, (double)m->nodules / area );
	printf(
		"cover:       %.2f %% of the seabed is under nodules; the scenario says %g %%\n", 100 * cover, 100 * COVER );
	if ( !( off < 0.005 ) || !( fabs( cover / COVER - 1 ) < 0.05 ) )
	{
		return fail( "that is too far off: something is wrong" );
	}
	return 0;
}

// ---- the survey ------------------------------------------------------------------------------------------------------

static int survey( ds_world *world, double duration, const eye *e, map *m, FILE *table )
{
	ds_id camera, pose_sensor;
	size_t size;
	TRY( ds_world_find( world, DS_SENSOR, "camera", &camera ) );
	TRY( ds_world_find( world, DS_SENSOR, "camera_pose", &pose_sensor ) );
	TRY( ds_sensor_output( world, camera, NULL, &size ) );
	ds_camera *frame = malloc( size );
	if ( frame == NULL )
	{
		return fail( "out of memory" );
	}
	int code = 0;
	const int64_t ticks = ds_world_ticks( world, duration );
	while ( code == 0 && ds_world_tick( world ) < ticks )
	{
		ds_sample_header header, pose_header;
		ds_odometry at;
		ds_status status = ds_world_step( world, 1 );
		if ( status != DS_OK )
		{
			code = fail( ds_last_error() );
		}
		while ( code == 0 && ds_sensor_next( world, camera, &header, frame, size ) == DS_OK )
		{
			// the same rate: one pose for each frame, with its stamp
			status = ds_sensor_next( world, pose_sensor, &pose_header, &at, sizeof at );
			if ( status != DS_OK || pose_header.time != header.time )
			{
				code = fail( "a frame without a pose at its time" );
				break;
			}
			const ds_pose pose = { { at.position[0], at.position[1], at.position[2] },
				{ at.attitude[0], at.attitude[1], at.attitude[2], at.attitude[3] } };
			code = add_frame( m, world, e, pose, frame, table );
			fprintf(
				stderr, "\rframe %lld, %.1f of %.0f s ", (long long)m->frames, 1e-9 * (double)header.time, duration );
		}
	}
	fprintf( stderr, "\n" );
	free( frame );
	return code;
}

static int run( ds_world *world, double duration, const char *folder )
{
	eye e = { 0 };
	map m = { 0 };
	char path[4096];
	snprintf( path, sizeof path, "%s/coverage.csv", folder );
	FILE *table = fopen( path, "w" );
	if ( table == NULL )
	{
		return perror( path ), 1;
	}
	fprintf( table, "north[m],east[m],down[m],cover,off_the_ground[m]\n" );
	int code = make_eye( folder, &e );
	code = code ? code : make_map( &m );
	code = code ? code : survey( world, duration, &e, &m, table );
	code = code ? code : write_mosaic( &m, folder );
	code = code ? code : judge( &m );
	if ( ferror( table ) | fclose( table ) )
	{
		code = fail( "coverage.csv could not be written whole" );
	}
	free( e.origins );
	free( e.directions );
	free_map( &m );
	return code;
}

int main( int argc, char **argv )
{
	if ( argc < 3 || argc > 4 || ( argc == 4 && !( atof( argv[3] ) > 0 ) ) )
	{
		fprintf( stderr, "usage: nodule_survey SCENARIO.json FOLDER [SECONDS]\n" );
		return 2;
	}
	ds_world_def def = ds_world_def_default();
	ds_world *world;
	ds_log_sink sink;
	TRY( ds_scenario_load( argv[1], NULL, 0, NULL, &def.scenario ) );
	double duration = argc == 4 ? atof( argv[3] ) : ds_scenario_describe( def.scenario ).duration;
	TRY( ds_world_create( &def, &world ) );
	ds_scenario_release( def.scenario );
	TRY( ds_log_csv( argv[2], NULL, &sink ) );
	TRY( ds_log_attach( world, &sink ) );
	int code = run( world, duration, argv[2] );
	TRY( ds_log_close( world, DS_OK, NULL ) );
	ds_world_destroy( world );
	return code;
}
