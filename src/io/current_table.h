// Inside io: how currents are written in JSON.

#ifndef DEEPSIM_SRC_CURRENT_TABLE_H
#define DEEPSIM_SRC_CURRENT_TABLE_H

#include "deepsim/current.h"
#include "deepsim/field.h"

// One current, as an alternative by "model", of ds_current_def. Its arrays need an arena.
extern const ds_table ds_current_table;

#endif
