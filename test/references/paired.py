"""Reference values for paired comparisons (src/stats/intervals/two-proportions.ts), the cluster bootstrap and the comparison of two studies
(src/stats/tests/two-proportion-test.ts), computed outside the project.

How it was run: Debian 12 packages python3-scipy 1.10.1, python3-statsmodels 0.13.5, python3-numpy 1.24.2, with Python 3.11.2:

    python3 test/references/paired.py > test/references/paired.json
    npx biome format --write test/references/paired.json

Tango: the score test inverted by brute force. For each difference the nuisance share is found by maximising the multinomial
likelihood numerically, and the bounds by Brent's method; no closed form is used. Known from print: 1 and 7 of 21 give -0.517 to
-0.026 (Fagerland, Lydersen and Laake 2014, Statistics in Medicine 33:2850-2875). Bootstrap: percentile and BCa of numpy and scipy's
normal distribution, from resamples that are handed over as lists of indices. Studies: the difference of two rates by the method of variance
estimates recovery (Zou and Donner 2008, equation 3) from scipy's Wilson ends at 95 %; its 90 % ends are nearer by the ratio of the normal quantiles.
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


def study_cases():
    """Two rates (k1 of n1, k2 of n2): the ends of their difference at 95 % and 90 %, and the verdict within a margin."""
    ratio = stats.norm.ppf(0.95) / stats.norm.ppf(0.975)
    cases = []
    for k1, n1, k2, n2, margin in [(0, 100, 3, 1000, 0.02), (0, 200, 1, 5000, 0.02), (0, 60, 14, 200, 0.02), (0, 100, 110, 5000, 0.02), (60, 60, 90, 200, 0.02),
                                   (56, 70, 48, 80, 0.02), (450, 900, 2300, 4600, 0.05), (7, 30, 70, 1000, 0.02), (199, 200, 4990, 5000, 0.02)]:
        first, second = (stats.binomtest(k, n).proportion_ci(0.95, method="wilson") for k, n in ((k1, n1), (k2, n2)))
        t1, t2 = k1 / n1, k2 / n2
        d = t1 - t2
        below = np.sqrt((t1 - first.low) ** 2 + (second.high - t2) ** 2)
        above = np.sqrt((first.high - t1) ** 2 + (t2 - second.low) ** 2)
        wide, narrow = (d - below, d + above), (d - ratio * below, d + ratio * above)
        same = -margin <= narrow[0] and narrow[1] <= margin
        cases.append({"first": {"value": t1, "lower": first.low, "upper": first.high}, "second": {"value": t2, "lower": second.low, "upper": second.high},
                      "margin": margin, "wide": wide, "narrow": narrow,
                      "verdict": "same" if same else "different" if wide[0] > 0 or wide[1] < 0 else "undecided"})
    return cases


def main():
    result = {"versions": {"scipy": scipy.__version__, "numpy": np.__version__, "python": ".".join(map(str, sys.version_info[:3]))},
              "tango": tango_cases(), "cluster_bootstrap": bootstrap_case(), "studies": study_cases()}
    print(json.dumps(result, indent=2, allow_nan=False))


if __name__ == "__main__":
    main()
