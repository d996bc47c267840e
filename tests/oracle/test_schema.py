"""The JSON Schema that `deepsim schema` prints, held against python3-jsonschema (draft 2020-12).

Good scenarios pass both the schema and `deepsim validate`; each of many spoiled ones is refused by both.
"""

import copy
import glob
import json
import os
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

PROGRAM = os.environ["DEEPSIM_PROGRAM"]
SOURCE = os.environ["DEEPSIM_SOURCE_DIR"]
TMP = os.environ["DEEPSIM_TEST_TMP"]
PLUGINS = os.environ.get("DEEPSIM_TEST_PLUGINS", "")

# The sample of the design, but for parts that later versions bring (IMU).
SAMPLE = json.loads("""{
  "deepsim": 1, "name": "lander", "duration": 3600, "rate": 200, "seed": 42,
  "include": [], "plugins": [],
  "origin": { "latitude_deg": 47.2, "longitude_deg": -8.5, "date": "2026-06-01T00:00:00Z" },
  "environment": {
    "gravity": 9.81, "earth_rotation": false,
    "water": { "density": { "model": "pycnocline", "surface": 1025, "increase": 3.075, "depth": 1000 } },
    "currents": [ { "model": "uniform", "velocity": [0.1, 0, 0] } ],
    "waves": null, "wind": null,
    "seabed": { "elevation": { "model": "flat", "depth": 3000 }, "soil": "deep_sea_clay" }
  },
  "bodies": [ {
    "name": "lander", "mesh": { "make": "box", "size": [1, 1, 1] }, "mass": 1450, "inertia": "mesh",
    "cg": [0, 0, 0.1], "pose": { "position": [0, 0, 2], "rpy_deg": [0, 0, 0] },
    "velocity": { "linear": [0, 0, 0], "angular": [0, 0, 0] },
    "hydrodynamics": { "model": "mesh", "form_drag": 1.0, "skin_drag": 0.004, "added_mass": "ellipsoid" } },
    { "name": "arm", "mass": 2, "inertia": [0.1, 0.1, 0.1] } ],
  "joints": [ { "name": "elbow", "type": "hinge", "body_a": "lander", "body_b": "arm",
    "limits_deg": [-10, 10], "motor": { "velocity": 1, "force": 0.1 } } ],
  "actuators": [ { "name": "t1", "type": "thruster", "body": "lander",
    "mount": { "position": [0, 0, 0], "rpy_deg": [0, 0, 0] }, "config": { "command": "force" } } ],
  "sensors": [
    { "name": "depth", "type": "pressure", "body": "lander", "rate": 100,
      "mount": { "position": [0, 0, 0], "rpy_deg": [0, 0, 0] }, "config": {} },
    { "name": "truth", "type": "odometry", "body": "arm", "inputs": { "depth": "depth" } } ],
  "forces": [], "controllers": [],
  "commands": [ { "t": 0, "actuator": "t1", "value": 0.5 }, { "t": 1, "actuator": "t1", "value": [1] } ]
}""")

DELETE = object()

# (path, value): one change each that makes the sample wrong by shape, type or range
SPOILED = [
    (["deepsim"], DELETE), (["deepsim"], 2), (["deepsim"], "1"), (["name"], 7), (["duration"], -1),
    (["rate"], 0), (["rate"], "fast"), (["rate"], None), (["seed"], -1), (["seed"], 1.5), (["seed"], "0x10"),
    (["colour"], "red"), (["include"], "other.json"), (["include"], [{"prefix": "a"}]), (["plugins"], [1]),
    (["origin", "latitude"], 47), (["origin", "latitude_deg"], 91), (["origin", "date"], 2026),
    (["environment", "gravity"], "9.81"), (["environment", "gravity"], -1), (["environment", "gravty"], 9.81),
    (["environment", "waves"], {"height": 1}), (["environment", "wind"], 5),
    (["environment", "waves"], {"model": "regular", "height": -1}), (["environment", "waves"], {"model": "stokes"}),
    (["environment", "waves"], {"model": "jonswap", "components": 0}), (["environment", "earth_rotation"], 1),
    (["environment", "wind"], {"model": "uniform", "velocity": [1, 2]}),
    (["environment", "magnetic"], 5), (["environment", "magnetic"], {"model": "wmm2020"}),
    (["environment", "magnetic"], {"model": {"uniform": [1e-5, 0]}}), (["environment", "magnetic"], {"dipoles": [{"radius": 0}]}),
    (["environment", "magnetic"], {"cables": [{"phase": 1}]}),
    (["environment", "water"], True), (["environment", "water", "density"], "salty"),
    (["environment", "water", "density"], {"model": "halocline"}),
    (["environment", "water", "density"], {"model": "pycnocline", "depth": 0}),
    (["environment", "water", "profile"], 5), (["environment", "water", "salinity"], 51),
    (["environment", "water", "density"], {"model": "uniform", "vale": 1000}),
    (["environment", "currents"], {"model": "uniform"}), (["environment", "currents", 0, "velocity"], [1, 2]),
    (["environment", "currents", 0, "velocity"], DELETE), (["environment", "currents", 0, "model"], "sheared"),
    (["environment", "seabed"], "flat"), (["environment", "seabed", "elevation"], DELETE),
    (["environment", "seabed", "elevation", "depth"], "deep"), (["environment", "seabed", "soil"], "clay"),
    (["environment", "seabed", "soil"], {"set": "clay"}), (["environment", "seabed", "soil"], {"friction": 0.5}),
    (["environment", "seabed", "soil"], {"n": 0}), (["environment", "seabed", "soil"], 3),
    (["environment", "seabed", "elevation"], {"model": "slope", "depth": 5}),
    (["environment", "seabed", "elevation"], {"model": "fractal", "depth": 5}),
    (["environment", "seabed", "elevation"], {"model": "raster", "file": "a.asc", "positive": "sideways"}),
    (["environment", "seabed", "elevation"], {"model": "raster", "file": "a.asc", "window": [0, 1]}),
    (["environment", "seabed", "elevation"], {"model": "mesh"}),
    (["environment", "seabed", "patches"], [{"soil": "snow"}]), (["environment", "seabed", "patches"], [{"polygon": []}]),
    (["environment", "seabed", "patches"], [{"soil": None, "polygon": [[0, 0], [1, 0], [1, 1]]}]),
    (["environment", "seabed", "patches"], [{"soil": "snow", "polygon": [[0, 0], [1], [1, 1]]}]),
    (["environment", "seabed", "mask"], {"file": "a.asc"}), (["environment", "seabed", "deformable"], 1),
    (["environment", "seabed", "deformable"], {"cell": 0}), (["bodies", 0, "soil"], "deep"),
    (["bodies", 0, "soil"], {"width": -1}),
    (["bodies"], {}), (["bodies", 0], None), (["bodies", 0, "name"], DELETE), (["bodies", 0, "name"], "2 b"),
    (["bodies", 0, "name"], 3), (["bodies", 0, "mass"], -1), (["bodies", 0, "mass"], [1]),
    (["bodies", 0, "mesh"], "lander.obj"), (["bodies", 0, "mesh"], {"scale": 2}),
    (["bodies", 0, "mesh"], {"make": "cube"}), (["bodies", 0, "mesh"], {"make": "sphere", "radius": 0}),
    (["bodies", 0, "mesh"], {"make": "sphere", "size": [1, 1, 1]}), (["bodies", 0, "mesh"], {"file": 3}),
    (["bodies", 0, "inertia"], "sphere"), (["bodies", 0, "inertia"], [1, 2]), (["bodies", 0, "inertia"], [0, 1, 1]),
    (["bodies", 0, "inertia"], [[1, 0, 0], [0, 1, 0]]), (["bodies", 0, "cg"], 0),
    (["bodies", 0, "pose", "rpy"], [0, 0, 0]), (["bodies", 0, "pose", "position"], [0, 0, "2"]),
    (["bodies", 0, "pose"], None), (["bodies", 0, "fixed"], 1), (["bodies", 0, "friction"], -0.1),
    (["bodies", 0, "collision"], "box"), (["bodies", 0, "collision"], [{"size": [1, 1, 1]}]),
    (["bodies", 0, "hydrodynamics", "model"], "strip"), (["bodies", 0, "hydrodynamics", "form_drag"], [1, 1]),
    (["bodies", 0, "hydrodynamics", "form_drag"], -1), (["bodies", 0, "hydrodynamics", "volume"], 0),
    (["bodies", 0, "hydrodynamics", "volume"], "full"), (["bodies", 0, "hydrodynamics", "cb"], [0, 0]),
    (["bodies", 0, "hydrodynamics", "added_mass"], "strips"), (["bodies", 0, "hydrodynamics", "added_mass"], [1, 2, 3]),
    (["bodies", 0, "hydrodynamics", "added_mass"], {"about": [0, 0, 0]}),
    (["bodies", 0, "hydrodynamics", "added_mass"], {"matrix": [[1]]}),
    (["joints", 0, "type"], "rope"), (["joints", 0, "type"], DELETE), (["joints", 0, "body_b"], DELETE),
    (["joints", 0, "limits_deg"], [1]), (["joints", 0, "motor"], {"velocity": 1}), (["joints", 0, "body_a"], 0),
    (["actuators", 0, "type"], "pressure"), (["actuators", 0, "config", "command"], "rpm"),
    (["actuators", 0, "config", "forward"], 0), (["actuators", 0, "config", "forwards"], 1),
    (["actuators", 0, "config"], None), (["actuators", 0, "rate"], -1),
    (["sensors", 0, "type"], "lidar"), (["sensors", 0, "type"], DELETE), (["sensors", 0, "body"], DELETE),
    (["sensors", 0, "rate"], 0), (["sensors", 0, "rate"], "fast"), (["sensors", 0, "config", "noise"], -1),
    (["sensors", 0, "config", "position_noise"], 1), (["sensors", 1, "config"], {"noise": 1}),
    (["sensors", 0, "queue"], 0), (["sensors", 0, "queue"], 1.5), (["sensors", 0, "latency"], -1),
    (["sensors", 1, "inputs"], {"depth": 3}), (["sensors", 1, "inputs"], ["depth"]),
    (["sensors", 0, "mount", "yaw_deg"], 3),
    (["forces"], [{"name": "f", "type": "magic", "body": "lander"}]),
    (["commands", 0, "t"], DELETE), (["commands", 0, "t"], -1), (["commands", 0, "value"], "half"),
    (["commands", 0, "value"], DELETE), (["commands", 0, "actuator"], DELETE), (["commands", 1, "value"], ["1"]),
]

# changes that are permitted
PERMITTED = [
    (["seed"], "18446744073709551615"), (["seed"], 9007199254740991), (["environment", "water"], None),
    (["environment", "water", "density"], 1000), (["environment", "seabed"], None),
    (["environment", "seabed", "soil"], None), (["environment", "seabed", "soil"], {"set": "snow", "friction_deg": 30}),
    (["environment", "seabed", "elevation"], {"model": "slope", "depth": 5, "slope_deg": 10, "towards_deg": 90}),
    (["environment", "seabed", "elevation"], {"model": "sinusoid", "depth": 5, "size": [20, 20], "amplitude": 0.2, "wavelength": [5, 0]}),
    (["environment", "seabed", "elevation"], {"model": "fractal", "depth": 5, "size": [20, 20], "roughness": 0.2}),
    (["environment", "seabed", "patches"], [{"soil": {"n": 1}, "polygon": [[0, 0], [1, 0], [1, 1]]}]),
    (["environment", "seabed", "deformable"], True), (["environment", "seabed", "deformable"], {"cell": 0.05, "memory": 8}),
    (["bodies", 0, "soil"], False), (["bodies", 0, "soil"], {"width": 0.3, "spacing": 0.1}),
    (["environment", "gravity"], "latitude"), (["environment", "earth_rotation"], True),
    (["environment", "waves"], {"model": "jonswap", "height": 2, "period": 9, "direction_deg": 30}),
    (["environment", "wind"], {"model": "logarithmic", "velocity": [8, 2, 0], "gust": [1, 1, 0.3]}),
    (["environment", "magnetic"], None), (["environment", "magnetic"], {"model": "igrf14"}),
    (["environment", "magnetic"], {"model": {"uniform": [1e-5, 0, 4e-5]}, "dipoles": [{"moment": [0, 0, 5], "radius": 0.2}],
                                   "cables": [{"to": [0, 5, 0], "current": 10, "phase_deg": 30}]}),
    (["environment", "water", "profile"], [{"depth": 0, "temperature": 20}, {"depth": 100, "temperature": 10}]),
    (["environment", "water", "density"], {"model": "eos80"}),
    (["bodies", 0, "hydrodynamics", "compression"], {"model": "hull", "bulk_modulus": 5e9}),
    (["bodies", 0, "hydrodynamics", "added_mass"], "panels"), (["bodies", 0, "hydrodynamics", "model"], "fossen"), (["bodies", 0, "mesh"], None),
    (["bodies", 0, "inertia"], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]), (["bodies", 0, "hydrodynamics", "volume"], "neutral"),
    (["bodies", 0, "hydrodynamics", "volume"], 1.5), (["bodies", 0, "hydrodynamics", "form_drag"], [1, 2, 3]),
    (["bodies", 0, "hydrodynamics", "added_mass"], {"diagonal": [1, 1, 1, 1, 1, 1], "about": [0, 0, 1]}),
    (["bodies", 0, "collision"], [{"make": "box", "size": [1, 1, 1]}]), (["sensors", 0, "rate"], None),
    (["joints", 0, "limits_deg"], None), (["joints", 0, "body_a"], None),
]


def changed(path, value):
    scenario = copy.deepcopy(SAMPLE)
    at = scenario
    for key in path[:-1]:
        at = at[key]
    if value is DELETE:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return scenario


def loads(scenario):
    """Whether the program takes it, and what it says."""
    file = os.path.join(TMP, "scenario.json")
    with open(file, "w", encoding="utf-8") as out:
        json.dump(scenario, out)
    done = subprocess.run([PROGRAM, "validate", file], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"deepsim validate ended with {done.returncode}: {done.stderr}")
    return done.returncode == 0, done.stderr.strip()


def make_validator(*options):
    done = subprocess.run([PROGRAM, "schema", *options], capture_output=True, text=True, check=True)
    schema = json.loads(done.stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    return schema, jsonschema.Draft202012Validator(schema)


def every_default(schema, path="$"):
    """All (schema, default, path) of a schema."""
    if isinstance(schema, dict):
        if "default" in schema:
            yield schema, schema["default"], path
        for key, value in schema.items():
            yield from every_default(value, f"{path}.{key}")
    elif isinstance(schema, list):
        for i, value in enumerate(schema):
            yield from every_default(value, f"{path}[{i}]")


def main():
    faults = []
    schema, validator = make_validator()

    # the schema's own defaults keep its rules
    for inner, default, path in every_default(schema):
        if not jsonschema.Draft202012Validator(inner).is_valid(default):
            faults.append(f"the default at {path} breaks its own schema: {default!r}")

    for file in sorted(glob.glob(os.path.join(SOURCE, "examples", "*", "*.json"))):
        with open(file, encoding="utf-8") as text:
            for error in validator.iter_errors(json.load(text)):
                faults.append(f"{file}: {error.json_path}: {error.message}")
        done = subprocess.run([PROGRAM, "validate", file], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            faults.append(f"{file}: {done.stderr.strip()}")

    for path, value in [(["name"], "as it is")] + PERMITTED:
        scenario = changed(path, value)
        taken, message = loads(scenario)
        if not taken:
            # a body without a mesh needs an inertia: that is beyond a schema
            if "has no mesh" not in message:
                faults.append(f"the program refuses {path} = {value!r}: {message}")
        for error in validator.iter_errors(scenario):
            faults.append(f"the schema refuses {path} = {value!r}: {error.message}")

    for path, value in SPOILED:
        scenario = changed(path, value)
        shown = "deleted" if value is DELETE else repr(value)
        taken, message = loads(scenario)
        if taken:
            faults.append(f"the program takes {path} = {shown}")
        elif "scenario.json" not in message:
            faults.append(f"the message about {path} = {shown} names no file: {message}")
        if validator.is_valid(scenario):
            faults.append(f"the schema takes {path} = {shown}")

    # types of plugins are in the schema, with their own fields
    plugin = os.path.join(PLUGINS, "ballast_tank.so")
    if PLUGINS and os.path.exists(plugin):
        wider, _ = make_validator("--plugin", plugin)
        names = wider["properties"]["actuators"]["items"]["properties"]["type"]["enum"]
        if "thruster" not in names or len(names) < 2:
            faults.append(f"the plugin's type is not in the schema: {names}")

    for fault in faults:
        print(fault)
    print(f"{len(SPOILED)} spoiled scenarios, {len(PERMITTED) + 1} good ones, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
