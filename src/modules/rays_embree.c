// Module rays_embree: the trees of src/rays/tree.h by Embree 3 or 4, as scenes of one user geometry whose primitives are the items.
// The device is the process's, made on first use and never given back. No Embree type leaves this file.

#include "base/module.h"
#include "modules/rays_arena.h"
#include "rays/tree.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#if DEEPSIM_EMBREE_MAJOR >= 4
#include <embree4/rtcore.h>
typedef struct RTCRayQueryContext query_context;
#else
#include <embree3/rtcore.h>
typedef struct RTCIntersectContext query_context;
#endif

struct ds_tree
{
	RTCScene scene;
	RTCGeometry geometry;
};

// A cast. Embree hands the context on to the callback.
typedef struct cast
{
	query_context context; // first
	ds_tree_packet *packet;
	ds_tree_visit_fn *visit;
	void *user;
} cast;

static const ds_module_host *host;
static RTCDevice device;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // of `device` while it is made

// ---- errors --------------------------------------------------------------------------------------------------------

static const char *error_words( enum RTCError error )
{
	switch ( error )
	{
		case RTC_ERROR_INVALID_ARGUMENT:
			return "invalid argument";
		case RTC_ERROR_INVALID_OPERATION:
			return "invalid operation";
		case RTC_ERROR_OUT_OF_MEMORY:
			return "out of memory";
		case RTC_ERROR_UNSUPPORTED_CPU:
			return "unsupported processor";
		case RTC_ERROR_CANCELLED:
			return "cancelled";
		default:
			return "unknown error";
	}
}

// What went wrong in this thread since the last call, if anything. `ended` false: TBB threw.
static ds_status check( bool ended, const char *what )
{
	enum RTCError error = rtcGetDeviceError( device );
	if ( error == RTC_ERROR_NONE )
	{
		return ended ? DS_OK : host->error( DS_ERROR_MEMORY, "rays: TBB failed while Embree %s", what );
	}
	ds_status status = error == RTC_ERROR_OUT_OF_MEMORY     ? DS_ERROR_MEMORY
					   : error == RTC_ERROR_UNSUPPORTED_CPU ? DS_ERROR_UNSUPPORTED
															: DS_ERROR_INTERNAL;
	return host->error( status, "rays: Embree %s: %s", what, error_words( error ) );
}

static ds_status open_device( void )
{
	ds_status status = DS_OK;
	pthread_mutex_lock( &lock );
	if ( device == NULL )
	{
		device = rtcNewDevice( "start_threads=0,set_affinity=0" );
		status = device ? DS_OK : check( true, "makes its device" );
		if ( status == DS_OK && device == NULL )
		{
			status = host->error( DS_ERROR_MEMORY, "rays: Embree gives no device" );
		}
	}
	pthread_mutex_unlock( &lock );
	return status;
}

// ---- building ------------------------------------------------------------------------------------------------------

static void box_of( const struct RTCBoundsFunctionArguments *arguments )
{
	const ds_tree_def *def = arguments->geometryUserPtr;
	struct RTCBounds *out = arguments->bounds_o;
	float lower[3], upper[3];
	def->box( def->user, arguments->primID, lower, upper );
	out->lower_x = lower[0];
	out->lower_y = lower[1];
	out->lower_z = lower[2];
	out->upper_x = upper[0];
	out->upper_y = upper[1];
	out->upper_z = upper[2];
	out->align0 = out->align1 = 0;
}

static void visit_item( const struct RTCIntersectFunctionNArguments *arguments )
{
	const cast *c = (const cast *)arguments->context;
	// the layout of RTCRayHitN, whose accessors are C++: far is the ninth array of N numbers, id the eleventh
	unsigned int size = arguments->N, first = ( (const unsigned int *)arguments->rayhit )[10 * size];
	float *far = (float *)arguments->rayhit + 8 * size;
	uint32_t lanes = 0;
	for ( unsigned int k = 0; k < size; ++k )
	{
		lanes |= (uint32_t)( arguments->valid[k] != 0 ) << k;
	}
	lanes <<= first;
	c->visit( c->user, c->packet, arguments->primID, lanes );
	for ( unsigned int k = 0; k < size; ++k )
	{
		far[k] = arguments->valid[k] ? c->packet->far[first + k] : far[k];
	}
}

static void commit( void *user )
{
	ds_tree *tree = user;
	rtcCommitGeometry( tree->geometry );
	rtcCommitScene( tree->scene );
}

static ds_status rebuild_tree( ds_tree *tree, const ds_tree_def *def )
{
	ds_tree_def during = *def;
	rtcSetGeometryUserData( tree->geometry, &during );
	rtcSetGeometryBoundsFunction( tree->geometry, box_of, NULL );
	bool ended = ds_arena_run( commit, tree );
	rtcSetGeometryUserData( tree->geometry, NULL );
	return check( ended, "builds a tree" );
}

static void destroy_tree( ds_tree *tree )
{
	if ( tree )
	{
		rtcReleaseGeometry( tree->geometry );
		rtcReleaseScene( tree->scene );
		host->memory_free( NULL, tree, 1, sizeof( *tree ) );
	}
}

static ds_status create_tree( const ds_tree_def *def, ds_tree **result )
{
	*result = NULL;
	ds_status status = open_device();
	if ( status != DS_OK )
	{
		return status;
	}
	ds_tree *tree;
	status = host->memory_new( NULL, 1, sizeof( *tree ), (void **)&tree );
	if ( status != DS_OK )
	{
		return status;
	}
	tree->scene = rtcNewScene( device );
	tree->geometry = rtcNewGeometry( device, RTC_GEOMETRY_TYPE_USER );
	if ( tree->scene == NULL || tree->geometry == NULL )
	{
		status = check( true, "makes a scene" );
		destroy_tree( tree );
		return status == DS_OK ? host->error( DS_ERROR_MEMORY, "rays: Embree gives no scene" ) : status;
	}
	enum RTCBuildQuality quality = def->quick ? RTC_BUILD_QUALITY_LOW : RTC_BUILD_QUALITY_MEDIUM;
	rtcSetSceneFlags( tree->scene, def->quick ? RTC_SCENE_FLAG_DYNAMIC : RTC_SCENE_FLAG_NONE );
	rtcSetSceneBuildQuality( tree->scene, quality );
	rtcSetGeometryBuildQuality( tree->geometry, quality );
	rtcSetGeometryUserPrimitiveCount( tree->geometry, def->count );
	rtcSetGeometryIntersectFunction( tree->geometry, visit_item );
	rtcAttachGeometry( tree->scene, tree->geometry );
	status = rebuild_tree( tree, def );
	if ( status != DS_OK )
	{
		destroy_tree( tree );
		return status;
	}
	*result = tree;
	return DS_OK;
}

// ---- casting -------------------------------------------------------------------------------------------------------

static void start( cast *c, ds_tree_packet *packet, ds_tree_visit_fn *visit, void *user )
{
	c->packet = packet;
	c->visit = visit;
	c->user = user;
#if RTC_VERSION_MAJOR >= 4
	rtcInitRayQueryContext( &c->context );
#else
	rtcInitIntersectContext( &c->context );
#endif
}

// A single ray.
static void cast_one( const ds_tree *tree, ds_tree_packet *packet, ds_tree_visit_fn *visit, void *user, unsigned int k )
{
	cast c;
	start( &c, packet, visit, user );
	struct RTCRayHit r = { .ray = { .org_x = packet->origin[0][k],
							   .org_y = packet->origin[1][k],
							   .org_z = packet->origin[2][k],
							   .dir_x = packet->direction[0][k],
							   .dir_y = packet->direction[1][k],
							   .dir_z = packet->direction[2][k],
							   .tfar = packet->far[k],
							   .mask = UINT32_MAX,
							   .id = k } };
	r.hit.geomID = r.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
#if RTC_VERSION_MAJOR >= 4
	struct RTCIntersectArguments arguments;
	rtcInitIntersectArguments( &arguments );
	arguments.context = &c.context;
	rtcIntersect1( tree->scene, &r, &arguments );
#else
	rtcIntersect1( tree->scene, &c.context, &r );
#endif
}

static void cast_packet( const ds_tree *tree, ds_tree_packet *packet, ds_tree_visit_fn *visit, void *user )
{
	if ( ( packet->lanes & ( packet->lanes - 1 ) ) == 0 )
	{
		if ( packet->lanes )
		{
			cast_one( tree, packet, visit, user, (unsigned int)__builtin_ctz( packet->lanes ) );
		}
		return;
	}
	cast c;
	start( &c, packet, visit, user );
	alignas( 64 ) int valid[DS_RAY_LANES];
	struct RTCRayHit16 r;
	memcpy( r.ray.org_x, packet->origin[0], sizeof( r.ray.org_x ) );
	memcpy( r.ray.org_y, packet->origin[1], sizeof( r.ray.org_y ) );
	memcpy( r.ray.org_z, packet->origin[2], sizeof( r.ray.org_z ) );
	memcpy( r.ray.dir_x, packet->direction[0], sizeof( r.ray.dir_x ) );
	memcpy( r.ray.dir_y, packet->direction[1], sizeof( r.ray.dir_y ) );
	memcpy( r.ray.dir_z, packet->direction[2], sizeof( r.ray.dir_z ) );
	memcpy( r.ray.tfar, packet->far, sizeof( r.ray.tfar ) );
	for ( unsigned int k = 0; k < DS_RAY_LANES; ++k )
	{
		valid[k] = packet->lanes >> k & 1 ? -1 : 0;
		r.ray.tnear[k] = r.ray.time[k] = 0;
		r.ray.mask[k] = UINT32_MAX;
		r.ray.id[k] = k;
		r.ray.flags[k] = 0;
		r.hit.geomID[k] = r.hit.instID[0][k] = RTC_INVALID_GEOMETRY_ID;
	}
#if RTC_VERSION_MAJOR >= 4
	struct RTCIntersectArguments arguments;
	rtcInitIntersectArguments( &arguments );
	arguments.context = &c.context;
	arguments.flags = RTC_RAY_QUERY_FLAG_COHERENT;
	rtcIntersect16( valid, tree->scene, &r, &arguments );
#else
	c.context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
	rtcIntersect16( valid, tree->scene, &c.context, &r );
#endif
}

// ---- the table -----------------------------------------------------------------------------------------------------

static const ds_tree_module table = { create_tree, rebuild_tree, destroy_tree, cast_packet };

DS_MODULE_EXPORT const void *ds_module_table( uint32_t version, const ds_module_host *the_host );

DS_MODULE_EXPORT const void *ds_module_table( uint32_t version, const ds_module_host *the_host )
{
	if ( version != DS_MODULE_VERSION )
	{
		return NULL;
	}
	host = the_host;
	return &table;
}
