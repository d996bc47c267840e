"""Motion of bodies in water, `deepsim run` against scipy's DOP853.

The reference is written from the equations, not from the library: Fossen 2021, eq. 8.4 (6 degrees of freedom in a
current, with C_RB on the absolute and C_A on the relative velocity), forces summed over the faces of a mesh by this
file's own loops. Where the library takes ticks of 1/rate, the reference takes what steps it needs for 1e-10.
"""

import json
import os
import subprocess
import sys

try:
    import numpy as np
    from scipy.integrate import solve_ivp
except ImportError:
    print("skipped: python3-scipy is not installed")
    sys.exit(77)

PROGRAM = os.environ["DEEPSIM_PROGRAM"]
TMP = os.environ["DEEPSIM_TEST_TMP"]
G, RHO = 9.81, 1025.0

# ---- meshes ----------------------------------------------------------------------------------------------------------


def ellipsoid(a, b, c, rings, sectors):
    """Vertices and outward triangles of an ellipsoid with poles on x."""
    v = [(a, 0, 0)]
    for i in range(1, rings):
        t = np.pi * i / rings
        for k in range(sectors):
            p = 2 * np.pi * k / sectors
            v.append((a * np.cos(t), b * np.sin(t) * np.cos(p), c * np.sin(t) * np.sin(p)))
    v.append((-a, 0, 0))
    at = lambda i, k: 1 + (i - 1) * sectors + k % sectors
    f = []
    for k in range(sectors):
        f.append((0, at(1, k), at(1, k + 1)))
        f.append((len(v) - 1, at(rings - 1, k + 1), at(rings - 1, k)))
        for i in range(1, rings - 1):
            f.append((at(i, k), at(i + 1, k), at(i + 1, k + 1)))
            f.append((at(i, k), at(i + 1, k + 1), at(i, k + 1)))
    return np.array(v, float), np.array(f)


def box(x, y, z):
    v = np.array([(i, j, k) for i in (-x / 2, x / 2) for j in (-y / 2, y / 2) for k in (-z / 2, z / 2)], float)
    f = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4),
         (1, 5, 7), (1, 7, 3)]
    return v, np.array(f)


def volume(mesh):
    v, f = mesh
    return np.einsum("ij,ij->i", v[f[:, 0]], np.cross(v[f[:, 1]], v[f[:, 2]])).sum() / 6


def write_obj(path, mesh):
    v, f = mesh
    with open(path, "w") as out:
        out.writelines("v %.17g %.17g %.17g\n" % tuple(p) for p in v)
        out.writelines("f %d %d %d\n" % tuple(t + 1) for t in f)


# ---- the reference ---------------------------------------------------------------------------------------------------


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def rotation(q):
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def rotation_rpy(rpy):
    r, p, y = rpy
    rx = np.array([[1, 0, 0], [0, np.cos(r), -np.sin(r)], [0, np.sin(r), np.cos(r)]])
    ry = np.array([[np.cos(p), 0, np.sin(p)], [0, 1, 0], [-np.sin(p), 0, np.cos(p)]])
    rz = np.array([[np.cos(y), -np.sin(y), 0], [np.sin(y), np.cos(y), 0], [0, 0, 1]])
    return rz @ ry @ rx


def quaternion_rpy(rpy):
    q = np.array([1.0, 0, 0, 0])
    for angle, axis in ((rpy[2], 3), (rpy[1], 2), (rpy[0], 1)):
        b = np.zeros(4)
        b[0], b[axis] = np.cos(angle / 2), np.sin(angle / 2)
        q = np.array([q[0] * b[0] - q[1:] @ b[1:], *(q[0] * b[1:] + b[0] * q[1:] + np.cross(q[1:], b[1:]))])
    return q


def coriolis(m, nu):
    """Fossen 2021, theorem 3.2: C from M."""
    a, b = skew(m[:3, :3] @ nu[:3] + m[:3, 3:] @ nu[3:]), skew(m[3:, :3] @ nu[:3] + m[3:, 3:] @ nu[3:])
    return np.block([[np.zeros((3, 3)), -a], [-a, -b]])


def moved(m, r):
    """A 6x6 mass given about the point r, about the origin: H^T M H with Fossen's H(r)."""
    h = np.block([[np.eye(3), skew(r).T], [np.zeros((3, 3)), np.eye(3)]])
    return h.T @ m @ h


class Reference:
    """A body in water. `b` is its entry in the scenario, `mesh` its faces in the body frame."""

    def __init__(self, b, mesh, current=(0, 0, 0), thrusters=()):
        h = b["hydrodynamics"]
        self.current = np.array(current, float)
        self.mass, self.cg = b["mass"], np.array(b["cg"], float)
        inertia = np.array(b["inertia"], float)
        inertia = np.diag(inertia) if inertia.ndim == 1 else inertia
        self.rigid = moved(np.block([[self.mass * np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), inertia]]), self.cg)
        self.added = np.zeros((6, 6))
        if isinstance(h["added_mass"], dict):
            self.added = moved(np.array(h["added_mass"]["matrix"]), np.array(h["added_mass"]["about"]))
        elif isinstance(h["added_mass"], list):
            self.added = np.diag(h["added_mass"])
        self.inverse = np.linalg.inv(self.rigid + self.added)
        v, f = mesh
        self.corners = v[f]
        area = 0.5 * np.cross(self.corners[:, 1] - self.corners[:, 0], self.corners[:, 2] - self.corners[:, 0])
        self.area = np.linalg.norm(area, axis=1)
        self.normal = area / self.area[:, None]
        self.centre = self.corners.mean(axis=1)
        self.form = np.broadcast_to(np.array(h["form_drag"], float), 3)
        self.skin = h["skin_drag"]
        self.volume = h.get("volume", volume(mesh))
        self.cb = np.array(h.get("cb", [0, 0, 0]), float)
        self.drag_on, self.thrusters = h.get("drag", True), thrusters

    def drag(self, area, centre, normal, nu):
        """Form drag with the coefficient of the flow's direction, and skin drag, at the faces' centroids."""
        v = nu[:3] + np.cross(nu[3:], centre)
        form = v ** 2 @ self.form / np.maximum(np.einsum("ij,ij->i", v, v), 1e-300)
        vn = np.einsum("ij,ij->i", v, normal)
        vt = v - vn[:, None] * normal
        f = -0.5 * RHO * (form * area * np.maximum(vn, 0))[:, None] * v
        f -= 0.5 * RHO * self.skin * (area * np.linalg.norm(vt, axis=1))[:, None] * vt
        return np.concatenate([f.sum(axis=0), np.cross(centre, f).sum(axis=0)])

    def wet(self, depth):
        """The triangles that are under water, with what belongs to each: clipped one by one."""
        below = (depth >= 0).all(axis=1)
        corners, which = [self.corners[below]], [np.nonzero(below)[0]]
        for i in np.nonzero(~below & (depth > 0).any(axis=1))[0]:
            polygon = []
            for k in range(3):
                p, q, d, e = self.corners[i, k], self.corners[i, (k + 1) % 3], depth[i, k], depth[i, (k + 1) % 3]
                if d >= 0:
                    polygon.append(p)
                if (d < 0) != (e < 0):
                    polygon.append(p + d / (d - e) * (q - p))
            for k in range(1, len(polygon) - 1):
                corners.append(np.array([[polygon[0], polygon[k], polygon[k + 1]]]))
                which.append(np.array([i]))
        return np.concatenate(corners), np.concatenate(which)

    def water(self, r, z, nu):
        """Pressure and drag: submerged in one piece, or clipped at the surface."""
        depth = z + self.corners @ r[2]
        if (depth >= 0).all():
            f = r.T @ [0, 0, -RHO * G * self.volume]
            tau = np.concatenate([f, np.cross(self.cb, f)])
            return tau + self.drag(self.area, self.centre, self.normal, nu) if self.drag_on else tau
        c, which = self.wet(depth)
        n, tau = self.normal[which], np.zeros(6)
        area = 0.5 * np.linalg.norm(np.cross(c[:, 1] - c[:, 0], c[:, 2] - c[:, 0]), axis=1)
        # middles of the edges: exact for the square that a moment of pressure is
        for k in range(3):
            p = 0.5 * (c[:, k] + c[:, (k + 1) % 3])
            f = (-RHO * G / 3 * area * (z + p @ r[2]))[:, None] * n
            tau += np.concatenate([f.sum(axis=0), np.cross(p, f).sum(axis=0)])
        if self.drag_on:
            # centroid of each wet face as a whole
            ids = np.unique(which)
            a = np.array([area[which == i].sum() for i in ids])
            m = np.array([(area[which == i, None] * c[which == i].mean(axis=1)).sum(axis=0) for i in ids])
            good = a > 0
            ids, a, m = ids[good], a[good], m[good] / a[good, None]
            tau += self.drag(a, m, self.normal[ids], nu)
        return tau

    def derivative(self, t, y):
        r, nu = rotation(y[3:7]), y[7:]
        vc = r.T @ self.current
        relative = nu - np.concatenate([vc, np.zeros(3)])
        weight = r.T @ [0, 0, self.mass * G]
        tau = np.concatenate([weight, np.cross(self.cg, weight)]) + self.water(r, y[2], relative)
        for place, axis, thrust in self.thrusters:
            f = np.array(axis) * thrust(t)
            tau += np.concatenate([f, np.cross(place, f)])
        # M_RB dnu + C_RB(nu) nu + M_A (dnu - dnu_c) + C_A(nu_r) nu_r = tau, dnu_c = ( -w x v_c, 0 )
        drift = np.concatenate([-np.cross(nu[3:], vc), np.zeros(3)])
        tau += self.added @ drift - coriolis(self.rigid, nu) @ nu - coriolis(self.added, relative) @ relative
        w, q = nu[3:], y[3:7]
        dq = 0.5 * np.concatenate([[-q[1:] @ w], q[0] * w + np.cross(q[1:], w)])
        return np.concatenate([r @ nu[:3], dq + (1 - q @ q) * q, self.inverse @ tau])

    def run(self, b, duration, breaks=()):
        """The state at the end, and the way that the body's origin made."""
        q = quaternion_rpy(np.radians(b["pose"]["rpy_deg"]))
        r = rotation(q)
        v, w = r.T @ b["velocity"]["linear"], r.T @ b["velocity"]["angular"]
        y = np.concatenate([b["pose"]["position"], q, v, w, [0]])

        def rate(t, y):
            dy = self.derivative(0.5 * (start + end), y[:13])
            return np.append(dy, np.linalg.norm(dy[:3]))

        # between breaks thrust is constant, so that no step sees a jump
        ends = sorted({t for t in breaks if 0 < t < duration} | {duration})
        for start, end in zip([0.0] + ends, ends):
            y = solve_ivp(rate, (start, end), y, "DOP853", rtol=1e-9, atol=1e-10).y[:, -1]
        return y[:13], y[13]


# ---- the program -----------------------------------------------------------------------------------------------------


def run(name, bodies, duration, rate, extra=None):
    folder = os.path.join(TMP, name)
    os.makedirs(folder, exist_ok=True)
    scenario = {"deepsim": 1, "name": name, "duration": duration, "rate": rate, "bodies": bodies}
    scenario.update(extra or {})
    path, summary = os.path.join(folder, name + ".json"), os.path.join(folder, "summary.json")
    with open(path, "w") as f:
        json.dump(scenario, f)
    done = subprocess.run([PROGRAM, "run", "--quiet", "--summary", summary, path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with open(summary) as f:
        return json.load(f)["bodies"]


def body(name, mesh_path, mass, inertia, **more):
    b = {"name": name, "mesh": {"file": os.path.abspath(mesh_path)}, "mass": mass, "inertia": inertia, "cg": [0, 0, 0],
         "pose": {"position": [0, 0, 50], "rpy_deg": [0, 0, 0]}, "collision": "none",
         "velocity": {"linear": [0, 0, 0], "angular": [0, 0, 0]},
         "hydrodynamics": {"form_drag": 1.0, "skin_drag": 0.004, "added_mass": "none"}}
    for key, value in more.items():
        if key == "hydrodynamics":
            b[key].update(value)
        else:
            b[key] = value
    return b


def compare(what, got, y, path, tolerance):
    """Position within `tolerance` of the path, attitude and velocities of the same order."""
    r = rotation(y[3:7])
    position = np.linalg.norm(np.array(got["position"]) - y[:3]) / path
    q = np.array(got["quaternion"])
    attitude = np.linalg.norm(rotation(q) - r)
    linear = np.linalg.norm(np.array(got["linear_velocity"]) - r @ y[7:10])
    angular = np.linalg.norm(np.array(got["angular_velocity"]) - r @ y[10:])
    print("%-40s position %.2e of %.3g m, attitude %.2e, velocity %.2e m/s, rate %.2e rad/s" %
          (what, position, path, attitude, linear, angular))
    return position, attitude, linear, angular


# ---- cases -----------------------------------------------------------------------------------------------------------


def remus(drag, duration, rates, rpy_deg=(20, -10, 70)):
    """A body like REMUS 100 (mass, inertia, added mass: Prestero 2001), with everything out of place."""
    mesh = ellipsoid(0.66, 0.095, 0.1, 10, 12)
    path = os.path.join(TMP, "hull.obj")
    write_obj(path, mesh)
    a = np.diag([0.93, 35.5, 35.5, 0.0704, 4.88, 4.88])
    a[1, 5] = a[5, 1] = 1.93
    a[2, 4] = a[4, 2] = -1.93
    a[0, 4] = a[4, 0] = 0.4
    a[1, 3] = a[3, 1] = -0.3
    b = body("hull", path, 30.48, [[0.177, 0.02, -0.03], [0.02, 3.45, 0.05], [-0.03, 0.05, 3.45]],
             cg=[0.02, 0.005, 0.03], pose={"position": [3, -2, 60], "rpy_deg": list(rpy_deg)},
             velocity={"linear": [0.4, 0.8, 0.1], "angular": [0.1, -0.2, 0.3]},
             hydrodynamics={"form_drag": [0.2, 1.1, 1.0], "skin_drag": 0.005, "volume": 30.9 / RHO, "drag": drag,
                            "cb": [0.01, 0, -0.01], "added_mass": {"matrix": a.tolist(), "about": [0.1, 0.02, -0.01]}})
    current = [0.3, -0.2, 0.1]
    rpy = np.radians([0, 4, -6])
    thrusts = [(0, 12.0), (20, -6.0), (35, 18.0)]
    thrust = lambda t: [f for s, f in thrusts if t >= s][-1]
    extra = {"environment": {"water": {"density": {"model": "uniform", "value": RHO}},
                             "currents": [{"model": "uniform", "velocity": current}]},
             "actuators": [{"name": "t", "type": "thruster", "body": "hull",
                            "mount": {"position": [-0.6, 0.03, 0.02], "rpy_deg": np.degrees(rpy).tolist()},
                            "config": {"command": "force"}}],
             "commands": [{"t": t, "actuator": "t", "value": f} for t, f in thrusts]}
    reference = Reference(b, mesh, current, [([-0.6, 0.03, 0.02], rotation_rpy(rpy)[:, 0], thrust)])
    y, path = reference.run(b, duration, [s for s, _ in thrusts])
    return [error(run("remus", [b], duration, rate, extra)["hull"], y, path) for rate in rates]


def floating(drag, added_mass, duration, rates):
    """A box that heels, pitches, heaves and drifts at the surface, clipped by it all the time."""
    mesh = box(1.2, 0.8, 0.5)
    path = os.path.join(TMP, "box.obj")
    write_obj(path, mesh)
    b = body("box", path, 250, [11, 18, 22], cg=[0.01, -0.02, 0.05],
             pose={"position": [0, 0, -0.02], "rpy_deg": [7, -4, 30]},
             velocity={"linear": [0.3, -0.1, 0.05], "angular": [0.1, 0.05, 0.2]},
             hydrodynamics={"drag": drag, "added_mass": added_mass})
    y, way = Reference(b, mesh).run(b, duration)
    return [error(run("box", [b], duration, rate)["box"], y, way) for rate in rates]


def error(got, y, path):
    """Off by: position over the path, attitude (entries of the matrix), velocity [m/s], rate [rad/s]."""
    r = rotation(y[3:7])
    offset = (np.array(got["position"]) - y[:3]) / path
    turn = rotation(np.array(got["quaternion"])) - r
    linear = np.array(got["linear_velocity"]) - r @ y[7:10]
    angular = np.array(got["angular_velocity"]) - r @ y[10:]
    return [offset, turn.ravel(), linear, angular]


def check(what, errors, order, limits, extrapolated):
    """The first error is within limits, and falls as `order` says: extrapolated to no tick, next to nothing stays."""
    coarse, fine = errors
    k = 2 ** order
    names = ("position", "attitude", "velocity", "rate")
    for name, c, f, limit, rest in zip(names, coarse, fine, limits, extrapolated):
        size, left = np.linalg.norm(c), np.linalg.norm((k * f - c) / (k - 1))
        print("%-26s %-9s off by %.2e, with half the tick %.2e, with none %.2e" %
              (what, name, size, np.linalg.norm(f), left))
        assert size <= limit, "%s: %s is off by %g, more than %g" % (what, name, size, limit)
        assert left <= rest, "%s: %s does not converge: %g is left, more than %g" % (what, name, left, rest)


def main():
    # drag is taken at the velocity of the tick's start: first order where the flow turns
    check("REMUS-like, with drag", remus(True, 60, (200, 400)), 1,
          (1e-3, 6e-3, 2e-3, 5e-6), (1e-5, 1e-4, 3e-5, 1e-6))
    check("REMUS-like, nose up", remus(True, 10, (200, 400), (0, 89.99, 40)), 1,
          (1e-3, 4e-3, 1e-3, 2e-3), (5e-6, 5e-5, 1e-5, 1e-4))
    check("REMUS-like, without drag", remus(False, 4, (200, 400)), 2,
          (2e-5, 1e-3, 1e-4, 2e-3), (1e-7, 1e-6, 1e-7, 3e-6))
    check("floating box, without drag", floating(False, "none", 10, (200, 400)), 2,
          (5e-4, 1e-3, 5e-4, 5e-3), (1e-7, 3e-6, 1e-6, 1e-5))
    check("floating box, with drag", floating(True, [40, 60, 200, 5, 8, 6], 10, (200, 400)), 1,
          (1e-3, 1e-3, 5e-4, 3e-3), (1e-4, 2e-4, 1e-4, 3e-4))


if __name__ == "__main__":
    main()
