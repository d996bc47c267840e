// A sensor from outside the library: a fan of rays below the vehicle, as a small multibeam sounder has. Its readings hold
// an array whose length the config says, its noise comes from the host's random stream, and another sensor's reading (its
// input "pressure") is passed on with its age.

#include "deepsim/plugin.h"

#include <string.h>

#define MAX_RAYS 4096

typedef struct range_fan_config
{
	int64_t rays;
	double swath;
	double range;
	double noise;
} range_fan_config;

typedef struct range_fan_reading
{
	double nearest;
	int64_t hits;
	double pressure;
	double pressure_age;
	ds_span ranges;
} range_fan_reading;

static const ds_field config_fields[] = {
	DS_I64( range_fan_config, rays, "", "16", 1, MAX_RAYS, "number of rays" ),
	DS_F64( range_fan_config, swath, "", "2", 0, 20, "width of the fan on a flat bottom, in heights above it" ),
	DS_F64( range_fan_config, range, "m", "100", 0.1, 10000, "longest range" ),
	DS_F64( range_fan_config, noise, "m", "0", 0, 100, "standard deviation of white noise of a range" ),
};
static const ds_table config_table =
	DS_TABLE( "range_fan_config", "Options of the sensor range_fan", range_fan_config, config_fields );

static const ds_field reading_fields[] = {
	DS_F64( range_fan_reading, nearest, "m", NULL, 0, 0, "shortest range; -1 if no ray met anything" ),
	DS_I64( range_fan_reading, hits, "", NULL, 0, 0, "rays that met something" ),
	DS_F64( range_fan_reading, pressure, "Pa", NULL, 0, 0, "what the input \"pressure\" reads; 0 without one" ),
	DS_F64( range_fan_reading, pressure_age, "s", NULL, 0, 0, "age of that reading; -1 without one" ),
	DS_SPAN( range_fan_reading, ranges, DS_ELEMENT_F64, "m", "range of each ray from left to right; -1: nothing met" ),
};
static const ds_table reading_table =
	DS_TABLE( "range_fan", "Ranges along a fan of rays", range_fan_reading, reading_fields );

typedef struct range_fan
{
	const ds_host *host;
	size_t size; // of this block
	range_fan_config config;
	ds_vec3 directions[]; // mount axes: z along the fan's middle, y to the right
} range_fan;

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	const range_fan_config *c = config;
	size_t size = sizeof( range_fan ) + (size_t)c->rays * sizeof( ds_vec3 );
	range_fan *fan = host->allocate( host, size );
	if ( fan == NULL )
	{
		return host->error( DS_ERROR_MEMORY, "range_fan: out of memory for %lld rays", (long long)c->rays );
	}
	fan->host = host;
	fan->size = size;
	fan->config = *c;
	for ( int64_t i = 0; i < c->rays; ++i )
	{
		// equally spaced on a flat bottom
		double across = c->rays > 1 ? (double)i / (double)( c->rays - 1 ) - 0.5 : 0;
		fan->directions[i].y = c->swath * across;
		fan->directions[i].z = 1;
	}
	layout->output_size = sizeof( range_fan_reading ) + (size_t)c->rays * sizeof( double );
	*model = fan;
	return DS_OK;
}

static void destroy( void *model )
{
	range_fan *fan = model;
	fan->host->release( fan->host, fan, fan->size );
}

// A vector of mount axes in the world.
static ds_vec3 rotate( ds_quat q, ds_vec3 v )
{
	ds_vec3 t = { 2 * ( q.y * v.z - q.z * v.y ), 2 * ( q.z * v.x - q.x * v.z ), 2 * ( q.x * v.y - q.y * v.x ) };
	ds_vec3 r = { v.x + q.w * t.x + q.y * t.z - q.z * t.y, v.y + q.w * t.y + q.z * t.x - q.x * t.z,
		v.z + q.w * t.z + q.x * t.y - q.y * t.x };
	return r;
}

// Takes the field "pressure" of the input "pressure", wherever it lies in that sensor's reading.
static void read_pressure( const ds_context *context, range_fan_reading *reading )
{
	reading->pressure_age = -1;
	for ( int32_t i = 0; i < context->input_count; ++i )
	{
		const ds_input *input = &context->inputs[i];
		if ( strcmp( input->name, "pressure" ) != 0 || input->header == NULL )
		{
			continue;
		}
		for ( int32_t k = 0; k < input->table->field_count; ++k )
		{
			const ds_field *field = &input->table->fields[k];
			if ( strcmp( field->name, "pressure" ) == 0 && field->type == DS_FIELD_F64 )
			{
				memcpy( &reading->pressure, (const char *)input->data + field->offset, sizeof( double ) );
				reading->pressure_age = (double)( context->time - input->header->time ) * 1e-9;
			}
		}
	}
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	(void)state;
	const range_fan *fan = model;
	range_fan_reading *reading = output;
	double *ranges = (double *)( reading + 1 );
	reading->ranges.offset = sizeof( range_fan_reading );
	reading->ranges.count = fan->config.rays;
	reading->nearest = -1;
	for ( int64_t i = 0; i < fan->config.rays; ++i )
	{
		ds_ray_hit hit;
		ds_vec3 direction = rotate( context->pose.attitude, fan->directions[i] );
		ds_status status =
			context->host->ray_cast( context, context->pose.position, direction, fan->config.range, &hit );
		if ( status != DS_OK )
		{
			return status;
		}

		// every ray takes its draw, so that a miss changes no other ray's noise
		double noise = fan->config.noise * context->host->random_normal( context );
		ranges[i] = hit.hit ? hit.distance + noise : -1;
		if ( hit.hit )
		{
			reading->hits += 1;
			reading->nearest = reading->hits == 1 || ranges[i] < reading->nearest ? ranges[i] : reading->nearest;
		}
	}
	read_pressure( context, reading );
	return DS_OK;
}

static const ds_type range_fan_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_SENSOR,
	.name = "range_fan",
	.doc = "a fan of rays below the vehicle",
	.config = &config_table,
	.output = &reading_table,
	.create = create,
	.destroy = destroy,
	.sample = sample,
};

DS_PLUGIN_EXPORT ds_status ds_plugin_register( ds_registry *registry, const ds_host *host );

ds_status ds_plugin_register( ds_registry *registry, const ds_host *host )
{
	return host->registry_add( registry, &range_fan_type );
}
