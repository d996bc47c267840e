"""Reads the files that test_images_numpy.c wrote into the folder of argument 1, by NumPy and OpenCV, and compares them with their formulas."""

import sys

try:
    import cv2
    import numpy as np
except ImportError:
    sys.exit(77)

folder = sys.argv[1]
height, width = 24, 33
y, x, c = np.meshgrid(np.arange(height), np.arange(width), np.arange(3), indexing="ij")
value = 1000 * y + 37 * x + 7919 * c

color8 = cv2.imread(folder + "/color8.png", cv2.IMREAD_UNCHANGED)
assert color8.dtype == np.uint8 and np.array_equal(color8[..., ::-1], value % 256), "color8"
color16 = cv2.imread(folder + "/color16.png", cv2.IMREAD_UNCHANGED)
assert color16.dtype == np.uint16 and np.array_equal(color16[..., ::-1], value % 65536), "color16"
grey16 = cv2.imread(folder + "/grey16.png", cv2.IMREAD_UNCHANGED)
assert grey16.dtype == np.uint16 and np.array_equal(grey16, value[..., 0] % 65536), "grey16"
rgb = cv2.imread(folder + "/ids.png", cv2.IMREAD_UNCHANGED)[..., ::-1].astype(np.int64)
ids = rgb[..., 0] + 256 * rgb[..., 1] + 65536 * rgb[..., 2]
assert np.array_equal(ids, 8388608 + 1000 * y[..., 0] + x[..., 0]), "ids"
depth = np.load(folder + "/depth.npy")
assert depth.dtype == np.float32 and depth.shape == (height, width), "depth"
assert np.isinf(depth[0, 0]) and np.array_equal(depth[0, 1:], 0.25 * x[0, 1:, 0]), "depth"
assert np.array_equal(depth[1:], 100 * y[1:, :, 0] + 0.25 * x[1:, :, 0]), "depth"
flow = np.load(folder + "/flow.npy")
assert flow.dtype == np.float32 and flow.shape == (height, width, 2), "flow"
assert np.array_equal(flow[..., 1], 100 * y[..., 0] + 0.25 * x[..., 0] + 1), "flow"
