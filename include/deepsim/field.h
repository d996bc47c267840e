// libdeepsim: descriptors. Every config struct and every reading struct has one table of fields; that one table drives JSON
// parsing, defaults, `deepsim describe`, the JSON Schema, CSV headers and log schemas.
//
// Angles are radians in memory and in logs; in JSON an angle's key is its name followed by _deg, and only that.

#ifndef DEEPSIM_FIELD_H
#define DEEPSIM_FIELD_H

#include "deepsim/types.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef enum ds_field_type
{
	DS_FIELD_F64 = 1, // double[count]
	DS_FIELD_I64, // int64_t[count]
	DS_FIELD_BOOL, // bool[count]
	DS_FIELD_ENUM, // int32_t: the value of one of `choices`
	DS_FIELD_STRING, // char[size], NUL-terminated
	DS_FIELD_STRUCT, // a struct described by `table`, at `offset`
	DS_FIELD_VARIANT, // int32_t at `offset`: the value of one of `choices`, whose table's fields lie in the same struct as this one
	DS_FIELD_ARRAY, // ds_array of structs described by `table`, or of `element` scalars where table is NULL
	DS_FIELD_SPAN, // readings only: ds_span of `element` scalars (DS_ELEMENT_...)
	DS_FIELD_TYPE_END
} ds_field_type;

// Scalars of ds_array and ds_span.
typedef enum ds_element
{
	DS_ELEMENT_NONE,
	DS_ELEMENT_F64,
	DS_ELEMENT_F32,
	DS_ELEMENT_I64,
	DS_ELEMENT_I32,
	DS_ELEMENT_U16,
	DS_ELEMENT_U8
} ds_element;

// Bits of ds_field.flags.
#define DS_FIELD_ANGLE             0x01u // radians here, degrees under NAME_deg in JSON
#define DS_FIELD_REQUIRED          0x02u // must be given; has no default
#define DS_FIELD_HIDDEN            0x04u // not in the schema or in describe (internal)
#define DS_FIELD_EXCLUSIVE_MINIMUM 0x08u // minimum itself is not permitted
#define DS_FIELD_MATRIX            0x10u // count is n * n; in JSON n rows of n numbers each
#define DS_FIELD_NUMBERED          0x20u // columns of 3 or 4 elements are NAME_0, NAME_1, ..., not _x, _y, _z or _w, _x, _y, _z
#define DS_FIELD_EACH              0x40u // an array of numbers; in JSON one number stands for all of them

#define DS_FIELD_PATH 0x80u // a file's path; in JSON relative to the file that says it
// Spans of a reading that are images; the reading has the members `width` and `height`. Logs write u8 and u16 as PNG (of 1 or 3
// channels), i32 as PNG whose red, green, blue are the number's lowest bytes (id = R + 256 G + 65536 B), f32 as NumPy's .npy.
#define DS_FIELD_IMAGE 0x100u

// How a variant's alternative looks in JSON.
typedef enum ds_form
{
	DS_FORM_NAME, // the string `name` (enums have only this)
	DS_FORM_NULL, // null
	DS_FORM_BOOL, // true or false: into the only field of `table`
	DS_FORM_NUMBER, // a number: into the only field of `table`
	DS_FORM_STRING, // any string: into the only field of `table`
	DS_FORM_ARRAY, // an array of numbers or of structs: into the only field of `table` (whose count must fit)
	DS_FORM_OBJECT // an object with the fields of `table`; with `key`, the member `key` must equal `name`
} ds_form;

typedef struct ds_table ds_table;

// One value of an enum, or one alternative of a variant.
typedef struct ds_choice
{
	int32_t value;
	ds_form form;
	const char *name; // of this alternative; as written in JSON for DS_FORM_NAME and for `key`
	const char *key; // DS_FORM_OBJECT: the member that selects it ("model", "make"), or NULL
	const ds_table *table; // its fields, offsets in the struct that holds the variant; NULL if it has none
	const char *doc;
} ds_choice;

typedef struct ds_field
{
	const char *name; // in memory and in logs; JSON key (an angle's JSON key has _deg appended)
	ds_field_type type;
	uint32_t flags;
	size_t offset; // in the struct
	int32_t count; // of elements of a fixed array; 1 otherwise
	size_t size; // string: bytes with the NUL; array: bytes of an element
	const char *unit; // "m/s"; "" if it has none
	const char *initial; // default, as JSON text ("[0, 0, 0]"; angles in degrees); NULL only if required
	// permitted range of each number, inclusive (JSON units; angles in degrees); none where they are equal
	double minimum, maximum;
	const char *doc; // one line
	const ds_table *table;
	const ds_choice *choices;
	int32_t choice_count;
	ds_element element;
} ds_field;

// Values of a table by a name: JSON text of an object with some of its fields.
typedef struct ds_preset
{
	const char *name, *json;
	const char *doc; // one line: what it is, and where its values are from
} ds_preset;

// A table whose only field is a variant of the name "" is that variant itself, without braces of its own: so an array can
// hold alternatives ("currents": [ { "model": ... }, ... ]).
struct ds_table
{
	const char *name; // "thruster"
	const char *doc;
	size_t size; // sizeof the struct
	const ds_field *fields;
	int32_t field_count;
	// Optional: checks that span fields. Reports by ds_error, of a single member as "NAME: what would be right"; the message is prefixed
	// with file, line and path.
	ds_status ( *check )( const void *value );
	// Optional: sets of values by name. In JSON, the member "preset" of an object names one; its text is read over the
	// defaults, and what the object itself says over that, member by member also in structs inside it. (Arrays and
	// variants are given anew.) A preset may give what is required; it cannot start from another one.
	const ds_preset *presets;
	int32_t preset_count;
};

#define DS_COUNT( array ) ( (int32_t)( sizeof( array ) / sizeof( ( array )[0] ) ) )
#define DS_TABLE( name_, doc_, struct_, fields_ )                                                                      \
	{                                                                                                                  \
		name_, doc_, sizeof( struct_ ), fields_, DS_COUNT( fields_ ), NULL, NULL, 0                                    \
	}

// The fields that are met most. `struct_` and `member` say where; the count follows from the member's size.
#define DS_F64( struct_, member, unit_, initial_, minimum_, maximum_, doc_ )                                           \
	{                                                                                                                  \
#member, DS_FIELD_F64, 0, offsetof( struct_, member ),                                                         \
			(int32_t)( sizeof( ( (struct_ *)0 )->member ) / sizeof( double ) ), 0, unit_, initial_, minimum_,          \
			maximum_, doc_, NULL, NULL, 0, DS_ELEMENT_NONE                                                             \
	}
// One number, or one for each element.
#define DS_EACH( struct_, member, unit_, initial_, minimum_, maximum_, doc_ )                                          \
	{                                                                                                                  \
#member, DS_FIELD_F64, DS_FIELD_EACH, offsetof( struct_, member ),                                             \
			(int32_t)( sizeof( ( (struct_ *)0 )->member ) / sizeof( double ) ), 0, unit_, initial_, minimum_,          \
			maximum_, doc_, NULL, NULL, 0, DS_ELEMENT_NONE                                                             \
	}
#define DS_ANGLE( struct_, member, initial_, minimum_, maximum_, doc_ )                                                \
	{                                                                                                                  \
#member, DS_FIELD_F64, DS_FIELD_ANGLE, offsetof( struct_, member ),                                            \
			(int32_t)( sizeof( ( (struct_ *)0 )->member ) / sizeof( double ) ), 0, "rad", initial_, minimum_,          \
			maximum_, doc_, NULL, NULL, 0, DS_ELEMENT_NONE                                                             \
	}
#define DS_I64( struct_, member, unit_, initial_, minimum_, maximum_, doc_ )                                           \
	{                                                                                                                  \
#member, DS_FIELD_I64, 0, offsetof( struct_, member ),                                                         \
			(int32_t)( sizeof( ( (struct_ *)0 )->member ) / sizeof( int64_t ) ), 0, unit_, initial_, minimum_,         \
			maximum_, doc_, NULL, NULL, 0, DS_ELEMENT_NONE                                                             \
	}
#define DS_BOOL( struct_, member, initial_, doc_ )                                                                     \
	{                                                                                                                  \
#member, DS_FIELD_BOOL, 0, offsetof( struct_, member ), 1, 0, "", initial_, 0, 1, doc_, NULL, NULL, 0,         \
			DS_ELEMENT_NONE                                                                                            \
	}
#define DS_ENUM( struct_, member, choices_, initial_, doc_ )                                                           \
	{                                                                                                                  \
#member, DS_FIELD_ENUM, 0, offsetof( struct_, member ), 1, 0, "", initial_, 0, 0, doc_, NULL, choices_,        \
			DS_COUNT( choices_ ), DS_ELEMENT_NONE                                                                      \
	}
#define DS_VARIANT( struct_, member, choices_, initial_, doc_ )                                                        \
	{                                                                                                                  \
#member, DS_FIELD_VARIANT, 0, offsetof( struct_, member ), 1, 0, "", initial_, 0, 0, doc_, NULL, choices_,     \
			DS_COUNT( choices_ ), DS_ELEMENT_NONE                                                                      \
	}
#define DS_STRING( struct_, member, initial_, doc_ )                                                                   \
	{                                                                                                                  \
#member, DS_FIELD_STRING, 0, offsetof( struct_, member ), 1, sizeof( ( (struct_ *)0 )->member ), "", initial_, \
			0, 0, doc_, NULL, NULL, 0, DS_ELEMENT_NONE                                                                 \
	}
#define DS_STRUCT( struct_, member, table_, doc_ )                                                                     \
	{                                                                                                                  \
#member, DS_FIELD_STRUCT, 0, offsetof( struct_, member ), 1, sizeof( ( (struct_ *)0 )->member ), "", "{}", 0,  \
			0, doc_, table_, NULL, 0, DS_ELEMENT_NONE                                                                  \
	}
#define DS_SPAN( struct_, member, element_, unit_, doc_ )                                                              \
	{                                                                                                                  \
#member, DS_FIELD_SPAN, 0, offsetof( struct_, member ), 1, 0, unit_, NULL, 0, 0, doc_, NULL, NULL, 0, element_ \
	}

// Checks that a table is usable: names, offsets inside the struct, defaults that parse and lie in range, no duplicate
// names, choices that are unique. Reports the first fault by table and field name.
DS_API ds_status ds_table_check( const ds_table *table );

// Fills a struct with its defaults. Fields that are required stay zero.
DS_API ds_status ds_table_defaults( const ds_table *table, void *value );

// Reads a JSON object's text ("{ \"rate\": 10 }") into a struct that is first filled with defaults. Strict: unknown keys,
// missing required ones, wrong types and numbers out of range are errors. For configs without ds_array fields.
DS_API ds_status ds_table_parse( const ds_table *table, const char *json, void *value );

// Fills a struct with its defaults, and those with a preset of the table. DS_ERROR_NOT_FOUND names the nearest preset, and leaves
// the defaults. What neither gives of required fields stays zero. For configs without ds_array fields in their presets.
DS_API ds_status ds_table_preset( const ds_table *table, const char *name, void *value );

// Checks a struct that was made in C as JSON is checked: every number finite and in its range, enums and variants one of their
// choices, strings with their NUL, structs and arrays inside it likewise, and then the tables' own checks. The error names the
// place: "dipoles[1].moment[0]: expected a number in [-1000000, 1000000] A m2, got nan" (DS_ERROR_NOT_FINITE, DS_ERROR_RANGE).
DS_API ds_status ds_table_check_value( const ds_table *table, const void *value );

// Finds a field by name, at the top level of a table; NULL if there is none.
DS_API const ds_field *ds_table_find( const ds_table *table, const char *name );

#ifdef __cplusplus
}
#endif

#endif
