#include "sensors/magnetic.h"

#include "deepsim/math.h"

#define MU0_4PI 1e-7 // mu0 / 4 pi [T m/A]; to 6e-10 (CODATA 2018)

static const ds_field dipole_fields[] = {
	DS_F64( ds_magnetic_dipole, position, "m", "[0, 0, 0]", -1e7, 1e7, "where it is" ),
	DS_F64( ds_magnetic_dipole, moment, "A m2", "[0, 0, 0]", -1e9, 1e9, "magnetic moment, from south to north pole" ),
	DS_F64(
		ds_magnetic_dipole, radius, "m", "0.1", 1e-3, 1e4, "of the magnetised ball; inside it the field is uniform" ),
};

const ds_table ds_magnetic_dipole_table =
	DS_TABLE( "dipole", "A magnet, or a thing of steel seen from afar", ds_magnetic_dipole, dipole_fields );

static const ds_field cable_fields[] = {
	DS_F64( ds_magnetic_cable, from, "m", "[0, 0, 0]", -1e7, 1e7, "where the current comes from" ),
	DS_F64( ds_magnetic_cable, to, "m", "[1, 0, 0]", -1e7, 1e7, "where it goes to" ),
	DS_F64( ds_magnetic_cable, current, "A", "0", -1e6, 1e6, "direct, or the amplitude of an alternating one" ),
	DS_F64( ds_magnetic_cable, frequency, "Hz", "0", 0, 1e5, "of an alternating current; 0: direct" ),
	DS_ANGLE( ds_magnetic_cable, phase, "0", -360, 360, "of the alternating current's cosine at time 0" ),
	DS_F64( ds_magnetic_cable, radius, "m", "0.05", 1e-3, 100, "of the conductor; within it the field falls to 0" ),
	DS_BOOL( ds_magnetic_cable, infinite, "false", "the line goes on past both points" ),
};

static ds_status check_ends( const void *value )
{
	const ds_magnetic_cable *c = value;
	return c->from[0] == c->to[0] && c->from[1] == c->to[1] && c->from[2] == c->to[2]
			   ? ds_error( DS_ERROR_RANGE, "\"from\" and \"to\" must be two points" )
			   : DS_OK;
}

const ds_table ds_magnetic_cable_table = { "cable", "A straight cable that carries a current",
	sizeof( ds_magnetic_cable ), cable_fields, DS_COUNT( cable_fields ), check_ends, NULL, 0 };

ds_status ds_magnetic_dipole_check( const ds_magnetic_dipole *dipole )
{
	return ds_table_check_value( &ds_magnetic_dipole_table, dipole );
}

ds_status ds_magnetic_cable_check( const ds_magnetic_cable *cable )
{
	return ds_table_check_value( &ds_magnetic_cable_table, cable );
}

ds_vec3 ds_magnetic_dipole_at( const ds_magnetic_dipole *dipole, ds_vec3 position )
{
	ds_vec3 m = ds_v3( dipole->moment[0], dipole->moment[1], dipole->moment[2] );
	ds_vec3 to =
		ds_v3( position.x - dipole->position[0], position.y - dipole->position[1], position.z - dipole->position[2] );
	double r = ds_length( to ), radius = dipole->radius;
	if ( r <= radius )
	{
		return radius > 0 ? ds_scale( 2 * MU0_4PI / ( radius * radius * radius ), m ) : ds_v3( 0, 0, 0 );
	}
	ds_vec3 u = ds_scale( 1 / r, to );
	return ds_scale( MU0_4PI / ( r * r * r ), ds_sub( ds_scale( 3 * ds_dot( m, u ), u ), m ) );
}

ds_vec3 ds_magnetic_cable_at( const ds_magnetic_cable *cable, ds_vec3 position, double time )
{
	ds_vec3 from = ds_v3( cable->from[0], cable->from[1], cable->from[2] );
	ds_vec3 along = ds_sub( ds_v3( cable->to[0], cable->to[1], cable->to[2] ), from );
	double length = ds_length( along );
	if ( !( length > 0 ) )
	{
		return ds_v3( 0, 0, 0 );
	}
	ds_vec3 u = ds_scale( 1 / length, along ), r = ds_sub( position, from ), turn = ds_cross( u, r );
	double s = ds_dot( u, r ), d2 = ds_dot( turn, turn ); // along the line, and the squared distance from it
	double ends = 2; // difference of the cosines of the angles to both ends
	if ( !cable->infinite )
	{
		double start = hypot( s, sqrt( d2 ) ), end = hypot( length - s, sqrt( d2 ) );
		ends = ( start > 0 ? s / start : 0 ) + ( end > 0 ? ( length - s ) / end : 0 );
	}
	double current = cable->current;
	if ( cable->frequency > 0 )
	{
		current *= cos( 2 * DS_PI * cable->frequency * time + cable->phase );
	}
	double spread = fmax( d2, cable->radius * cable->radius );
	return spread > 0 ? ds_scale( MU0_4PI * current * ends / spread, turn ) : ds_v3( 0, 0, 0 );
}
