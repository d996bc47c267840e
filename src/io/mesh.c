// The way of a mesh from a file or an array to its checked form.

#include "io/mesh_internal.h"

#include <string.h>

ds_mesh_options ds_mesh_options_default( void )
{
	ds_mesh_options options;
	memset( &options, 0, sizeof( options ) );
	options.struct_size = sizeof( options );
	options.scale = 1;
	options.axes = DS_AXES_XYZ;
	options.topology = DS_MESH_CLOSED;
	options.repair_winding = true;
	options.max_bytes = INT64_C( 4 ) << 30;
	options.max_faces = 50000000;
	options.max_seconds = 60;
	return options;
}

static ds_status check_options( const ds_mesh_options *o )
{
	if ( o->struct_size != sizeof( *o ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "mesh options must come from ds_mesh_options_default()" );
	}
	if ( !( o->scale > 0 && isfinite( o->scale ) ) )
	{
		return ds_error( DS_ERROR_RANGE, "mesh scale is %g: it must be positive", o->scale );
	}
	if ( !( o->weld_distance >= 0 && isfinite( o->weld_distance ) ) )
	{
		return ds_error( DS_ERROR_RANGE, "mesh weld_distance is %g: it must be 0 m or more", o->weld_distance );
	}
	if ( (unsigned)o->axes >= DS_AXES_COUNT || (unsigned)o->topology > DS_MESH_OPEN_ALLOWED )
	{
		return ds_error( DS_ERROR_RANGE, "mesh axes or topology have no such value" );
	}
	if ( o->max_bytes < 0 || o->max_faces < 0 || !( o->max_seconds > 0 ) )
	{
		return ds_error( DS_ERROR_RANGE, "mesh limits max_bytes, max_faces and max_seconds must be positive" );
	}
	return DS_OK;
}

// File coordinates to body coordinates in metres. All three are rotations: winding stays.
static ds_status place( ds_soup *soup )
{
	double s = soup->options->scale;
	ds_mesh_axes axes = soup->options->axes;
	for ( int64_t i = 0; i < soup->vertex_count; ++i )
	{
		ds_vec3 p = soup->vertices[i];
		p = axes == DS_AXES_FLU    ? ds_v3( s * p.x, -s * p.y, -s * p.z )
			: axes == DS_AXES_Y_UP ? ds_v3( s * p.z, -s * p.x, -s * p.y )
								   : ds_scale( s, p );

		// volumes and inertia, which take the fifth power, must stay finite
		if ( !( fabs( p.x ) < 1e50 && fabs( p.y ) < 1e50 && fabs( p.z ) < 1e50 ) )
		{
			return ds_error( DS_ERROR_RANGE, "%s: vertex %lld lies at (%g, %g, %g) m: coordinates must be below 1e50 m",
				soup->name, (long long)i + 1, p.x, p.y, p.z );
		}
		soup->vertices[i] = p;
	}
	return DS_OK;
}

static ds_status edge_error( const ds_soup *soup, ds_status status, const char *fault, int64_t count, int32_t example )
{
	ds_vec3 a = soup->vertices[ds_edge_start( soup->triangles, example )];
	ds_vec3 b = soup->vertices[ds_edge_end( soup->triangles, example )];
	return ds_error( status,
		"%s: %lld of the mesh's edges %s, such as the one from (%g, %g, %g) to (%g, %g, %g); a closed surface is "
		"needed: "
		"try `deepsim mesh repair`",
		soup->name, (long long)count, fault, a.x, a.y, a.z, b.x, b.y, b.z );
}

static ds_status check_edges( const ds_soup *soup, const ds_edges *edges )
{
	soup->report->edges_open = edges->open;
	soup->report->edges_non_manifold = edges->non_manifold;
	if ( soup->options->topology == DS_MESH_OPEN_ALLOWED )
	{
		return DS_OK;
	}
	if ( edges->open > 0 )
	{
		return edge_error(
			soup, DS_ERROR_MESH_OPEN, "are open (they have one face)", edges->open, edges->open_example );
	}
	if ( edges->non_manifold > 0 )
	{
		return edge_error( soup, DS_ERROR_MESH_NON_MANIFOLD, "have more than two faces", edges->non_manifold,
			edges->non_manifold_example );
	}
	return DS_OK;
}

static ds_status check_faces( const ds_soup *soup )
{
	if ( soup->face_count == 0 )
	{
		return ds_error( DS_ERROR_MESH_EMPTY, "%s: the mesh has no faces%s", soup->name,
			soup->report->faces_degenerate > 0 ? " that have an area" : "" );
	}
	return DS_OK;
}

// Holes need faces that are wound alike.
static ds_status mend( ds_soup *soup, int64_t max_hole_edges )
{
	ds_edges edges;
	int64_t turned;
	DS_TRY( ds_soup_drop_duplicates( soup ) );
	DS_TRY( ds_soup_drop_slivers( soup ) );
	DS_TRY( check_faces( soup ) );
	DS_TRY( DS_NEW( soup->allocator, soup->face_count, &soup->turned ) );
	soup->turned_count = soup->turned_capacity = soup->face_count;
	DS_TRY( ds_edges_build( soup, &edges ) );
	ds_mesh_options open = *soup->options;
	const ds_mesh_options *own = soup->options;
	open.topology = DS_MESH_OPEN_ALLOWED;
	open.repair_winding = true;
	soup->options = &open;
	ds_status status = ds_soup_orient( soup, &edges, &turned );
	soup->options = own;
	ds_edges_free( soup, &edges );
	DS_TRY( status );
	DS_TRY( ds_edges_build( soup, &edges ) );
	if ( edges.open > 0 && max_hole_edges > 0 )
	{
		status = ds_soup_close_holes( soup, &edges, max_hole_edges );
	}
	ds_edges_free( soup, &edges );
	return status;
}

static void tell_warnings( const ds_soup *soup )
{
	const ds_mesh_report *r = soup->report;
	if ( soup->skipped > 0 )
	{
		ds_logf( soup->hooks, DS_LOG_WARNING, "%s: %lld points, lines or curves were not read", soup->name,
			(long long)soup->skipped );
	}
	if ( r->faces_degenerate > 0 )
	{
		ds_logf( soup->hooks, DS_LOG_WARNING, "%s: %lld degenerate faces were dropped", soup->name,
			(long long)r->faces_degenerate );
	}
	if ( r->faces_turned > 0 )
	{
		ds_logf( soup->hooks, DS_LOG_WARNING, "%s: %lld of %lld faces were wound the wrong way and have been turned",
			soup->name, (long long)r->faces_turned, (long long)soup->face_count );
	}
}

// Makes the mesh, which takes the soup's arrays over in their true size.
static ds_status build( ds_soup *soup, bool closed, ds_mesh **out )
{
	const ds_allocator *allocator = soup->allocator;
	ds_mesh *mesh;
	DS_TRY( DS_NEW( allocator, 1, &mesh ) );
	mesh->allocator = allocator ? *allocator : mesh->allocator;
	mesh->vertex_count = soup->vertex_count;
	mesh->face_count = soup->face_count;
	atomic_init( &mesh->references, 1 );
	ds_status status = DS_NEW( allocator, mesh->vertex_count, &mesh->vertices );
	status = status == DS_OK ? DS_NEW( allocator, 3 * mesh->face_count, &mesh->triangles ) : status;
	if ( status != DS_OK )
	{
		ds_mesh_release( mesh );
		return status;
	}
	memcpy( mesh->vertices, soup->vertices, (size_t)mesh->vertex_count * sizeof( *mesh->vertices ) );
	memcpy( mesh->triangles, soup->triangles, (size_t)mesh->face_count * 3 * sizeof( *mesh->triangles ) );
	ds_mesh_integrate(
		mesh->vertices, mesh->vertex_count, mesh->triangles, mesh->face_count, closed, &mesh->properties );

	const ds_mesh_properties p = mesh->properties;
	double nothing = 1e-12 * p.area * ds_length( ds_sub( p.upper, p.lower ) );
	if ( soup->options->topology == DS_MESH_CLOSED && !( p.volume > nothing ) )
	{
		ds_mesh_release( mesh );
		return ds_error( DS_ERROR_MESH_VOLUME,
			"%s: the mesh encloses no volume (%g m3 at an area of %g m2): is it a sheet, or its scale wrong?",
			soup->name, p.volume, p.area );
	}
	*out = mesh;
	return DS_OK;
}

// All steps after reading. `max_hole_edges` is negative where nothing is to be repaired but winding.
static ds_status finish( ds_soup *soup, int64_t max_hole_edges, ds_mesh **out )
{
	DS_TRY( check_faces( soup ) );
	DS_TRY( place( soup ) );
	DS_TRY( ds_soup_weld( soup ) );
	DS_TRY( check_faces( soup ) );
	if ( max_hole_edges >= 0 )
	{
		DS_TRY( mend( soup, max_hole_edges ) );
	}
	DS_TRY( ds_soup_drop_slivers( soup ) );
	DS_TRY( check_faces( soup ) );
	DS_TRY( ds_soup_check_time( soup ) );

	ds_edges edges;
	DS_TRY( ds_edges_build( soup, &edges ) );
	int64_t turned = 0;
	ds_status status = check_edges( soup, &edges );
	status = status == DS_OK ? ds_soup_orient( soup, &edges, &turned ) : status;
	bool wound = edges.mixed == 0 || soup->options->repair_winding;
	bool closed = edges.open == 0 && edges.non_manifold == 0 && wound;
	ds_edges_free( soup, &edges );
	DS_TRY( status );
	DS_TRY( ds_soup_compact( soup ) );
	tell_warnings( soup );
	return build( soup, closed, out );
}

static ds_status start(
	ds_soup *soup, const char *name, const ds_mesh_options *options, const ds_hooks *hooks, ds_mesh_report *report )
{
	memset( soup, 0, sizeof( *soup ) );
	DS_TRY( check_options( options ) );
	soup->name = name;
	soup->options = options;
	soup->hooks = hooks;
	soup->allocator = hooks ? &hooks->allocator : NULL;
	soup->report = report;
	soup->deadline = ds_mesh_clock() + options->max_seconds;
	return DS_OK;
}

ds_status ds_mesh_parse( const char *name, const uint8_t *bytes, int64_t size, int64_t max_hole_edges,
	const ds_mesh_options *options, const ds_hooks *hooks, ds_mesh **mesh, ds_mesh_report *report )
{
	ds_soup soup;
	double begin = ds_mesh_clock();
	ds_status status = start( &soup, name, options, hooks, report );
	status = status == DS_OK ? ds_mesh_read( &soup, bytes, size ) : status;
	if ( status == DS_OK && report->vertices_read == 0 )
	{
		report->vertices_read = soup.vertex_count;
	}
	// assimp gives each face its own copies of its corners, which the file does not have
	int64_t copies =
		status == DS_OK && soup.vertex_count > report->vertices_read ? soup.vertex_count - report->vertices_read : 0;
	status = status == DS_OK ? finish( &soup, max_hole_edges, mesh ) : status;
	report->vertices_welded = report->vertices_welded > copies ? report->vertices_welded - copies : 0;
	ds_soup_free( &soup );
	report->seconds = ds_mesh_clock() - begin;
	return status;
}

static ds_status read_path( const char *path, const ds_mesh_options *options, int64_t max_hole_edges,
	const ds_hooks *hooks, ds_mesh **mesh, ds_mesh_report *report )
{
	if ( path == NULL || mesh == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "reading a mesh needs a path and a place for the mesh" );
	}
	ds_mesh_options standard = ds_mesh_options_default();
	ds_mesh_report unseen;
	options = options ? options : &standard;
	report = report ? report : &unseen;
	*mesh = NULL;
	memset( report, 0, sizeof( *report ) );
	DS_TRY( check_options( options ) );
	uint8_t *bytes;
	int64_t size;
	double begin = ds_mesh_clock();
	const ds_allocator *allocator = hooks ? &hooks->allocator : NULL;
	DS_TRY( ds_mesh_file_read( path, options->max_bytes, allocator, &bytes, &size ) );
	ds_status status = ds_mesh_parse( path, bytes, size, max_hole_edges, options, hooks, mesh, report );
	DS_FREE( allocator, bytes, size + 1 );
	report->seconds = ds_mesh_clock() - begin;
	return status;
}

ds_status ds_mesh_load(
	const char *path, const ds_mesh_options *options, const ds_hooks *hooks, ds_mesh **mesh, ds_mesh_report *report )
{
	return read_path( path, options, -1, hooks, mesh, report );
}

ds_status ds_mesh_repair( const char *path, const ds_mesh_options *options, int64_t max_hole_edges,
	const ds_hooks *hooks, ds_mesh **mesh, ds_mesh_report *report )
{
	return read_path( path, options, max_hole_edges > 0 ? max_hole_edges : 0, hooks, mesh, report );
}

static ds_status fill(
	ds_soup *soup, const ds_vec3 *vertices, int64_t vertex_count, const int32_t *triangles, int64_t face_count )
{
	DS_TRY( ds_soup_reserve( soup, vertex_count, face_count ) );
	for ( int64_t i = 0; i < vertex_count; ++i )
	{
		DS_TRY( ds_soup_add_vertex( soup, vertices[i] ) );
	}
	for ( int64_t i = 0; i < 3 * face_count; ++i )
	{
		if ( triangles[i] < 0 || triangles[i] >= vertex_count )
		{
			return ds_error( DS_ERROR_RANGE, "face %lld of the mesh names vertex %d of %lld", (long long)( i / 3 ),
				(int)triangles[i], (long long)vertex_count );
		}
		soup->triangles[i] = triangles[i];
	}
	soup->face_count = face_count;
	soup->report->vertices_read = vertex_count;
	soup->report->faces_read = face_count;
	return DS_OK;
}

ds_status ds_mesh_create( const ds_vec3 *vertices, int64_t vertex_count, const int32_t *triangles, int64_t face_count,
	const ds_mesh_options *options, const ds_hooks *hooks, ds_mesh **mesh, ds_mesh_report *report )
{
	bool given = ( vertices || vertex_count == 0 ) && ( triangles || face_count == 0 );
	if ( mesh == NULL || !given || vertex_count < 0 || face_count < 0 )
	{
		return ds_error( DS_ERROR_ARGUMENT, "a mesh needs vertices, triangles and a place for it" );
	}
	ds_mesh_options standard = ds_mesh_options_default();
	ds_mesh_report unseen;
	options = options ? options : &standard;
	report = report ? report : &unseen;
	*mesh = NULL;
	memset( report, 0, sizeof( *report ) );
	ds_soup soup;
	double begin = ds_mesh_clock();
	ds_status status = start( &soup, "mesh", options, hooks, report );
	status = status == DS_OK ? fill( &soup, vertices, vertex_count, triangles, face_count ) : status;
	status = status == DS_OK ? finish( &soup, -1, mesh ) : status;
	ds_soup_free( &soup );
	report->seconds = ds_mesh_clock() - begin;
	return status;
}

ds_mesh *ds_mesh_retain( ds_mesh *mesh )
{
	if ( mesh )
	{
		atomic_fetch_add_explicit( &mesh->references, 1, memory_order_relaxed );
	}
	return mesh;
}

void ds_mesh_release( ds_mesh *mesh )
{
	if ( mesh && atomic_fetch_sub_explicit( &mesh->references, 1, memory_order_acq_rel ) == 1 )
	{
		ds_allocator allocator = mesh->allocator;
		DS_FREE( &allocator, mesh->vertices, mesh->vertex_count );
		DS_FREE( &allocator, mesh->triangles, 3 * mesh->face_count );
		DS_FREE( &allocator, mesh, 1 );
	}
}

const ds_vec3 *ds_mesh_vertices( const ds_mesh *mesh, int64_t *count )
{
	if ( count )
	{
		*count = mesh ? mesh->vertex_count : 0;
	}
	return mesh ? mesh->vertices : NULL;
}

const int32_t *ds_mesh_triangles( const ds_mesh *mesh, int64_t *face_count )
{
	if ( face_count )
	{
		*face_count = mesh ? mesh->face_count : 0;
	}
	return mesh ? mesh->triangles : NULL;
}

ds_mesh_properties ds_mesh_measure( const ds_mesh *mesh )
{
	ds_mesh_properties nothing;
	memset( &nothing, 0, sizeof( nothing ) );
	return mesh ? mesh->properties : nothing;
}
