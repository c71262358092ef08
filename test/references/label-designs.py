"""Reference values for estimates from labels that were drawn in strata or with chances of their own (statistics: stratified Wilson, jackknife,
Clopper-Pearson per cell, weighted prediction-powered shares). The last ones are computed from rows written out one by one, with the tuning
parameter found by a numerical minimiser instead of its closed form.
Run: python3 test/references/label-designs.py > test/references/label-designs.json
"""
import json
import random

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.stats import beta, norm, t


def wilson(p, n, level=0.95):
    z = norm.ppf((1 + level) / 2)
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * (p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5
    return max(0, centre - half), min(1, centre + half)


def stratified(strata):
    N = sum(s["size"] for s in strata)
    p = sum(s["size"] / N * s["k"] / s["n"] for s in strata)
    smooth = [(s["k"] + 0.5) / (s["n"] + 1) for s in strata]
    pt = sum(s["size"] / N * q for s, q in zip(strata, smooth))
    V = sum((s["size"] / N) ** 2 * (1 - s["n"] / s["size"]) * q * (1 - q) / s["n"] for s, q in zip(strata, smooth))
    return wilson(p, pt * (1 - pt) / V)


def unlabelled(strata):
    def fill(yes):
        return [s if s["n"] else {"k": s["size"] * yes, "n": s["size"], "size": s["size"]} for s in strata]
    return {"strata": strata, "lower": stratified(fill(0))[0], "upper": stratified(fill(1))[1]}


def jackknife(strata, sizes, statistic):
    n, H = len(strata), len(sizes)
    count = [strata.count(h) for h in range(H)]
    weights = [sizes[h] / count[h] for h in strata]
    theta = statistic(weights)
    V = 0
    for h in range(H):
        rows = [i for i in range(n) if strata[i] == h]
        values = []
        for j in rows:
            w = list(weights)
            for i in rows:
                w[i] = 0 if i == j else w[i] * len(rows) / (len(rows) - 1)
            values.append(statistic(w))
        left = 1 - count[h] / sizes[h]
        if len(rows) == 1:
            V += left * (values[0] - theta) ** 2
        else:
            mean = sum(values) / len(values)
            V += left * (len(rows) - 1) / len(rows) * sum((v - mean) ** 2 for v in values)
    half = t.ppf(0.975, max(1, n - H)) * V ** 0.5
    return {"estimate": theta, "lower": theta - half, "upper": theta + half}


def kappa(x, y, w):
    total = sum(w)
    agree = sum(wi for xi, yi, wi in zip(x, y, w) if xi == yi) / total
    chance = sum(sum(wi for xi, wi in zip(x, w) if xi == c) * sum(wi for yi, wi in zip(y, w) if yi == c) for c in (0, 1)) / total ** 2
    return (agree - chance) / (1 - chance)


rng = random.Random(1)
cases = []
for counts, sizes in [((10, 8, 6), (200, 50, 9)), ((1, 12, 2), (30, 400, 5)), ((20, 20), (20, 300))]:
    strata = [h for h, c in enumerate(counts) for _ in range(c)]
    x = [int(rng.random() < 0.4) for _ in strata]
    y = [xi if rng.random() < 0.75 else 1 - xi for xi in x]
    cases.append({
        "strata": strata, "sizes": list(sizes), "x": x, "y": y,
        "mean": jackknife(strata, sizes, lambda w: sum(wi * yi for wi, yi in zip(w, y)) / sum(w)),
        "kappa": jackknife(strata, sizes, lambda w: kappa(x, y, w)),
    })


def bound(strata, delta):
    N = sum(s["n"] for s in strata)
    total = 0
    for s in strata:
        if s["labelled"] == 0:
            u = 1
        elif s["labelled"] == s["n"]:
            u = s["k"] / s["n"]
        elif s["k"] == s["labelled"]:
            u = 1
        else:
            u = beta.ppf(1 - delta / len(strata), s["k"] + 1, s["labelled"] - s["k"])
        total += s["n"] / N * u
    return {"strata": strata, "delta": delta, "bound": total}


def classes(rows, known):
    """Rows (cell, chance, y, f) by part, class of like chances and prediction."""
    parts = {}
    for row in rows:
        parts.setdefault(row[0] if known else "", []).append(row)
    for part in parts.values():
        like, group = [], []
        for chance in sorted({row[1] for row in part}):
            group += [row for row in part if row[1] == chance]
            if len(group) >= 10:
                like.append(group)
                group = []
        if group and like:
            like[-1] += group
        elif group:
            like.append(group)
        yield [np.array([row[1:] for row in one if row[3] == f], float) for one in like for f in (0, 1) if any(row[3] == f for row in one)]


def drawn(rows, predicted, sizes, delta=0.05):
    used = [(c, pi, y, f if predicted else 0) for c, pi, y, f in rows]
    pi, y, f = np.array([row[1:] for row in used], float).T
    w = 1 / pi
    known = sizes == "known" and all(row[0] for row in used)
    parts = list(classes(used, known))

    def variance(lam):
        V, share = 0.0, 0.0
        for part in parts:
            smooth = lambda one, by: (len(one) * (by @ one[:, 1] / by.sum()) + 0.5) / (len(one) + 1) if by.sum() > 0 else 0.5
            weight = np.array([(1 / one[:, 0]).sum() for one in part])
            means = np.array([smooth(one, 1 / one[:, 0]) - lam * one[0, 2] for one in part])
            centre = weight @ means / weight.sum()
            share += sum(smooth(one, 1 / one[:, 0]) * (1 / one[:, 0]).sum() for one in part) / w.sum()
            for one in part:
                by = (1 - one[:, 0]) / one[:, 0] ** 2
                p, shift = smooth(one, by), lam * one[0, 2]
                V += by.sum() / w.sum() ** 2 * (p * (1 - shift - centre) ** 2 + (1 - p) * (-shift - centre) ** 2)
        return V, share

    lam = 0.0
    if predicted:
        found = minimize_scalar(lambda x: variance(x)[0], bounds=(0, 1), method="bounded", options={"xatol": 1e-13}).x
        lam = float(min((0.0, 1.0, found), key=lambda x: variance(x)[0]))
    V, share = variance(lam)
    theta = w @ (y - lam * f) / w.sum() + lam * (predicted["mean"] if predicted else 0)
    theta = min(1.0, max(0.0, float(theta)))
    effective = share * (1 - share) / V
    lower, upper = wilson(theta, effective)
    return {"rows": rows, "predicted": predicted, "sizes": sizes, "lambda": lam, "estimate": theta, "lower": lower, "upper": upper,
            "standard_error": float(V ** 0.5), "upper_bound": wilson(theta, effective, 1 - 2 * delta)[1]}


def drawn_cases():
    rng = np.random.default_rng(7)
    cases = []
    for n, chances, cells, mean in [(60, [0.5, 0.05], None, 0.1), (40, None, None, 0.15), (90, [0.3, 0.1, 0.02], ["a", "b", "c"], 0.2), (25, None, ["a", "b"], None)]:
        rows = []
        for i in range(n):
            y = int(rng.random() < 0.2)
            f = int(rng.random() < (0.8 if y else 0.1))
            h = i % len(chances or cells or [0])
            chance = chances[h] if chances else round(float(np.clip(np.exp(rng.normal(-2, 0.7)), 0.001, 1)), 4)
            rows.append([cells[h] if cells else "", chance, y, f])
        for sizes in ("known", "estimated"):
            cases.append(drawn(rows, None, sizes))
            if mean is not None:
                cases.append(drawn(rows, {"n": 3000, "mean": mean}, sizes))
    return cases


def singles(cases):
    """Rows that each have their own chance: delete-one, degrees of freedom from the effective number of rows."""
    made = []
    for x, y, chances in cases:
        w = 1 / np.array(chances)
        mean = lambda v: float((v * np.array(y)).sum() / v.sum())
        V = 0.0
        for i, chance in enumerate(chances):
            without = w.copy()
            without[i] = 0
            V += (1 - chance) * (mean(without) - mean(w)) ** 2
        free = w[w > 1]
        half = t.ppf(0.975, max(1, free.sum() ** 2 / (free ** 2).sum() - 1)) * V ** 0.5
        made.append({"y": y, "chances": chances, "estimate": mean(w), "lower": mean(w) - half, "upper": mean(w) + half})
    return made


print(json.dumps({
    "jackknife": cases,
    "unlabelled": [
        unlabelled([{"k": 5, "n": 10, "size": 100}, {"k": 0, "n": 0, "size": 20}]),
        unlabelled([{"k": 1, "n": 40, "size": 2000}, {"k": 0, "n": 0, "size": 3}, {"k": 30, "n": 40, "size": 100}]),
    ],
    "bound": [
        bound([{"n": 2000, "labelled": 50, "k": 0}, {"n": 100, "labelled": 50, "k": 20}, {"n": 2, "labelled": 2, "k": 1}], 0.05),
        bound([{"n": 500, "labelled": 30, "k": 2}, {"n": 9, "labelled": 0, "k": 0}], 0.1),
    ],
    "drawn": drawn_cases(),
    "singles": singles([(None, [1, 0, 0.5, 1, 0, 0, 1, 0.5], [0.1, 0.2, 0.05, 0.9, 0.3, 0.02, 1, 0.15])]),
}, indent=1))
