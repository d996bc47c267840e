// Daylight in a camera's radiance: on a wall far below it, and in the air above the sea.

#include "camera_kit.h"

#include <math.h>

// A camera of radiance alone at a depth, `pitch` up [deg], in the sea under a clear sky; what it sees in its middle, in bands red, green
// and blue, of a grey wall at a distance ahead.
static void look( double depth, double pitch, double distance, const ds_sky_def *sky, double radiance[3] )
{
	ds_environment_def e = kit_deep();
	e.sky = *sky;
	ds_world *world = kit_camera_world( &e, 50, 1 );
	const ds_quat turn = { cos( 0.5 * pitch * DEGREE ), 0, sin( 0.5 * pitch * DEGREE ), 0 };
	const ds_pose pose = { { 0, 0, depth }, turn };
	ds_id body = kit_thing( world, "camera", pose, ( ds_twist ){ 0 }, NULL );
	ds_visual *wall = kit_block( 1, 40, 40, 0.5 );
	const ds_pose there = { ds_pose_point( pose, ds_v3( distance + 0.5, 0, 0 ) ), turn };
	kit_thing( world, "wall", there, ( ds_twist ){ 0 }, wall );
	ds_visual_release( wall );
	ds_camera_config c = ds_camera_config_default();
	c.lens.width = c.lens.height = 15;
	c.lens.fov = 10 * DEGREE;
	c.color = c.forward_scatter = false;
	c.radiance = true;
	c.backscatter_steps = 0;
	c.snow.density = 0;
	ds_id camera = kit_add_camera( world, "eye", body, ds_pose_identity(), &c, 10 );
	ds_sample_header header;
	ds_camera *frame = kit_frame( world, camera, &header );
	assert_int_equal( frame->radiance.count, 3 * 15 * 15 );
	const float *seen = KIT_SPAN( frame, radiance );
	for ( int i = 0; i < 3; ++i )
	{
		radiance[i] = (double)seen[3 * ( 7 * 15 + 7 ) + i];
	}
	free( frame );
	ds_world_destroy( world );
}

// A level face d metres below the camera has the daylight of its own depth, in every band: of the red that is left at 15 m nearly twice
// as much as the mean attenuation of the band would leave 6 m further down.
static void test_fades_as_daylight( void **state )
{
	(void)state;
	const ds_bands bands = ds_bands_rgb();
	ds_water_optics_def def = ds_water_optics_def_default();
	ds_water_optics *water;
	OK( ds_water_optics_create( &def, NULL, &water ) );
	ds_sky_def sky = ds_sky_def_default();
	for ( double elevation = 20; elevation < 90; elevation += 40 )
	{
		sky.elevation = elevation * DEGREE;
		for ( double depth = 5; depth < 100; depth *= 3 )
		{
			const double distance = 6;
			double radiance[3];
			look( depth, -90, distance, &sky, radiance );
			for ( int i = 0; i < 3; ++i )
			{
				const double w = bands.wavelength[2 - i], width = bands.width[2 - i];
				ds_daylight day = ds_daylight_at( &sky, water, depth + distance, w, width );
				double c = ds_water_optics_band( water, depth, w, width ).c;
				double expected = 0.5 / DS_PI * ( day.sun + day.sky ) * exp( -c * distance );
				NEAR( radiance[i] / expected, 1, 0.02 );
			}
		}
	}
	ds_water_optics_release( water );
}

// Above the sea the sun is where it stands, and no surface has taken from its light: an upright wall that faces a low sun.
static void test_in_the_air( void **state )
{
	(void)state;
	const ds_bands bands = ds_bands_rgb();
	ds_sky_def sky = ds_sky_def_default();
	sky.elevation = 30 * DEGREE;
	sky.azimuth = DS_PI; // behind the camera, which looks north
	double radiance[3];
	look( -30, 0, 3, &sky, radiance );
	for ( int i = 0; i < 3; ++i )
	{
		ds_daylight day = ds_daylight_at( &sky, NULL, 0, bands.wavelength[2 - i], bands.width[2 - i] );
		double irradiance = day.sun / tan( sky.elevation ) + 0.5 * day.sky;
		NEAR( radiance[i] / ( 0.5 / DS_PI * irradiance ), 1, 0.03 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( test_fades_as_daylight ),
		cmocka_unit_test( test_in_the_air ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
