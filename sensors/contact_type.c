// The sensor "contact": the host adds up what the soil does; nothing is measured in between.

#include "deepsim/contact.h"

#include "sensors/plugin_model.h"
#include "sensors/types.h"

#include "deepsim/math.h"

static const ds_field config_fields[] = {
	DS_F64( ds_contact_config, radius, "m", "0", 0, 1e4,
		"of the part around the mount, a foot for example; 0: the whole body, running gear included" ),
};

static const ds_table config_table =
	DS_TABLE( "contact_config", "Options of the sensor contact", ds_contact_config, config_fields );

static const ds_field reading_fields[] = {
	DS_BOOL( ds_contact, touching, NULL, "whether soil is touched" ),
	DS_F64( ds_contact, normal, "N", NULL, 0, 0, "force of the soil's pressure, world axes" ),
	DS_F64( ds_contact, shear, "N", NULL, 0, 0, "force of the soil's shear, world axes" ),
	DS_F64( ds_contact, normal_force, "N", NULL, 0, 0, "along the ground's normals" ),
	DS_F64( ds_contact, shear_force, "N", NULL, 0, 0, "size of shear" ),
	DS_F64( ds_contact, area, "m2", NULL, 0, 0, "projected on the ground" ),
	DS_F64( ds_contact, sinkage, "m", NULL, 0, 0, "greatest" ),
	DS_F64( ds_contact, mean_sinkage, "m", NULL, 0, 0, "mean by area" ),
	DS_F64( ds_contact, slip, "m/s", NULL, 0, 0, "speed of what touches over the ground, weighed by normal force" ),
};

static const ds_table reading_table =
	DS_TABLE( "contact", "What the soil does to the body, or to a part of it", ds_contact, reading_fields );

static ds_status create( const void *config, const ds_host *host, ds_layout *layout, void **model )
{
	(void)layout;
	return ds_plugin_config_copy( host, config, sizeof( ds_contact_config ), model );
}

static ds_status sample( const void *model, void *state, ds_context *context, void *output )
{
	(void)state;
	const ds_contact_config *config = ds_plugin_config( model );
	ds_touch touch;
	ds_status status = context->host->touch( context, config->radius, &touch );
	if ( status != DS_OK )
	{
		return status;
	}
	ds_contact *reading = output;
	const ds_vec3 normal = touch.normal, shear = touch.shear;
	reading->touching = touch.elements > 0;
	reading->normal[0] = normal.x;
	reading->normal[1] = normal.y;
	reading->normal[2] = normal.z;
	reading->shear[0] = shear.x;
	reading->shear[1] = shear.y;
	reading->shear[2] = shear.z;
	reading->normal_force = touch.normal_force;
	reading->shear_force = ds_length( shear );
	reading->area = touch.area;
	reading->sinkage = touch.sinkage;
	reading->mean_sinkage = touch.mean_sinkage;
	reading->slip = touch.slip_speed;
	return DS_OK;
}

const ds_type ds_contact_type = {
	.abi_version = DS_ABI_VERSION,
	.struct_size = sizeof( ds_type ),
	.kind = DS_SENSOR,
	.name = "contact",
	.doc = "what the soil does to the body, or to the part of it around the mount",
	.config = &config_table,
	.output = &reading_table,
	.create = create,
	.destroy = ds_plugin_model_destroy,
	.sample = sample,
};
