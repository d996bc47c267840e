"""Lenses by OpenCV, for test_lens_opencv.c: one record a line, a word and numbers.

With a folder to write in (and the table of calibrations):
lens  model width height fx fy cx cy c0 c1 c2 c3 c4      what the next lines are about; model 0: pinhole, 1: fisheye
point x y z u v                                          cv2.projectPoints, cv2.fisheye.projectPoints
back  u v x y                                            cv2.undistortPointsIter, cv2.fisheye.undistortPoints: of z = 1; only
                                                         where they end at an inverse (their fixed point fails for strong lenses)
file  PATH                                               the same lens, as cv2.FileStorage writes it

With "read" and files: what cv2.FileStorage (or yaml, of a file without OpenCV's header) reads in each, as `lens`.
"""

import csv
import os
import sys

try:
    import cv2
    import numpy as np
except ImportError:
    sys.exit(77)

NONE = np.zeros(3)
# Kannala and Brandt's coefficients: a wide GoPro-like lens, one of 200 degrees, one that turns back at 75 degrees, one without any
FISHEYES = [
    (1280, 960, 420.3, 419.1, 641.7, 478.2, (0.0512, -0.0103, 0.0031, -0.0008)),
    (1000, 1000, 286.0, 286.5, 501.25, 498.5, (-0.0131, 0.0213, -0.0115, 0.0021)),
    (800, 600, 310.0, 305.0, 399.5, 299.5, (-0.19, -0.002, 0.0, 0.0)),
    (640, 480, 200.0, 210.0, 319.5, 239.5, (0.0, 0.0, 0.0, 0.0)),
]


def emit(word, *values):
    print(word, *(v if isinstance(v, str) else repr(float(v)) for v in values))


def emit_lens(model, width, height, k, d):
    d = list(np.ravel(d)) + [0.0]
    emit("lens", model, width, height, k[0][0], k[1][1], k[0][2], k[1][2], *d[:5])


def write(path, model, width, height, k, d):
    out = cv2.FileStorage(path, cv2.FILE_STORAGE_WRITE)
    out.write("image_width", width)
    out.write("image_height", height)
    if model:
        out.write("fisheye_model", 1)
    out.write("camera_matrix", k)
    out.write("distortion_coefficients", d)
    out.write("avg_reprojection_error", 0.25)
    out.write("image_points", np.arange(12, dtype=np.float32).reshape(3, 2, 2))
    out.release()


def one(name, model, width, height, k, d):
    random = np.random.default_rng(len(name) + width)
    emit_lens(model, width, height, k, d)
    if model:
        angle, around = np.radians(random.uniform(0, 70, 200)), random.uniform(0, 2 * np.pi, 200)
        points = np.stack([np.sin(angle) * np.cos(around), np.sin(angle) * np.sin(around), np.cos(angle)], 1)
        pixels = cv2.fisheye.projectPoints(points[:, None], NONE, NONE, k, d)[0]
        back = cv2.fisheye.undistortPoints(pixels, k, d)
    else:
        u, v = random.uniform(-0.1, 1.1, 200) * width, random.uniform(-0.1, 1.1, 200) * height
        points = np.stack([(u - k[0][2]) / k[0][0], (v - k[1][2]) / k[1][1], np.ones(200)], 1)
        points *= random.uniform(0.1, 20, (200, 1))
        pixels = cv2.projectPoints(points[:, None], NONE, NONE, k, d)[0]
        criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 500, 1e-12)
        back = cv2.undistortPointsIter(pixels, k, d, np.eye(3), np.eye(3), criteria)
    homogeneous = np.concatenate([back.reshape(-1, 1, 2), np.ones((200, 1, 1))], 2)
    again = (cv2.fisheye.projectPoints if model else cv2.projectPoints)(homogeneous, NONE, NONE, k, d)[0]
    inverse = np.abs(again - pixels).reshape(-1, 2).max(1) < 1e-5
    for p, uv, ab, good in zip(points, pixels.reshape(-1, 2), back.reshape(-1, 2), inverse):
        emit("point", *p, *uv)
        if good:
            emit("back", *uv, *ab)
    for ending in ("yaml", "yml", "xml"):
        path = os.path.join(sys.argv[1], f"cv_{name}.{ending}")
        write(path, model, width, height, k, d)
        emit("file", path)


def write_all():
    with open(sys.argv[2]) as file:
        for row in csv.DictReader(line for line in file if line[0] != "#"):
            n = {key: float(row[key]) for key in row if key not in ("name", "camera")}
            k = np.array([[n["fx"], 0, n["cx"]], [0, n["fy"], n["cy"]], [0, 0, 1]])
            d = np.array([n["k1"], n["k2"], n["p1"], n["p2"], n["k3"]])
            one(f"{row['name']}_{row['camera']}", 0, int(n["width"]), int(n["height"]), k, d)
    for i, (width, height, fx, fy, cx, cy, d) in enumerate(FISHEYES):
        one(f"fisheye{i}", 1, width, height, np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1]]), np.array(d))


def read(path):
    with open(path) as file:
        ros = not file.read(5) in ("%YAML", "<?xml")
    if ros:
        try:
            import yaml
        except ImportError:
            emit("none")
            return
        with open(path) as file:
            y = yaml.safe_load(file)
        k = np.array(y["camera_matrix"]["data"], float).reshape(3, 3)
        p = np.array(y["projection_matrix"]["data"], float).reshape(3, 4)
        assert np.array_equal(p[:, :3], k) and y["camera_name"] == 'the "left" one'
        d = y["distortion_coefficients"]["data"]
        model = {"plumb_bob": 0, "equidistant": 1}[y["distortion_model"]]
        assert len(d) == (4 if model else 5) and np.array_equal(y["rectification_matrix"]["data"], np.eye(3).ravel())
        emit_lens(model, y["image_width"], y["image_height"], k, d)
        return
    s = cv2.FileStorage(path, cv2.FILE_STORAGE_READ)
    number = lambda name: s.getNode(name).real()
    emit_lens(number("fisheye_model"), number("image_width"), number("image_height"), s.getNode("camera_matrix").mat(),
              s.getNode("distortion_coefficients").mat())


if sys.argv[1] == "read":
    for name in sys.argv[2:]:
        read(name)
else:
    write_all()
