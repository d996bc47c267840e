// Until optics is merged: weak stand-ins, so that the core links. The real functions take their place; then this file goes.

#include "base/base.h"
#include "deepsim/deepsim.h"

#include <string.h>

#define PENDING __attribute__( ( weak ) )

static const ds_field look_fields[] = {
	DS_EACH( ds_seabed_look, color, "", "[0.1, 0.09, 0.08]", 0, 1, "linear reflectance" ),
	DS_F64( ds_seabed_look, roughness, "", "1", 0, 1, "roughness" ),
};
static const ds_table look_table = DS_TABLE( "seabed_appearance", "the seabed", ds_seabed_look, look_fields );

PENDING const ds_table *ds_seabed_look_table( void )
{
	return &look_table;
}

PENDING ds_seabed_look ds_seabed_look_default( void )
{
	ds_seabed_look look;
	memset( &look, 0, sizeof( look ) );
	(void)ds_table_defaults( &look_table, &look );
	return look;
}

PENDING void ds_seabed_look_at( const ds_seabed_look *look, double north, double east, ds_vec3 normal, double footprint,
	ds_surface *surface, int32_t *instance )
{
	(void)north;
	(void)east;
	(void)footprint;
	surface->normal[0] = (float)normal.x;
	surface->normal[1] = (float)normal.y;
	surface->normal[2] = (float)normal.z;
	for ( int i = 0; i < 3; ++i )
	{
		surface->color[i] = (float)look->color[i];
	}
	surface->metallic = 0;
	surface->roughness = (float)look->roughness;
	*instance = 0;
}

static const ds_field sky_fields[] = {
	DS_BOOL( ds_sky_def, dark, "false", "no daylight" ),
};
extern const ds_table ds_sky_options;
PENDING const ds_table ds_sky_options = DS_TABLE( "sky", "daylight", ds_sky_def, sky_fields );

PENDING const ds_table *ds_sky_table( void )
{
	return &ds_sky_options;
}

PENDING ds_sky_def ds_sky_def_default( void )
{
	ds_sky_def sky = { false, 400, 0.2, 1, 0 };
	return sky;
}

PENDING ds_visual_options ds_visual_options_default( void )
{
	ds_visual_options o;
	memset( &o, 0, sizeof( o ) );
	o.struct_size = sizeof( o );
	o.scale = 1;
	return o;
}

PENDING ds_status ds_visual_load(
	const char *path, const ds_visual_options *options, const ds_hooks *hooks, ds_visual **visual )
{
	ds_mesh_options m = ds_mesh_options_default();
	m.scale = options->scale;
	m.axes = (ds_mesh_axes)options->axes;
	m.topology = DS_MESH_OPEN_ALLOWED;
	ds_mesh *mesh;
	DS_TRY( ds_mesh_load( path, &m, hooks, &mesh, NULL ) );
	ds_status status = ds_visual_from_mesh( mesh, ds_pose_identity(), options->material, hooks, visual );
	ds_mesh_release( mesh );
	return status;
}

static const ds_field board_fields[] = {
	DS_I64( ds_board, rows, "", "7", 1, 1000, "of squares" ),
	DS_I64( ds_board, columns, "", "10", 1, 1000, "of squares" ),
	DS_F64( ds_board, square, "m", "0.05", 1e-6, 100, "side" ),
};
static const ds_table boards[] = { DS_TABLE( "checkerboard", "a checkerboard", ds_board, board_fields ),
	DS_TABLE( "tags", "AprilTags", ds_board, board_fields ) };

PENDING const ds_table *ds_board_table( ds_board_kind kind )
{
	return boards + kind;
}

PENDING ds_status ds_visual_board( const ds_board *board, const ds_hooks *hooks, ds_visual **visual )
{
	ds_mesh_shape shape = ds_mesh_shape_default( DS_MESH_BOX );
	shape.size = ds_v3( 0.01, board->square * (double)board->columns, board->square * (double)board->rows );
	ds_mesh *mesh;
	DS_TRY( ds_mesh_make( &shape, hooks, &mesh ) );
	ds_status status = ds_visual_from_mesh( mesh, ds_pose_identity(), NULL, hooks, visual );
	ds_mesh_release( mesh );
	return status;
}
