"""Reference values for selective automation (src/measures/gate/selective) and Hoeffding-Bentkus p-values, computed outside the project.

How it was run: Debian 12 packages python3-scipy 1.10.1, python3-numpy 1.24.2, with Python 3.11.2:

    python3 test/references/selective.py > test/references/selective.json
    npx biome format --write test/references/selective.json

Everything is computed from rows by its definition, without the grouping of equal scores that the project works on: thresholds are tried one by
one, Clopper-Pearson bounds are scipy's beta quantiles, AURC averages over the orders of equal scores row by row. Scores are rounded, so that
there are ties; null is a row without a score.
"""

import json
import math
import sys

import numpy as np
import scipy
from scipy.stats import beta, binom


def rows_at(scores, losses, threshold):
    kept = [y for s, y in zip(scores, losses) if s is not None and s >= threshold]
    return sum(kept), len(kept)


def upper_bound(k, n, delta):
    return 1.0 if k == n else float(beta.ppf(1 - delta, k + 1, n - k))


def hoeffding_bentkus(total, n, limit):
    mean = total / n
    if mean >= limit:
        return 1.0
    kl = (mean * math.log(mean / limit) if mean > 0 else 0) + (1 - mean) * math.log((1 - mean) / (1 - limit))
    return float(min(math.exp(-n * kl), math.e * binom.cdf(math.ceil(round(total, 9)), n, limit), 1))


def learn_then_test(scores, losses, risk, delta, grid, starts, soft):
    known = sorted((s for s in scores if s is not None), reverse=True)
    limit = delta / starts
    needed = math.ceil(math.log(delta / starts) / math.log(1 - risk))
    candidates = []
    for step in range(1, grid + 1):
        threshold = known[-(-len(known) * step // grid) - 1]
        if threshold not in candidates:
            candidates.append(threshold)
    candidates = [t for t in candidates if rows_at(scores, losses, t)[1] >= needed]
    accepted = set()
    for start in range(starts):
        for threshold in candidates[start * len(candidates) // starts :]:
            k, n = rows_at(scores, losses, threshold)
            p = hoeffding_bentkus(k, n, risk) if soft else binom.cdf(k, n, risk)
            if p > limit:
                break
            accepted.add(threshold)
    return min(accepted) if accepted else None


def sgr(scores, losses, risk, delta):
    distinct = sorted({s for s in scores if s is not None}, reverse=True)
    steps = math.ceil(math.log2(len(distinct) + 1))
    best, low, high = None, 0, len(distinct) - 1
    taken = 0
    while low <= high:
        middle = (low + high) // 2
        taken += 1
        k, n = rows_at(scores, losses, distinct[middle])
        if upper_bound(k, n, delta / steps) <= risk:
            best = distinct[middle]
            low = middle + 1
        else:
            high = middle - 1
    assert taken <= steps
    return best


def crc(scores, losses, alpha):
    n = len(scores)
    passing = []
    for threshold in sorted({s for s in scores if s is not None}, reverse=True):
        k, _ = rows_at(scores, losses, threshold)
        if n / (n + 1) * (k / n) + 1 / (n + 1) > alpha + 1e-12:
            break
        passing.append(threshold)
    return passing[-1] if passing else None


def aurc(scores, losses):
    known = [(s, y) for s, y in zip(scores, losses) if s is not None]
    mean_loss = {t: np.mean([y for s, y in known if s == t]) for t, _ in known}
    ranked = sorted((s for s, _ in known), reverse=True)
    expected = np.cumsum([mean_loss[s] for s in ranked])
    n = len(ranked)
    best = np.cumsum(sorted(y for _, y in known))
    i = np.arange(1, n + 1)
    return float(np.mean(expected / i)), float(np.mean(best / i))


def empirical_coverage(scores, losses, risk):
    counts = [rows_at(scores, losses, t) for t in {s for s in scores if s is not None}]
    return max([n for k, n in counts if k / n <= risk + 1e-12], default=0)


def dataset(name, seed, n, power, decimals, missing, soft=False):
    rng = np.random.default_rng(seed)
    score = np.round(rng.random(n) ** power, decimals)
    loss = np.round(rng.random(n) * (1 - score), 3) if soft else (rng.random(n) < (1 - score)).astype(int)
    gone = rng.random(n) < missing
    scores = [None if g else float(s) for g, s in zip(gone, score)]
    losses = [float(y) if soft else int(y) for y in loss]
    known = [(s, y) for s, y in zip(scores, losses) if s is not None]
    found = {"name": name, "soft": soft, "score": scores, "loss": losses, "ltt": [], "sgr": [], "crc": [], "empirical": []}
    for risk, delta, grid, starts in [(0.05, 0.05, 20, 1), (0.1, 0.05, 20, 1), (0.1, 0.1, 10, 2), (0.2, 0.05, 50, 4), (0.02, 0.05, 20, 1)]:
        value = learn_then_test(scores, losses, risk, delta, grid, starts, soft)
        found["ltt"].append({"risk": risk, "delta": delta, "grid": grid, "starts": starts, "threshold": value})
    for risk, delta in [(0.05, 0.05), (0.1, 0.05), (0.2, 0.1), (0.5, 0.01), (0.01, 0.05)]:
        if not soft:
            value = sgr(scores, losses, risk, delta)
            bound = None
            if value is not None:
                steps = math.ceil(math.log2(len({s for s, _ in known}) + 1))
                bound = upper_bound(*rows_at(scores, losses, value), delta / steps)
            found["sgr"].append({"risk": risk, "delta": delta, "threshold": value, "upper": bound})
    for alpha in [0.001, 0.01, 0.05, 0.1, 0.9]:
        found["crc"].append({"risk": alpha, "threshold": crc(scores, losses, alpha)})
    for risk in [0.01, 0.02, 0.05, 0.1]:
        found["empirical"].append({"risk": risk, "n": empirical_coverage(scores, losses, risk)})
    area, best = aurc(scores, losses)
    found["aurc"] = area
    found["best"] = None if soft else best
    return found


json.dump(
    {
        "made_with": {"scipy": scipy.__version__, "numpy": np.__version__},
        "hoeffding_bentkus": [
            {"sum": s, "n": n, "limit": r, "p": hoeffding_bentkus(s, n, r)}
            for s, n, r in [
                (0, 1, 0.5),
                (0, 29, 0.1),
                (1, 10, 0.2),
                (2.5, 50, 0.1),
                (2, 50, 0.1),
                (5, 50, 0.1),
                (7.25, 100, 0.15),
                (30, 1000, 0.05),
                (31.001, 1000, 0.05),
                (900, 100000, 0.01),
                (4000.5, 100000, 0.05),
            ]
        ],
        "datasets": [
            dataset("many ties, some unscored", 11, 220, 0.15, 2, 0.05),
            dataset("few distinct scores", 12, 400, 0.1, 1, 0.0),
            dataset("nearly no ties", 13, 500, 0.1, 6, 0.1),
            dataset("poor scores", 14, 150, 1.0, 2, 0.0),
            dataset("small", 15, 30, 0.05, 3, 0.0),
            dataset("losses between 0 and 1", 16, 300, 0.2, 2, 0.02, soft=True),
        ],
    },
    sys.stdout,
)
