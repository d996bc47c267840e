// Inside optics: one ray through a port, as ds_port_ray, ds_port_see and the fit of a pinhole need it.

#ifndef DEEPSIM_OPTICS_PORT_TRACE_H
#define DEEPSIM_OPTICS_PORT_TRACE_H

#include "deepsim/math.h"
#include "deepsim/port.h"

extern const ds_table ds_port_options; // of ds_port_config

typedef enum ds_trace
{
	DS_TRACE_OUT,
	DS_TRACE_MISSED, // it does not meet the port
	DS_TRACE_REFLECTED // totally
} ds_trace;

// `inside` is unit. `transmitted` may be NULL.
ds_trace ds_port_trace( const ds_port *port, ds_vec3 inside, ds_vec3 *origin, ds_vec3 *direction, double *transmitted );

#endif
