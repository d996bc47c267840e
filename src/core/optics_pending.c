// Until optics is merged: weak stand-ins, so that the core links. The real functions take their place; then this file goes.

#include "base/base.h"
#include "deepsim/deepsim.h"

#include <stdatomic.h>
#include <string.h>

#define PENDING __attribute__( ( weak ) )

struct ds_visual
{
	atomic_int references;
	ds_hooks hooks;
	ds_mesh *mesh;
	ds_material material;
};

static const ds_field material_fields[] = {
	DS_EACH( ds_material, color, "", "0.5", 0, 1, "linear reflectance" ),
	DS_F64( ds_material, metallic, "", "0", 0, 1, "metal" ),
	DS_F64( ds_material, roughness, "", "1", 0, 1, "roughness" ),
};
static const ds_table material_table = DS_TABLE( "material", "a surface", ds_material, material_fields );

PENDING const ds_table *ds_material_table( void )
{
	return &material_table;
}

PENDING ds_material ds_material_default( void )
{
	ds_material m = { { 0.5, 0.5, 0.5 }, 0, 1 };
	return m;
}

PENDING ds_status ds_visual_from_mesh(
	const ds_mesh *mesh, ds_pose pose, const ds_material *material, const ds_hooks *hooks, ds_visual **visual )
{
	(void)pose;
	ds_visual *v;
	DS_TRY( DS_NEW( &hooks->allocator, 1, &v ) );
	atomic_init( &v->references, 1 );
	v->hooks = *hooks;
	v->mesh = ds_mesh_retain( (ds_mesh *)(uintptr_t)mesh );
	v->material = material ? *material : ds_material_default();
	*visual = v;
	return DS_OK;
}

PENDING ds_visual *ds_visual_retain( ds_visual *visual )
{
	atomic_fetch_add( &visual->references, 1 );
	return visual;
}

PENDING void ds_visual_release( ds_visual *visual )
{
	if ( visual && atomic_fetch_sub( &visual->references, 1 ) == 1 )
	{
		ds_allocator a = visual->hooks.allocator;
		ds_mesh_release( visual->mesh );
		DS_FREE( &a, visual, 1 );
	}
}

PENDING const ds_vec3 *ds_visual_vertices( const ds_visual *visual, int64_t *count )
{
	return ds_mesh_vertices( visual->mesh, count );
}

PENDING const int32_t *ds_visual_triangles( const ds_visual *visual, int64_t *count )
{
	return ds_mesh_triangles( visual->mesh, count );
}

PENDING void ds_visual_at( const ds_visual *visual, int64_t face, ds_vec3 point, double footprint, ds_surface *surface )
{
	(void)point;
	(void)footprint;
	const ds_vec3 *v = ds_mesh_vertices( visual->mesh, NULL );
	const int32_t *t = ds_mesh_triangles( visual->mesh, NULL ) + 3 * face;
	ds_vec3 n = ds_cross( ds_sub( v[t[1]], v[t[0]] ), ds_sub( v[t[2]], v[t[0]] ) );
	n = ds_scale( 1 / ds_length( n ), n );
	surface->normal[0] = (float)n.x;
	surface->normal[1] = (float)n.y;
	surface->normal[2] = (float)n.z;
	for ( int i = 0; i < 3; ++i )
	{
		surface->color[i] = (float)visual->material.color[i];
	}
	surface->metallic = (float)visual->material.metallic;
	surface->roughness = (float)visual->material.roughness;
}

static const ds_field look_fields[] = {
	DS_EACH( ds_seabed_look, color, "", "[0.1, 0.09, 0.08]", 0, 1, "linear reflectance" ),
	DS_F64( ds_seabed_look, roughness, "", "1", 0, 1, "roughness" ),
};
static const ds_table look_table = DS_TABLE( "seabed_appearance", "the seabed", ds_seabed_look, look_fields );

PENDING const ds_table *ds_seabed_look_table( void )
{
	return &look_table;
}

PENDING ds_seabed_look ds_seabed_look_default( void )
{
	ds_seabed_look look;
	memset( &look, 0, sizeof( look ) );
	(void)ds_table_defaults( &look_table, &look );
	return look;
}

PENDING void ds_seabed_look_at( const ds_seabed_look *look, double north, double east, ds_vec3 normal, double footprint,
	ds_surface *surface, int32_t *instance )
{
	(void)north;
	(void)east;
	(void)footprint;
	surface->normal[0] = (float)normal.x;
	surface->normal[1] = (float)normal.y;
	surface->normal[2] = (float)normal.z;
	for ( int i = 0; i < 3; ++i )
	{
		surface->color[i] = (float)look->color[i];
	}
	surface->metallic = 0;
	surface->roughness = (float)look->roughness;
	*instance = 0;
}

struct ds_water_optics
{
	atomic_int references;
	ds_hooks hooks;
};

PENDING ds_water_optics_def ds_water_optics_def_default( void )
{
	ds_water_optics_def def;
	memset( &def, 0, sizeof( def ) );
	return def;
}

PENDING ds_status ds_water_optics_create(
	const ds_water_optics_def *def, const ds_hooks *hooks, ds_water_optics **optics )
{
	(void)def;
	DS_TRY( DS_NEW( &hooks->allocator, 1, optics ) );
	( *optics )->hooks = *hooks;
	atomic_init( &( *optics )->references, 1 );
	return DS_OK;
}

PENDING ds_water_optics *ds_water_optics_retain( ds_water_optics *optics )
{
	atomic_fetch_add( &optics->references, 1 );
	return optics;
}

PENDING void ds_water_optics_release( ds_water_optics *optics )
{
	if ( optics && atomic_fetch_sub( &optics->references, 1 ) == 1 )
	{
		ds_allocator a = optics->hooks.allocator;
		DS_FREE( &a, optics, 1 );
	}
}

static const ds_field sky_fields[] = {
	DS_BOOL( ds_sky_def, dark, "false", "no daylight" ),
};
static const ds_table sky_table = DS_TABLE( "sky", "daylight", ds_sky_def, sky_fields );

PENDING const ds_table *ds_sky_table( void )
{
	return &sky_table;
}

PENDING ds_sky_def ds_sky_def_default( void )
{
	ds_sky_def sky = { false, 400, 0.2, 1, 0 };
	return sky;
}
