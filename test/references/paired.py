"""Reference values for paired comparisons (src/stats/intervals/two-proportions.ts) and the cluster bootstrap, computed outside the project.

How it was run: Debian 12 packages python3-scipy 1.10.1, python3-statsmodels 0.13.5, python3-numpy 1.24.2, with Python 3.11.2:

    python3 test/references/paired.py > test/references/paired.json
    npx biome format --write test/references/paired.json

Tango: the score test inverted by brute force. For each difference the nuisance share is found by maximising the multinomial
likelihood numerically, and the bounds by Brent's method; no closed form is used. Known from print: 1 and 7 of 21 give -0.517 to
-0.026 (Fagerland, Lydersen and Laake 2014, Statistics in Medicine 33:2850-2875). Bootstrap: percentile and BCa of numpy and scipy's
normal distribution, from resamples that are handed over as lists of indices.
"""

import json
import sys

import numpy as np
import scipy
from scipy import optimize, stats


def nuisance(b, c, n, delta):
    """Most likely share of second-only rows when the difference is delta: a golden-section search on the likelihood."""
    low, high = max(0.0, -delta), (1 - delta) / 2
    def minus(q):
        value = 0.0
        for count, p in ((b, q + delta), (c, q), (n - b - c, 1 - delta - 2 * q)):
            if count > 0:
                value -= count * np.log(max(p, 1e-300))
        return value
    best = optimize.minimize_scalar(minus, bounds=(low, high), method="bounded", options={"xatol": 1e-14, "maxiter": 2000})
    return min((low, high, best.x), key=minus)


def score(b, c, n, delta):
    q = nuisance(b, c, n, delta)
    return (b - c - n * delta) / np.sqrt(n * (2 * q + delta * (1 - delta)))


def tango(b, c, n, level):
    z = stats.norm.ppf((1 + level) / 2)
    d = (b - c) / n
    upper = 1.0 if b == n else optimize.brentq(lambda x: score(b, c, n, x) + z, d + 1e-9, 1 - 1e-9, xtol=1e-12)
    lower = -1.0 if c == n else optimize.brentq(lambda x: score(b, c, n, x) - z, -1 + 1e-9, d - 1e-9, xtol=1e-12)
    return {"lower": lower, "upper": upper}


def tango_cases():
    tables = [(1, 7, 21), (0, 0, 30), (5, 0, 40), (0, 5, 40), (12, 9, 80), (30, 10, 1000), (3, 3, 7), (1, 0, 2), (200, 350, 26902)]
    return [{"b": b, "c": c, "n": n, "level": level, **tango(b, c, n, level)} for b, c, n in tables for level in (0.95, 0.9)]


def bootstrap_case():
    rng = np.random.default_rng(7)
    k = rng.poisson(3, size=25)
    n = k + rng.poisson(20, size=25)
    draws = rng.integers(0, 25, size=(400, 25))
    ratio = lambda index: k[index].sum() / n[index].sum()
    values = np.array([ratio(index) for index in draws])
    theta = ratio(np.arange(25))
    left = np.array([ratio(np.delete(np.arange(25), i)) for i in range(25)])
    z0 = stats.norm.ppf((np.sum(values < theta) + 0.5 * np.sum(values == theta)) / len(values))
    u = left.mean() - left
    a = np.sum(u**3) / (6 * np.sum(u**2) ** 1.5)
    order = lambda p: stats.norm.cdf(z0 + (z0 + stats.norm.ppf(p)) / (1 - a * (z0 + stats.norm.ppf(p))))
    return {"k": k.tolist(), "n": n.tolist(), "draws": draws.tolist(),
            "percentile": [float(np.quantile(values, p)) for p in (0.025, 0.975)],
            "bca": [float(np.quantile(values, order(p))) for p in (0.025, 0.975)]}


def main():
    result = {"versions": {"scipy": scipy.__version__, "numpy": np.__version__, "python": ".".join(map(str, sys.version_info[:3]))},
              "tango": tango_cases(), "cluster_bootstrap": bootstrap_case()}
    print(json.dumps(result, indent=2, allow_nan=False))


if __name__ == "__main__":
    main()
