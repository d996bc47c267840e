// Images through a port: the pixel of a point, and the pinhole image that comes nearest.

#include "deepsim/port.h"

#include "optics/port_trace.h"

#include <math.h>
#include <string.h>

ds_status ds_port_project( const ds_lens *lens, const ds_port *port, ds_vec3 point, double pixel[2] )
{
	ds_vec3 inside;
	ds_status status = ds_port_see( port, point, &inside );
	return status == DS_OK ? ds_lens_project( lens, inside, pixel ) : status;
}

// ---- the model that is fitted --------------------------------------------------------------------------------------

#define COLUMNS   25 // of the grid of pixels
#define ROWS      19
#define POINTS    ( COLUMNS * ROWS )
#define MOST      9 // numbers that are fitted
#define LEAST_SET 30 // points that must be seen

// fx, fy, cx, cy, and: rectilinear k1, k2, k3, p1, p2; fisheye k1 to k4.
typedef struct pinhole
{
	bool fisheye;
	int count;
	double x[MOST];
} pinhole;

// A pixel, and the ray in the water that it sees.
typedef struct sight
{
	double u, v;
	ds_vec3 origin, direction;
} sight;

static pinhole pinhole_of( const ds_lens *lens, double magnification )
{
	pinhole p = { lens->model != DS_LENS_RECTILINEAR, 0,
		{ lens->fx * magnification, lens->fy * magnification, lens->cx, lens->cy } };
	p.count = p.fisheye ? 8 : 9;
	if ( lens->model == DS_LENS_STEREOGRAPHIC )
	{
		// 2 tan( t / 2 ) = t + t3 / 12 + t5 / 120 + ...
		p.x[4] = 1.0 / 12;
		p.x[5] = 1.0 / 120;
		return p;
	}
	memcpy( p.x + 4, lens->k, ( p.fisheye ? 4 : 3 ) * sizeof( double ) );
	if ( !p.fisheye )
	{
		memcpy( p.x + 7, lens->p, sizeof( lens->p ) );
	}
	return p;
}

// The image of a point before focal lengths and centre, and its derivatives by x[4] and on. OpenCV's models, as in lens.h; at any
// angle, also where the map is not one-to-one.
static bool distort( const pinhole *p, ds_vec3 point, double image[2], double slope[2][MOST] )
{
	if ( p->fisheye )
	{
		double r = hypot( point.x, point.y ), angle = atan2( r, point.z ), power = angle, bent = angle;
		double c = r > 0 ? point.x / r : 0, s = r > 0 ? point.y / r : 0;
		for ( int i = 4; i < p->count; ++i )
		{
			power *= angle * angle;
			bent += p->x[i] * power;
			slope[0][i] = c * power;
			slope[1][i] = s * power;
		}
		image[0] = c * bent;
		image[1] = s * bent;
		return true;
	}
	if ( !( point.z > 0 ) )
	{
		return false;
	}
	double a = point.x / point.z, b = point.y / point.z, square = a * a + b * b, power = 1, radial = 1;
	for ( int i = 4; i < 7; ++i )
	{
		power *= square;
		radial += p->x[i] * power;
		slope[0][i] = a * power;
		slope[1][i] = b * power;
	}
	slope[0][7] = slope[1][8] = 2 * a * b;
	slope[1][7] = square + 2 * b * b;
	slope[0][8] = square + 2 * a * a;
	for ( int k = 0; k < 2; ++k )
	{
		image[k] = ( k ? b : a ) * radial + p->x[7] * slope[k][7] + p->x[8] * slope[k][8];
	}
	return true;
}

// How far the pinhole's pixel of what is seen at `distance` lies from the pixel that sees it [px], and the derivatives by all numbers.
static bool residual( const pinhole *p, const sight *at, double distance, double off[2], double slope[2][MOST] )
{
	double image[2];
	if ( !distort( p, ds_mad( at->origin, distance, at->direction ), image, slope ) )
	{
		return false;
	}
	for ( int k = 0; k < 2; ++k )
	{
		for ( int i = 4; i < p->count; ++i )
		{
			slope[k][i] *= p->x[k];
		}
		slope[k][0] = slope[k][1] = slope[k][2] = slope[k][3] = 0;
		slope[k][k] = image[k];
		slope[k][2 + k] = 1;
		off[k] = p->x[k] * image[k] + p->x[2 + k] - ( k ? at->v : at->u );
	}
	return true;
}

// ---- least squares -------------------------------------------------------------------------------------------------

typedef struct view
{
	int count;
	sight sights[POINTS];
} view;

typedef struct normal
{
	double matrix[MOST][MOST], right[MOST]; // of J^T J, J^T r
	double sum, worst; // of squared distances [px2]; the longest [px]
} normal;

static bool gather( const pinhole *p, const view *v, double distance, normal *n )
{
	memset( n, 0, sizeof( *n ) );
	for ( int at = 0; at < v->count; ++at )
	{
		double off[2], slope[2][MOST];
		if ( !residual( p, &v->sights[at], distance, off, slope ) )
		{
			return false;
		}
		for ( int k = 0; k < 2; ++k )
		{
			for ( int i = 0; i < p->count; ++i )
			{
				n->right[i] += slope[k][i] * off[k];
				for ( int j = 0; j <= i; ++j )
				{
					n->matrix[i][j] += slope[k][i] * slope[k][j];
				}
			}
		}
		n->sum += off[0] * off[0] + off[1] * off[1];
		n->worst = fmax( n->worst, hypot( off[0], off[1] ) );
	}
	return isfinite( n->sum );
}

// The step of Levenberg and Marquardt, by Cholesky's method over columns of unit length.
static bool solve( const normal *n, int count, double damping, double *step )
{
	double a[MOST][MOST], scale[MOST];
	for ( int i = 0; i < count; ++i )
	{
		scale[i] = n->matrix[i][i] > 0 ? 1 / sqrt( n->matrix[i][i] ) : 0;
		for ( int j = 0; j < i; ++j )
		{
			double sum = n->matrix[i][j] * scale[i] * scale[j];
			for ( int k = 0; k < j; ++k )
			{
				sum -= a[i][k] * a[j][k];
			}
			a[i][j] = sum / a[j][j];
		}
		double rest = 1 + damping, forward = -n->right[i] * scale[i];
		for ( int k = 0; k < i; ++k )
		{
			rest -= a[i][k] * a[i][k];
			forward -= a[i][k] * step[k];
		}
		if ( !( rest > 0 ) )
		{
			return false;
		}
		a[i][i] = sqrt( rest );
		step[i] = forward / a[i][i];
	}
	for ( int i = count - 1; i >= 0; --i )
	{
		for ( int k = i + 1; k < count; ++k )
		{
			step[i] -= a[k][i] * step[k];
		}
		step[i] /= a[i][i];
	}
	for ( int i = 0; i < count; ++i )
	{
		step[i] *= scale[i];
	}
	return true;
}

static bool fit( pinhole *p, const view *v, double distance )
{
	normal here, there;
	if ( !gather( p, v, distance, &here ) )
	{
		return false;
	}
	double damping = 1e-6;
	for ( int round = 0, still = 0; round < 200 && still < 3 && damping < 1e12; ++round )
	{
		double step[MOST];
		pinhole next = *p;
		bool good = solve( &here, p->count, damping, step );
		for ( int i = 0; good && i < p->count; ++i )
		{
			next.x[i] += step[i];
		}
		good = good && next.x[0] > 0 && next.x[1] > 0 && gather( &next, v, distance, &there ) && there.sum <= here.sum;
		damping = good ? fmax( 0.1 * damping, 1e-15 ) : 10 * damping;
		if ( good )
		{
			still = here.sum - there.sum <= 1e-12 * here.sum ? still + 1 : 0;
			*p = next;
			here = there;
		}
	}
	return true;
}

// ---- all -----------------------------------------------------------------------------------------------------------

// Pixels that see through the port, from a grid that reaches the middles of the outermost pixels.
static void look( const ds_lens *lens, const ds_port *port, view *v )
{
	v->count = 0;
	for ( int i = 0; i < POINTS; ++i )
	{
		sight *s = &v->sights[v->count];
		ds_vec3 inside;
		s->u = (double)( lens->width - 1 ) * ( i % COLUMNS ) / ( COLUMNS - 1 );
		s->v = (double)( lens->height - 1 ) * ( i / COLUMNS ) / ( ROWS - 1 );
		v->count += ds_lens_ray( lens, s->u, s->v, &inside ) == DS_OK &&
					ds_port_trace( port, inside, &s->origin, &s->direction, NULL ) == DS_TRACE_OUT;
	}
}

static ds_status lens_of( const pinhole *p, const ds_lens *lens, ds_lens *out )
{
	ds_lens_config c = ds_lens_config_default();
	c.model = p->fisheye ? DS_LENS_FISHEYE : DS_LENS_RECTILINEAR;
	c.width = lens->width;
	c.height = lens->height;
	c.fx = p->x[0];
	c.fy = p->x[1];
	c.center_kind = DS_LENS_CENTER_GIVEN;
	memcpy( c.center, p->x + 2, sizeof( c.center ) );
	memcpy( c.k, p->x + 4, ( p->fisheye ? 4 : 3 ) * sizeof( double ) );
	if ( !p->fisheye )
	{
		memcpy( c.p, p->x + 7, sizeof( c.p ) );
	}
	c.vignetting = lens->vignetting;
	return ds_lens_make( &c, out );
}

ds_status ds_port_fit_pinhole( const ds_lens *lens, const ds_port *port, double distance, ds_pinhole_fit *out )
{
	if ( !( distance > 0 && isfinite( distance ) ) )
	{
		return ds_error( DS_ERROR_RANGE, "fit of a pinhole: distance must be positive, got %g m", distance );
	}
	if ( lens->model == DS_LENS_EQUIRECTANGULAR )
	{
		return ds_error( DS_ERROR_UNSUPPORTED,
			"fit of a pinhole: a panorama is none; the lens must be rectilinear, fisheye or stereographic" );
	}
	view v;
	look( lens, port, &v );
	if ( v.count < LEAST_SET )
	{
		return ds_error( DS_ERROR_RANGE,
			"fit of a pinhole: only %d of %d pixels see through lens and port; expected %d or more", v.count, POINTS,
			LEAST_SET );
	}
	// a flat port enlarges the middle of the image by the ratio of the indices
	pinhole p = pinhole_of( lens, port->kind == DS_PORT_FLAT ? port->water / port->air : 1 );
	normal at, nearer, farther;
	if ( !fit( &p, &v, distance ) || !gather( &p, &v, distance, &at ) || !gather( &p, &v, 0.5 * distance, &nearer ) ||
		 !gather( &p, &v, 4 * distance, &farther ) )
	{
		return ds_error( DS_ERROR_RANGE,
			"fit of a pinhole: a pixel sees backwards, which a rectilinear lens cannot; use a fisheye" );
	}
	*out = ( ds_pinhole_fit ){ .rms = sqrt( at.sum / v.count ),
		.worst = at.worst,
		.near_distance = 0.5 * distance,
		.far_distance = 4 * distance,
		.near_worst = nearer.worst,
		.far_worst = farther.worst };
	return lens_of( &p, lens, &out->lens );
}
