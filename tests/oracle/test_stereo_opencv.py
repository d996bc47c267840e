"""Stereo pairs against OpenCV.

- `optics stereo` writes files that cv2.FileStorage reads, with the R1 R2 P1 P2 Q of cv2.stereoRectify (cv2.fisheye.stereoRectify) and the E
  and F of epipolar geometry, to 1e-6 of their size, for pairs side by side, converging, rolled, one above the other, with distortion.
- Rendered pairs of a board: corners that OpenCV finds, triangulated by P1 and P2, are within 1 % of their true places; cv2.stereoCalibrate
  gives the baseline within 1 %, and with our lenses R within 0.1 degrees and T within 1 %.

Exit code 77: cv2 or numpy is missing, or there is no program.
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

WIDTH, HEIGHT = 640, 480
ROWS, COLUMNS, SQUARE = 7, 10, 0.05
DEPTH = 100

# position ahead, right, down [m], roll, pitch, yaw [deg] of the board
POSES = [
    (0.90, 0.0, 0.0, 0, 0, 0),
    (0.80, -0.08, 0.05, 5, 25, 10),
    (0.80, 0.08, -0.05, -5, -25, -10),
    (0.90, 0.08, 0.08, 10, 20, -25),
    (0.90, -0.08, -0.08, -15, -20, 25),
    (0.80, 0.02, 0.0, 3, 0, 32),
    (0.80, 0.0, 0.02, -3, 0, -32),
    (1.00, 0.15, -0.12, 20, 30, 15),
    (1.00, -0.15, 0.12, -20, -30, -15),
]


def lens(fx, fy, center, k, p=(0, 0), model="rectilinear"):
    return {"model": model, "width": WIDTH, "height": HEIGHT, "fx": fx, "fy": fy, "center": list(center), "k": list(k), "p": list(p)}


LEFT = lens(520, 523, (315, 244), (-0.25, 0.07, 0.0, 0), (0.001, -0.0015))
RIGHT = lens(512, 511, (322, 238), (-0.22, 0.05, 0.01, 0), (-0.0007, 0.0008))
# fx = fy: OpenCV up to 4.6 has a slip in how others are treated
FISHEYES = [lens(303, 303, (318, 243), (0.01, -0.02, 0.003, -0.001), model="fisheye"),
            lens(305, 305, (322, 237), (-0.01, 0.01, -0.002, 0.0005), model="fisheye")]


def camera(name, optics, mount, supersampling):
    return {"name": name, "type": "camera", "body": "rov", "rate": 10, "mount": {"position": mount[:3], "rpy_deg": mount[3:]},
            "config": {"lens": optics, "supersampling": supersampling, "sensor": {"exposure": 0.002}}}


def lamp(name, side):
    return {"name": name, "type": "lamp", "body": "rov", "config": {"flux": 12, "level": 1},
            "mount": {"position": [0, side, -0.3], "rpy_deg": [0, -12, -18 if side > 0 else 18]}}


def scenario(names, lenses, mounts, supersampling):
    return {
        "deepsim": 1, "name": "stereo", "duration": 1, "rate": 10, "seed": 1,
        "environment": {"gravity": 0, "sky": None, "water": {"optics": "pure"}},
        "bodies": [
            {"name": "rov", "mass": 1, "inertia": [1, 1, 1], "fixed": True, "visual": None, "pose": {"position": [0, 0, DEPTH]}},
            {"name": "board", "mass": 1, "inertia": [1, 1, 1], "fixed": True,
             "visual": {"make": "checkerboard", "rows": ROWS, "columns": COLUMNS, "square": SQUARE}}],
        "actuators": [lamp("port", -0.4), lamp("starboard", 0.4)],
        "sensors": [camera(n, o, m, supersampling) for n, o, m in zip(names, lenses, mounts)]}


def write_scenario(name, lenses, mounts, names=("left", "right"), supersampling=1):
    path = os.path.join(TMP, name + ".json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(scenario(names, lenses, mounts, supersampling), file)
    return path


def calibration(path):
    out = path.replace(".json", ".yaml")
    subprocess.run([PROGRAM, "optics", "stereo", path, "left", "right", "-o", out], check=True, stdout=subprocess.DEVNULL)
    storage = cv2.FileStorage(out, cv2.FILE_STORAGE_READ)
    assert storage.isOpened()
    size = tuple(int(storage.getNode(k).real()) for k in ("image_width", "image_height"))
    assert size == (WIDTH, HEIGHT)
    return {k: storage.getNode(k).mat() for k in "M1 D1 M2 D2 R T E F R1 R2 P1 P2 Q".split()}


def near(what, got, right, tolerance=1e-6):
    assert got.shape == right.shape, f"{what} is {got.shape}, expected {right.shape}"
    error = np.max(np.abs(got - right)) / max(1, np.max(np.abs(right)))
    assert error <= tolerance, f"{what} is off by {error}:\n{got}\nexpected\n{right}"
    return error


# ---- rectification -------------------------------------------------------------------------------------------------

def mount_rotation(rpy):
    """From a mount's axes to the body's."""
    (cr, cp, cy), (sr, sp, sy) = np.cos(np.radians(rpy)), np.sin(np.radians(rpy))
    return (np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]]) @ np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
            @ np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]]))


def check_rectification(name, lenses, mounts):
    c = calibration(write_scenario(name, lenses, mounts))
    optical = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], float)
    left, right = (mount_rotation(m[3:]) for m in mounts)
    near("R", c["R"], optical @ right.T @ left @ optical.T, 1e-12)
    t = optical @ right.T @ (np.array(mounts[0][:3], float) - mounts[1][:3])
    near("T", c["T"], t.reshape(3, 1), 1e-12)
    essential = np.array([[0, -t[2], t[1]], [t[2], 0, -t[0]], [-t[1], t[0], 0]]) @ c["R"]
    near("E", c["E"], essential, 1e-12)
    fundamental = np.linalg.inv(c["M2"]).T @ essential @ np.linalg.inv(c["M1"])
    near("F", c["F"] / np.linalg.norm(c["F"]), fundamental / np.linalg.norm(fundamental) * np.sign(c["F"][1, 2] * fundamental[1, 2]))
    arguments = (c["M1"], c["D1"], c["M2"], c["D2"], (WIDTH, HEIGHT), c["R"], c["T"])
    if lenses[0]["model"] == "fisheye":
        right = cv2.fisheye.stereoRectify(*arguments, flags=cv2.CALIB_ZERO_DISPARITY, balance=0)
    else:
        right = cv2.stereoRectify(*arguments, flags=cv2.CALIB_ZERO_DISPARITY, alpha=-1)
    errors = [near(f"{name}: {k}", c[k], m) for k, m in zip(("R1", "R2", "P1", "P2", "Q"), right)]
    print(f"{name}: R1 R2 P1 P2 Q differ by {max(errors):.1e}")


def check_rectifications():
    for name, lenses in (("pinholes", (LEFT, RIGHT)), ("fisheyes", FISHEYES)):
        for i, mounts in enumerate((
                ([0, -0.1, 0, 0, 0, 0], [0, 0.1, 0, 0, 0, 0]),
                ([0, -0.15, 0.01, 0, 0, 6], [0.02, 0.15, 0, 0, 0, -7]),
                ([0.1, 0.3, 0.2, 4, -3, 5], [0.12, 0.55, 0.22, -6, 2, 3]),
                ([0, 0.2, 0, 0, 5, 0], [0, -0.2, 0, 10, 0, 0]))):
            check_rectification(f"{name}_{i}", lenses, mounts)
    check_rectification("pinholes_vertical", (LEFT, RIGHT), ([0.01, 0.02, -0.2, 2, -5, 1], [0, 0, 0.1, -3, 4, 2]))
    check_rectification("pinholes_inverted", (LEFT, RIGHT), ([0, 0, 0.2, 0, 0, 1], [0, 0, -0.1, 0, 2, 0]))


# ---- rendered pairs ------------------------------------------------------------------------------------------------

def corners(path, pose, number, eye):
    ahead, right, down, *rpy = pose
    image = os.path.join(TMP, f"{eye}_{number}.png")
    place = {"position": [ahead, right, DEPTH + down], "rpy_deg": rpy}
    subprocess.run([PROGRAM, "render", path, "-o", image, "--camera", eye, "--threads", "2", "--quiet", "--set",
                    "bodies.board.pose=" + json.dumps(place)], check=True)
    grey = cv2.imread(image, cv2.IMREAD_GRAYSCALE)
    found, points = cv2.findChessboardCorners(grey, (COLUMNS - 1, ROWS - 1))
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 50, 1e-4)
    return cv2.cornerSubPix(grey, points, (5, 5), (-1, -1), stop) if found else None


def triangulate(c, pair):
    """Points in the optical axes of the left camera."""
    rectified = [cv2.undistortPoints(pair[i], c[f"M{i + 1}"], c[f"D{i + 1}"], R=c[f"R{i + 1}"], P=c[f"P{i + 1}"]) for i in (0, 1)]
    rows = np.abs(rectified[0][:, 0, 1] - rectified[1][:, 0, 1])
    assert np.max(rows) < 1, f"rows of rectified corners differ by {np.max(rows)} px"
    h = cv2.triangulatePoints(c["P1"], c["P2"], rectified[0].reshape(-1, 2).T, rectified[1].reshape(-1, 2).T)
    return (h[:3] / h[3]).T @ c["R1"]


def true_corners(pose, mount):
    """Corners of the board in the optical axes of a camera."""
    grid = [[0, SQUARE * (i - 0.5 * (COLUMNS - 2)), SQUARE * (j - 0.5 * (ROWS - 2))] for j in range(ROWS - 1) for i in range(COLUMNS - 1)]
    body = np.array(grid) @ mount_rotation(pose[3:]).T + pose[:3]
    return ((body - mount[:3]) @ mount_rotation(mount[3:]))[:, [1, 2, 0]]


def check_pairs():
    mounts = ([0, -0.1, 0, 0, 0, 3], [0, 0.1, 0.01, 1, 0, -2])
    c = calibration(write_scenario("pairs", (LEFT, RIGHT), mounts))
    eyes = [(eye, write_scenario(eye, [lens_], [mount], [eye], 2)) for eye, lens_, mount in zip(("left", "right"), (LEFT, RIGHT), mounts)]
    pairs, worst = [], 0
    for number, pose in enumerate(POSES):
        pair = [corners(path, pose, number, eye) for eye, path in eyes]
        if any(p is None for p in pair):
            continue
        pairs.append(pair)
        points, right = triangulate(c, pair), true_corners(pose, mounts[0])
        worst = max(worst, np.max(np.linalg.norm(points - right, axis=1) / np.linalg.norm(right, axis=1)))
    print(f"{len(pairs)} pairs, triangulated corners off by {100 * worst:.2f} % of their distance at worst")
    assert len(pairs) >= 8, f"the board was found in {len(pairs)} of {len(POSES)} pairs"
    assert worst < 0.01
    model = np.array([[SQUARE * i, SQUARE * j, 0] for j in range(ROWS - 1) for i in range(COLUMNS - 1)], np.float32)
    boards, left, right = [model] * len(pairs), [p[0] for p in pairs], [p[1] for p in pairs]
    size = (WIDTH, HEIGHT)
    # all from the pictures, as users do
    found = [cv2.calibrateCamera(boards, points, size, None, None, flags=cv2.CALIB_FIX_K3)[1:3] for points in (left, right)]
    error, *_, translation, _, _ = cv2.stereoCalibrate(boards, left, right, *found[0], *found[1], size, flags=cv2.CALIB_FIX_INTRINSIC)
    baseline = np.linalg.norm(translation)
    print(f"stereoCalibrate: reprojection error {error:.3f} px, baseline {baseline:.5f} m")
    assert error < 0.3 and abs(baseline / np.linalg.norm(c["T"]) - 1) < 0.01
    # where the cameras are, from our M and D: without the give and take of centres and rotations
    error, *_, rotation, translation, _, _ = cv2.stereoCalibrate(
        boards, left, right, c["M1"], c["D1"], c["M2"], c["D2"], size, flags=cv2.CALIB_FIX_INTRINSIC)
    turned = np.degrees(np.linalg.norm(cv2.Rodrigues(rotation @ c["R"].T)[0]))
    off = np.linalg.norm(translation - c["T"]) / baseline
    print(f"by our lenses: reprojection error {error:.3f} px, rotation off by {turned:.3f} deg, translation by {100 * off:.2f} %")
    assert error < 0.3 and turned < 0.1 and off < 0.01


check_rectifications()
check_pairs()
