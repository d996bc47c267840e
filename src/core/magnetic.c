// The magnetic field of a world: the Earth's by a model at the place and date, and what magnets and cables add.

#include "core/world.h"

#include "sensors/magnetic.h"

#include <math.h>

#define SECOND 1000000000.0 // in nanoseconds

// ---- making ------------------------------------------------------------------------------------------------------

static ds_status copy_sources( ds_magnetic *m, const ds_magnetic_def *def )
{
	if ( def->dipoles.count < 0 || def->cables.count < 0 || ( def->dipoles.count > 0 && def->dipoles.data == NULL ) ||
		 ( def->cables.count > 0 && def->cables.data == NULL ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "environment: magnetic: dipoles and cables must have data" );
	}
	DS_TRY( DS_NEW( &m->hooks.allocator, def->dipoles.count + 1, &m->dipoles ) );
	m->dipole_count = def->dipoles.count;
	DS_TRY( DS_NEW( &m->hooks.allocator, def->cables.count + 1, &m->cables ) );
	m->cable_count = def->cables.count;
	for ( int64_t i = 0; i < m->dipole_count; ++i )
	{
		m->dipoles[i] = ( (const ds_magnetic_dipole *)def->dipoles.data )[i];
		ds_status status = ds_magnetic_dipole_check( &m->dipoles[i] );
		if ( status != DS_OK )
		{
			return ds_error_prefix( status, "environment: magnetic: dipoles[%lld]: ", (long long)i );
		}
	}
	for ( int64_t i = 0; i < m->cable_count; ++i )
	{
		m->cables[i] = ( (const ds_magnetic_cable *)def->cables.data )[i];
		ds_status status = ds_magnetic_cable_check( &m->cables[i] );
		if ( status != DS_OK )
		{
			return ds_error_prefix( status, "environment: magnetic: cables[%lld]: ", (long long)i );
		}
	}
	return DS_OK;
}

ds_status ds_magnetic_create( const ds_hooks *hooks, const ds_magnetic_def *def, ds_magnetic **out )
{
	if ( def->earth < DS_EARTH_FIELD_ABSENT || def->earth > DS_EARTH_FIELD_IGRF14 )
	{
		return ds_error( DS_ERROR_RANGE, "environment: magnetic: the Earth's field is of an unknown kind" );
	}
	ds_vec3 uniform = ds_v3( def->field[0], def->field[1], def->field[2] );
	if ( def->earth == DS_EARTH_FIELD_UNIFORM && !( ds_length( uniform ) <= 1 ) )
	{
		return ds_error( DS_ERROR_RANGE, "environment: magnetic: the uniform field must be at most 1 T" );
	}
	ds_magnetic *m;
	DS_TRY( DS_NEW( &hooks->allocator, 1, &m ) );
	atomic_init( &m->references, 1 );
	m->hooks = *hooks;
	m->earth = def->earth;
	m->uniform = uniform;
	ds_status status = copy_sources( m, def );
	if ( status != DS_OK )
	{
		ds_magnetic_release( m );
		return status;
	}
	*out = m;
	return DS_OK;
}

ds_magnetic *ds_magnetic_retain( ds_magnetic *m )
{
	if ( m )
	{
		atomic_fetch_add( &m->references, 1 );
	}
	return m;
}

void ds_magnetic_release( ds_magnetic *m )
{
	if ( m && atomic_fetch_sub( &m->references, 1 ) == 1 )
	{
		ds_allocator allocator = m->hooks.allocator;
		DS_FREE( &allocator, m->dipoles, m->dipole_count + 1 );
		DS_FREE( &allocator, m->cables, m->cable_count + 1 );
		DS_FREE( &allocator, m, 1 );
	}
}

// ---- questions ---------------------------------------------------------------------------------------------------

static const ds_geomagnetic_model *model_of( const ds_magnetic *m )
{
	return m->earth == DS_EARTH_FIELD_WMM2025  ? ds_geomagnetic_wmm2025()
		   : m->earth == DS_EARTH_FIELD_IGRF14 ? ds_geomagnetic_igrf14()
											   : NULL;
}

// North and east of the place are taken for those of the origin, as everywhere in the flat world. An origin at a pole stands for the
// whole world around it.
static ds_status earth_at(
	const ds_world *world, const ds_geomagnetic_model *model, ds_vec3 position, ds_time time, ds_geomagnetic *field )
{
	const ds_environment_def *e = &world->environment;
	ds_geodetic place;
	if ( ds_geodetic_query( world, position, &place ) != DS_OK )
	{
		ds_error_clear();
		place = ( ds_geodetic ){ e->latitude, e->longitude, -position.z };
	}
	place.latitude = fmax( -0.5 * DS_PI, fmin( place.latitude, 0.5 * DS_PI ) );
	double year = ds_decimal_year_of( (double)world->epoch + (double)time / SECOND );
	return ds_geomagnetic_at( model, place.latitude, place.longitude, place.height, year, field );
}

ds_status ds_magnetic_query( const ds_world *world, ds_vec3 position, ds_time time, bool earth_only, ds_vec3 *field )
{
	const ds_magnetic *m = world->magnetic;
	*field = ds_v3( 0, 0, 0 );
	if ( m->earth == DS_EARTH_FIELD_ABSENT )
	{
		return ds_error( DS_ERROR_UNSUPPORTED,
			"this world has no magnetic field: environment.magnetic is null; \"wmm2025\" would be the Earth's" );
	}
	if ( !ds_finite( position ) )
	{
		return ds_error( DS_ERROR_NOT_FINITE, "the magnetic field: the position is not finite" );
	}
	const ds_geomagnetic_model *model = model_of( m );
	ds_vec3 sum = m->earth == DS_EARTH_FIELD_UNIFORM ? m->uniform : ds_v3( 0, 0, 0 );
	if ( model )
	{
		ds_geomagnetic earth;
		DS_TRY( earth_at( world, model, position, time, &earth ) );
		sum = earth.field;
	}
	for ( int64_t i = 0; i < m->dipole_count && !earth_only; ++i )
	{
		sum = ds_add( sum, ds_magnetic_dipole_at( m->dipoles + i, position ) );
	}
	for ( int64_t i = 0; i < m->cable_count && !earth_only; ++i )
	{
		sum = ds_add( sum, ds_magnetic_cable_at( m->cables + i, position, (double)time / SECOND ) );
	}
	*field = sum;
	return DS_OK;
}

void ds_magnetic_warn( ds_world *world )
{
	const ds_geomagnetic_model *model = model_of( world->magnetic );
	if ( model == NULL || world->magnetic_warned )
	{
		return;
	}
	world->magnetic_warned = true;
	ds_geomagnetic field;
	if ( earth_at( world, model, ds_v3( 0, 0, 0 ), 0, &field ) == DS_OK && field.warnings )
	{
		char text[512];
		ds_geomagnetic_warning( model, &field, text, sizeof( text ) );
		ds_logf( &world->hooks, DS_LOG_WARNING, "environment: magnetic: at the origin: %s", text );
	}
}

static ds_status field_at( const ds_world *world, ds_vec3 position, bool earth_only, ds_vec3 *field )
{
	if ( world == NULL || field == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "%s needs a world and room for the answer",
			earth_only ? "ds_earth_field_at" : "ds_magnetic_field_at" );
	}
	return ds_magnetic_query( world, position, ds_world_time( world ), earth_only, field );
}

ds_status ds_magnetic_field_at( const ds_world *world, ds_vec3 position, ds_vec3 *field )
{
	return field_at( world, position, false, field );
}

ds_status ds_earth_field_at( const ds_world *world, ds_vec3 position, ds_vec3 *field )
{
	return field_at( world, position, true, field );
}
