// A force from outside the library: a line from the mount to a point of the world, a spring with a damper along it that
// pulls when it is stretched beyond its length, and never pushes.

#include "deepsim/plugin.h"

#include <math.h>

typedef struct tether_config
{
	double anchor[3];
	double length;
	double stiffness;
	double damping;
} tether_config;

typedef struct tether_reading
{
	double stretch;
	double tension;
} tether_reading;

static const ds_field config_fields[] = {
	DS_F64( tether_config, anchor, "m", "[0, 0, 0]", -1e6, 1e6, "point of the world that it is tied to" ),
	DS_F64( tether_config, length, "m", "10", 0, 20000, "length without tension" ),
	DS_F64( tether_config, stiffness, "N/m", "100", 0, 1e9, "tension of a metre of stretch" ),
	DS_F64( tether_config, damping, "N s/m", "0", 0, 1e9, "tension of a metre a second of stretching" ),
};
static const ds_table config_table =
	DS_TABLE( "tether_config", "Options of the force tether", tether_config, config_fields );

static const ds_field reading_fields[] = {
	DS_F64( tether_reading, stretch, "m", NULL, 0, 0, "beyond its length; negative when slack" ),
	DS_F64( tether_reading, tension, "N", NULL, 0, 0, "of the line" ),
};
static const ds_table reading_table = DS_TABLE( "tether", "State of a tether", tether_reading, reading_fields );

typedef struct tether
{
	const ds_host *host;
	tether_config config;
} tether;

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	(void)layout;
	tether *line = host->allocate( host, sizeof( *line ) );
	if ( line == NULL )
	{
		return host->error( DS_ERROR_MEMORY, "tether: out of memory" );
	}
	line->host = host;
	line->config = *(const tether_config *)config;
	*model = line;
	return DS_OK;
}

static void destroy( void *model )
{
	tether *line = model;
	line->host->release( line->host, line, sizeof( *line ) );
}

// Stretch and tension now, and the unit vector to the anchor, world axes.
static ds_vec3 pull( const tether_config *c, const ds_context *context, tether_reading *reading )
{
	ds_vec3 p = context->pose.position, v = context->velocity;
	ds_vec3 u = { c->anchor[0] - p.x, c->anchor[1] - p.y, c->anchor[2] - p.z };
	double distance = sqrt( u.x * u.x + u.y * u.y + u.z * u.z );
	reading->stretch = distance - c->length;
	reading->tension = 0;
	if ( reading->stretch <= 0 || distance == 0 )
	{
		return ( ds_vec3 ){ 0, 0, 0 };
	}
	u = ( ds_vec3 ){ u.x / distance, u.y / distance, u.z / distance };
	double opening = -( u.x * v.x + u.y * v.y + u.z * v.z );
	double tension = c->stiffness * reading->stretch + c->damping * opening;
	reading->tension = tension > 0 ? tension : 0;
	return u;
}

static ds_status effort( const void *model, void *state, ds_context *context, ds_effort *out )
{
	(void)state;
	tether_reading now;
	ds_vec3 u = pull( &( (const tether *)model )->config, context, &now );

	// into mount axes: the inverse of the mount's attitude
	ds_quat q = context->pose.attitude;
	ds_vec3 a = { -q.x, -q.y, -q.z };
	ds_vec3 t = { 2 * ( a.y * u.z - a.z * u.y ), 2 * ( a.z * u.x - a.x * u.z ), 2 * ( a.x * u.y - a.y * u.x ) };
	out->wrench.force.x = now.tension * ( u.x + q.w * t.x + a.y * t.z - a.z * t.y );
	out->wrench.force.y = now.tension * ( u.y + q.w * t.y + a.z * t.x - a.x * t.z );
	out->wrench.force.z = now.tension * ( u.z + q.w * t.z + a.x * t.y - a.y * t.x );
	return DS_OK;
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	(void)state;
	pull( &( (const tether *)model )->config, context, output );
	return DS_OK;
}

static const ds_type tether_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_FORCE,
	.name = "tether",
	.doc = "a line to a point of the world",
	.config = &config_table,
	.output = &reading_table,
	.create = create,
	.destroy = destroy,
	.sample = sample,
	.effort = effort,
};

DS_PLUGIN_EXPORT ds_status ds_plugin_register( ds_registry *registry, const ds_host *host );

ds_status ds_plugin_register( ds_registry *registry, const ds_host *host )
{
	return host->registry_add( registry, &tether_type );
}
