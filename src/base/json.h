// Inside the library: strict JSON with the file and line of every value.
//
// Text is RFC 8259 and nothing else: valid UTF-8 without a byte-order mark, no comments, no duplicate keys, no text after
// the value, numbers finite and of at most 60 characters, no \u0000, at most 64 levels, 64 MiB and 4 million values. A scan
// of our own checks this and records the line of each value in tree order; cJSON then builds its tree, from which this one
// is made. Trees of several files can be merged, and each value keeps its own file and line.

#ifndef DEEPSIM_SRC_JSON_H
#define DEEPSIM_SRC_JSON_H

#include "base/base.h"
#include "base/text.h"

#define DS_JSON_MAX_DEPTH  64
#define DS_JSON_MAX_BYTES  ( (size_t)64 << 20 )
#define DS_JSON_MAX_VALUES ( (size_t)4000000 )
#define DS_JSON_MAX_DIGITS 60
#define DS_JSON_MAX_KEY    256

typedef enum ds_json_type
{
	DS_JSON_NULL,
	DS_JSON_BOOL,
	DS_JSON_NUMBER,
	DS_JSON_STRING,
	DS_JSON_ARRAY,
	DS_JSON_OBJECT
} ds_json_type;

typedef struct ds_json
{
	ds_json_type type;
	int32_t line; // of the value's first character; 0: there are no lines (an override)
	const char *file; // what messages call the text
	const char *key; // in an object; NULL in an array and at the root
	const char *string; // DS_JSON_STRING
	double number; // DS_JSON_NUMBER; DS_JSON_BOOL: 0 or 1
	struct ds_json *parent, *next; // next of the same parent
	struct ds_json *first, *last; // children
	int64_t count; // of children
} ds_json;

// Parses `length` bytes into the arena. `file` is what messages call the text; it is copied. With `line` 0 the text has no
// lines worth telling, otherwise `line` is the number of its first one.
ds_status ds_json_parse(
	ds_arena *arena, const char *file, int32_t line, const char *text, size_t length, ds_json **root );

// Reads and parses a file. Messages call it `path`.
ds_status ds_json_load( ds_arena *arena, const char *path, ds_json **root );

// Checks the text and gives the line of each value in tree order, in memory of `allocator` (*lines, of *capacity elements).
ds_status ds_json_scan( const ds_allocator *allocator, const char *file, int32_t line, const char *text, size_t length,
	int32_t **lines, size_t *capacity, size_t *count );

// Whether a string is valid UTF-8.
bool ds_utf8_valid( const char *string );

// A member of an object, or NULL. Also NULL when `object` is none.
ds_json *ds_json_find( const ds_json *object, const char *key );

// Element `index` of an array or an object, or NULL.
ds_json *ds_json_at( const ds_json *parent, int64_t index );

// New values, and changes to a tree. A value has one parent at most; `_add` appends (key NULL in arrays, copied otherwise),
// `_replace` puts `fresh` where `old` was, with old's key.
ds_status ds_json_new( ds_arena *arena, ds_json_type type, const ds_json *place, ds_json **value );
ds_status ds_json_copy( ds_arena *arena, const ds_json *value, ds_json **copy );
ds_status ds_json_add( ds_arena *arena, ds_json *parent, const char *key, ds_json *value );
void ds_json_replace( ds_json *old, ds_json *fresh );
void ds_json_remove( ds_json *value );

// "sensors[2].config.rate"; "" at the root. Long ones are cut in front ("...config.rate").
void ds_json_path( const ds_json *value, char *buffer, size_t size );

// A value in few words, for messages: "fast" in quotes, 12.5, null, true, "an array of 3", "an object".
void ds_json_describe( const ds_json *value, char *buffer, size_t size );

// Reports "file:line: path: message" and returns `status`. ds_json_prefix does the same to the last error.
ds_status ds_json_error( ds_status status, const ds_json *value, const char *format, ... ) DS_PRINTF( 3, 4 );
ds_status ds_json_prefix( ds_status status, const ds_json *value );

// Writes JSON: indented with tabs, short containers on one line where the caller says so.
typedef struct ds_json_writer
{
	ds_text *text;
	int32_t depth;
	int32_t flat; // depth of containers that are written on one line
	bool begun; // something stands before in this container
	bool keyed; // a key was just written
} ds_json_writer;

void ds_json_begin( ds_json_writer *writer, char bracket ); // '{' or '['
void ds_json_begin_flat( ds_json_writer *writer, char bracket ); // all inside it on one line
void ds_json_end( ds_json_writer *writer, char bracket ); // '}' or ']'
void ds_json_key( ds_json_writer *writer, const char *key );
void ds_json_put_string( ds_json_writer *writer, const char *string );
void ds_json_put_number(
	ds_json_writer *writer, double number ); // %.17g where 15 digits are not enough; null if not finite
void ds_json_put_integer( ds_json_writer *writer, int64_t number );
void ds_json_put_bool( ds_json_writer *writer, bool value );
void ds_json_put_raw( ds_json_writer *writer, const char *json ); // text that is JSON already
void ds_json_put( ds_json_writer *writer, const ds_json *value ); // a tree, on one line

#endif
