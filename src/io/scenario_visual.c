// "visual" and "material" of a body: their tables, and what is made of them.

#include "deepsim/math.h"
#include "io/scenario_fields.h"
#include "io/scenario_internal.h"

#include <string.h>

// ---- tables --------------------------------------------------------------------------------------------------------

#define VISUAL_POSE                                                                                                    \
	STRUCT_AT( "pose", 0, offsetof( ds_file_body, visual.pose ), &ds_file_pose_table, "of it in the body frame" )

// `material` has its choices filled in at run time.
static const ds_field visual_file_fields[] = {
	NAME_AT( "file", DS_FIELD_REQUIRED | DS_FIELD_PATH, ds_file_body, visual.file, NULL,
		"glTF or GLB with its materials, OBJ with MTL, STL or PLY; relative to the file that says so" ),
	F64_FLAGS( "scale", DS_FIELD_EXCLUSIVE_MINIMUM, ds_file_body, visual.scale, 1, "m", "1", 0, 1e6,
		"metres per unit of the file" ),
	CHOICE_AT( "axes", DS_FIELD_ENUM, 0, ds_file_body, visual.axes, ds_file_axes, "\"xyz\"",
		"which way the file's axes point" ),
	{ "material", DS_FIELD_VARIANT, 0, offsetof( ds_file_body, visual.material_kind ), 1, 0, "", "null", 0, 0,
		"what it is made of", NULL, NULL, 0, DS_ELEMENT_NONE },
	VISUAL_POSE,
};
static const ds_field place_fields[] = { VISUAL_POSE };

// A table of another struct that lies at `offset` of a body, with more fields behind its own.
static ds_status move_table(
	ds_arena *arena, const ds_table *from, size_t offset, const ds_field *more, int32_t count, const ds_table **table )
{
	void *memory;
	DS_TRY( ds_arena_new(
		arena, sizeof( ds_table ) + sizeof( ds_field ) * (size_t)( from->field_count + count ), &memory ) );
	ds_table *moved = memory;
	ds_field *fields = (ds_field *)(void *)( moved + 1 );
	for ( int32_t i = 0; i < from->field_count; ++i )
	{
		fields[i] = from->fields[i];
		fields[i].offset += offset;
	}
	if ( count > 0 )
	{
		memcpy( fields + from->field_count, more, sizeof( *more ) * (size_t)count );
	}
	*moved = *from;
	moved->size = sizeof( ds_file_body );
	moved->fields = fields;
	moved->field_count = from->field_count + count;
	moved->check = NULL; // it knows the struct alone; what is made of it checks again
	*table = moved;
	return DS_OK;
}

// The options of a visual from a file.
static ds_status make_file_table( ds_arena *arena, const ds_table **table )
{
	void *memory;
	const size_t size = sizeof( ds_table ) + sizeof( visual_file_fields ) + 2 * sizeof( ds_choice );
	DS_TRY( ds_arena_new( arena, size, &memory ) );
	ds_table *made = memory;
	ds_field *fields = (ds_field *)(void *)( made + 1 );
	ds_choice *choices = (ds_choice *)(void *)( fields + DS_COUNT( visual_file_fields ) );
	const ds_choice own = { 0, DS_FORM_NULL, "own", NULL, NULL, "the file's own materials" };
	choices[0] = own;
	ds_choice other = { 1, DS_FORM_OBJECT, "material", NULL, NULL, "this one all over" };
	DS_TRY(
		move_table( arena, ds_material_table(), offsetof( ds_file_body, visual.material ), NULL, 0, &other.table ) );
	choices[1] = other;
	memcpy( fields, visual_file_fields, sizeof( visual_file_fields ) );
	for ( int32_t i = 0; i < DS_COUNT( visual_file_fields ); ++i )
	{
		if ( fields[i].type == DS_FIELD_VARIANT )
		{
			fields[i].choices = choices;
			fields[i].choice_count = 2;
		}
	}
	const ds_table file = { "file", "", sizeof( ds_file_body ), fields, DS_COUNT( visual_file_fields ), NULL, NULL, 0 };
	*made = file;
	*table = made;
	return DS_OK;
}

ds_status ds_file_visual_choices( ds_arena *arena, ds_field *visual )
{
	void *memory;
	DS_TRY( ds_arena_new( arena, sizeof( ds_choice ) * ( DS_BOARD_KIND_COUNT + 3 ), &memory ) );
	ds_choice *choices = memory;
	const ds_choice mesh = { DS_FILE_VISUAL_MESH, DS_FORM_NAME, "mesh", NULL, NULL, "its mesh, of `material`" };
	const ds_choice none = { DS_FILE_VISUAL_NONE, DS_FORM_NULL, "none", NULL, NULL,
		"it is not seen, and casts no shadow" };
	ds_choice file = { DS_FILE_VISUAL_FILE, DS_FORM_OBJECT, "file", NULL, NULL, "triangles with materials of a file" };
	DS_TRY( make_file_table( arena, &file.table ) );
	choices[0] = mesh;
	choices[1] = none;
	choices[2] = file;
	int32_t count = 3;
	for ( int32_t kind = 0; kind < DS_BOARD_KIND_COUNT; ++kind )
	{
		const ds_table *board = ds_board_table( (ds_board_kind)kind );
		if ( board )
		{
			ds_choice make = { DS_FILE_VISUAL_BOARD + kind, DS_FORM_OBJECT, board->name, "make", NULL, board->doc };
			DS_TRY( move_table( arena, board, offsetof( ds_file_body, visual.board ), place_fields,
				DS_COUNT( place_fields ), &make.table ) );
			choices[count++] = make;
		}
	}
	visual->choices = choices;
	visual->choice_count = count;
	return DS_OK;
}

// ---- what they say ---------------------------------------------------------------------------------------------------

// A visual that was read already, with what it was read from.
typedef struct ds_loaded_visual
{
	struct ds_loaded_visual *next;
	const ds_file_visual *from;
	ds_visual *visual;
} ds_loaded_visual;

void ds_release_visuals( ds_loader *loader )
{
	for ( ds_loaded_visual *v = loader->visuals; v; v = v->next )
	{
		ds_visual_release( v->visual );
	}
	loader->visuals = NULL;
}

static bool same_board( const ds_board *a, const ds_board *b )
{
	return a->rows == b->rows && a->columns == b->columns && a->square == b->square && a->gap == b->gap &&
		   a->margin == b->margin && a->first == b->first && a->white == b->white && a->black == b->black;
}

static bool same_material( const ds_file_visual *a, const ds_file_visual *b )
{
	const ds_material *m = &a->material, *n = &b->material;
	bool same = m->metallic == n->metallic && m->roughness == n->roughness && m->color[0] == n->color[0] &&
				m->color[1] == n->color[1] && m->color[2] == n->color[2];
	return a->material_kind == b->material_kind && ( a->material_kind == 0 || same );
}

static bool same_visual( const ds_file_visual *a, const ds_file_visual *b )
{
	if ( a->kind != b->kind )
	{
		return false;
	}
	return a->kind == DS_FILE_VISUAL_FILE
			   ? strcmp( a->file, b->file ) == 0 && a->scale == b->scale && a->axes == b->axes && same_material( a, b )
			   : same_board( &a->board, &b->board );
}

static ds_status make_visual( ds_loader *loader, const ds_file_visual *from, ds_visual **visual )
{
	const ds_hooks *hooks = &loader->scenario->hooks;
	if ( from->kind >= DS_FILE_VISUAL_BOARD )
	{
		ds_board board = from->board;
		board.kind = from->kind - DS_FILE_VISUAL_BOARD;
		return ds_visual_board( &board, hooks, visual );
	}
	const char *path;
	DS_TRY( ds_join_path( &loader->tree_arena, loader->directory, from->file, &path ) );
	ds_visual_options options = ds_visual_options_default();
	options.scale = from->scale;
	options.axes = from->axes;
	options.material = from->material_kind ? &from->material : NULL;
	return ds_visual_load( path, &options, hooks, visual );
}

// Read once, however many bodies have it.
static ds_status find_visual( ds_loader *loader, const ds_file_visual *from, const ds_visual **visual )
{
	for ( const ds_loaded_visual *v = loader->visuals; v; v = v->next )
	{
		if ( same_visual( v->from, from ) )
		{
			*visual = ds_visual_retain( v->visual );
			return DS_OK;
		}
	}
	void *memory;
	DS_TRY( ds_arena_new( &loader->tree_arena, sizeof( ds_loaded_visual ), &memory ) );
	ds_loaded_visual *fresh = memory;
	DS_TRY( make_visual( loader, from, &fresh->visual ) );
	fresh->from = from;
	fresh->next = loader->visuals;
	loader->visuals = fresh;
	*visual = ds_visual_retain( fresh->visual );
	return DS_OK;
}

ds_status ds_load_visual( ds_loader *loader, const ds_file_body *body, const ds_json *node, ds_body_def *def )
{
	const ds_file_visual *from = &body->visual;
	def->visual_pose = ds_pose_identity();
	def->visual_kind = from->kind == DS_FILE_VISUAL_MESH   ? DS_VISUAL_MESH
					   : from->kind == DS_FILE_VISUAL_NONE ? DS_VISUAL_NONE
														   : DS_VISUAL_GIVEN;
	if ( def->visual_kind != DS_VISUAL_GIVEN )
	{
		return DS_OK;
	}
	def->visual_pose = ds_file_pose_get( &from->pose );
	ds_status status = find_visual( loader, from, &def->visual );
	return status == DS_OK ? DS_OK : ds_json_prefix( status, ds_json_find( node, "visual" ) );
}
