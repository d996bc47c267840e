"""Calibrates the simulated stereo camera by pictures of its board, as one does a real one: python3 calibrate.py FOLDER"""

import glob
import sys

import cv2
import numpy as np

folder = sys.argv[1]
size, square = (9, 6), 0.05  # inner corners, and the side of a square [m]
board = np.array([[square * c, square * r, 0] for r in range(size[1]) for c in range(size[0])], np.float32)
fine = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 50, 1e-4)
boards, left, right, depths = [], [], [], []
for name in sorted(glob.glob(folder + "/left_*.png")):
    pair = [cv2.imread(n, cv2.IMREAD_GRAYSCALE) for n in (name, name.replace("left_", "right_"))]
    found = [cv2.findChessboardCorners(image, size) for image in pair]
    if all(f for f, _ in found):
        boards.append(board)
        left.append(cv2.cornerSubPix(pair[0], found[0][1], (5, 5), (-1, -1), fine))
        right.append(cv2.cornerSubPix(pair[1], found[1][1], (5, 5), (-1, -1), fine))
        depths.append(cv2.remap(np.load(name.replace(".png", ".npy")), left[-1], None, cv2.INTER_LINEAR)[:, 0])

shape = pair[0].shape[::-1]
_, m1, d1, *_ = cv2.calibrateCamera(boards, left, shape, None, None, flags=cv2.CALIB_FIX_K3)
_, m2, d2, *_ = cv2.calibrateCamera(boards, right, shape, None, None, flags=cv2.CALIB_FIX_K3)
error, m1, d1, m2, d2, r, t, *_ = cv2.stereoCalibrate(boards, left, right, m1, d1, m2, d2, shape, flags=cv2.CALIB_FIX_INTRINSIC)

true = cv2.FileStorage(folder + "/stereo.yaml", cv2.FILE_STORAGE_READ)
true = {name: true.getNode(name).mat() for name in ("M1", "M2", "R", "T")}
print(f"{len(boards)} pairs, reprojection error {error:.3f} px")
print(f"{'':24}{'calibrated':>12}{'true':>12}")
for name, got in (("M1", m1), ("M2", m2)):
    for label, i, j in (("fx", 0, 0), ("fy", 1, 1), ("cx", 0, 2), ("cy", 1, 2)):
        print(f"{name + ' ' + label + ' [px]':24}{got[i, j]:12.3f}{true[name][i, j]:12.3f}")
print(f"{'baseline [m]':24}{np.linalg.norm(t):12.6f}{np.linalg.norm(true['T']):12.6f}")
for label, got, right_one in zip(("x", "y", "z"), cv2.Rodrigues(r)[0][:, 0], cv2.Rodrigues(true["R"])[0][:, 0]):
    print(f"{'rotation ' + label + ' [deg]':24}{np.degrees(got):12.4f}{np.degrees(right_one):12.4f}")

# How far the corners are, by what was calibrated, and by the depth images.
r1, r2, p1, p2, *_ = cv2.stereoRectify(m1, d1, m2, d2, shape, r, t, flags=cv2.CALIB_ZERO_DISPARITY, alpha=-1)
print(f"{'corners ahead of left, mean [m]':>32}{'true':>9}{'rms error [mm]':>17}")
for a, b, z in zip(left, right, depths):
    h = cv2.triangulatePoints(p1, p2, cv2.undistortPoints(a, m1, d1, R=r1, P=p1), cv2.undistortPoints(b, m2, d2, R=r2, P=p2))
    ranged = (r1.T @ (h[:3] / h[3]))[2]
    print(f"{np.mean(ranged):32.4f}{np.mean(z):9.4f}{1e3 * np.sqrt(np.mean((ranged - z) ** 2)):17.2f}")
