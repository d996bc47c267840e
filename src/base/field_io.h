// Inside the library: reading, writing and listing what descriptor tables describe.

#ifndef DEEPSIM_SRC_FIELD_IO_H
#define DEEPSIM_SRC_FIELD_IO_H

#include "base/base.h"
#include "base/json.h"
#include "base/text.h"
#include "deepsim/field.h"

// A field of the library's own tables that keeps its JSON value for later: a `const ds_json *` at its offset, NULL if it
// is not given. Outside tables cannot have it.
#define DS_FIELD_RAW DS_FIELD_TYPE_END

// Reads an object into a struct, which is first filled with defaults. ds_array fields go to the arena; without one (NULL)
// they must stay empty. Errors read "file:line: path: what would be right". On an error `value` holds no more than plain data.
ds_status ds_table_read( const ds_table *table, const ds_json *object, ds_arena *arena, void *value );

// Fills defaults without zeroing first, as for a part of a struct.
ds_status ds_table_fill( const ds_table *table, void *value );

// Reads one field's JSON value, for callers that take an object apart themselves. The field's default is not applied.
ds_status ds_field_read( const ds_field *field, const ds_json *value, ds_arena *arena, void *record );

// The error of a key that a table (or the caller's list of keys) does not have: names the nearest.
ds_status ds_unknown_key( const ds_json *member, const char *const *keys, size_t count );

#define DS_FIELD_KEY_SIZE 80

// The member of an object that names one of its table's presets.
#define DS_PRESET_KEY "preset"

// The tree of the preset that a member names, parsed into the arena. An unknown name is an error that lists all.
ds_status ds_preset_find( const ds_table *table, const ds_json *name, ds_arena *arena, ds_json **preset );

// Reads a preset's tree into a struct, over the table's defaults. What it leaves open of required fields is the caller's matter.
ds_status ds_table_read_preset( const ds_table *table, const ds_json *preset, ds_arena *arena, void *value );

// Part of ds_table_check: names, texts that can be read and lie in range, values that pass the table's own check.
// `room` is the size of the struct that the offsets lie in.
ds_status ds_presets_check( const ds_table *table, size_t room );

// The first required field that neither an object nor its preset (may be NULL) gives; NULL if none is missing.
const ds_field *ds_missing_field( const ds_table *table, const ds_json *object, const ds_json *preset );

// The variant that a table is (its only field, of the name ""), or NULL.
const ds_field *ds_table_variant( const ds_table *table );

// The JSON key of a field: its name, with _deg after an angle's.
void ds_field_key( const ds_field *field, char *key, size_t size );

// The first key that an alternative without a selecting member requires, by which it is known; "" if it requires none.
void ds_choice_key( const ds_choice *choice, char *key, size_t size );

// What a number must be, with range and unit: "a number in [0.001, 10000] Hz". For messages and describe.
void ds_field_expected( const ds_field *field, const char *noun, char *buffer, size_t size );

// "numbers", "integers" or "booleans".
const char *ds_field_plural( const ds_field *field );

// Reports "expected EXPECTED, got ..." or, for choices, all that are permitted and the nearest name.
ds_status ds_wrong_value( ds_status status, const ds_json *value, const char *expected );
ds_status ds_wrong_choice( ds_status status, const ds_field *field, const ds_json *value );

// A number has limits if its minimum and maximum differ; infinite ones are none.
bool ds_field_has_minimum( const ds_field *field );
bool ds_field_has_maximum( const ds_field *field );

// n of an n x n matrix field.
int32_t ds_matrix_rows( const ds_field *field );

// Whether a string may stand for an i64 (a decimal number): only where numbers beyond 2^53 are permitted.
bool ds_field_takes_digits( const ds_field *field );

// Bytes of one scalar; 0 for DS_ELEMENT_NONE.
size_t ds_element_size( ds_element element );

// How angles are written: as logs and summaries do (radians under the plain name), or as a scenario does (NAME_deg).
typedef enum ds_write_style
{
	DS_WRITE_SI,
	DS_WRITE_CONFIG
} ds_write_style;

// Writes a struct as a JSON object on one line: numbers in up to 17 digits, null for those that are not finite, enums by
// name, a span as {"count": n}.
ds_status ds_table_write( const ds_table *table, const void *value, ds_write_style style, ds_json_writer *writer );

// One CSV column: a scalar of a reading. Vectors of 3 are NAME_x, _y, _z, quaternions (4) NAME_w, _x, _y, _z unless
// DS_FIELD_NUMBERED, other arrays NAME_0, NAME_1, ...; matrices NAME_row_column; members of structs STRUCT.NAME.
typedef struct ds_column
{
	char name[128];
	const char *unit; // "" if it has none
	const ds_field *field; // the field it belongs to
	size_t offset; // of the scalar in the reading
} ds_column;

// Fills up to `max` columns of a table and returns how many there are. Fields that are hidden have none.
int32_t ds_columns( const ds_table *table, ds_column *columns, int32_t max );

// Prints a column's cell: numbers with 17 significant digits, bools 0 or 1, enums by name, strings quoted if CSV asks for
// it. Spans print their count: what their cell holds is the log's matter. Returns the length, or -1 if it does not fit.
int ds_column_print( const ds_column *column, const void *reading, char *buffer, size_t size );

// The JSON Schema (draft 2020-12) of a table, as an object that stands where the writer is. `_properties` writes only its
// members into an object that is open, and lets `special` (may be NULL) write the schemas of single fields itself: it
// returns whether it did.
typedef bool ds_schema_special( const ds_field *field, ds_json_writer *writer, const void *user );

ds_status ds_table_schema( const ds_table *table, ds_json_writer *writer );
ds_status ds_table_schema_properties(
	const ds_table *table, ds_schema_special *special, const void *user, ds_json_writer *writer );
ds_status ds_field_schema( const ds_field *field, ds_json_writer *writer );

// Options of a table for people: key, type, unit, default, range and doc in aligned columns. `prefix` stands before every
// key ("config."), `indent` spaces before every line.
typedef enum ds_describe_style
{
	DS_DESCRIBE_CONFIG, // keys as in JSON, with defaults and ranges
	DS_DESCRIBE_READING // names and units as in logs
} ds_describe_style;

ds_status ds_table_describe(
	const ds_table *table, ds_describe_style style, const char *prefix, int32_t indent, ds_text *text );

#endif
