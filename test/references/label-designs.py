"""Reference values for estimates from labels that were drawn in strata (statistics: stratified Wilson, jackknife, Clopper-Pearson per cell).
Run: python3 test/references/label-designs.py > test/references/label-designs.json
"""
import json
import random

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
}, indent=1))
