"""Reference values for stability: tests, smoothers, spreads, confidence sequences, variance components.

Run: /usr/bin/python3 test/references/stability.py > test/references/stability.json, then
npx biome format --write test/references/stability.json
Made with scipy 1.10, statsmodels 0.13, numpy, mpmath (Debian 12).
"""

import json
import math

import mpmath
import numpy as np
import pandas as pd
import scipy.stats as st
import statsmodels.api as sm
from statsmodels.formula.api import ols

rng = np.random.default_rng(20260501)


def mann_whitney():
    rows = []
    cases = [
        ([3, 4, 5], [1, 2]),
        (list(rng.normal(size=8)), list(rng.normal(0.5, 1, size=12))),
        (list(rng.normal(size=20)), list(rng.normal(size=20))),
        (list(rng.normal(size=50)), list(rng.normal(0.4, 1, size=50))),
        ([1, 2, 2, 3, 3, 3], [2, 3, 4, 4, 5]),
        (list(np.round(rng.uniform(size=50), 1)), list(np.round(rng.uniform(0.1, 1.1, size=37), 1))),
        ([1, 1, 1, 1], [1, 1, 1, 2]),
    ]
    for x, y in cases:
        ties = len(set(x) | set(y)) < len(x) + len(y)
        exact = not ties and len(x) * len(y) <= 400
        got = st.mannwhitneyu(x, y, alternative="two-sided", method="exact" if exact else "asymptotic")
        rows.append({"x": [float(v) for v in x], "y": [float(v) for v in y], "u": float(got.statistic), "p": float(got.pvalue), "exact": exact})
    return rows


def lowess():
    rows = []
    for n, frac, it in [(40, 2 / 3, 3), (100, 2 / 3, 3), (60, 0.3, 2), (25, 0.5, 0), (2, 2 / 3, 3), (5, 1.0, 3)]:
        x = np.sort(rng.uniform(0, 1, size=n))
        y = np.sin(5 * x) + rng.normal(0, 0.2, size=n)
        if n == 100:
            y[::9] += 3
        fit = sm.nonparametric.lowess(y, x, frac=frac, it=it, delta=0.0, return_sorted=True)
        rows.append({"x": x.tolist(), "y": y.tolist(), "share": frac, "rounds": it, "fit": fit[:, 1].tolist()})
    # Ties in x, as shares of few replicates have.
    x = np.sort(np.round(rng.uniform(0.4, 1, size=80), 2))
    y = 1 - x + rng.normal(0, 0.05, size=80)
    fit = sm.nonparametric.lowess(y, x, delta=0.0, return_sorted=True)
    rows.append({"x": x.tolist(), "y": y.tolist(), "share": 2 / 3, "rounds": 3, "fit": fit[:, 1].tolist()})
    return rows


def jackknife_sd():
    rows = []
    for values in [
        rng.normal(size=12),
        rng.beta(0.3, 0.3, size=200),
        np.r_[np.zeros(25), np.ones(5)],
        np.array([1.0, 2.0, 4.0]),
    ]:
        n = len(values)
        log_variance = math.log(values.var(ddof=1))
        pseudo = np.array([n * log_variance - (n - 1) * math.log(np.delete(values, i).var(ddof=1)) for i in range(n)])
        half = st.t.ppf(0.975, n - 1) * pseudo.std(ddof=1) / math.sqrt(n)
        sd = values.std(ddof=1)
        rows.append({"values": values.tolist(), "sd": float(sd), "lower": float(sd * math.exp(-half / 2)), "upper": float(sd * math.exp(half / 2))})
    return rows


def e_values():
    mpmath.mp.dps = 30
    rows = []
    for k, t, p in [(0, 1, 0.1), (3, 10, 0.1), (3.7, 10, 0.9), (250, 1000, 0.6), (999.5, 1000, 0.95), (0, 300, 0.1), (0.001, 50, 0.8)]:
        k, t, p = mpmath.mpf(k), mpmath.mpf(t), mpmath.mpf(p)
        integral = mpmath.quad(
            lambda q: (q / p) ** k * ((1 - q) / (1 - p)) ** (t - k) * q ** mpmath.mpf(-0.5) * (1 - q) ** mpmath.mpf(-0.5) / mpmath.pi,
            [0, min(max(k / t, mpmath.mpf("0.001")), mpmath.mpf("0.999")), 1],
        )
        # The closed form, which the quadrature confirms where the integrand is not too sharp.
        closed = mpmath.log(mpmath.beta(0.5 + k, 0.5 + t - k)) - mpmath.log(mpmath.pi) - k * mpmath.log(p) - (t - k) * mpmath.log(1 - p)
        assert t > 100 or abs(mpmath.log(integral) - closed) < 1e-6, (k, t, p)
        rows.append({"k": float(k), "t": float(t), "p": float(p), "log": float(closed)})
    return rows


def components(cases, levels, replicates, seed):
    """Balanced data; components from statsmodels' mean squares, solved by hand from their expectations."""
    r = np.random.default_rng(seed)
    names = ["t", "p", "a"][: len(levels)]
    effect_case = r.normal(0, 1.0, cases)
    rows = []
    fixed = [r.normal(0, 0.4, n) for n in levels]
    by_case = [r.normal(0, 0.5, (cases, n)) for n in levels]
    for c in range(cases):
        for index in np.ndindex(*levels):
            cell = effect_case[c] + sum(fixed[f][i] + by_case[f][c, i] for f, i in enumerate(index)) + r.normal(0, 0.2)
            for _ in range(replicates):
                rows.append({"c": c, **dict(zip(names, index)), "y": cell + r.normal(0, 0.8)})
    frame = pd.DataFrame(rows)
    formula = "y ~ " + " * ".join(f"C({name})" for name in ["c", *names])
    table = sm.stats.anova_lm(ols(formula, frame).fit(), typ=1)
    size = {"c": cases, **dict(zip(names, levels))}
    error = table.loc["Residual", "mean_sq"]
    squares = {}
    for term, mean_square in table["mean_sq"].items():
        if term != "Residual":
            squares[frozenset(part[2:-1] for part in term.split(":"))] = mean_square
    found = {}
    for term in sorted(squares, key=len, reverse=True):
        rest = squares[term] - error
        for larger, value in found.items():
            if term < larger:
                rest -= value * replicates * math.prod(size[f] for f in size if f not in larger)
        found[term] = rest / (replicates * math.prod(size[f] for f in size if f not in term))
    cells = frame.groupby(["c", *names])["y"]
    return {
        "cases": cases,
        "levels": list(levels),
        "mean": cells.mean().tolist(),
        "within": cells.var(ddof=1).tolist(),
        "count": cells.count().tolist(),
        "effects": [
            {"factors": sorted(names.index(f) for f in term if f != "c"), "with_case": "c" in term, "component": float(value)}
            for term, value in found.items()
        ],
        "within_component": float(error),
    }


print(
    json.dumps(
        {
            "mann_whitney": mann_whitney(),
            "lowess": lowess(),
            "jackknife_sd": jackknife_sd(),
            "e_values": e_values(),
            "components": [components(8, (3,), 5, 1), components(6, (3, 2), 4, 2), components(5, (2, 2, 3), 3, 3)],
        }
    )
)
