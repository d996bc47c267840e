// libdeepsim: the types of parts a world may have. A registry starts with the built-in types; more come from plugins.

#ifndef DEEPSIM_REGISTRY_H
#define DEEPSIM_REGISTRY_H

#include "deepsim/plugin.h"

#ifdef __cplusplus
extern "C"
{
#endif

// A registry with the built-in types. It is reference counted: scenarios and worlds keep it (and its plugins) alive.
// `hooks` may be NULL. Not to be changed while another thread uses it.
DS_API ds_status ds_registry_create( const ds_hooks *hooks, ds_registry **registry );
DS_API ds_registry *ds_registry_retain( ds_registry *registry );
DS_API void ds_registry_release( ds_registry *registry );

// Adds a type. Checked: ABI version, kind, name, tables, the functions its kind needs. A name taken is DS_ERROR_DUPLICATE.
DS_API ds_status ds_registry_add( ds_registry *registry, const ds_type *type );

// Loads a shared object and lets it register its types; if it fails, none of them stays. A relative path is looked for in
// `directory` (may be NULL), and then, with a slash in it, from the current directory; without one, where the environment
// variable DEEPSIM_PLUGIN_PATH says (directories parted by colons), then as the system does. An error lists the places.
// Loading the same file again does nothing. It is closed with the registry.
// Errors: NOT_FOUND; PLUGIN (cannot be loaded, another ABI version, no types); what the plugin's own function returned.
DS_API ds_status ds_registry_load_plugin( ds_registry *registry, const char *path, const char *directory );

// A type by kind and name, or NULL. With the library's own names: "odometry", "pressure", "thruster".
DS_API const ds_type *ds_registry_find( const ds_registry *registry, ds_kind kind, const char *name );

// The types in the order they were added.
DS_API int32_t ds_registry_count( const ds_registry *registry );
DS_API const ds_type *ds_registry_at( const ds_registry *registry, int32_t index );

// "sensor", "actuator", "force", "controller", "body", "joint".
DS_API const char *ds_kind_name( ds_kind kind );

#ifdef __cplusplus
}
#endif

#endif
