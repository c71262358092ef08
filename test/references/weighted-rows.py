"""Reference values for rows with weights (labels that were drawn with unequal chances), computed outside the project.

How it was run: Debian 12 packages python3-sklearn 1.2.1, python3-scipy 1.10.1, python3-numpy 1.24.2, with Python 3.11.2:

    python3 test/references/weighted-rows.py > test/references/weighted-rows.json
    npx biome format --write test/references/weighted-rows.json

- weights of S: scipy's SLSQP on the weighted cross-entropy over the simplex, from seven starts, the best of them;
- class-wise and temperature errors: bins by the middle of each row's weight, numpy sums; log-loss is sklearn's with sample_weight;
- risk and coverage: 1 minus sklearn's precision of "defensible" at each threshold with sample_weight, and numpy's weighted mean;
- area under that curve: sums of 1/i between real ends as the integral of (t^a - t^b)/(1 - t) from 0 to 1, by scipy's quad.
"""

import json
import sys

import numpy as np
import scipy
import sklearn
from scipy.integrate import quad
from scipy.optimize import minimize
from sklearn.metrics import log_loss, precision_score

EPSILON = 1e-6


def draw(n, seed):
    rng = np.random.default_rng(seed)
    level = rng.choice([1, 2, 3], n, p=[0.4, 0.3, 0.3])
    p = rng.dirichlet([1.5, 1, 1], n)
    p = 0.6 * p + 0.4 * np.eye(3)[level - 1] * rng.random((n, 1)) + 1e-6
    p = np.round(p / p.sum(axis=1, keepdims=True), 3)
    p[:, 0] = np.round(1 - p[:, 1] - p[:, 2], 3)
    bad = level == 3
    return {
        "level": level,
        "p": p,
        "lambda": np.round(-0.05 - rng.exponential(np.where(bad, 0.5, 0.2)), 4),
        "entropy": np.round(np.clip(rng.normal(np.where(bad, 0.9, 0.5), 0.3), 0, 1.5), 4),
        "sigma": np.round(np.clip(rng.normal(np.where(bad, 0.6, 0.3), 0.2), 0, 1), 4),
        "weight": rng.choice([0.25, 0.5, 1.75, 4], n, p=[0.4, 0.3, 0.2, 0.1]),
    }


def weights_of_s(rows):
    x = np.column_stack([-rows["lambda"], rows["entropy"], rows["sigma"]])
    good, w = rows["level"] < 3, rows["weight"]

    def loss(v):
        z = x @ v + EPSILON
        return np.average(np.where(good, z, -np.log(-np.expm1(-z))), weights=w)

    def slope(v):
        z = x @ v + EPSILON
        return np.average(np.where(good, 1, -1 / np.expm1(z))[:, None] * x, axis=0, weights=w)

    starts = [np.ones(3) / 3, *(0.8 * np.eye(3) + 0.2 / 3), *(0.4 - 0.2 * np.eye(3))]
    found = [
        minimize(loss, v / v.sum(), jac=slope, method="SLSQP", bounds=[(0, 1)] * 3, constraints={"type": "eq", "fun": lambda v: v.sum() - 1},
                 options={"ftol": 1e-16, "maxiter": 1000})
        for v in starts
    ]
    best = min(found, key=lambda one: one.fun)
    rate = np.average(good, weights=w)
    return {"weights": best.x.tolist(), "loss": float(best.fun), "base_rate_loss": float(-rate * np.log(rate) - (1 - rate) * np.log(1 - rate))}


def error(score, hit, w, bins=10):
    order = np.argsort(score, kind="stable")
    s, y, w = score[order], hit[order].astype(float), w[order]
    number = np.floor(bins * (np.cumsum(w) - w / 2) / w.sum()).astype(int)
    gap = np.bincount(number, weights=w * (y - s))
    return float(np.abs(gap).sum() / w.sum())


def classwise(rows):
    levels = [error(rows["p"][:, k], rows["level"] == k + 1, rows["weight"]) for k in range(3)]
    return {"levels": levels, "mean": float(np.mean(levels))}


def temperature(rows, v):
    alpha, beta, gamma = v
    s = np.exp(alpha * rows["lambda"] - beta * rows["entropy"] - gamma * rows["sigma"])
    good, w = rows["level"] < 3, rows["weight"]
    own = 1 - rows["p"][:, 2]
    return {
        "weights": v,
        "ece": error(s, good, w),
        "mean_pds": {"all": float(np.average(s, weights=w)), "defensible": float(np.average(s[good], weights=w[good])),
                     "indefensible": float(np.average(s[~good], weights=w[~good]))},
        "defensible_rate": float(np.average(good, weights=w)),
        "calibrated": {"ece": error(own, good, w), "log_loss": float(log_loss(good, own, sample_weight=w))},
    }


def harmonic(a, b):
    return quad(lambda t: (t**a - t**b) / (1 - t), 0, 1, epsabs=1e-13, epsrel=1e-13, limit=400)[0]


def risk_coverage(rows):
    score, good, w = np.round(1 - rows["p"][:, 2], 2), rows["level"] < 3, rows["weight"]
    thresholds = sorted(set(score), reverse=True)
    curve = [
        {"threshold": float(t), "coverage": float(np.average(score >= t, weights=w)),
         "risk": float(1 - precision_score(good, score >= t, sample_weight=w))}
        for t in thresholds
    ]
    unit = w * len(w) / w.sum()
    area, before, loss_before = 0, 0, 0
    for t in thresholds:
        here = score == t
        size, loss = unit[here].sum(), unit[here & ~good].sum()
        slope = loss / size
        offset = loss_before - slope * before
        area += loss + (offset * harmonic(before, before + size) if before > 0 else 0)
        before, loss_before = before + size, loss_before + loss
    n, kept = len(w), len(w) - loss_before
    best = loss_before - kept * harmonic(kept, n)
    return {"score": score.tolist(), "curve": curve, "aurc": float(area / n), "best": float(best / n), "random": float(loss_before / n)}


def dataset(name, n, seed):
    rows = draw(n, seed)
    return {
        "name": name,
        "rows": {key: value.tolist() for key, value in rows.items()},
        "weights_of_s": weights_of_s(rows),
        "classwise": classwise(rows),
        "temperature": temperature(rows, [0.5, 0.2, 0.3]),
        "risk_coverage": risk_coverage(rows),
    }


json.dump(
    {
        "made_with": {"sklearn": sklearn.__version__, "scipy": scipy.__version__, "numpy": np.__version__},
        "datasets": [dataset("120 rows", 120, 31), dataset("43 rows", 43, 32)],
    },
    sys.stdout,
)
