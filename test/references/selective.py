"""Reference values for selective automation (src/measures/gate/selective) and Hoeffding-Bentkus p-values, computed outside the project.

How it was run: Debian 12 packages python3-scipy 1.10.1, python3-numpy 1.24.2, with Python 3.11.2:

    python3 test/references/selective.py > test/references/selective.json
    npx biome format --write test/references/selective.json

Everything is computed from rows by its definition, without the grouping of equal scores that the project works on: thresholds are tried one by
one, Clopper-Pearson bounds are scipy's beta quantiles, AURC averages over the orders of equal scores row by row. Scores are rounded, so that
there are ties; null is a row without a score. Threads (-1: none) and weights are units of the e-value of threads.py, here by its definition in numpy.
"""

import json
import math
import sys

import numpy as np
import scipy
from scipy.optimize import brentq
from scipy.special import logsumexp
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


def units_at(rows, threshold, cap):
    """(u, x) of the threads of the rows that a threshold automates, one thread after the other; rows are (score, loss, thread or None, weight)."""
    heaviest = max(weight for *_, weight in rows)
    kept = [row for row in rows if row[0] is not None and row[0] >= threshold]
    names = {thread for _, _, thread, _ in kept if thread is not None}
    members = [[row for row in kept if row[2] == name] for name in names] + [[row] for row in kept if row[2] is None]
    return [(min(1.0, sum(w for *_, w in own) / heaviest / cap), sum(w * y for _, y, _, w in own) / sum(w for *_, w in own)) for own in members]


def log_e(units, r, points=128):
    """D1 as it is written: ln of the mean over the grid of the product of 1 + lambda u (r - x)."""
    u, x = np.array([u for u, _ in units]), np.array([x for _, x in units])
    p = np.sin((np.arange(1, points + 1) - 0.5) / points * math.asin(math.sqrt(r))) ** 2
    bets = (r - p) / (r * (1 - r))
    return float(logsumexp(np.log1p(bets[:, None] * (u * (r - x))[None, :]).sum(axis=1)) - math.log(points))


def learn_then_test_threads(rows, risk, delta, grid, starts, cap):
    """The cap is at most the rows of the largest thread."""
    threads = [thread for _, _, thread, _ in rows if thread is not None]
    cap = min(cap, max(threads.count(thread) for thread in set(threads)))
    known = sorted((row[0] for row in rows if row[0] is not None), reverse=True)
    limit = delta / starts
    candidates = []
    for step in range(1, grid + 1):
        threshold = known[-(-len(known) * step // grid) - 1]
        if threshold not in candidates:
            candidates.append(threshold)
    candidates = [t for t in candidates if log_e([(u, 0) for u, _ in units_at(rows, t, cap)], risk) >= -math.log(limit)]
    found, tried = None, {}
    for start in range(starts):
        for threshold in candidates[start * len(candidates) // starts :]:
            units = units_at(rows, threshold, cap)
            kept = [(y, w) for s, y, _, w in rows if s is not None and s >= threshold]
            rate = sum(y * w for y, w in kept) / sum(w for _, w in kept)
            tried[threshold] = min(1.0, math.exp(-log_e(units, risk)))
            if tried[threshold] > limit or rate > risk + 1e-9:
                break
            found = threshold if found is None else min(found, threshold)
    upper = None if found is None else float(brentq(lambda r: log_e(units_at(rows, found, cap), r) + math.log(limit), 1e-9, 1 - 1e-9, xtol=1e-13))
    return {"threshold": found, "upper": upper, "tested": [{"threshold": t, "p": p} for t, p in sorted(tried.items(), reverse=True)]}


def thread_case(name, seed, sizes, wave, alone, weighted, bad=0.1):
    """Threads of some sizes; one is wholly bad with probability `wave`, else its rows are bad one by one, less so with a good score."""
    rng = np.random.default_rng(seed)
    rows = []
    for thread, size in enumerate(sizes):
        wholly = rng.random() < wave
        for _ in range(size):
            score = None if rng.random() < 0.03 else round(float(rng.random()), 2)
            loss = int(wholly or rng.random() < bad * (1 - (score or 0)))
            rows.append((score, loss, None if rng.random() < alone else thread, float(rng.choice([0.5, 1, 2])) if weighted else 1.0))
    settings = [(0.1, 0.05, 20, 1, 5), (0.1, 0.1, 20, 2, 1), (0.2, 0.05, 10, 1, 3), (0.05, 0.1, 50, 4, 2), (0.15, 0.1, 20, 2, 10)]
    found = [{"risk": r, "delta": d, "grid": g, "starts": s, "cap": m, **learn_then_test_threads(rows, r, d, g, s, m)} for r, d, g, s, m in settings]
    score, loss, thread, weight = (list(column) for column in zip(*rows))
    return {"name": name, "score": score, "loss": loss, "thread": [-1 if t is None else t for t in thread], "weight": weight if weighted else None, "ltt": found}


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
        "threads": [
            thread_case("threads of one to six", 21, [1 + i % 6 for i in range(250)], 0.0, 0.0, False, bad=0.25),
            thread_case("some rows alone", 22, [1 + i % 4 for i in range(240)], 0.01, 0.3, False, bad=0.02),
            thread_case("large threads, few of them bad", 23, [40] * 12 + [2] * 200, 0.03, 0.0, False, bad=0.03),
            thread_case("threads of labels with weights", 24, [1 + i % 3 for i in range(260)], 0.01, 0.1, True, bad=0.03),
        ],
    },
    sys.stdout,
)
