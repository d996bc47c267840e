"""A rendered checkerboard, calibrated by OpenCV: the intrinsics come back.

A dozen poses of a board in clear water, lit by two lamps, seen by a camera with distortion, noise and forward scatter: findChessboardCorners
and cornerSubPix find the corners, calibrateCamera gives focal lengths and centre within 0.5 % (of the focal length), with a reprojection
error below 0.3 px. Exit code 77: cv2 or numpy is missing, or there is no program.
"""

import json
import os
import subprocess
import sys

try:
    import cv2
    import numpy as np
except ImportError:
    print("skipped: cv2 or numpy is missing")
    sys.exit(77)

PROGRAM, TMP = (os.environ[k] for k in ("DEEPSIM_PROGRAM", "DEEPSIM_TEST_TMP"))
if not PROGRAM:
    print("skipped: the program is not built")
    sys.exit(77)

WIDTH, HEIGHT, FOCAL, CENTER = 640, 480, (520.0, 523.0), (315.0, 244.0)
K, P = (-0.25, 0.07, 0.0), (0.001, -0.0015)
ROWS, COLUMNS, SQUARE = 7, 10, 0.05

# position ahead, right, down [m], roll, pitch, yaw [deg] of the board
POSES = [
    (0.75, 0.0, 0.0, 0, 0, 0),
    (0.70, -0.12, 0.05, 5, 25, 10),
    (0.70, 0.12, -0.05, -5, -25, -10),
    (0.80, 0.10, 0.10, 10, 20, -25),
    (0.80, -0.10, -0.10, -15, -20, 25),
    (0.65, 0.02, 0.0, 3, 0, 35),
    (0.65, 0.0, 0.02, -3, 0, -35),
    (0.85, 0.20, -0.12, 20, 30, 15),
    (0.85, -0.20, 0.12, -20, -30, -15),
    (0.90, -0.22, -0.14, 0, 15, 20),
    (0.90, 0.22, 0.14, 0, -15, -20),
    (1.00, 0.05, 0.0, 30, 10, 5),
]


def lamp(name, side):
    return {"name": name, "type": "lamp", "body": "rov", "config": {"flux": 12, "level": 1},
            "mount": {"position": [0, side, -0.3], "rpy_deg": [0, -12, -18 if side > 0 else 18]}}


def scenario():
    center = list(CENTER)
    lens = {"width": WIDTH, "height": HEIGHT, "fx": FOCAL[0], "fy": FOCAL[1], "center": center, "k": list(K) + [0], "p": list(P)}
    return {
        "deepsim": 1, "name": "calibration", "duration": 1, "rate": 10, "seed": 1,
        "environment": {"gravity": 0, "sky": None, "water": {"optics": "pure"}},
        "bodies": [
            {"name": "rov", "mass": 1, "inertia": [1, 1, 1], "fixed": True, "visual": None, "pose": {"position": [0, 0, 100]}},
            {"name": "board", "mass": 1, "inertia": [1, 1, 1], "fixed": True,
             "visual": {"make": "checkerboard", "rows": ROWS, "columns": COLUMNS, "square": SQUARE}}],
        "actuators": [lamp("left", -0.4), lamp("right", 0.4)],
        "sensors": [{"name": "camera", "type": "camera", "body": "rov", "rate": 10,
                     "config": {"lens": lens, "supersampling": 2, "sensor": {"exposure": 0.002}}}]}


def corners(pose, number, path):
    """Corners in an image of the board, and in the board."""
    ahead, right, down, *rpy = pose
    image = os.path.join(TMP, f"{number}.png")
    subprocess.run([PROGRAM, "render", path, "-o", image, "--quiet", "--set",
                    f"bodies.board.pose={{\"position\": [{ahead}, {right}, {100 + down}], \"rpy_deg\": {json.dumps(rpy)}}}"], check=True)
    grey = cv2.cvtColor(cv2.imread(image), cv2.COLOR_BGR2GRAY)
    size = (COLUMNS - 1, ROWS - 1)
    found, points = cv2.findChessboardCorners(grey, size, flags=cv2.CALIB_CB_ADAPTIVE_THRESH + cv2.CALIB_CB_NORMALIZE_IMAGE)
    if not found:
        return None
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 50, 1e-4)
    points = cv2.cornerSubPix(grey, points, (5, 5), (-1, -1), stop)
    model = np.array([[SQUARE * c, SQUARE * r, 0] for r in range(size[1]) for c in range(size[0])], np.float32)
    return points, model


def main():
    path = os.path.join(TMP, "calibration.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(scenario(), file)
    found = [c for c in (corners(pose, i, path) for i, pose in enumerate(POSES)) if c]
    assert len(found) >= 11, f"the board was found in {len(found)} of {len(POSES)} images"
    error, matrix, distortion, *_ = cv2.calibrateCamera([m for _, m in found], [p for p, _ in found], (WIDTH, HEIGHT), None, None)
    got = (matrix[0, 0], matrix[1, 1], matrix[0, 2], matrix[1, 2])
    print(f"{len(found)} images, reprojection error {error:.3f} px, fx fy cx cy {got}, distortion {distortion.ravel()}")
    assert error < 0.3, f"reprojection error {error} px"
    for name, value, true in zip(("fx", "fy", "cx", "cy"), got, FOCAL + CENTER):
        assert abs(value - true) < 0.005 * FOCAL[0], f"{name} is {value}, expected {true}"
    assert abs(distortion.ravel()[0] - K[0]) < 0.02, f"k1 is {distortion.ravel()[0]}, expected {K[0]}"


main()
