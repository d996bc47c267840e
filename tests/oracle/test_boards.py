#!/usr/bin/env python3
"""Calibration boards, held against OpenCV: the GLB that `deepsim mesh board` writes is drawn by parallel rays along +x (a camera in
front of it sees y to the right and z downward), and OpenCV finds the corners where the documentation says they are, in that order."""

import json
import os
import struct
import subprocess
import sys

try:
    import cv2
    import numpy as np
except ImportError:
    print("skipped: python3-opencv or python3-numpy is not installed")
    sys.exit(77)
if not hasattr(cv2, "aruco"):
    print("skipped: this OpenCV has no aruco")
    sys.exit(77)

PROGRAM = os.environ["DEEPSIM_PROGRAM"]
TMP = os.environ["DEEPSIM_TEST_TMP"]
SCALE = 2000  # pixels a metre


def check(condition, message):
    if not condition:
        sys.exit("failed: " + message)


def make(name, *options):
    path = os.path.join(TMP, name)
    done = subprocess.run([PROGRAM, "mesh", "board", *map(str, options), "-o", path], capture_output=True, text=True, check=False)
    check(done.returncode == 0, done.stderr)
    return path


def read_glb(path):
    """Corners of triangles: positions and colours, (n, 3, 3)."""
    data = open(path, "rb").read()
    magic, version, total, length, kind = struct.unpack("<4sIII4s", data[:20])
    check((magic, version, total, kind) == (b"glTF", 2, len(data), b"JSON"), "header of the GLB")
    gltf = json.loads(data[20:20 + length])
    binary = data[28 + length:]

    def accessor(number):
        a = gltf["accessors"][number]
        view = gltf["bufferViews"][a["bufferView"]]
        check((a["componentType"], a["type"]) in ((5126, "VEC3"), (5125, "SCALAR")), "accessors are floats and indices")
        if a["type"] == "SCALAR":
            return np.frombuffer(binary, "<u4", a["count"], view["byteOffset"]).reshape(-1, 3)
        values = np.frombuffer(binary, "<f4", 3 * a["count"], view["byteOffset"]).reshape(-1, 3)
        if "min" in a:
            check(np.allclose(values.min(0), a["min"]) and np.allclose(values.max(0), a["max"]), "bounds of positions")
        return values.astype(float)

    primitive = gltf["meshes"][0]["primitives"][0]
    vertices = [accessor(primitive["attributes"][name]) for name in ("POSITION", "NORMAL", "COLOR_0")]
    faces = accessor(primitive["indices"])
    together = np.hstack(vertices)
    check(len(np.unique(together, axis=0)) == len(together), "no two vertices are equal")
    check(np.array_equal(np.unique(faces), np.arange(len(together))), "faces use all vertices")
    return [values[faces] for values in vertices]


def draw(path):
    """The front, and where the origin is in pixels."""
    positions, normals, colors = read_glb(path)
    low, high = positions.reshape(-1, 3).min(0), positions.reshape(-1, 3).max(0)
    check(np.allclose(low[1:], -high[1:]), "the middle is the origin")
    border = 40
    width, height = (int(np.ceil(s * SCALE)) + 2 * border for s in (high - low)[1:])
    image = np.full((height, width), 0.3)
    for p, n, c in zip(positions, normals, colors):
        if n[0][0] > -0.5:
            continue  # back and edges
        check(np.allclose(np.cross(p[1] - p[0], p[2] - p[0])[1:], 0) and np.cross(p[1] - p[0], p[2] - p[0])[0] < 0,
              "faces of the front are wound towards -x")
        uv = (p[:, 1:] - low[1:]) * SCALE + border
        (u0, v0), (u1, v1) = np.floor(uv.min(0)).astype(int), np.ceil(uv.max(0)).astype(int)
        u, v = np.meshgrid(np.arange(u0, u1) + 0.5, np.arange(v0, v1) + 0.5)
        a, b, d = uv
        area = (b[0] - a[0]) * (d[1] - a[1]) - (b[1] - a[1]) * (d[0] - a[0])
        s = ((b[0] - u) * (d[1] - v) - (b[1] - v) * (d[0] - u)) / area
        t = ((d[0] - u) * (a[1] - v) - (d[1] - v) * (a[0] - u)) / area
        inside = (s >= 0) & (t >= 0) & (s + t <= 1)
        image[v0:v1, u0:u1][inside] = c[0][0]
    gray = np.clip(255 * image, 0, 255).astype(np.uint8)
    return gray, border - low[1:] * SCALE - 0.5  # OpenCV's pixel centres have whole numbers


def tags_case(rows, columns, first, square=0.08, gap=0.3):
    image, origin = draw(make("tags.glb", "tags", "--rows", rows, "--columns", columns, "--first", first, "--square", square,
                              "--gap", gap))
    aruco = cv2.aruco
    dictionary = (aruco.getPredefinedDictionary if hasattr(aruco, "getPredefinedDictionary") else
                  aruco.Dictionary_get)(aruco.DICT_APRILTAG_36h11)
    parameters = (aruco.DetectorParameters_create if hasattr(aruco, "DetectorParameters_create") else aruco.DetectorParameters)()
    parameters.cornerRefinementMethod = aruco.CORNER_REFINE_SUBPIX
    if hasattr(aruco, "ArucoDetector"):
        corners, ids, _ = aruco.ArucoDetector(dictionary, parameters).detectMarkers(image)
    else:
        corners, ids, _ = aruco.detectMarkers(image, dictionary, parameters=parameters)
    check(ids is not None and sorted(ids.flatten()) == list(range(first, first + rows * columns)), f"ids {ids}")
    pitch = square * (1 + gap)
    for found, number in zip(corners, ids.flatten()):
        row, column = divmod(int(number) - first, columns)
        left = pitch * column - (pitch * (columns - 1) + square) / 2
        top = pitch * row - (pitch * (rows - 1) + square) / 2
        expected = [(left, top), (left + square, top), (left + square, top + square), (left, top + square)]
        error = np.abs(found[0] - (np.array(expected) * SCALE + origin)).max()
        check(error < 0.6, f"tag {number} is off by {error:.2f} pixels")
    print(f"tags {rows} x {columns} from {first}: found, in order")


def checkerboard_case(rows, columns, square=0.05):
    image, origin = draw(make("board.glb", "checkerboard", "--rows", rows, "--columns", columns, "--square", square, "--margin", square))
    ok, corners = cv2.findChessboardCorners(image, (columns - 1, rows - 1))
    check(ok, f"{rows} x {columns} squares: no corners")
    corners = cv2.cornerSubPix(image, corners, (5, 5), (-1, -1), (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 50, 1e-4))
    index = np.arange((rows - 1) * (columns - 1))
    expected = np.stack([index % (columns - 1) + 1 - columns / 2, index // (columns - 1) + 1 - rows / 2], 1) * square
    error = np.abs(corners[:, 0] - (expected * SCALE + origin)).max()
    check(error < 0.1, f"checkerboard {rows} x {columns}: off by {error:.3f} pixels, or in another order")
    print(f"checkerboard {rows} x {columns}: within {error:.3f} pixels, in order")


for case in ((4, 6, 0), (3, 5, 200), (1, 7, 580)):
    tags_case(*case)
for case in ((7, 10), (6, 9), (8, 6), (5, 8), (9, 7), (7, 8)):
    checkerboard_case(*case)
