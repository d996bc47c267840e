"""Salinity, conductivity and depth by the Gibbs SeaWater toolbox, for test_companions_gsw.c: one record a line, a word and numbers.

salinity SP t90 p[dbar] C[mS/cm]   gsw.C_from_SP and gsw.SP_from_C
depth    p[dbar] latitude z[m]     gsw.z_from_p, positive down
"""

import sys

try:
    import gsw
    import numpy as np
except ImportError:
    sys.exit(77)


def emit(word, *values):
    print(word, *(repr(float(v)) for v in values))


random = np.random.default_rng(2)
for _ in range(1000):
    sp, t, p = random.uniform(2.1, 42), random.uniform(-2, 35), 10000 * random.random() ** 2
    emit("salinity", sp, t, p, gsw.C_from_SP(sp, t, p))
for _ in range(1000):
    p, latitude = 11000 * random.random() ** 2, random.uniform(-90, 90)
    emit("depth", p, latitude, -gsw.z_from_p(p, latitude))
