"""Reference values for drift detection (src/measures/gate/drift), computed outside the project.

How it was run: Debian 12 packages python3-numpy 1.24.2, python3-mpmath 1.2.1, with Python 3.11.2:

    python3 test/references/drift.py > test/references/drift.json
    npx biome format --write test/references/drift.json

Run lengths: the linear system (I - P) L = 1 of the CUSUM's Markov chain, by numpy, and by mpmath at 50 digits for the long ones. Lattice
steps: the root by mpmath. Statistics of the e-detector and of the product: mpmath at 50 digits from the recursion, in the order of the rows.
"""

import json
import sys

import mpmath as mp
import numpy as np

mp.mp.dps = 50


def run_length(up, down, h, p):
    system = np.eye(h)
    for i in range(h):
        system[i, max(0, i - down)] -= 1 - p
        if i + up < h:
            system[i, i + up] -= p
    return float(np.linalg.solve(system, np.ones(h))[0])


def exact_run_length(up, down, h, p):
    p = mp.mpf(p)
    system = mp.eye(h)
    for i in range(h):
        system[i, max(0, i - down)] -= 1 - p
        if i + up < h:
            system[i, i + up] -= p
    return float(mp.lu_solve(system, mp.ones(h, 1))[0])


def lattice_p1(p0, up, down, guess):
    p0 = mp.mpf(p0)
    return float(mp.findroot(lambda p1: down * mp.log(p1 / p0) - up * mp.log((1 - p0) / (1 - p1)), guess))


def shiryaev_roberts(x, p0, p1s):
    p0 = mp.mpf(p0)
    statistics = [mp.mpf(0)] * len(p1s)
    path = []
    for value in x:
        value = mp.mpf(value)
        for i, p1 in enumerate(map(mp.mpf, p1s)):
            statistics[i] = (statistics[i] + 1) * (value * p1 / p0 + (1 - value) * (1 - p1) / (1 - p0))
        path.append(float(mp.log(sum(statistics) / len(p1s))))
    return path


def product(k, n, p0, p1s):
    p0 = mp.mpf(p0)
    terms = [(mp.mpf(p1) / p0) ** mp.mpf(k) * ((1 - mp.mpf(p1)) / (1 - p0)) ** (mp.mpf(n) - mp.mpf(k)) for p1 in p1s]
    return float(mp.log(sum(terms) / len(terms)))


rng = np.random.default_rng(21)
hard = [int(v) for v in rng.random(60) < 0.25]
soft = [float(v) for v in np.round(rng.random(60) * 0.5, 3)]

json.dump(
    {
        "made_with": {"numpy": np.__version__, "mpmath": mp.__version__},
        "run_lengths": [
            {"up": u, "down": d, "h": h, "p": p, "arl": run_length(u, d, h, p)}
            for u, d, h, p in [
                (1, 1, 1, 0.3),
                (1, 1, 2, 0.5),
                (1, 1, 10, 0.5),
                (6, 1, 31, 0.1),
                (6, 1, 31, 0.2),
                (6, 1, 5, 0.1),
                (4, 1, 40, 0.15),
                (19, 3, 120, 0.1),
                (5, 7, 60, 0.5),
                (1, 26, 40, 0.95),
                (69, 1, 300, 0.01),
                (3, 2, 1, 0.4),
            ]
        ],
        "long_run_lengths": [
            {"up": u, "down": d, "h": h, "p": p, "arl": exact_run_length(u, d, h, p)}
            for u, d, h, p in [(6, 1, 100, 0.1), (5, 3, 120, 0.3), (1, 4, 30, 0.6)]
        ],
        "lattice": [
            {"p0": p0, "up": up, "down": down, "p1": lattice_p1(p0, up, down, guess)}
            for p0, up, down, guess in [(0.1, 6, 1, 0.2), (0.15, 4, 1, 0.25), (0.3, 5, 3, 0.45), (0.5, 5, 7, 0.65), (0.01, 69, 1, 0.02)]
        ],
        "e_detector": [
            {"p0": p0, "p1": p1s, "x": x, "log_statistic": shiryaev_roberts(x, p0, p1s)}
            for p0, p1s, x in [(0.1, [0.2, 0.3, 0.5], hard), (0.15, [0.25], hard), (0.1, [0.2, 0.4], soft)]
        ],
        "product": [
            {"k": k, "n": n, "p0": p0, "p1": p1s, "log_e": product(k, n, p0, p1s)}
            for k, n, p0, p1s in [
                (0, 0, 0.1, [0.2]),
                (0, 50, 0.1, [0.2, 0.5]),
                (12, 50, 0.1, [0.15, 0.2, 0.4]),
                (12.5, 50, 0.1, [0.15, 0.2, 0.4]),
                (90000, 1000000, 0.1, [0.15, 0.2]),
                (400000, 1000000, 0.1, [0.15, 0.2]),
            ]
        ],
    },
    sys.stdout,
)
