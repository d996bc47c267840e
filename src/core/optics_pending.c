// Until optics is merged: weak stand-ins, so that the core links. The real functions take their place; then this file goes.

#include "base/base.h"
#include "deepsim/deepsim.h"

#include <string.h>

#define PENDING __attribute__( ( weak ) )

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
