"""Spectrum and direction of seas, estimated by scipy.signal from records of the library: called by test_waves_welch.c.

Argument: a file of doubles. A header of 6 numbers (kind: 2 JONSWAP, 3 Pierson-Moskowitz; Hs; Tp; gamma; direction; spreading
s) and 3 of shape (seas, samples, interval), then for each sea the records of elevation, north and east velocity.
The formulas are written from Hasselmann et al. 1973, not from the library. Exit code 77: scipy is missing.
"""

import sys

try:
    import numpy as np
    from scipy.integrate import quad
    from scipy.signal import csd, welch
except ImportError:
    print("skipped: python3-scipy is not installed")
    sys.exit(77)

data = np.fromfile(sys.argv[1])
kind, hs, tp, gamma, direction, spreading, seas, samples, dt = data[:9]
records = data[9:].reshape(int(seas), 3, int(samples))
fp = 1 / tp
failures = []


def check(name, value, expected, tolerance):
    print("%-40s %12.6g, expected %.6g within %g" % (name, value, expected, tolerance))
    if not abs(value - expected) <= tolerance:
        failures.append(name)


def shape(f):
    sigma = np.where(f <= fp, 0.07, 0.09)
    s = f**-5.0 * np.exp(-1.25 * (f / fp) ** -4)
    return s * gamma ** np.exp(-((f / fp - 1) ** 2) / (2 * sigma**2)) if kind == 2 else s


scale = hs**2 / 16 / (quad(shape, 0.5 * fp, fp, limit=200)[0] + quad(shape, fp, 4 * fp, limit=200)[0])
formula = lambda f: scale * shape(f)

n = 1024
f, s = welch(records[:, 0], 1 / dt, "hann", n, axis=-1, detrend="constant")
spectrum = s.mean(axis=0)
df = f[1]

# moments, of the record and of the formula over the same frequencies
check("variance / (Hs^2/16)", records[:, 0].var() / (hs**2 / 16), 1, 0.03)
for power, tolerance in ((1, 0.02), (2, 0.03), (-1, 0.02)):
    band = (f > 0.55 * fp) & (f < 3.9 * fp)
    got = (spectrum[band] * f[band] ** power).sum() / spectrum[band].sum()
    want = (formula(f[band]) * f[band] ** power).sum() / formula(f[band]).sum()
    check("moment %d / moment 0, over the formula's" % power, got / want, 1, tolerance)

# the spectrum in bands, wider where components of equal energy are far apart; the formula seen through the same window
fine = np.linspace(0.5 * fp, 4 * fp, 20001)
window = np.hanning(n + 1)[:-1]
response = np.abs(np.fft.rfft(window, 64 * n)) ** 2
offsets = np.arange(len(response)) / (64 * n * dt)


def seen(at):
    return np.interp(np.abs(fine - at), offsets, response) @ formula(fine)


smooth = np.array([seen(x) for x in f])
norm = np.interp(np.abs(fine - 2 * fp), offsets, response).sum()
smooth /= norm
edges = np.concatenate([np.arange(0.7, 2.05, 0.1), [2.3, 2.7, 3.2]])
for low, high in zip(edges[:-1], edges[1:]):
    band = (f >= low * fp) & (f < high * fp)
    check("S over the formula, %.1f to %.1f fp" % (low, high), spectrum[band].sum() / smooth[band].sum(), 1,
          0.08 if high < 2.4 else 0.15)

# direction by the co-spectra of elevation and velocity
_, north = csd(records[:, 0], records[:, 1], 1 / dt, "hann", n, axis=-1)
_, east = csd(records[:, 0], records[:, 2], 1 / dt, "hann", n, axis=-1)
band = (f > 0.7 * fp) & (f < 2 * fp)
a, b = north.real.mean(axis=0)[band].sum(), east.real.mean(axis=0)[band].sum()
off = np.degrees(np.angle(np.exp(1j * (np.arctan2(b, a) - direction))))
check("mean direction [deg]", off, 0, 2)

# spread: the first moment of cos^2s is s / (s + 1); by the ratio of co-spectra to auto-spectra
_, nn = welch(records[:, 1], 1 / dt, "hann", n, axis=-1)
_, ee = welch(records[:, 2], 1 / dt, "hann", n, axis=-1)
level = np.sqrt(spectrum[band] * (nn.mean(axis=0) + ee.mean(axis=0))[band]).sum()
check("first moment of the spreading", np.hypot(a, b) / level, spreading / (spreading + 1), 0.03)

print("FAILED: " + ", ".join(failures) if failures else "all as expected")
sys.exit(1 if failures else 0)
