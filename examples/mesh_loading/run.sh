# Read by examples/run.sh. A number after the name is another number of triangles of the fine mesh, one more that of runs.
program mesh_loading "$out" "$@"
