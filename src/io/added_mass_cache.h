// Added mass of a mesh by panels, kept beside the mesh's file: MESH.added-mass, a small JSON file.

#ifndef DEEPSIM_SRC_ADDED_MASS_CACHE_H
#define DEEPSIM_SRC_ADDED_MASS_CACHE_H

#include "deepsim/mesh.h"
#include "hydro/panels.h"

// Added mass of a mesh by panels, as ds_added_mass_panels(). With a `path`, the mesh's own file, the result is looked for in
// `path`.added-mass first and written there afterwards, under a temporary name that is renamed. What is kept belongs to a hash
// of vertices, triangles and boundary, and is for 1 kg/m3 about the mesh's origin, so that any density and reference point can
// use it. A file of another mesh, a damaged one, and a folder that cannot be written to do no harm: the matrix is computed
// again, and the log hook is told. `path` NULL: neither read nor written. `kept` (may be NULL): whether it came from the file.
// Errors: those of ds_added_mass_panels().
ds_status ds_mesh_added_mass( const ds_mesh *mesh, const char *path, const ds_panel_options *options,
	const ds_hooks *hooks, ds_mat6 *added_mass, bool *kept );

#endif
