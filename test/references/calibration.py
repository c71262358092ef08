"""Reference values for the tests of src/measures/calibration (paper fit, evaluation of scores) and the statistics they use.

How it was run: Debian 12 packages python3-scipy 1.10.1, python3-sklearn 1.2.1, python3-numpy 1.24.2, python3-mpmath 1.2.1,
with Python 3.11.2:

    python3 test/references/calibration.py > test/references/calibration.json
    npx biome format --write test/references/calibration.json

Fits: scipy SLSQP on the simplex from several starts, checked against a grid; scipy L-BFGS-B over softmax(u) from u = 0.
Scores: scikit-learn (Brier score, log-loss, AUROC, calibration_curve). Calibration errors, Spiegelhalter's test, the Brier
decomposition and the smooth error have no package: they are computed here from their definitions, the smooth error with the
kernel summed over its mirror images and a quadrature far finer than the project's grid. Null values: plain Monte Carlo.
Intervals over communities: each measure without one community in turn.
Chi-square: scipy; exact tables: every table enumerated in whole numbers. Incomplete gamma: mpmath at 40 digits.
Randomness is seeded, so the output is the same at every run.
"""

import itertools
import json
import math
import sys
from fractions import Fraction

import mpmath as mp
import numpy as np
from clusters import t_of
from scipy import optimize, stats
from sklearn import metrics
from sklearn.calibration import calibration_curve

mp.mp.dps = 40
EPSILON = 1e-6


# --- the paper's fit ---------------------------------------------------------------------------------------------------


def loss(w, x, y):
    z = x @ w + EPSILON
    return float(np.mean(np.where(y == 1, z, -np.log(-np.expm1(-z)))))


def gradient(w, x, y):
    z = x @ w + EPSILON
    return (np.where(y == 1, 1.0, -1.0 / np.expm1(z))[:, None] * x).mean(axis=0)


def fit_simplex(x, y, allowed=(0, 1, 2)):
    allowed = list(allowed)
    k = len(allowed)
    part = x[:, allowed]
    starts = [np.full(k, 1 / k)] + [np.where(np.arange(k) == j, 0.9, 0.1 / max(1, k - 1)) for j in range(k)]
    best = None
    for start in starts:
        found = optimize.minimize(
            loss, start / start.sum(), args=(part, y), jac=gradient, method="SLSQP", bounds=[(0, 1)] * k,
            constraints=[{"type": "eq", "fun": lambda w: w.sum() - 1, "jac": lambda w: np.ones_like(w)}],
            options={"ftol": 1e-16, "maxiter": 1000},
        )
        if best is None or found.fun < best.fun:
            best = found
    w = np.zeros(3)
    w[allowed] = np.clip(best.x, 0, None) / np.clip(best.x, 0, None).sum()
    lowest = min(
        loss(np.array([i, j, 60 - i - j]) / 60, x, y)
        for i in range(61) for j in range(61 - i)
        if all(c == 0 or n in allowed for n, c in enumerate((i, j, 60 - i - j)))
    )
    assert loss(w, x, y) <= lowest + 1e-12, "a grid point is better than SLSQP"
    return w, loss(w, x, y)


def fit_softmax(x, y):
    def objective(u):
        e = np.exp(u - u.max())
        w = e / e.sum()
        g = gradient(w, x, y)
        return loss(w, x, y), w * (g - w @ g)

    found = optimize.minimize(objective, np.zeros(3), jac=True, method="L-BFGS-B", options={"ftol": 1e-15, "gtol": 1e-9})
    e = np.exp(found.x - found.x.max())
    return e / e.sum(), float(found.fun)


def paper_like(rng, n, kind):
    """Levels and parts; `kind` says what the parts know of the level."""
    level = rng.choice([1, 2, 3], size=n, p=[0.6, 0.25, 0.15])
    if kind == "one-class":
        level = rng.choice([1, 2], size=n)
    lam = -rng.exponential(0.05, n)
    entropy = np.where(level == 2, rng.uniform(0.3, 1.2, n), rng.uniform(0, 0.5, n))
    rho = np.where(level == 3, rng.normal(2.5, 2, n), np.where(level == 2, rng.normal(-1.5, 2, n), rng.normal(-4, 1.5, n)))
    sigma = 1 / (1 + np.exp(-rho))
    if kind == "inside":
        # Three independent parts of the same worth.
        high = lambda: np.where(level == 3, rng.exponential(0.8, n), rng.exponential(0.1, n))
        lam, entropy, sigma = -high(), high(), np.minimum(1, high())
    if kind == "collinear":
        entropy = sigma
    if kind == "zero":
        lam, entropy, sigma = np.zeros(n), np.zeros(n), np.zeros(n)
    if kind == "certain-l3":
        # S = 1 with y = 0: the row that makes the loss infinite without epsilon.
        lam[level == 3] = 0
        entropy[level == 3] = 0
        sigma[np.flatnonzero(level == 3)[:2]] = 0
    return level, np.round(lam, 6), np.round(entropy, 6), np.round(sigma, 6)


def fits():
    out = []
    for seed, (n, kind) in enumerate(
        [(120, "paper"), (200, "inside"), (60, "certain-l3"), (40, "one-class"), (80, "collinear"), (3, "paper"), (30, "zero")]
    ):
        level, lam, entropy, sigma = paper_like(np.random.default_rng(1000 + seed), n, kind)
        x = np.column_stack([-lam, entropy, sigma])
        y = (level < 3).astype(int)
        w, best = fit_simplex(x, y)
        soft, soft_loss = fit_softmax(x, y)
        without = [fit_simplex(x, y, [k for k in range(3) if k != j])[1] for j in range(3)]
        at_mean = []
        for j in range(3):
            flat = x.copy()
            flat[:, j] = x[:, j].mean()
            at_mean.append(loss(w, flat, y))
        out.append({
            "kind": kind,
            "level": level.tolist(), "lambda": lam.tolist(), "entropy": entropy.tolist(), "sigma": sigma.tolist(),
            "weights": w.tolist(), "loss": best, "gradient": gradient(w, x, y).tolist(),
            "softmax_weights": soft.tolist(), "softmax_loss": soft_loss,
            "mean": x.mean(axis=0).tolist(), "sd": x.std(axis=0).tolist(),
            "loss_without": without, "loss_at_mean": at_mean,
            "equal_loss": loss(np.full(3, 1 / 3), x, y),
        })
    return out


# --- evaluation of a score ----------------------------------------------------------------------------------------------


def ece(s, y, bins=10):
    order = np.argsort(s, kind="stable")
    parts = np.array_split(order, min(bins, len(s)))
    return float(sum(len(p) / len(s) * abs(y[p].mean() - s[p].mean()) for p in parts))


def tie_averaged(s, y):
    mean = y.astype(float)
    for value in np.unique(s):
        mean[s == value] = y[s == value].mean()
    return ece(s, mean)


def ece_equal_width(s, y, bins=10):
    number = np.clip(np.ceil(s * bins).astype(int) - 1, 0, bins - 1)
    return float(sum((number == b).mean() * abs(y[number == b].mean() - s[number == b].mean()) for b in np.unique(number)))


def unsplit(s, bins=10):
    """Equal-frequency bins whose upper edge is moved up to the end of a run of equal scores."""
    order = np.argsort(s, kind="stable")
    sizes = [len(p) for p in np.array_split(order, min(bins, len(s)))]
    edges = [0]
    for edge in np.cumsum(sizes):
        while edge < len(s) and s[order[edge]] == s[order[edge - 1]]:
            edge += 1
        if edge > edges[-1]:
            edges.append(int(edge))
    return [order[a:b] for a, b in zip(edges, edges[1:])]


def debiased(s, y):
    parts = unsplit(s)
    if any(len(p) == 1 for p in parts):
        return None
    total = sum(
        len(p) / len(s) * ((s[p].mean() - y[p].mean()) ** 2 - y[p].mean() * (1 - y[p].mean()) / (len(p) - 1)) for p in parts
    )
    return math.sqrt(max(0.0, total))


def smooth_at(s, y, sigma, points=40000):
    t = (np.arange(points) + 0.5) / points
    total = np.zeros(points)
    for score, target in zip(s, y):
        for image in range(-6, 7):
            for place in (score, -score):
                total += (target - score) * np.exp(-0.5 * ((t - place - 2 * image) / sigma) ** 2)
    return float(np.abs(total).mean() / (sigma * math.sqrt(2 * math.pi)) / len(s))


def smooth(s, y):
    residual = abs(np.mean(y - s))
    low, high = max(residual / 2, 1e-4), 1.0
    if smooth_at(s, y, low) <= low:
        return smooth_at(s, y, low)
    return float(optimize.brentq(lambda sigma: smooth_at(s, y, sigma) - sigma, low, high, xtol=1e-9))


def brier_parts(s, y):
    n = len(s)
    rel = res = wbv = wbc = 0.0
    for p in unsplit(s):
        rel += len(p) * (s[p].mean() - y[p].mean()) ** 2
        res += len(p) * (y[p].mean() - y.mean()) ** 2
        wbv += ((s[p] - s[p].mean()) ** 2).sum()
        wbc += ((y[p] - y[p].mean()) * (s[p] - s[p].mean())).sum()
    return {
        "reliability": rel / n, "resolution": res / n, "uncertainty": float(y.mean() * (1 - y.mean())),
        "within_bin_variance": wbv / n, "within_bin_covariance": wbc / n,
    }


def spiegelhalter(s, y):
    variance = ((1 - 2 * s) ** 2 * s * (1 - s)).sum()
    if variance == 0:
        return None
    z = ((y - s) * (1 - 2 * s)).sum() / math.sqrt(variance)
    return {"z": float(z), "p": float(2 * stats.norm.sf(abs(z)))}


def evaluations():
    rng = np.random.default_rng(77)
    sets = {
        "calibrated": (s := np.round(rng.beta(4, 1, 137), 6), (rng.random(137) < s).astype(int)),
        "over-confident": (s := np.round(rng.beta(0.5, 0.5, 90), 6), (rng.random(90) < 0.3 + 0.4 * s).astype(int)),
        "ties": (s := np.round(rng.beta(3, 1, 150), 1), (rng.random(150) < s**2).astype(int)),
        "constant": (np.full(40, 0.8), (rng.random(40) < 0.75).astype(int)),
        "fewer rows than bins": (np.array([0.2, 0.9, 0.4, 0.7, 0.65, 0.3, 0.95]), np.array([0, 1, 1, 0, 1, 0, 1])),
        "one row": (np.array([0.7]), np.array([1])),
        "one class": (np.round(rng.uniform(0.5, 1, 33), 4), np.ones(33, int)),
        "zero and one": (
            np.array([0.0] * 10 + [1.0] * 15 + [0.5] * 6 + [0.1, 0.93]),
            np.array([0] * 9 + [1] + [1] * 13 + [0] * 2 + [1, 0, 1, 0, 1, 1] + [0, 1]),
        ),
    }
    out = []
    for name, (s, y) in sets.items():
        both = 0 < y.sum() < len(y)
        right = np.where(y == 1, s, 1 - s)
        clipped = int((right < 1e-12).sum())
        surprise = float(-np.log(np.maximum(right, 1e-12)).mean())
        if clipped == 0:
            assert abs(surprise - metrics.log_loss(y, s, labels=[0, 1], eps=1e-15)) < 1e-12
        row = {
            "name": name, "score": s.tolist(), "target": y.tolist(),
            "equal_frequency": ece(s, y), "tie_averaged": tie_averaged(s, y), "equal_width": ece_equal_width(s, y),
            "debiased_rms": debiased(s, y), "smooth": smooth(s, y),
            "brier": float(metrics.brier_score_loss(y, s)) if both else float(((s - y) ** 2).mean()),
            "brier_parts": brier_parts(s, y),
            "log_loss": surprise, "clipped": clipped,
            "auroc": float(metrics.roc_auc_score(y, s)) if both else None,
            "spiegelhalter": spiegelhalter(s, y),
        }
        if both:
            rates, means = calibration_curve(y, s, n_bins=10, strategy="uniform")
            row["curve"] = {"rates": rates.tolist(), "means": means.tolist()}
        out.append(row)
    return out


LAWS = {"u^(1/8)": lambda u: u ** (1 / 8), "u": lambda u: u, "two points": lambda u: np.where(u < 0.2, 0.3, 0.95)}


def nulls():
    """Mean and 95 % quantile of each error when y ~ Bernoulli(score), score = law((i + 1/2)/n)."""
    out = []
    for (name, law), n in itertools.product(LAWS.items(), (100, 1000)):
        rng = np.random.default_rng(9)
        s = law((np.arange(n) + 0.5) / n)
        draws = 20000 if n == 100 else 4000
        y = (rng.random((draws, n)) < s).astype(float)
        parts = np.array_split(np.arange(n), 10)
        plain = sum(np.abs((y[:, p] - s[p]).sum(axis=1)) for p in parts) / n
        whole = unsplit(s)
        number = np.clip(np.ceil(s * 10).astype(int) - 1, 0, 9)
        width = sum(np.abs((y[:, number == b] - s[number == b]).sum(axis=1)) for b in np.unique(number)) / n
        rates = [y[:, p].mean(axis=1) for p in whole]
        square = sum(
            len(p) / n * ((s[p].mean() - r) ** 2 - r * (1 - r) / (len(p) - 1)) for p, r in zip(whole, rates)
        )
        rms = np.sqrt(np.maximum(0, square))
        out.append({
            "law": name, "n": n, "draws": draws,
            **{
                key: {"mean": float(v.mean()), "q95": float(np.quantile(v, 0.95)), "sd": float(v.std())}
                for key, v in (("equal_frequency", plain), ("equal_width", width), ("debiased_rms", rms))
            },
            "bands": [[float(q) for q in np.quantile(r, [0.025, 0.975])] for r in rates],
        })
    return out


def classwise():
    rng = np.random.default_rng(5)
    p = np.round(rng.dirichlet([4, 1.5, 0.7], 150), 6)
    p[:, 0] = np.round(1 - p[:, 1] - p[:, 2], 6)
    level = np.array([rng.choice([1, 2, 3], p=np.clip(row, 0, 1) / row.sum()) for row in p])
    return {
        "p": p.T.tolist(), "level": level.tolist(),
        "errors": [ece(p[:, j], (level == j + 1).astype(int)) for j in range(3)],
    }


# --- tests and special functions ------------------------------------------------------------------------------------------


def exact_table(first, second):
    columns = [a + b for a, b in zip(first, second)]
    r = sum(first)
    weight = lambda a: math.comb(columns[0], a[0]) * math.comb(columns[1], a[1]) * math.comb(columns[2], a[2])
    observed = weight(first)
    tables = [
        weight((a, b, r - a - b))
        for a in range(min(columns[0], r) + 1)
        for b in range(min(columns[1], r - a) + 1)
        if 0 <= r - a - b <= columns[2]
    ]
    return float(Fraction(sum(t for t in tables if t <= observed), sum(tables)))


def tables():
    chi = [
        [[10, 20, 30], [20, 20, 10]], [[900, 60, 40], [30, 5, 9]], [[7, 9], [3, 1]], [[1, 2, 3], [4, 5, 6], [7, 8, 10]],
        [[100000, 52000, 8000], [2000, 1100, 250]],
    ]
    exact = [
        [[3, 0, 0], [0, 1, 2]], [[5, 1, 4], [90, 30, 10]], [[0, 0, 3], [40, 20, 1]], [[2, 2, 2], [2, 2, 2]],
        [[12, 5, 0], [800, 300, 4]], [[60, 1, 3], [500, 20, 4]], [[0, 0, 0], [5, 3, 2]],
        [[310, 150, 40], [6200, 2900, 900]], [[4, 3, 0], [6, 8, 0]],
    ]
    chi_out = []
    for table in chi:
        statistic, p, dof, expected = stats.chi2_contingency(table, correction=False)
        chi_out.append({"table": table, "statistic": statistic, "p": p, "dof": dof, "least_expected": float(expected.min())})
    for pair in exact[-1:]:
        two = [[row[0], row[1]] for row in pair]
        assert abs(stats.fisher_exact(two)[1] - exact_table(*pair)) < 1e-12
    return {"chi": chi_out, "exact": [{"first": f, "second": s, "p": exact_table(f, s)} for f, s in exact]}


def over_communities():
    """Two scores of the same rows in communities of unequal size, measured without each community in turn."""
    rng = np.random.default_rng(29)
    sizes = [60, 31, 22, 14, 9, 6, 3]
    community = np.repeat(np.arange(len(sizes)), sizes)
    base = rng.beta(4, 1.5, len(community))
    shift = rng.normal(0, 0.15, len(sizes))[community]
    y = (rng.random(len(base)) < np.clip(base + shift, 0.02, 0.98)).astype(int)
    a = np.round(np.clip(base + rng.normal(0, 0.15, len(base)), 0.01, 0.99), 2)
    b = np.round(np.clip(base + rng.normal(0, 0.05, len(base)), 0.01, 0.99), 2)
    mixed = rng.permutation(len(base))
    community, y, a, b = community[mixed], y[mixed], a[mixed], b[mixed]

    def jackknife(statistic, link=None):
        whole = statistic(np.ones(len(y), bool))
        without = np.array([statistic(community != c) for c in range(len(sizes))])
        half = t_of(sizes, 0.95) * np.sqrt(((without - whole) ** 2).sum())
        if link == "logit":
            middle, half = math.log(whole / (1 - whole)), half / (whole * (1 - whole))
            lower, upper = (1 / (1 + math.exp(-v)) for v in (middle - half, middle + half))
        elif link == "cut":
            lower, upper = max(0.0, whole - half), min(1.0, whole + half)
        else:
            lower, upper = whole - half, whole + half
        return {"estimate": float(whole), "lower": float(lower), "upper": float(upper)}

    area = metrics.roc_auc_score
    surprise = metrics.log_loss
    squares = metrics.brier_score_loss
    return {
        "community": community.tolist(), "target": y.tolist(), "a": a.tolist(), "b": b.tolist(),
        "ece": jackknife(lambda r: ece(a[r], y[r]), "cut"),
        "brier": jackknife(lambda r: squares(y[r], a[r]), "cut"),
        "auroc": jackknife(lambda r: area(y[r], a[r]), "logit"),
        "difference": {
            "log_loss": jackknife(lambda r: surprise(y[r], b[r]) - surprise(y[r], a[r])),
            "brier": jackknife(lambda r: squares(y[r], b[r]) - squares(y[r], a[r])),
            "auroc": jackknife(lambda r: area(y[r], b[r]) - area(y[r], a[r])),
        },
    }


def gammas():
    pairs = [
        (0.5, 0.001), (0.5, 3), (0.5, 50), (1, 0.7), (1, 700), (1.5, 1.4), (2, 30), (5, 4.99), (5, 5.01), (37.5, 20), (37.5, 80),
        (1000, 900), (1000, 1100), (1e4, 1.02e4),
    ]
    return [{"a": a, "x": x, "value": float(mp.gammainc(a, x, regularized=True))} for a, x in pairs]


json.dump(
    {
        "fits": fits(), "evaluations": evaluations(), "nulls": nulls(), "classwise": classwise(), "tables": tables(),
        "gammas": gammas(), "over_communities": over_communities(),
    },
    sys.stdout,
)
