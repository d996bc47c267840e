// The options of ports, and the way of a ray through them.

#include "deepsim/port.h"

#include "optics/port_trace.h"

#include <math.h>

// ---- options -------------------------------------------------------------------------------------------------------

static const ds_choice kinds[] = {
	{ DS_PORT_NONE, DS_FORM_NAME, "none", NULL, NULL, "no housing: rays start at the centre of projection" },
	{ DS_PORT_FLAT, DS_FORM_NAME, "flat", NULL, NULL, "a plane pane without an edge" },
	{ DS_PORT_DOME, DS_FORM_NAME, "dome", NULL, NULL, "a spherical shell around the centre of projection" },
};

static const ds_choice glasses[] = {
	{ DS_GLASS_BK7, DS_FORM_NAME, "bk7", NULL, NULL, "Schott N-BK7" },
	{ DS_GLASS_SILICA, DS_FORM_NAME, "silica", NULL, NULL, "fused silica" },
	{ DS_GLASS_SAPPHIRE, DS_FORM_NAME, "sapphire", NULL, NULL, "ordinary ray" },
	{ DS_GLASS_ACRYLIC, DS_FORM_NAME, "acrylic", NULL, NULL, "PMMA" },
	{ DS_GLASS_GIVEN, DS_FORM_NAME, "given", NULL, NULL, "glass_index" },
};

static const ds_field config_fields[] = {
	DS_ENUM( ds_port_config, kind, kinds, "\"none\"", "what the camera looks through" ),
	DS_ENUM( ds_port_config, glass, glasses, "\"bk7\"", "what it is made of" ),
	DS_F64( ds_port_config, glass_index, "", "1.5168", 1, 4, "glass \"given\": refractive index, relative to air" ),
	DS_F64( ds_port_config, thickness, "m", "0.01", 0, 1, "of the glass" ),
	DS_F64( ds_port_config, distance, "m", "0.02", 0, 10,
		"flat: from the centre of projection to the inner face, along its normal" ),
	DS_ANGLE( ds_port_config, tilt, "[0, 0]", -60, 60,
		"flat: of the normal about x (right), then about y (down) of the camera" ),
	DS_F64( ds_port_config, radius, "m", "0.05", 0.001, 10, "dome: of the inner face" ),
	DS_F64( ds_port_config, decentring, "m", "[0, 0, 0]", -10, 10,
		"dome: its centre from the centre of projection, in the camera's axes right, down, ahead" ),
	DS_F64( ds_port_config, wavelength, "nm", "530", 300, 900, "in vacuum, that rays are bent for" ),
	DS_F64( ds_port_config, salinity, "PSU", "35", 0, 50, "of the water, practical, that rays are bent for" ),
	DS_F64( ds_port_config, temperature, "degC", "4", -5, 50, "of the water, that rays are bent for" ),
	DS_F64( ds_port_config, pressure, "Pa", "0", 0, 1.2e8,
		"of the water above the atmosphere's, that rays are bent for; 40.6e6: at 4000 m" ),
};

static ds_status check_config( const void *value )
{
	const ds_port_config *c = value;
	double off = hypot( hypot( c->decentring[0], c->decentring[1] ), c->decentring[2] );
	if ( c->kind == DS_PORT_DOME && !( off <= 0.999 * c->radius ) )
	{
		return ds_error( DS_ERROR_RANGE,
			"decentring must be shorter than 0.999 of the radius, so that the dome is around the camera, got %g of %g "
			"m",
			off, c->radius );
	}
	return DS_OK;
}

const ds_table ds_port_options = { "port", "What a camera looks through", sizeof( ds_port_config ), config_fields,
	DS_COUNT( config_fields ), check_config, NULL, 0 };

const ds_table *ds_port_config_table( void )
{
	return &ds_port_options;
}

ds_port_config ds_port_config_default( void )
{
	ds_port_config config;
	ds_table_defaults( &ds_port_options, &config );
	return config;
}

// ---- a port --------------------------------------------------------------------------------------------------------

ds_status ds_port_make( const ds_port_config *config, bool wet, ds_port *port )
{
	ds_status status = ds_table_check_value( &ds_port_options, config );
	if ( status != DS_OK )
	{
		return status;
	}
	double outside = 1; // relative to air
	if ( wet )
	{
		const double s = config->salinity, t = config->temperature, w = config->wavelength;
		outside = ds_refractive_index_seawater( s, t, w ) + ds_refractive_index_pressure( s, t, w, config->pressure );
	}
	double air = ds_refractive_index_air( config->wavelength );
	double glass = config->glass == DS_GLASS_GIVEN
					   ? config->glass_index
					   : ds_refractive_index_glass( (ds_glass)config->glass, config->wavelength );
	double x = config->tilt[0], y = config->tilt[1];
	*port = ( ds_port ){
		.kind = config->kind,
		.air = air,
		.glass = air * glass,
		.water = air * outside,
		// z, turned by `x` about the x axis, then by `y` about the y axis
		.normal = ds_v3( sin( y ) * cos( x ), -sin( x ), cos( y ) * cos( x ) ),
		.distance = config->distance,
		.thickness = config->thickness,
		.center = ds_v3( config->decentring[0], config->decentring[1], config->decentring[2] ),
		.inner = config->radius,
		.outer = config->radius + config->thickness,
	};
	return DS_OK;
}

// ---- a ray ---------------------------------------------------------------------------------------------------------

// Shares of light that have passed so far, polarised across and in the plane of incidence. That plane is the same at both faces of a
// port.
typedef struct light
{
	double across, in_plane;
} light;

// Snell's law with vectors: turns a unit direction at a face whose unit normal it goes along, from index n1 to n2. False: total reflection.
static bool refract( ds_vec3 *direction, ds_vec3 normal, double n1, double n2, light *passed )
{
	double ratio = n1 / n2, before = ds_dot( *direction, normal ); // cosine of the angle of incidence
	double square = 1 - ratio * ratio * ( 1 - before * before );
	if ( !( square > 0 ) )
	{
		return false;
	}
	double after = sqrt( square );
	ds_vec3 bent = ds_mad( ds_scale( ratio, *direction ), after - ratio * before, normal );
	*direction = ds_scale( 1 / ds_length( bent ), bent );
	// Fresnel
	double across = ( n1 * before - n2 * after ) / ( n1 * before + n2 * after );
	double in_plane = ( n2 * before - n1 * after ) / ( n2 * before + n1 * after );
	passed->across *= 1 - across * across;
	passed->in_plane *= 1 - in_plane * in_plane;
	return true;
}

static ds_trace trace_flat( const ds_port *port, ds_vec3 *origin, ds_vec3 *direction, light *passed )
{
	double cosine = ds_dot( *direction, port->normal );
	if ( !( cosine > 0 ) )
	{
		return DS_TRACE_MISSED;
	}
	*origin = ds_scale( port->distance / cosine, *direction );
	if ( !refract( direction, port->normal, port->air, port->glass, passed ) )
	{
		return DS_TRACE_REFLECTED;
	}
	*origin = ds_mad( *origin, port->thickness / ds_dot( *direction, port->normal ), *direction );
	return refract( direction, port->normal, port->glass, port->water, passed ) ? DS_TRACE_OUT : DS_TRACE_REFLECTED;
}

// From a point inside a sphere around `center` on to it; its unit normal there, outwards.
static ds_vec3 reach( ds_vec3 *origin, ds_vec3 direction, ds_vec3 center, double radius )
{
	ds_vec3 from = ds_sub( *origin, center );
	double along = ds_dot( from, direction );
	// what is under the root, without the difference of two squares that are nearly equal
	ds_vec3 aside = ds_mad( from, -along, direction );
	double offset = ds_length( aside );
	double half = sqrt( fmax( ( radius - offset ) * ( radius + offset ), 0 ) );
	*origin = ds_mad( *origin, half - along, direction );
	return ds_scale( 1 / radius, ds_mad( aside, half, direction ) );
}

static ds_trace trace_dome( const ds_port *port, ds_vec3 *origin, ds_vec3 *direction, light *passed )
{
	ds_vec3 normal = reach( origin, *direction, port->center, port->inner );
	if ( !refract( direction, normal, port->air, port->glass, passed ) )
	{
		return DS_TRACE_REFLECTED;
	}
	normal = reach( origin, *direction, port->center, port->outer );
	return refract( direction, normal, port->glass, port->water, passed ) ? DS_TRACE_OUT : DS_TRACE_REFLECTED;
}

ds_trace ds_port_trace( const ds_port *port, ds_vec3 inside, ds_vec3 *origin, ds_vec3 *direction, double *transmitted )
{
	light passed = { 1, 1 };
	ds_trace trace = DS_TRACE_OUT;
	*origin = ds_v3( 0, 0, 0 );
	*direction = inside;
	if ( port->kind == DS_PORT_FLAT )
	{
		trace = trace_flat( port, origin, direction, &passed );
	}
	else if ( port->kind == DS_PORT_DOME )
	{
		trace = trace_dome( port, origin, direction, &passed );
	}
	if ( transmitted )
	{
		*transmitted = 0.5 * ( passed.across + passed.in_plane );
	}
	return trace;
}

ds_status ds_port_ray( const ds_port *port, ds_vec3 inside, ds_vec3 *origin, ds_vec3 *direction, double *transmitted )
{
	double length = ds_length( inside );
	if ( !( length > 0 && isfinite( length ) ) )
	{
		return ds_error( DS_ERROR_RANGE, "port: a direction must be finite and longer than 0, got (%g, %g, %g)",
			inside.x, inside.y, inside.z );
	}
	switch ( ds_port_trace( port, ds_scale( 1 / length, inside ), origin, direction, transmitted ) )
	{
		case DS_TRACE_MISSED:
			return ds_error( DS_ERROR_RANGE, "port: the ray (%g, %g, %g) goes along the flat port or away from it",
				inside.x, inside.y, inside.z );
		case DS_TRACE_REFLECTED:
			return ds_error(
				DS_ERROR_RANGE, "port: the ray (%g, %g, %g) is totally reflected", inside.x, inside.y, inside.z );
		default:
			return DS_OK;
	}
}
