// What water does to light: absorption and scattering over wavelength and depth.

#include "optics/water_optics.h"

#include "optics/pure_water.h"
#include "optics/water_table.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

// ---- life --------------------------------------------------------------------------------------------------------

static void destroy( ds_water_optics *optics )
{
	ds_allocator allocator = optics->allocator;
	ds_iop_level *levels = (ds_iop_level *)(uintptr_t)optics->def.measured.data;
	ds_turbidity_level *profile = (ds_turbidity_level *)(uintptr_t)optics->def.profile.data;
	DS_FREE( &allocator, levels, optics->def.measured.count );
	DS_FREE( &allocator, profile, optics->def.profile.count );
	DS_FREE( &allocator, optics, 1 );
}

static ds_status copy_array( const ds_allocator *allocator, const ds_array *from, size_t size, ds_array *to )
{
	void *memory;
	*to = ( ds_array ){ NULL, 0 };
	DS_TRY( ds_memory_new( allocator, (size_t)from->count, size, &memory ) );
	if ( from->count > 0 )
	{
		memcpy( memory, from->data, (size_t)from->count * size );
	}
	*to = ( ds_array ){ memory, from->count };
	return DS_OK;
}

// Arrays that are no arrays, before anything looks into them.
static ds_status check_array( const char *name, const ds_array *array )
{
	if ( array->count < 0 || ( array->count > 0 && array->data == NULL ) )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_water_optics_create: %s: expected %s", name,
			array->count < 0 ? "a count of at least 0" : "data, got NULL" );
	}
	return DS_OK;
}

ds_status ds_water_optics_create( const ds_water_optics_def *def, const ds_hooks *hooks, ds_water_optics **optics )
{
	if ( def == NULL || optics == NULL )
	{
		return ds_error( DS_ERROR_ARGUMENT, "ds_water_optics_create: def and optics must not be NULL" );
	}
	*optics = NULL;
	DS_TRY( check_array( "profile", &def->profile ) );
	DS_TRY( check_array( "measured", &def->measured ) );
	DS_TRY( ds_table_check_value( &ds_water_optics_options, def ) );
	const ds_allocator *allocator = hooks ? &hooks->allocator : NULL;
	ds_water_optics *w;
	DS_TRY( DS_NEW( allocator, 1, &w ) );
	if ( allocator )
	{
		w->allocator = *allocator;
	}
	atomic_init( &w->references, 1 );
	w->def = *def;
	w->def.measured = w->def.profile = ( ds_array ){ NULL, 0 };
	ds_status status = DS_OK;
	if ( def->kind == DS_WATER_OPTICS_MEASURED )
	{
		status = copy_array( allocator, &def->measured, sizeof( ds_iop_level ), &w->def.measured );
	}
	if ( status == DS_OK && def->kind != DS_WATER_OPTICS_PURE )
	{
		status = copy_array( allocator, &def->profile, sizeof( ds_turbidity_level ), &w->def.profile );
	}
	if ( status != DS_OK )
	{
		destroy( w );
		return status;
	}
	ds_phase_moments( &w->def.phase, &w->backward, &w->forward );
	*optics = w;
	return DS_OK;
}

ds_water_optics *ds_water_optics_retain( ds_water_optics *optics )
{
	if ( optics )
	{
		atomic_fetch_add_explicit( &optics->references, 1, memory_order_relaxed );
	}
	return optics;
}

void ds_water_optics_release( ds_water_optics *optics )
{
	if ( optics && atomic_fetch_sub_explicit( &optics->references, 1, memory_order_acq_rel ) == 1 )
	{
		destroy( optics );
	}
}

const ds_phase_config *ds_water_optics_phase( const ds_water_optics *optics )
{
	return &optics->def.phase;
}

// ---- over wavelength ---------------------------------------------------------------------------------------------

static ds_iop_level measured_at( const ds_array *array, double wavelength )
{
	const ds_iop_level *levels = array->data;
	const int64_t last = array->count - 1;
	if ( !( wavelength > levels[0].wavelength ) )
	{
		return levels[0];
	}
	int64_t i = 0;
	while ( i < last && wavelength >= levels[i + 1].wavelength )
	{
		++i;
	}
	if ( i == last )
	{
		return levels[last];
	}
	double t = ( wavelength - levels[i].wavelength ) / ( levels[i + 1].wavelength - levels[i].wavelength );
	return ( ds_iop_level ){ wavelength, ( 1 - t ) * levels[i].absorption + t * levels[i + 1].absorption,
		( 1 - t ) * levels[i].scattering + t * levels[i + 1].scattering };
}

ds_spectral ds_water_spectral( const ds_water_optics *optics, double wavelength )
{
	ds_spectral s = { ds_pure_absorption( wavelength ), ds_pure_scattering( wavelength ), 0, 0 };
	if ( optics->def.kind == DS_WATER_OPTICS_JERLOV )
	{
		ds_jerlov_particles( optics->def.jerlov, wavelength, &s.a_more, &s.b_more );
	}
	else if ( optics->def.kind == DS_WATER_OPTICS_MEASURED )
	{
		ds_iop_level m = measured_at( &optics->def.measured, wavelength );
		s.a = fmin( s.a, m.absorption );
		s.b = fmin( s.b, m.scattering );
		s.a_more = m.absorption - s.a;
		s.b_more = m.scattering - s.b;
	}
	return s;
}

// ---- over depth --------------------------------------------------------------------------------------------------

double ds_water_factor( const ds_water_optics *optics, double depth )
{
	const ds_water_optics_def *def = &optics->def;
	const ds_turbidity_level *levels = def->profile.data;
	const int64_t count = def->profile.count;
	if ( def->kind == DS_WATER_OPTICS_PURE )
	{
		return 1; // of nothing
	}
	if ( count == 0 )
	{
		return def->turbidity;
	}
	if ( !( depth > levels[0].depth ) )
	{
		return def->turbidity * levels[0].factor;
	}
	int64_t low = 0, high = count;
	while ( high - low > 1 )
	{
		int64_t middle = ( low + high ) / 2;
		*( depth < levels[middle].depth ? &high : &low ) = middle;
	}
	if ( low == count - 1 )
	{
		return def->turbidity * levels[low].factor;
	}
	double t = ( depth - levels[low].depth ) / ( levels[low + 1].depth - levels[low].depth );
	return def->turbidity * ( ( 1 - t ) * levels[low].factor + t * levels[low + 1].factor );
}

ds_iop ds_water_iop( const ds_water_optics *optics, const ds_spectral *spectral, double factor )
{
	ds_iop iop;
	iop.a = spectral->a + factor * spectral->a_more;
	iop.b_water = spectral->b;
	iop.b_particles = factor * spectral->b_more;
	iop.b = iop.b_water + iop.b_particles;
	iop.bb = 0.5 * iop.b_water + optics->backward * iop.b_particles;
	iop.c = iop.a + iop.b;
	iop.kd = ds_diffuse_attenuation( iop.a, iop.bb, 0 );
	return iop;
}

ds_iop ds_water_optics_at( const ds_water_optics *optics, double depth, double wavelength )
{
	ds_spectral s = ds_water_spectral( optics, wavelength );
	return ds_water_iop( optics, &s, ds_water_factor( optics, depth ) );
}

int32_t ds_band_samples( double width )
{
	return width > DS_BAND_STEP ? (int32_t)fmin( ceil( width / DS_BAND_STEP ), 256 ) : 1;
}

ds_iop ds_water_optics_band( const ds_water_optics *optics, double depth, double wavelength, double width )
{
	const int32_t count = ds_band_samples( width );
	const double factor = ds_water_factor( optics, depth ), share = 1.0 / count;
	ds_iop mean = { 0 };
	for ( int32_t i = 0; i < count; ++i )
	{
		double at = count > 1 ? wavelength + ( ( i + 0.5 ) * share - 0.5 ) * width : wavelength;
		ds_spectral s = ds_water_spectral( optics, at );
		ds_iop iop = ds_water_iop( optics, &s, factor );
		mean.a += share * iop.a;
		mean.b_water += share * iop.b_water;
		mean.b_particles += share * iop.b_particles;
		mean.bb += share * iop.bb;
		mean.kd += share * iop.kd;
	}
	mean.b = mean.b_water + mean.b_particles;
	mean.c = mean.a + mean.b;
	return mean;
}
