// Inside the library: a calibration file as a tree of texts, whatever its format.

#ifndef DEEPSIM_OPTICS_CALIBRATION_H
#define DEEPSIM_OPTICS_CALIBRATION_H

#include "base/base.h"
#include "deepsim/lens.h"

// Limits, so that no file takes more than it should.
#define DS_CALIBRATION_MAX_BYTES ( (int64_t)16 << 20 )
#define DS_CALIBRATION_MAX_DEPTH 32
#define DS_CALIBRATION_MAX_NODES 500000

typedef enum ds_calibration_kind
{
	DS_CALIBRATION_TEXT,
	DS_CALIBRATION_LIST,
	DS_CALIBRATION_MAP
} ds_calibration_kind;

typedef struct ds_calibration_node
{
	ds_calibration_kind kind;
	int line; // of its beginning
	const char *key; // in a map; else NULL
	const char *text; // of DS_CALIBRATION_TEXT
	struct ds_calibration_node *parent, *next, *first, *last;
} ds_calibration_node;

// A tree that grows; the nodes lie in an arena.
typedef struct ds_calibration_tree
{
	ds_arena arena;
	const char *name; // what messages call the file
	ds_calibration_node *root;
	int64_t count;
} ds_calibration_tree;

// Adds a node to a parent (NULL: the root). A key that the parent has already is an error.
ds_status ds_calibration_add( ds_calibration_tree *tree, ds_calibration_node *parent, ds_calibration_kind kind,
	const char *key, const char *text, int line, ds_calibration_node **node );

// Fill a tree.
ds_status ds_calibration_parse_yaml( ds_calibration_tree *tree, const char *bytes, size_t size );
ds_status ds_calibration_parse_xml( ds_calibration_tree *tree, const char *bytes, size_t size );

// Reads a calibration from memory; `name` is what messages call it. A size that it does not tell is 0; limits are not filled.
ds_status ds_calibration_parse( const char *name, const char *bytes, size_t size, ds_lens *lens );

#endif
