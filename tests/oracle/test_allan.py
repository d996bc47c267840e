"""Allan deviations against their formulas in numpy, intervals against scipy.

The program prints deviations of every kind of a record with noise of several colours and a large mean (`allan --json`). Here they
are computed apart, straight from cluster means, as are the lag-1 autocorrelations that tell the noise, and the bounds from the degrees of
freedom that the program says. Exit code 77: numpy or scipy is missing.
"""

import json
import os
import subprocess
import sys

try:
    import numpy as np
    from scipy.stats import chi2
except ImportError:
    print("skipped: numpy or scipy is missing")
    sys.exit(77)

PROGRAM, TMP = (os.environ[k] for k in ("DEEPSIM_PROGRAM", "DEEPSIM_TEST_TMP"))
if not PROGRAM:
    print("skipped: the program is not built")
    sys.exit(77)

RATE, COUNT = 50.0, 12000
KINDS = ("adev", "oadev", "mdev", "hdev", "ohdev", "tdev")


def record():
    """White noise, a walk, flicker by summed octaves, a mean of 1e5 times the noise."""
    random = np.random.default_rng(1)
    y = random.normal(size=COUNT) + 0.003 * np.cumsum(random.normal(size=COUNT))
    for octave in range(10):
        step = 2**octave
        y += 0.1 * np.repeat(random.normal(size=COUNT // step + 1), step)[:COUNT]
    return y + 1e5


def clusters(y, m, overlapping):
    """Means over m samples, at every start or at every m-th."""
    total = np.concatenate(([0.0], np.cumsum(y - np.mean(y), dtype=np.longdouble)))
    means = (total[m:] - total[:-m]) / m
    return means if overlapping else means[::m]


def deviation(kind, y, m):
    overlapping = kind not in ("adev", "hdev")
    means, lag = clusters(y, m, overlapping), m if overlapping else 1
    difference = means[lag:] - means[:-lag]
    if kind in ("hdev", "ohdev"):
        difference = difference[lag:] - difference[:-lag]
        return float(np.sqrt(np.mean(difference**2) / 6)), len(difference)
    if kind in ("mdev", "tdev"):
        difference = np.convolve(difference, np.ones(m) / m, mode="valid")
    value = float(np.sqrt(np.mean(difference**2) / 2))
    return value * m / RATE / np.sqrt(3) if kind == "tdev" else value, len(difference)


def noise(y, m, order):
    """Riley and Greenhall 2004; None where there are too few clusters."""
    z = np.asarray(clusters(y, m, False), dtype=float)
    if len(z) < 30:
        return None
    z = z - np.polyval(np.polyfit(np.arange(len(z)), z, 1), np.arange(len(z)))
    for d in range(order):
        w = z - np.mean(z)
        r = np.sum(w[1:] * w[:-1]) / np.sum(w * w)
        delta = r / (1 + r)
        if delta < 0.25 or d == order - 1:
            power = -2 * (delta + d)
            # too near to a half for rounding to be tested
            return None if abs(power - np.floor(power) - 0.5) < 1e-6 else int(round(np.clip(power, 2 - 2 * order, 2)))
        z = np.diff(z)


def check(condition, what):
    if not condition:
        print("FAILED:", what)
        sys.exit(1)


def main():
    y = record()
    path = os.path.join(TMP, "record.csv")
    np.savetxt(path, y, fmt="%.17g")
    for kind in KINDS:
        out = subprocess.run([PROGRAM, "allan", path, "--rate", str(RATE), "--kind", kind, "--confidence", "0.9", "--fit",
                              "none", "--json"], check=True, capture_output=True, text=True).stdout
        points = json.loads(out)["columns"][0]["points"]
        check(len(points) > 50, f"{kind}: {len(points)} points")
        before = None
        for p in points:
            m, what = int(p["m"]), f"{kind} at m = {p['m']}"
            wanted, count = deviation(kind, y, m)
            check(abs(p["deviation"] / wanted - 1) < 1e-8, f"{what}: {p['deviation']}, wanted {wanted}")
            check(p["count"] == count, f"{what}: count {p['count']}, wanted {count}")
            check(abs(p["tau"] - m / RATE) < 1e-12 * p["tau"], f"{what}: tau {p['tau']}")
            for key, tail in (("low", 0.95), ("high", 0.05)):
                bound = p["deviation"] * np.sqrt(p["freedom"] / chi2.ppf(tail, p["freedom"]))
                check(abs(p[key] / bound - 1) < 1e-9, f"{what}: {key} {p[key]}, wanted {bound}")
            found = noise(y, m, 3 if kind in ("hdev", "ohdev") else 2)
            before = found if found is not None else before
            check(found is None or p["noise"] == found, f"{what}: noise {p['noise']}, wanted {found}")
        print(f"{kind}: {len(points)} averaging times")


main()
