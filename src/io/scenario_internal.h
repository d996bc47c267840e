// Inside io: the steps of reading a scenario, in their order: merge (scenario_merge.c), set (scenario_set.c), bodies
// (scenario_bodies.c), parts (scenario_parts.c) and commands (scenario_commands.c), all driven by scenario_load.c.

#ifndef DEEPSIM_SRC_SCENARIO_INTERNAL_H
#define DEEPSIM_SRC_SCENARIO_INTERNAL_H

#include "io/scenario_tables.h"

#define DS_MAX_INCLUDE_DEPTH 16
#define DS_MAX_INCLUDES      1000

// ---- merging -----------------------------------------------------------------------------------------------------

// The options of an entry of "include".
extern const ds_table ds_include_table;

typedef struct ds_merger
{
	ds_arena *arena; // of the trees
	const char *open[DS_MAX_INCLUDE_DEPTH]; // canonical paths of the files that are being read, outermost first
	int32_t depth;
	int32_t includes; // read so far
} ds_merger;

// Takes in what a file's tree includes: on return the tree has no "include", and all relative paths in it start from
// `directory`, which is the file's.
ds_status ds_merge_includes( ds_merger *merger, const char *directory, ds_json **tree );

// Checks that a tree is an object that says "deepsim": 1.
ds_status ds_check_version( const ds_json *tree );

// `path` itself if it is absolute, else `directory`/`path`; in the arena.
ds_status ds_join_path( ds_arena *arena, const char *directory, const char *path, const char **joined );

// The folder part of a path, "" for none; in the arena.
ds_status ds_directory_of( ds_arena *arena, const char *path, const char **directory );

// ---- set ---------------------------------------------------------------------------------------------------------

// Puts `value` (which has no parent) where `path` says: keys and names of array elements parted by dots, or [index].
// Missing objects on the way are made. Errors are told at `place`.
ds_status ds_tree_set( ds_arena *arena, ds_json *tree, const char *path, ds_json *value, const ds_json *place );

// The same from "path=value": the value is JSON, else a string.
ds_status ds_tree_override( ds_arena *arena, ds_json *tree, const char *text );

// ---- parts -------------------------------------------------------------------------------------------------------

// Names and their alphabetical order.
typedef struct ds_names
{
	const char **names;
	int32_t count;
	struct ds_sorted_name *sorted;
} ds_names;

typedef struct ds_loader
{
	ds_scenario *scenario; // being filled
	ds_arena tree_arena; // freed when the scenario is read
	const char *directory; // of the main file
	ds_json *tree;
	ds_file_tables *tables;
	ds_file file;
	// names by which parts refer to each other
	ds_names bodies, actuators;
	ds_names sources; // all parts: sensors, controllers, actuators, forces
	struct ds_loaded_mesh *meshes;
	struct ds_loaded_visual *visuals;
} ds_loader;

// Checks names, resolves references, reads configs by the types' tables and fills the scenario.
ds_status ds_load_environment( ds_loader *loader );
ds_status ds_load_seabed( ds_loader *loader ); // a part of the environment
ds_status ds_load_bodies( ds_loader *loader );
ds_status ds_load_parts( ds_loader *loader );
ds_status ds_load_commands( ds_loader *loader ); // checked against what the actuators take; sorted by time
void ds_release_seabed( ds_environment_def *environment );
void ds_release_meshes( ds_loader *loader ); // those of the cache
void ds_release_visuals( ds_loader *loader );

// What a body looks like. The visual is retained.
ds_status ds_load_visual( ds_loader *loader, const ds_file_body *body, const ds_json *node, ds_body_def *def );

// Paths in the configs of parts (DS_FIELD_PATH): makes them start from the main file's folder, as all of the merged tree does; and then
// of one config, from the folder that this program runs in.
ds_status ds_move_config_paths( const ds_loader *loader );
ds_status ds_open_config_paths( const ds_loader *loader, const ds_table *table, const ds_json *config );

// Room for `count` elements in an arena, and for one if there are none.
ds_status ds_new_array( ds_arena *arena, int64_t count, size_t size, void **array );

// [A-Za-z][A-Za-z0-9_]*, and more of these after slashes, which prefixes make.
bool ds_is_name( const char *name );

// Sorts names, which stay where they are. Of two that are equal *twice is the index of the later one, or -1.
ds_status ds_sort_names( ds_arena *arena, const char **names, int32_t count, ds_names *out, int32_t *twice );

// The same; checks that they are well-formed, and that no two of the array are equal.
ds_status ds_check_names(
	ds_arena *arena, const ds_json *array, const char *what, const char **names, int32_t count, ds_names *out );

// The index of a name, or -1.
int32_t ds_index_of( const ds_names *names, const char *name );

// The error of a reference that names nothing: names the nearest, or all.
ds_status ds_unknown_name(
	const ds_json *value, const char *what, const char *name, const char *const *names, int32_t count );

// The index of a name, or an error at member `key` of `object`.
ds_status ds_find_name(
	const ds_json *object, const char *key, const char *what, const char *name, const ds_names *names, int32_t *index );

#endif
