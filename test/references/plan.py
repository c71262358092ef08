"""Reference values for the planner (src/measures/gate/plan), computed outside the project.

How it was run: Debian 12 packages python3-scipy 1.10.1, python3-statsmodels 0.13.5, python3-numpy 1.24.2, with Python 3.11.2:

    python3 test/references/plan.py > test/references/plan.json
    npx biome format --write test/references/plan.json

Sizes to certify: every n tried in turn with scipy.stats.binom. Probability to pass a gate: the four kinds of verdicts enumerated with
scipy.stats.multinomial. Holm: every combination of failures in three communities, judged by statsmodels' multipletests. Sizes to
estimate: statsmodels' samplesize_confint_proportion, and every n tried with proportion_confint. McNemar: every table enumerated, each
judged by statsmodels' mcnemar (exact) or by the sum of outcomes (mid-p).
"""

import itertools
import json
import math
import sys

import numpy as np
import scipy
import statsmodels
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint, samplesize_confint_proportion


def allowed(n, limit, delta):
    ok = np.nonzero(stats.binom.cdf(np.arange(n + 1), n, limit) <= delta)[0]
    return int(ok[-1]) if len(ok) else -1


def certify_cases():
    cases = []
    for limit, delta, power, truth, top in [(0.1, 0.05, 0.8, 0.02, 400), (0.1, 0.05, 0.8, 0.03, 400), (0.1, 0.05, 0.8, 0.05, 700),
                                            (0.1, 0.05, 0.8, 0.07, 1600), (0.15, 0.05, 0.8, 0.07, 700), (0.1, 0.05 / 270, 0.8, 0.02, 700),
                                            (0.2, 0.01, 0.95, 0.0, 200), (0.05, 0.1, 0.5, 0.04, 1500)]:
        powers = {}
        for n in range(1, top):
            k = allowed(n, limit, delta)
            powers[n] = (k, float(stats.binom.cdf(k, n, truth)) if k >= 0 else 0.0)
        smallest = min(n for n, (k, p) in powers.items() if p >= power)
        steady = max([n for n, (k, p) in powers.items() if p < power]) + 1
        first = {}
        for n, (k, _) in powers.items():
            for j in range(k + 1):
                first.setdefault(j, n)
        cases.append({"limit": limit, "delta": delta, "power": power, "truth": truth,
                      "smallest": {"n": smallest, "failures": powers[smallest][0], "power": powers[smallest][1]},
                      "from_then_on": {"n": steady, "failures": powers[steady][0], "power": powers[steady][1]},
                      "first": [first[j] for j in range(4)]})
    return cases


def pass_cases():
    cases = []
    for n, most, p, c, u in [(25, [3, 3, 3], 0.15, 0.88, 0.03), (25, [3, 3, 3], 0.05, 0.88, 0.1), (12, [4, 3, 1, 0], 0.2, 0.6, 0.3),
                             (8, [8, 8, 8, 8], 0.3, 0.9, 0.5), (10, [2, -1, 1], 0.1, 0.5, 0.2), (9, [1] * 10, 0.4, 0.1, 0.05),
                             (30, [0] * 31, 0.02, 1.0, 0.0)]:
        total = 0.0
        cell = [p * c, p * (1 - c), (1 - p) * u, (1 - p) * (1 - u)]
        for a in range(n + 1):
            for b in range(n + 1 - a):
                if a + b >= len(most):
                    continue
                for d in range(n + 1 - a - b):
                    if a + d <= most[a + b]:
                        total += stats.multinomial.pmf([a, b, d, n - a - b - d], n, cell)
        cases.append({"n": n, "mostYes": most, "indefensible": p, "yes_if_indefensible": c, "yes_if_defensible": u, "pass": float(total)})
    return cases


def joint_cases():
    """First n with which both exact tests reject often enough, and the first after the last n (below `top`) with which they do not; the
    joint probability by summing over multinomial counts."""
    cases = []
    for limit, ai_limit, delta, power, p, ai, top in [(0.1, 0.15, 0.05, 0.8, 0.02, 0.07, 500), (0.1, 0.15, 0.05, 0.8, 0.02, 0.04, 500),
                                                      (0.01, 0.15, 0.05, 0.84, 0.0004, 0.01, 1500), (0.02, 0.02, 0.01, 0.99, 0.002, 0.003, 1500)]:
        c = min(0.88 * p, ai) / p
        u = (ai - c * p) / (1 - p)
        found = {}
        for n in range(20, top):
            kl, ka = allowed(n, limit, delta), allowed(n, ai_limit, delta)
            total = 0.0
            for x in range(kl + 1):
                conv = np.convolve(stats.binom.pmf(np.arange(x + 1), x, c), stats.binom.pmf(np.arange(n - x + 1), n - x, u))
                total += stats.binom.pmf(x, n, p) * conv[: ka + 1].sum() if ka >= 0 else 0.0
            found[n] = {"n": n, "failures": kl, "inverse_yes": ka, "power": float(total)}
        smallest = min(n for n, size in found.items() if size["power"] >= power)
        steady = max(n for n, size in found.items() if size["power"] < power) + 1
        cases.append({"limit": limit, "ai_limit": ai_limit, "delta": delta, "power": power, "truth": p, "ai_truth": ai,
                      "smallest": found[smallest], "from_then_on": found[steady]})
    return cases


def holm_cases():
    cases = []
    for groups, n, limit, delta, truth in [(3, 40, 0.1, 0.05, 0.02), (3, 61, 0.1, 0.05, 0.03), (4, 30, 0.2, 0.1, 0.05), (2, 20, 0.1, 0.05, 0.01)]:
        p_values = stats.binom.cdf(np.arange(n + 1), n, limit)
        mass = stats.binom.pmf(np.arange(n + 1), n, truth)
        # Above this many failures nothing is ever rejected: one more class is enough for all of them.
        top = allowed(n, limit, delta) + 1
        classes = list(range(top + 1))
        weight = [mass[k] for k in range(top)] + [mass[top:].sum()]
        share = everything = 0.0
        for combination in itertools.product(classes, repeat=groups):
            probability = math.prod(weight[k] for k in combination)
            rejected = multipletests([p_values[k] for k in combination], alpha=delta, method="holm")[0]
            share += probability * rejected.mean()
            everything += probability * rejected.all()
        cases.append({"communities": groups, "n": n, "limit": limit, "delta": delta, "truth": truth,
                      "expected_share": float(share), "all": float(everything)})
    return cases


def estimate_cases():
    cases = []
    for rate, half, level in [(0.1, 0.03, 0.95), (0.5, 0.05, 0.95), (0.02, 0.01, 0.99), (0.0, 0.05, 0.9)]:
        def first(method):
            for n in itertools.count(1):
                low, high = proportion_confint(rate * n, n, 1 - level, method)
                if high - low <= 2 * half:
                    return n
        normal = samplesize_confint_proportion(rate, half, 1 - level)
        cases.append({"rate": rate, "half_width": half, "level": level, "normal": max(1, math.ceil(normal)),
                      "wilson": first("wilson"), "clopper_pearson": first("beta") if rate > 0 else None})
    return cases


def paired_power(n, b, c, alpha, kind):
    psi = b + c
    total = 0.0
    for m in range(n + 1):
        x = np.arange(m + 1)
        half = stats.binom.pmf(x, m, 0.5)
        p = np.array([min(1.0, 2 * half[: min(i, m - i) + 1].sum()) for i in x])
        if kind == "mid_p":
            p = np.array([p[i] - half[i] if i != m - i else 1 - half[i] / 2 for i in x])
        if m > 0 and kind == "exact_p":
            assert abs(p[0] - mcnemar([[0, 0], [m, 0]], exact=True).pvalue) < 1e-12
        reject = p <= alpha
        reject &= x * 2 != m
        total += stats.binom.pmf(m, n, psi) * stats.binom.pmf(x, m, b / psi)[reject].sum()
    return float(total)


def paired_cases():
    cases = []
    for n, b, c, alpha in [(6, 1.0, 0.0, 0.05), (40, 0.3, 0.1, 0.05), (80, 0.15, 0.05, 0.05), (60, 0.1, 0.25, 0.1)]:
        for kind in ("exact_p", "mid_p"):
            cases.append({"n": n, "only_a": b, "only_b": c, "alpha": alpha, "test": kind, "power": paired_power(n, b, c, alpha, kind)})
    return cases


def main():
    result = {
        "versions": {"scipy": scipy.__version__, "numpy": np.__version__, "statsmodels": statsmodels.__version__.split("+")[0],
                     "python": ".".join(map(str, sys.version_info[:3]))},
        "certify": certify_cases(),
        "pass": pass_cases(),
        "joint": joint_cases(),
        "holm": holm_cases(),
        "estimate": estimate_cases(),
        "paired": paired_cases(),
    }
    print(json.dumps(result, indent=2, allow_nan=False))


if __name__ == "__main__":
    main()
