// Inside io: help about types and scenario sections, from their tables.

#ifndef DEEPSIM_SRC_DESCRIBE_H
#define DEEPSIM_SRC_DESCRIBE_H

#include "base/text.h"
#include "deepsim/registry.h"

// Lists the sections of a scenario and the types of a registry, one a line.
ds_status ds_describe_list( const ds_registry *registry, ds_text *text );

// Every option of a type or a section, or of "soils" the named soils with their numbers and sources: key, type, unit, default, range, doc; for types with readings, their columns too.
// DS_ERROR_NOT_FOUND names the nearest.
ds_status ds_describe( const ds_registry *registry, const char *name, ds_text *text );

#endif
