"""Sea water by the Gibbs SeaWater toolbox and scipy, for test_seawater_gsw.c: one record a line, a word and numbers.

state  SP t p[dbar] SA CT rho sound rho_exact sound_exact
level  z t SP                      of a profile, PCHIP between levels
column z p[Pa] rho t SP            of that profile, integrated by scipy's DOP853
ocean  z t                         of the standard ocean of TEOS-10: SP 35, CT 0
depth  z p[Pa]                     of that ocean, by gsw.p_from_z
"""

import sys

try:
    import gsw
    import numpy as np
    from scipy.integrate import solve_ivp
    from scipy.interpolate import PchipInterpolator
except ImportError:
    sys.exit(77)

G, GRADIENT = 9.81, 2.2e-6
LATITUDE = 35.0


def emit(word, *values):
    print(word, *(repr(float(v)) for v in values))


def states():
    """Random water of the ocean, the Baltic and fresh water; the deeper, the colder."""
    random = np.random.default_rng(1)
    for _ in range(1000):
        p = 10000 * random.random() ** 2
        t = -1 + (30 * (1 - p / 10000) ** 4 + 5) * random.random()
        sp = random.choice([random.uniform(33, 37), random.uniform(0, 42), 0])
        sa = sp * 35.16504 / 35
        ct = gsw.CT_from_t(sa, t, p)
        emit("state", sp, t, p, sa, ct, gsw.rho(sa, ct, p), gsw.sound_speed(sa, ct, p), gsw.rho_t_exact(sa, t, p),
             gsw.sound_speed_t_exact(sa, t, p))


def column():
    z = np.array([0, 40, 100, 180, 300, 500, 800, 1200, 2000, 3000, 5000], float)
    t = np.array([22, 22, 18, 15, 13, 10, 6, 4, 2.6, 2, 1.8])
    sp = np.array([36, 36, 36.4, 36, 35.6, 35.2, 34.6, 34.5, 34.8, 34.9, 34.8])
    t_of, sp_of = PchipInterpolator(z, t), PchipInterpolator(z, sp)
    for level in zip(z, t, sp):
        emit("level", *level)

    def density(depth, pressure):
        sa, dbar = sp_of(depth) * 35.16504 / 35, pressure / 1e4
        return gsw.rho(sa, gsw.CT_from_t(sa, t_of(depth), dbar), dbar)

    # step by step between levels, where the slopes of PCHIP bend
    p = 0.0
    for top, bottom in zip(z[:-1], z[1:]):
        at = np.linspace(top, bottom, 5)
        solution = solve_ivp(lambda d, p: density(d, p) * (G + GRADIENT * d), (top, bottom), [p], method="DOP853",
                             t_eval=at, rtol=1e-12, atol=1e-6)
        for depth, pressure in zip(at[1:], solution.y[0][1:]):
            emit("column", depth, pressure, density(depth, pressure), t_of(depth), sp_of(depth))
        p = solution.y[0][-1]


def standard_ocean():
    for z in np.arange(0, 11001, 50.0):
        p = gsw.p_from_z(-z, LATITUDE)
        emit("ocean", z, gsw.t_from_CT(35.16504, 0, p))
        if z % 1000 == 0:
            emit("depth", z, p * 1e4)


emit("gravity", G, GRADIENT, gsw.grav(LATITUDE, 0), 2.26e-7 * gsw.grav(LATITUDE, 0))
states()
column()
standard_ocean()
