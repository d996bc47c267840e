#include "sensors/beams.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

#define DEGREES ( 180 / DS_PI )

// ---- config --------------------------------------------------------------------------------------------------------

static const ds_field janus_fields[] = {
	DS_ANGLE( ds_beams, angle, "30", 5, 60, "between each beam and z of the mount" ),
	DS_ANGLE( ds_beams, azimuth, "[45, 135, 225, 315]", -360, 360, "of each beam about z, from x towards y" ),
};
static const ds_table janus_table = DS_TABLE( "janus", "Beams at one angle from z", ds_beams, janus_fields );

static const ds_field vector_fields[] = {
	DS_F64( ds_beams, direction, "", "[1, 0, 1, -1, 0, 1, 0, 1, 1, 0, -1, 1]", -1e6, 1e6,
		"x, y, z of each beam, mount axes, of any length" ),
};
static const ds_table vector_table = DS_TABLE( "vectors", "Beams of any direction", ds_beams, vector_fields );

static const ds_choice beam_choices[] = {
	{ DS_BEAMS_JANUS, DS_FORM_OBJECT, "janus", NULL, &janus_table, "four beams at one angle from z" },
	{ DS_BEAMS_VECTORS, DS_FORM_ARRAY, "vectors", NULL, &vector_table, "x, y, z of each of the four beams" },
};
static const ds_field beam_fields[] = {
	{ "", DS_FIELD_VARIANT, 0, offsetof( ds_beams, kind ), 1, 0, "", "{}", 0, 0, "where the beams look", NULL,
		beam_choices, DS_COUNT( beam_choices ), DS_ELEMENT_NONE },
};
const ds_table ds_beams_table = DS_TABLE( "beams", "Where four beams look", ds_beams, beam_fields );

const ds_choice ds_array_choices[2] = {
	{ DS_ARRAY_PISTON, DS_FORM_NAME, "piston", NULL, NULL, "a transducer a beam, of fixed direction" },
	{ DS_ARRAY_PHASED, DS_FORM_NAME, "phased", NULL, NULL, "one flat array that steers its beams" },
};

// ---- geometry ------------------------------------------------------------------------------------------------------

static double determinant( ds_vec3 a, ds_vec3 b, ds_vec3 c )
{
	return ds_dot( a, ds_cross( b, c ) );
}

ds_status ds_beams_prepare( const ds_beams *beams, ds_beam_set *set )
{
	ds_vec3 sum = ds_v3( 0, 0, 0 );
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		const double *d = beams->direction + 3 * i;
		double s = sin( beams->angle ), c = cos( beams->angle );
		ds_vec3 v = beams->kind == DS_BEAMS_JANUS
						? ds_v3( s * cos( beams->azimuth[i] ), s * sin( beams->azimuth[i] ), c )
						: ds_v3( d[0], d[1], d[2] );
		double length = ds_length( v );
		if ( !( length > 0 ) )
		{
			return ds_error( DS_ERROR_RANGE, "beams: beam %d has no direction: a vector of any length but 0 is", i );
		}
		set->direction[i] = ds_scale( 1 / length, v );
		sum = ds_add( sum, set->direction[i] );
	}
	double length = ds_length( sum );
	set->axis = length > 1e-9 ? ds_scale( 1 / length, sum ) : ds_v3( 0, 0, 1 );
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		set->cosine[i] = ds_dot( set->axis, set->direction[i] );
		if ( length <= 1e-9 || set->cosine[i] < 0.0871 )
		{
			return ds_error( DS_ERROR_RANGE,
				"beams: beam %d must lie within 85 degrees of the mean direction of all, got %.4g degrees", i,
				length > 1e-9 ? DEGREES * acos( set->cosine[i] ) : 90.0 );
		}
	}
	const bool all[DS_BEAMS] = { true, true, true, true };
	const double zero[DS_BEAMS] = { 0 };
	if ( !ds_beams_solve( set->direction, all, zero, zero ).valid )
	{
		return ds_error( DS_ERROR_RANGE, "beams: the four must not lie in one plane" );
	}
	return DS_OK;
}

void ds_beams_phased( const ds_vec3 direction[DS_BEAMS], ds_vec3 axis, double ratio, ds_vec3 out[DS_BEAMS] )
{
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		ds_vec3 across = ds_scale( ratio, ds_mad( direction[i], -ds_dot( direction[i], axis ), axis ) );
		double square = fmin( ds_dot( across, across ), 0.99 );
		out[i] = ds_mad( across, sqrt( 1 - square ), axis );
	}
}

void ds_beams_look(
	int32_t array, const ds_vec3 direction[DS_BEAMS], ds_vec3 axis, double ratio, ds_vec3 out[DS_BEAMS] )
{
	if ( array == DS_ARRAY_PHASED && ratio != 1 )
	{
		ds_beams_phased( direction, axis, ratio, out );
	}
	else
	{
		memcpy( out, direction, DS_BEAMS * sizeof( *out ) );
	}
}

// ---- least squares -------------------------------------------------------------------------------------------------

// Scales what the four beams disagree by: the null vector n of the directions, n . along, to the deviation of a velocity across the
// axis where all beams have the same noise, as the error velocity of instruments is.
static void disagreement( const ds_vec3 d[DS_BEAMS], double across, const double along[DS_BEAMS],
	const double variance[DS_BEAMS], ds_beam_solution *s )
{
	const double n[DS_BEAMS] = { determinant( d[1], d[2], d[3] ), -determinant( d[0], d[2], d[3] ),
		determinant( d[0], d[1], d[3] ), -determinant( d[0], d[1], d[2] ) };
	double square = 0, value = 0, spread = 0;
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		square += n[i] * n[i];
		value += n[i] * along[i];
		spread += n[i] * n[i] * variance[i];
	}
	if ( square > 0 )
	{
		s->error_velocity = ( n[0] < 0 ? -1 : 1 ) * sqrt( across / square ) * value;
		s->error_variance = across / square * spread;
	}
}

ds_beam_solution ds_beams_solve( const ds_vec3 direction[DS_BEAMS], const bool valid[DS_BEAMS],
	const double along[DS_BEAMS], const double variance[DS_BEAMS] )
{
	ds_beam_solution s;
	memset( &s, 0, sizeof( s ) );
	double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;
	int count = 0;
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		if ( valid[i] )
		{
			ds_vec3 d = direction[i];
			xx += d.x * d.x;
			xy += d.x * d.y;
			xz += d.x * d.z;
			yy += d.y * d.y;
			yz += d.y * d.z;
			zz += d.z * d.z;
			++count;
		}
	}
	// inverse of the symmetric normal matrix by cofactors
	double cxx = yy * zz - yz * yz, cxy = xz * yz - xy * zz, cxz = xy * yz - xz * yy;
	double cyy = xx * zz - xz * xz, cyz = xy * xz - xx * yz, czz = xx * yy - xy * xy;
	double det = xx * cxx + xy * cxy + xz * cxz;
	if ( count < 3 || !( det > 1e-8 ) )
	{
		return s;
	}
	s.valid = true;
	for ( int i = 0; i < DS_BEAMS; ++i )
	{
		if ( valid[i] )
		{
			ds_vec3 d = direction[i];
			ds_vec3 p = ds_scale( 1 / det, ds_v3( cxx * d.x + cxy * d.y + cxz * d.z, cxy * d.x + cyy * d.y + cyz * d.z,
											   cxz * d.x + cyz * d.y + czz * d.z ) );
			s.velocity = ds_mad( s.velocity, along[i], p );
			const double e[3] = { p.x, p.y, p.z };
			for ( int k = 0; k < 9; ++k )
			{
				s.covariance[k] += variance[i] * e[k / 3] * e[k % 3];
			}
		}
	}
	if ( count == DS_BEAMS )
	{
		disagreement( direction, 0.5 * ( cxx + cyy ) / det, along, variance, &s );
	}
	return s;
}
