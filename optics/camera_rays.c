// The rays of pixels: lens and port, once for all frames.

#include "optics/camera.h"

#include "deepsim/math.h"

// The ray through (u, v) outside of the port, and what the sensor gets of the radiance there, over what a lens without port and
// vignetting would give it. False: there is none. Radiance over the square of the refractive index is what stays the same along a ray
// that loses nothing (Mobley, "Light and Water" (1994), section 4.2): in the air behind a port it is that of the water / 1.8.
static bool cast(
	const ds_lens *lens, const ds_port *port, double u, double v, ds_vec3 *origin, ds_vec3 *direction, double *light )
{
	ds_vec3 inside;
	double through = 1;
	*origin = ds_v3( 0, 0, 0 );
	if ( ds_lens_ray( lens, u, v, &inside ) != DS_OK )
	{
		return false;
	}
	*direction = inside;
	if ( port && ds_port_ray( port, inside, origin, direction, &through ) != DS_OK )
	{
		return false;
	}
	if ( port )
	{
		through *= port->air / port->water * ( port->air / port->water );
	}
	*light = through * ds_lens_light( lens, inside );
	return ds_finite( *direction ) && ds_finite( *origin ) && *light > 0;
}

void ds_ray_table_fill(
	const ds_lens *lens, const ds_port *port, double du, double dv, ds_ray_table *table, float *light )
{
	const int64_t columns = ( lens->width + DS_CAMERA_SIDE - 1 ) / DS_CAMERA_SIDE;
	const int64_t rows = ( lens->height + DS_CAMERA_SIDE - 1 ) / DS_CAMERA_SIDE;
	const int in_row = DS_CAMERA_SIDE / DS_CAMERA_BLOCK, block = DS_CAMERA_BLOCK * DS_CAMERA_BLOCK;
	for ( int64_t t = 0; t < columns * rows; ++t )
	{
		ds_ray_tile *tile = table->tiles + t;
		tile->count = 0;
		for ( int k = 0; k < DS_TILE; ++k )
		{
			int64_t x = t % columns * DS_CAMERA_SIDE + k / block % in_row * DS_CAMERA_BLOCK + k % DS_CAMERA_BLOCK;
			int64_t y =
				t / columns * DS_CAMERA_SIDE + k / block / in_row * DS_CAMERA_BLOCK + k % block / DS_CAMERA_BLOCK;
			ds_vec3 o, d;
			double through;
			if ( x >= lens->width || y >= lens->height ||
				 !cast( lens, port, (double)x + du, (double)y + dv, &o, &d, &through ) )
			{
				continue;
			}
			const int at = tile->count++;
			tile->pixel[at] = (int32_t)( y * lens->width + x );
			const double direction[3] = { d.x, d.y, d.z }, origin[3] = { o.x, o.y, o.z };
			for ( int i = 0; i < 3; ++i )
			{
				tile->direction[i][at] = (float)direction[i];
				if ( table->origins )
				{
					table->origins[t].at[i][at] = (float)origin[i];
				}
			}
			if ( light )
			{
				light[tile->pixel[at]] = (float)through;
			}
		}
	}
}

// Half a pixel to both sides of the point on the axis, or of the middle of the image where that is not seen.
double ds_camera_focal( const ds_lens *lens, const ds_port *port )
{
	const double middle[2][2] = { { lens->cx, lens->cy },
		{ 0.5 * (double)( lens->width - 1 ), 0.5 * (double)( lens->height - 1 ) } };
	for ( int i = 0; i < 2; ++i )
	{
		ds_vec3 o, a, b;
		double light;
		if ( cast( lens, port, middle[i][0] - 0.5, middle[i][1], &o, &a, &light ) &&
			 cast( lens, port, middle[i][0] + 0.5, middle[i][1], &o, &b, &light ) )
		{
			double angle = atan2( ds_length( ds_cross( a, b ) ), ds_dot( a, b ) );
			if ( angle > 0 )
			{
				return 1 / angle;
			}
		}
	}
	return lens->fx;
}
