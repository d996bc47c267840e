"""Currents against scipy: the Ekman flow as a boundary value problem, and the fit as a least-squares problem.

The program prints profiles (`current show --csv`) and fits (`current fit`). Here the equation ( A W' )' = -i f ( W - G )
with the wind's stress on the surface and water at rest at the bed is solved apart: by collocation (scipy's solve_bvp) for
one eddy viscosity, by finite volumes for two. Exit code 77: scipy is missing.
"""

import json
import os
import re
import subprocess
import sys

try:
    import numpy as np
    from scipy.integrate import solve_bvp
    from scipy.linalg import solve_banded
    from scipy.optimize import least_squares
except ImportError:
    print("skipped: numpy or scipy is missing")
    sys.exit(77)

PROGRAM, TMP, SOURCE = (os.environ[k] for k in ("DEEPSIM_PROGRAM", "DEEPSIM_TEST_TMP", "DEEPSIM_SOURCE_DIR"))
if not PROGRAM:
    print("skipped: the program is not built")
    sys.exit(77)

EARTH_RATE, RHO = 7.292115e-5, 1026.0


def coriolis(latitude):
    least = 2 * EARTH_RATE * np.sin(np.radians(2))
    f = 2 * EARTH_RATE * np.sin(np.radians(latitude))
    return min(f, -least) if f < 0 else max(f, least)


def of_program(current, depth):
    """Depths and north + i east of one current, as the program has them."""
    path, csv = os.path.join(TMP, "current.json"), os.path.join(TMP, "current.csv")
    with open(path, "w") as file:
        json.dump(current, file)
    subprocess.run([PROGRAM, "current", "show", path, "--depth", repr(depth), "--csv", csv], check=True,
                   stdout=subprocess.DEVNULL)
    table = np.loadtxt(csv, delimiter=",", skiprows=1)
    return table[:, 0], table[:, 1] + 1j * table[:, 2]


def by_collocation(f, viscosity, stress, interior, depth, z):
    """One viscosity: Re W, Im W and their slopes, over depth scaled to 1."""
    def equation(x, y):
        w = y[0] + 1j * y[1] - interior
        bend = -1j * f * w * depth ** 2 / viscosity
        return np.vstack([y[2], y[3], bend.real, bend.imag])

    slope = -stress / (RHO * viscosity) * depth

    def boundary(top, bed):
        return np.array([top[2] - slope.real, top[3] - slope.imag, bed[0], bed[1]])

    mesh = 0.5 - 0.5 * np.cos(np.linspace(0, np.pi, 400))
    solution = solve_bvp(equation, boundary, mesh, np.zeros((4, mesh.size)), tol=1e-8, max_nodes=100000)
    assert solution.success, solution.message
    y = solution.sol(z / depth)
    return y[0] + 1j * y[1]


def by_finite_volumes(f, viscosities, interface, stress, interior, depth, z):
    """Two viscosities: faces on the interface, Richardson's extrapolation of two grids."""
    def solve(n):
        upper = max(4, int(round(n * 0.5)))
        faces = np.concatenate([np.linspace(0, interface, upper + 1), np.linspace(interface, depth, n - upper + 1)[1:]])
        middle, width = 0.5 * (faces[1:] + faces[:-1]), np.diff(faces)
        viscosity = np.where(middle < interface, viscosities[0], viscosities[1])
        # flux between cells by resistances in series, and to the bed
        between = 1 / (0.5 * width[:-1] / viscosity[:-1] + 0.5 * width[1:] / viscosity[1:])
        bed = viscosity[-1] / (0.5 * width[-1])
        matrix = np.zeros((3, n), complex)
        matrix[1] = 1j * f * width
        matrix[1, :-1] -= between
        matrix[1, 1:] -= between
        matrix[0, 1:], matrix[2, :-1] = between, between
        matrix[1, -1] -= bed
        right = 1j * f * width * interior
        right[0] -= stress / RHO
        cells = solve_banded((1, 1), matrix, right)
        # values at faces, which all grids share, from both sides' resistances
        ends = np.empty(n + 1, complex)
        a, b = viscosity[:-1] / width[:-1], viscosity[1:] / width[1:]
        ends[1:-1] = (a * cells[:-1] + b * cells[1:]) / (a + b)
        ends[-1] = 0
        ends[0] = cells[0] + 0.5 * width[0] * stress / (RHO * viscosity[0])
        return faces, ends

    n = 8000
    faces, coarse = solve(n)
    fine = solve(2 * n)[1][::2]
    exact = fine + (fine - coarse) / 3
    # cubic between faces, each side of the interface by itself
    from scipy.interpolate import CubicSpline
    split = np.searchsorted(faces, interface * (1 - 1e-12))
    above, below = CubicSpline(faces[:split + 1], exact[:split + 1]), CubicSpline(faces[split:], exact[split:])
    return np.where(z <= faces[split], above(z), below(z))


def check_flow(latitude, surface, bed, depth, stress, interior):
    current = {"model": "ekman", "surface_layer": surface, "bed_layer": bed, "bed": depth, "latitude_deg": latitude,
               "stress": [stress.real, stress.imag], "interior": [interior.real, interior.imag], "water_density": RHO}
    z, w = of_program(current, depth)
    f = coriolis(latitude)
    viscosity = [abs(f) * d ** 2 / (2 * np.pi ** 2) for d in (surface, bed)]
    interface = depth * surface / (surface + bed)
    if surface == bed:
        expected = by_collocation(f, viscosity[0], stress, interior, depth, z)
    else:
        expected = by_finite_volumes(f, viscosity, interface, stress, interior, depth, z)
    error, scale = np.abs(w - expected).max(), np.abs(expected).max()
    print("latitude %6.1f, D %5.1f, D_b %5.1f, H %7.1f: off by %.1e of %.3f m/s" %
          (latitude, surface, bed, depth, error, scale))
    assert error <= 1e-7 * scale, "off by %g m/s" % error


def model(z, depth, f, interior, surface, d, d_b):
    s = np.sign(f)
    m = depth * d / (d + d_b)
    e = np.exp(-(1 - 1j * s) * np.pi * depth / (d + d_b))
    a_matrix = np.array([[1, -e, 0, 0], [0, 0, e, 1], [e, 1, -1, -e], [-d * e, d, d_b, -d_b * e]])
    a, b, c, g = np.linalg.solve(a_matrix, [surface, -interior, 0, 0])
    k, k_b = (1 - 1j * s) * np.pi / d, (1 - 1j * s) * np.pi / d_b
    up = a * np.exp(-k * np.minimum(z, m)) + b * np.exp(-k * (m - np.minimum(z, m)))
    down = c * np.exp(-k_b * np.maximum(z - m, 0)) + g * np.exp(-k_b * (depth - np.maximum(z, m)))
    return interior + np.where(z <= m, up, down)


def check_fit(name):
    """A fit by another method, from many starts, is no better than the program's."""
    path = os.path.join(SOURCE, "tests", "fixtures", "current", name)
    table = np.loadtxt(path, delimiter=",", skiprows=4)
    z, w = table[:, 0], table[:, 1] + 1j * table[:, 2]
    f, depth = coriolis(46.66667), z[-1] + 0.5 * (z[-1] - z[-2])
    output = subprocess.run([PROGRAM, "current", "fit", path, "--latitude", "46.66667"], check=True,
                            capture_output=True, text=True).stdout
    ours = float(re.search(r"RMSE, all\s+(\S+)", output).group(1))
    best = np.inf
    for d in (30, 80, 250):
        for d_b in (20, 200):
            def residual(p):
                r = model(z, depth, f, p[0] + 1j * p[1], p[2] + 1j * p[3], np.exp(p[4]), np.exp(p[5])) - w
                return np.concatenate([r.real, r.imag])
            limits = np.log([1, 0.5 * depth])
            low, high = [-5] * 4 + [limits[0]] * 2, [5] * 4 + [limits[1]] * 2
            start = [np.median(w.real), np.median(w.imag), w[0].real, w[0].imag, np.log(d), np.log(d_b)]
            found = least_squares(residual, start, bounds=(low, high), xtol=1e-12, ftol=1e-12)
            best = min(best, np.sqrt(2 * found.cost / z.size))
    print("%s: RMSE %.5f m/s, by scipy's least_squares %.5f m/s" % (name, ours, best))
    assert abs(ours - best) <= 1e-3 * best, "the program's fit is %g m/s off, scipy's %g" % (ours, best)
    # the printed block gives the same error when it is read again
    block = json.loads(output[output.index("{"):])["currents"][0]
    levels, flow = of_program(block, float(z[-1]))
    again = np.sqrt(np.mean(np.abs(np.interp(z, levels, flow.real) + 1j * np.interp(z, levels, flow.imag) - w) ** 2))
    assert abs(again - ours) <= 2e-3 * ours, "read again, the block is %g m/s off" % again


def main():
    for latitude in (45, -45, 0, 70):
        for ratio in (0.1, 0.5, 1, 3, 8, 20):
            check_flow(latitude, 50, 50, 50 * ratio, 0.15 * np.exp(0.6j), 0.2 * np.exp(0.5j))
    for latitude in (45, -30):
        for surface, bed, depth in ((50, 20, 400), (50, 20, 60), (50, 20, 8), (30, 90, 75), (12, 5, 30), (80, 79, 120)):
            check_flow(latitude, surface, bed, depth, 0.3 * np.exp(2.6j), 0.2 * np.exp(-1j))
    check_fit("brest_20231102_a.csv")
    check_fit("brest_20231102_b.csv")


main()
