#include "tests/bench/bench.h"

#include <stdio.h>

// ---- measured elsewhere, without a detail ------------------------------------------------------------------------

double bench_faces_submerged_5120( void );
double bench_faces_surface_5120( void );
double bench_faces_full_5120( void );
double bench_faces_waves_5120_128( void );

static double faces_submerged( char *detail, size_t size )
{
	snprintf( detail, size, "sphere of 5120 faces, 10 m deep, pressure and drag" );
	return bench_faces_submerged_5120();
}

static double faces_surface( char *detail, size_t size )
{
	snprintf( detail, size, "sphere of 5120 faces, half out of the water, cut at the surface" );
	return bench_faces_surface_5120();
}

static double faces_full( char *detail, size_t size )
{
	snprintf(
		detail, size, "sphere of 5120 faces, 10 m deep, density and current that change with depth, lift, Magnus" );
	return bench_faces_full_5120();
}

static double faces_waves( char *detail, size_t size )
{
	snprintf(
		detail, size, "sphere of 5120 faces in the surface of a sea of 128 components: height, velocity, pressure" );
	return bench_faces_waves_5120_128();
}

double bench_added_mass_panels_1280( void );

static double added_mass_panels( char *detail, size_t size )
{
	snprintf( detail, size, "sphere of 1280 faces: all 36 entries, without the file that keeps them" );
	return bench_added_mass_panels_1280();
}

// [s]
double bench_mesh_load_glb_1m( char *detail, size_t size );
double bench_mesh_load_obj_1m( char *detail, size_t size );

double bench_terrain_grid_4097( char *detail, size_t size ); // [s]
double bench_terrain_fractal_4097( char *detail, size_t size ); // [s]
double bench_terrain_points_512( char *detail, size_t size ); // [ns/point]
double bench_look_rays( char *detail, size_t size ); // [Mray/s]
double bench_look_shadows( char *detail, size_t size ); // [Mray/s]
double bench_rays_packet( char *detail, size_t size ); // [Mray/s]
double bench_rays_single( char *detail, size_t size ); // [Mray/s]
double bench_heightfield_4097( char *detail, size_t size ); // [s]
double bench_light_tile( char *detail, size_t size ); // [Mpixel/s]
double bench_forward_scatter( char *detail, size_t size ); // [ns/pixel]
double bench_dvl_world( char *detail, size_t size ); // [us/sample]
double bench_image_sensor( char *detail, size_t size ); // [ms/frame]
double bench_random_normals( char *detail, size_t size ); // [ns/number]
double bench_wmm( char *detail, size_t size ); // [us]
double bench_sample_overhead( char *detail, size_t size ); // [ns/sample]
double bench_oadev_3m( char *detail, size_t size ); // [s]
double bench_camera_deepsea( char *detail, size_t size ); // [frame/s]
double bench_camera_plain( char *detail, size_t size ); // [frame/s]
double bench_scene_1m( char *detail, size_t size ); // [s]

// ---- the registry ------------------------------------------------------------------------------------------------

const ds_bench ds_benches[] = {
	{ "faces_submerged_5120", "ns/face", "forces on the faces of a body under water", 1, faces_submerged },
	{ "faces_surface_5120", "ns/face", "forces on the faces of a body in the surface", 1, faces_surface },
	{ "faces_full_5120", "ns/face", "all forces on the faces of a body in layered water", 1, faces_full },
	{ "faces_waves_5120_128", "ns/face", "forces on the faces of a body in waves", 1, faces_waves },
	{ "step_free_body", "us/tick", "a tick of a world with one free body without faces", 1, bench_step_free_body },
	{ "step_lander", "us/tick", "a tick of a lander with 1280 faces, seabed and two sensors", 1, bench_step_lander },
	{ "added_mass_panels_1280", "s", "added mass of a mesh by source panels", 1, added_mass_panels },
	{ "mesh_load_glb_1m", "s", "a GLB of a million triangles: read, welded, checked", 1, bench_mesh_load_glb_1m },
	{ "mesh_load_obj_1m", "s", "an OBJ of a million triangles: read, welded, checked", 1, bench_mesh_load_obj_1m },
	{ "worlds_parallel_2t", "us/tick", "a tick of each of two landers, in two threads", 2, bench_worlds_parallel_2t },
	{ "terrain_grid_4097", "s", "ground of 4097 x 4097 depths, ready without rays", 1, bench_terrain_grid_4097 },
	{ "terrain_fractal_4097", "s", "fractal ground of 4097 x 4097 samples", 1, bench_terrain_fractal_4097 },
	{ "terrain_points_512", "ns/point", "depth and normal of ground at places side by side", 1,
		bench_terrain_points_512 },
	{ "look_rays", "Mray/s", "rays of a camera, with what they see", 1, bench_look_rays },
	{ "look_shadows", "Mray/s", "rays to a lamp: whether it is hidden", 1, bench_look_shadows },
	{ "rays_packet", "Mray/s", "rays of a camera on 2 million triangles, in packets", 1, bench_rays_packet },
	{ "rays_single", "Mray/s", "the same rays one by one in no order", 1, bench_rays_single },
	{ "heightfield_4097", "s", "a grid of 4097 x 4097 depths: ready for rays", 1, bench_heightfield_4097 },
	{ "dvl_world", "us/sample", "a sample of a DVL over a grid of depths", 1, bench_dvl_world },
	{ "light_tile", "Mpixel/s", "light on pixels from two lamps, and scattered in the water", 1, bench_light_tile },
	{ "forward_scatter", "ns/pixel", "light of one band scattered by small angles over a frame", 1,
		bench_forward_scatter },
	{ "contact_face", "ns/face", "a step of a body's faces in contact with soil", 1, bench_contact_face },
	{ "wmm", "us", "the geomagnetic field at a place and date, WMM2025", 1, bench_wmm },
	{ "imu_model", "Msample/s", "samples of an IMU, every term on", 1, bench_imu_model },
	{ "imu_world", "ns/sample", "a sample of an IMU in a world, every term on", 1, bench_imu_world },
	{ "contact_none", "ns/face", "a step of a body above the ground", 1, bench_contact_none },
	{ "image_sensor_640x480", "ms/frame", "a camera's frame from electrons to numbers, with all noise", 1,
		bench_image_sensor },
	{ "random_normals", "ns/number", "normal numbers of the slots of a sample", 1, bench_random_normals },
	{ "sample_overhead", "ns/sample", "a sample of a sensor that does nothing", 1, bench_sample_overhead },
	{ "camera_deepsea_640x480_2t", "frame/s", "a camera in the light of two lamps, with all that water does", 2,
		bench_camera_deepsea },
	{ "camera_plain_640x480_2t", "frame/s", "a camera without light and water: colour and depth", 2,
		bench_camera_plain },
	{ "scene_1m", "s", "a visual of a million triangles: ready, and one frame", 1, bench_scene_1m },
	{ "oadev_3m", "s", "overlapping Allan deviation of 3.24 million samples", 1, bench_oadev_3m },
};

const int ds_bench_count = (int)( sizeof( ds_benches ) / sizeof( ds_benches[0] ) );
