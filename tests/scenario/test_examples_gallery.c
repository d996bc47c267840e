// The camera gallery: every picture of its script in small, and what its scenarios' light and lenses must come to, by hand: single
// scattering by quadrature, exp( -c r ), and corners by the lens's and the port's own projection.

#include "examples_kit.h"
#include "program.h"

#define GALLERY EXAMPLES "camera_gallery/"
#define DEEP    GALLERY "deep.json"
#define PORT    GALLERY "port.json"
#define CAMERA  "sensors.camera.config."

// Linear radiance and depth of 65 x 49 pixels, so that there is one in the middle; nothing but rays, without the blur.
#define SMALL                                                                                                          \
	CAMERA "lens.width=65", CAMERA "lens.height=49", CAMERA "radiance=true", CAMERA "depth=true",                      \
		CAMERA "supersampling=1", CAMERA "forward_scatter=false"
#define WIDTH  65
#define HEIGHT 49
#define MIDDLE ( HEIGHT / 2 * WIDTH + WIDTH / 2 )

#define COUNT( array )        ( (int32_t)( sizeof( array ) / sizeof( ( array )[0] ) ) )
#define SPAN( frame, member ) ( (const void *)( (const unsigned char *)( frame ) + ( frame )->member.offset ) )

// The first frame of a scenario's camera, to be freed.
static ds_camera *frame_of( const char *path, const char *const *overrides, int32_t count )
{
	ds_world *world = world_of( path, overrides, count );
	ds_id camera;
	size_t size;
	ds_sample_header header;
	OK( ds_world_find( world, DS_SENSOR, "camera", &camera ) );
	OK( ds_world_step( world, 0 ) );
	OK( ds_sensor_output( world, camera, NULL, &size ) );
	ds_camera *frame = calloc( 1, size );
	assert_non_null( frame );
	ds_status status;
	while ( ( status = ds_sensor_latest( world, camera, &header, frame, size ) ) == DS_ERROR_EMPTY )
	{
		OK( ds_world_step( world, 1 ) );
	}
	OK( status );
	ds_world_destroy( world );
	return frame;
}

static ds_iop water_of( double turbidity, int32_t channel )
{
	ds_water_optics_def def = ds_water_optics_def_default();
	def.jerlov = DS_JERLOV_I;
	def.turbidity = turbidity;
	ds_water_optics *optics;
	OK( ds_water_optics_create( &def, NULL, &optics ) );
	const double wavelength[3] = { 610, 550, 465 }, width[3] = { 60, 60, 70 }; // ds_bands_rgb
	ds_iop iop = ds_water_optics_band( optics, 3998, wavelength[channel], width[channel] );
	ds_water_optics_release( optics );
	return iop;
}

static ds_vec3 pixel_ray( int32_t pixel )
{
	ds_lens_config config = ds_lens_config_default();
	config.width = WIDTH;
	config.height = HEIGHT;
	config.fov = 75 * DEGREE;
	ds_lens lens;
	ds_vec3 ray;
	OK( ds_lens_make( &config, &lens ) );
	OK( ds_lens_ray( &lens, pixel % WIDTH, pixel / WIDTH, &ray ) );
	return ray;
}

// ---- light ---------------------------------------------------------------------------------------------------------

// Both lamps at `apart` from the camera, turned in: overrides of run.sh.
static void set_lamps( char text[2][160], double apart, double turned )
{
	const char *names[2] = { "port", "starboard" };
	for ( int i = 0; i < 2; ++i )
	{
		int sign = i ? 1 : -1;
		snprintf( text[i], sizeof text[i], "actuators.%s.mount={\"position\":[0,%g,0],\"rpy_deg\":[0,0,%g]}", names[i],
			sign * apart, -sign * turned );
	}
}

// What both lamps send into a ray [W/(m2 sr)], scattered once before `range`, by the midpoint rule in the logarithm of the distance.
static double scattered_by_hand( double apart, double turned, ds_vec3 ray, double range, int32_t channel )
{
	ds_iop water = water_of( 1, channel );
	ds_lamp_config config = ds_lamp_config_default();
	config.flux = 40;
	config.width = 75 * DEGREE;
	ds_lamp lamp;
	OK( ds_lamp_make( &config, &lamp ) );
	const double wavelength[3] = { 610, 550, 465 }, width[3] = { 60, 60, 70 };
	const ds_phase_config petzold = { .kind = DS_PHASE_PETZOLD };
	const double near = 1e-3, far = fmin( range, 200 );
	const int steps = 4000;
	double sum = 0;
	for ( int i = 0; i < steps; ++i )
	{
		double s = near * pow( far / near, ( i + 0.5 ) / steps ), ds = s * log( far / near ) / steps;
		for ( int side = -1; side <= 1; side += 2 )
		{
			ds_vec3 axis = ds_v3( -side * sin( turned ), 0, cos( turned ) ); // right, down, ahead
			ds_vec3 way = ds_sub( ds_scale( s, ray ), ds_v3( side * apart, 0, 0 ) );
			double r = ds_length( way ), off = acos( ds_dot( way, axis ) / r );
			double angle = acos( -ds_dot( way, ray ) / r );
			double light = ds_lamp_intensity( &lamp, off, wavelength[channel], width[channel] ) /
						   ( r * r + lamp.radius * lamp.radius ) * exp( -water.c * ( r + s ) );
			double molecules = 3 / ( 4 * DS_PI * 3.835 ) * ( 1 + 0.835 * cos( angle ) * cos( angle ) );
			sum += ds * light * ( water.b_particles * ds_phase_at( &petzold, angle ) + water.b_water * molecules );
		}
	}
	return sum;
}

static void haze_falls_as_lamps_move_away( void **state )
{
	(void)state;
	const double apart[3] = { 0.1, 0.5, 1.5 }, turned[3] = { 1.3, 6.3, 18.4 };
	double share[3];
	for ( int i = 0; i < 3; ++i )
	{
		char lamps[2][160];
		set_lamps( lamps, apart[i], turned[i] );
		const char *overrides[] = { SMALL, lamps[0], lamps[1], CAMERA "backscatter_steps=0" };
		ds_camera *clear = frame_of( DEEP, overrides, COUNT( overrides ) );
		ds_camera *hazy = frame_of( DEEP, overrides, COUNT( overrides ) - 1 );
		const float *with = SPAN( hazy, radiance ), *without = SPAN( clear, radiance ), *depth = SPAN( hazy, depth );

		// the haze before the scene's middle, and in a ray that meets nothing
		const int32_t pixels[2] = { MIDDLE, 2 * WIDTH + WIDTH / 2 };
		assert_true( isfinite( depth[pixels[0]] ) && isinf( depth[pixels[1]] ) );
		for ( int p = 0; p < 2; ++p )
		{
			for ( int k = 0; k < 3; ++k )
			{
				double haze = (double)with[3 * pixels[p] + k] - (double)without[3 * pixels[p] + k];
				double expected = scattered_by_hand(
					apart[i], turned[i] * DEGREE, pixel_ray( pixels[p] ), (double)depth[pixels[p]], k );
				assert_near( haze, expected, 0.015 );
			}
		}
		double all = 0, direct = 0;
		for ( int32_t n = 0; n < 3 * WIDTH * HEIGHT; ++n )
		{
			all += (double)with[n];
			direct += (double)without[n];
		}
		share[i] = 1 - direct / all;
		free( clear );
		free( hazy );
	}
	// 0.1 m: most of all light is haze; each step away leaves less of it
	assert_true( share[0] > 0.5 );
	assert_true( share[1] < 0.7 * share[0] );
	assert_true( share[2] < 0.8 * share[1] );
}

// One lamp, no haze: what is seen is dimmed by exp( -c ( way of the light + way back ) ), and by nothing else of the water.
static void turbid_water_dims_by_its_attenuation( void **state )
{
	(void)state;
	ds_camera *frames[2];
	const char *turbid[2] = { "environment.water.optics.turbidity=1", "environment.water.optics.turbidity=4" };
	for ( int i = 0; i < 2; ++i )
	{
		const char *overrides[] = { SMALL, CAMERA "backscatter_steps=0", "actuators.starboard.config.level=0",
			turbid[i] };
		frames[i] = frame_of( DEEP, overrides, COUNT( overrides ) );
	}
	const float *clear = SPAN( frames[0], radiance ), *dim = SPAN( frames[1], radiance );
	const float *depth = SPAN( frames[0], depth );
	int32_t count = 0;
	for ( int32_t n = 0; n < WIDTH * HEIGHT; ++n )
	{
		if ( isinf( depth[n] ) || !( clear[3 * n + 2] > 1e-6F ) )
		{
			continue;
		}
		ds_vec3 point = ds_scale( (double)depth[n], pixel_ray( n ) );
		double way = (double)depth[n] + ds_length( ds_sub( point, ds_v3( -0.5, 0, 0 ) ) );
		for ( int k = 0; k < 3; ++k )
		{
			double ratio = exp( -( water_of( 4, k ).c - water_of( 1, k ).c ) * way );
			assert_near( (double)dim[3 * n + k] / (double)clear[3 * n + k], ratio, 2e-3 );
		}
		++count;
	}
	assert_true( count > 1000 );
	free( frames[0] );
	free( frames[1] );
}

// Red over blue of the bare seabed below the camera, at three heights.
static void red_is_lost_with_range( void **state )
{
	(void)state;
	const double height[3] = { 2, 5, 9 };
	double ratio[3], way[3];
	for ( int i = 0; i < 3; ++i )
	{
		char pose[128];
		snprintf(
			pose, sizeof pose, "bodies.rig.pose={\"position\":[-6,0,%g],\"rpy_deg\":[0,-90,0]}", 4000 - height[i] );
		const char *overrides[] = { SMALL, CAMERA "backscatter_steps=0", pose,
			"environment.seabed.appearance.nodule_cover=0" };
		ds_camera *frame = frame_of( DEEP, overrides, COUNT( overrides ) );
		const float *light = SPAN( frame, radiance ), *depth = SPAN( frame, depth );
		assert_near( (double)depth[MIDDLE], height[i], 1e-5 );
		ratio[i] = (double)light[3 * MIDDLE] / (double)light[3 * MIDDLE + 2];
		way[i] = height[i] + hypot( height[i], 0.5 );
		free( frame );
	}
	double more = water_of( 1, 0 ).c - water_of( 1, 2 ).c; // attenuation of red over that of blue
	assert_true( more > 0.1 );
	assert_near( ratio[1] / ratio[0], exp( -more * ( way[1] - way[0] ) ), 2e-3 );
	assert_near( ratio[2] / ratio[0], exp( -more * ( way[2] - way[0] ) ), 2e-3 );
	assert_true( ratio[2] < 0.1 * ratio[0] );
}

// ---- lenses and ports ----------------------------------------------------------------------------------------------

// The board of port.json, its margin with it: 0.6 x 0.45 m, straight ahead.
#define BOARD_RANGE       0.85
#define BOARD_HALF_WIDTH  0.3
#define BOARD_HALF_HEIGHT 0.225

typedef struct corners
{
	double at[4][2]; // of what is seen of the board: top left, top right, bottom right, bottom left [px]
} corners;

static ds_vec3 board_corner( int i )
{
	return ds_v3( i == 0 || i == 3 ? -BOARD_HALF_WIDTH : BOARD_HALF_WIDTH,
		i < 2 ? -BOARD_HALF_HEIGHT : BOARD_HALF_HEIGHT, BOARD_RANGE );
}

static corners seen_corners( const char *const *changes, int32_t count )
{
	const char *overrides[8] = { CAMERA "lit=false", CAMERA "segmentation=true", CAMERA "supersampling=1",
		CAMERA "sensor.auto_exposure=false" };
	assert_true( count <= 4 );
	for ( int32_t i = 0; i < count; ++i )
	{
		overrides[4 + i] = changes[i];
	}
	ds_camera *frame = frame_of( PORT, overrides, 4 + count );
	const int32_t *ids = SPAN( frame, segmentation ), width = (int32_t)frame->width, height = (int32_t)frame->height;
	const int32_t board = ids[height / 2 * width + width / 2];
	corners c = { { { 0 } } };
	double best[4] = { -1e9, -1e9, -1e9, -1e9 };
	for ( int32_t n = 0; n < width * height; ++n )
	{
		for ( int i = 0; i < 4 && ids[n] == board; ++i )
		{
			double u = n % width, v = n / width; // NOLINT(bugprone-integer-division)
			double out = ( i == 0 || i == 3 ? -u : u ) + ( i < 2 ? -v : v );
			if ( out > best[i] )
			{
				best[i] = out;
				c.at[i][0] = u;
				c.at[i][1] = v;
			}
		}
	}
	free( frame );
	return c;
}

// Where they must be, and how far from the middle, on average [px].
static double check_corners( const corners *seen, const ds_lens_config *config, const ds_port_config *port_config )
{
	ds_lens lens;
	ds_port port;
	OK( ds_lens_make( config, &lens ) );
	OK( ds_port_make( port_config, true, &port ) );
	double out = 0;
	for ( int i = 0; i < 4; ++i )
	{
		double right[2];
		OK( ds_port_project( &lens, &port, board_corner( i ), right ) );
		// within a pixel: of the outermost in the board, which lies up to a half inside on each axis
		assert_small( seen->at[i][0] - right[0], 1.01 );
		assert_small( seen->at[i][1] - right[1], 1.01 );
		out += 0.25 * hypot( seen->at[i][0] - 239.5, seen->at[i][1] - 179.5 );
	}
	return out;
}

static ds_lens_config gallery_lens( void )
{
	ds_lens_config config = ds_lens_config_default();
	config.width = 480;
	config.height = 360;
	config.fov = 75 * DEGREE;
	return config;
}

static void barrels_go_in_and_pincushions_out( void **state )
{
	(void)state;
	const ds_port_config none = ds_port_config_default();
	ds_lens_config lens = gallery_lens();
	corners c = seen_corners( NULL, 0 );
	double plain = check_corners( &c, &lens, &none );

	const char *barrel[] = { CAMERA "lens.k=[-0.3,0.06,0,0]" };
	c = seen_corners( barrel, 1 );
	lens.k[0] = -0.3;
	lens.k[1] = 0.06;
	double in = check_corners( &c, &lens, &none );

	const char *pincushion[] = { CAMERA "lens.k=[0.35,0,0,0]" };
	c = seen_corners( pincushion, 1 );
	lens.k[0] = 0.35;
	lens.k[1] = 0;
	double out = check_corners( &c, &lens, &none );

	// tangents of the corners: r^2 = 0.1946
	const double r2 =
		( BOARD_HALF_WIDTH * BOARD_HALF_WIDTH + BOARD_HALF_HEIGHT * BOARD_HALF_HEIGHT ) / ( BOARD_RANGE * BOARD_RANGE );
	assert_near( in / plain, 1 - 0.3 * r2 + 0.06 * r2 * r2, 0.01 );
	assert_near( out / plain, 1 + 0.35 * r2, 0.01 );
}

static void ports_bend_as_they_must( void **state )
{
	(void)state;
	const ds_lens_config lens = gallery_lens();
	ds_port_config port = ds_port_config_default();
	corners plain = seen_corners( NULL, 0 );
	double without = check_corners( &plain, &lens, &port );

	const char *flat[] = { CAMERA "port.kind=flat" };
	corners c = seen_corners( flat, 1 );
	port.kind = DS_PORT_FLAT;
	double magnified = check_corners( &c, &lens, &port ) / without;
	assert_true( magnified > 1.33 && magnified < 1.55 ); // the index of water in the middle, more outwards

	const char *dome[] = { CAMERA "port.kind=dome", CAMERA "port.decentring=[0.03,0,0]" };
	c = seen_corners( dome, 1 );
	port.kind = DS_PORT_DOME;
	assert_memory_equal( &c, &plain, sizeof c ); // along the radii of a concentric dome nothing bends
	(void)check_corners( &c, &lens, &port );

	c = seen_corners( dome, 2 );
	port.decentring[0] = 0.03;
	(void)check_corners( &c, &lens, &port );
	assert_true( c.at[0][0] != plain.at[0][0] && c.at[1][0] != plain.at[1][0] );
}

// ---- the script ------------------------------------------------------------------------------------------------------

static void every_picture_is_made( void **state )
{
	(void)state;
	static const char *const pictures[] = { "lens_original", "lens_barrel", "lens_pincushion", "lens_tangential",
		"lens_fisheye", "lens_panorama", "jerlov_I", "jerlov_II", "jerlov_1C", "jerlov_5C", "lamps_0.1", "lamps_0.5",
		"lamps_1.5", "lamps_rov", "turbidity_1", "turbidity_4", "turbidity_12", "snow", "phase_petzold",
		"phase_fournier_forand", "phase_henyey_greenstein", "phase_isotropic", "height_2_0.5", "height_5_0.5",
		"height_9_0.5", "height_9_1.5", "port_none", "port_flat", "port_dome", "port_decentred" };
	// as examples/run.sh reads it; without gnuplot, for the sheets are of pictures of full size
	assert_int_equal( shell( "cd '" DEEPSIM_SOURCE_DIR "' && rm -rf '" ROOT "gallery' && mkdir '" ROOT "gallery' && "
							 "printf '%s\\n' 'set -eu; root=. out=$2' 'deepsim() { \"$program\" \"$@\"; }' "
							 "'command() { return 1; }' 'program=$1; shift 2' '. examples/camera_gallery/run.sh' "
							 "> '" ROOT "gallery/run.sh' && "
							 "sh '" ROOT "gallery/run.sh' '" DEEPSIM_PROGRAM "' '" ROOT "gallery' --size 64x48 "
							 "> '" OUT "' 2> '" ERR "'" ),
		0 );
	for ( size_t i = 0; i < sizeof pictures / sizeof pictures[0]; ++i )
	{
		char path[512];
		snprintf( path, sizeof path, ROOT "gallery/%s.png", pictures[i] );
		char *picture = read_file( path );
		if ( picture == NULL )
		{
			fail_msg( "there is no picture %s", path );
		}
		free( picture );
		// sheets.gp names it
		char name[64];
		snprintf( name, sizeof name, "%s|", pictures[i] );
		expect_text( GALLERY "sheets.gp", name );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( haze_falls_as_lamps_move_away ),
		cmocka_unit_test( turbid_water_dims_by_its_attenuation ),
		cmocka_unit_test( red_is_lost_with_range ),
		cmocka_unit_test( barrels_go_in_and_pincushions_out ),
		cmocka_unit_test( ports_bend_as_they_must ),
		cmocka_unit_test( every_picture_is_made ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
