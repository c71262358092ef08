"""Reference values for intervals over communities of unequal size (src/stats/intervals/clustered-proportion.ts, cluster-jackknife.ts), and for those of
the rates of slices and of the gate's fleet (src/app/gate/gate-slices.test.ts, gate-fleet.test.ts), computed outside the project.

How it was run: Debian 12 packages python3-scipy 1.10.1, python3-numpy 1.24.2, python3-sklearn 1.2.1, with Python 3.11.2:

    python3 test/references/clusters.py > test/references/clusters.json
    npx biome format --write test/references/clusters.json

Every decision is a row. The jackknife drops the rows of one community and takes the mean of the rest; sums of squares are taken over rows;
Wilson's ends are roots of the score equation, found by bisection. Other scripts import `pooled` and `jackknife` from here.
Randomness is seeded, so the output is the same at every run.
"""

import json

import numpy as np
from scipy import optimize, stats
from sklearn.metrics import cohen_kappa_score


def effective(sizes):
    sizes = np.asarray(sizes, float)
    return float(1 / ((sizes / sizes.sum()) ** 2).sum())


def t_of(groups, level):
    return stats.t.ppf((1 + level) / 2, max(1, effective(groups) - 1))


def pooled(y, community, level=0.95):
    """D of the two variances, Wilson with t."""
    y, community = np.asarray(y, float), np.asarray(community)
    names, sizes = np.unique(community, return_counts=True)
    n, g, p = len(y), len(names), y.mean()
    t = t_of(sizes, level)
    out = {"clusters": g, "effective_clusters": effective(sizes), "design_effect": None}
    if p in (0, 1):
        trials = n * (stats.norm.ppf((1 + level) / 2) / t) ** 2
        tail = ((1 - level) / 2) ** (1 / trials)
        return {**out, "lower": 0.0 if p == 0 else tail, "upper": 1 - tail if p == 0 else 1.0}
    left_out = np.array([y[community != c].mean() for c in names])
    means = np.array([y[community == c].mean() for c in names])
    own = means[np.searchsorted(names, community)]
    between = ((own - p) ** 2).sum() / (g - 1)
    within = ((y - own) ** 2).sum() / (n - g) if n > g else p * (1 - p)
    size = (n - (sizes**2).sum() / n) / (g - 1)
    tau = max(0.0, (between - within) / size)
    model = sum((m / n) ** 2 * (tau + within / m) for m in sizes)
    variance = max(((left_out - p) ** 2).sum(), model)
    rows = p * (1 - p) / variance
    gap = lambda q: (p - q) ** 2 - t**2 * q * (1 - q) / rows
    lower, upper = (optimize.brentq(gap, *ends, xtol=1e-15, rtol=1e-14) for ends in ((0, p), (p, 1)))
    return {**out, "lower": lower, "upper": upper, "design_effect": variance * n / (p * (1 - p))}


def jackknife(statistic, community, level=0.95):
    """statistic(mask of rows) with each community left out in turn; half-width, effective number."""
    community = np.asarray(community)
    names, sizes = np.unique(community, return_counts=True)
    theta = statistic(np.ones(len(community), bool))
    left_out = np.array([statistic(community != c) for c in names])
    return theta, left_out, t_of(sizes, level) * np.sqrt(((left_out - theta) ** 2).sum())


def pooled_cases():
    rng = np.random.default_rng(20261116)
    sizes = [[40, 3, 1, 1, 12, 7], [5] * 12, [1] * 9, [300, 20, 20, 10], [2, 2], [1, 1], [9, 1],
             np.ceil(8 * (1 - rng.random(40)) ** (-1 / 1.2)).astype(int).tolist()]
    cases = []
    for row in sizes:
        for mean, level in ((0.1, 0.95), (0.5, 0.9), (0.9, 0.99)):
            k = [int(rng.binomial(n, rng.beta(4 * mean, 4 * (1 - mean)))) for n in row]
            cases.append((k, row, level))
    cases += [([0, 0, 0], [50, 3, 2], 0.95), ([50, 3, 2], [50, 3, 2], 0.95), ([5, 10, 1], [10, 20, 2], 0.95), ([3, 0], [3, 9], 0.95)]
    result = []
    for k, n, level in cases:
        y = np.concatenate([np.r_[np.ones(a), np.zeros(b - a)] for a, b in zip(k, n)])
        community = np.repeat(np.arange(len(n)), n)
        result.append({"k": k, "n": n, "level": level, **pooled(y, community, level)})
    return result


def jackknife_cases():
    rng = np.random.default_rng(7)
    result = []
    for sizes in ([30, 5, 5, 2, 1], [8] * 10):
        community = np.repeat(np.arange(len(sizes)), sizes)
        x, y = rng.exponential(1 + community / 4), rng.exponential(2, len(community))
        theta, left_out, half = jackknife(lambda keep: x[keep].sum() / y[keep].sum(), community)
        result.append({"sizes": sizes, "theta": theta, "left_out": left_out.tolist(), "lower": theta - half, "upper": theta + half,
                       "effective_clusters": effective(sizes)})
    return result


def slice_cases():
    """Decisions as (community, how many, indefensible, with a derivable opposite, tags); one with two tags counts under both."""
    fleet = [("alpha", 40, 3, 9, ["new"]), ("alpha", 25, 1, 4, ["old"]), ("beta", 12, 5, 2, ["new", "old"]), ("gamma", 7, 0, 3, ["new"]),
             ("gamma", 90, 4, 20, ["old"]), ("delta", 3, 1, 1, ["new"]), ("epsilon", 18, 6, 8, ["old", "new"]), ("zeta", 9, 2, 0, ["rare"])]
    passes = ["alpha", "gamma", "epsilon"]
    rows = [(community, tags, i < bad, i >= n - open_, community in passes) for community, n, bad, open_, tags in fleet for i in range(n)]
    values = []
    for value in ("old", "new", "rare"):
        own = [row for row in rows if value in row[1]]
        rates = {}
        for name, of, success in (
            ("di", own, lambda row: not row[2]),
            ("indefensible_rate", own, lambda row: row[2]),
            ("ambiguity", own, lambda row: row[3]),
            ("automation_rate", own, lambda row: row[4]),
            ("automated_indefensible_rate", [row for row in own if row[4]], lambda row: row[2]),
        ):
            many = len({row[0] for row in of}) > 1
            rates[name] = {"k": sum(map(success, of)), "n": len(of), "cluster": pooled([success(row) for row in of], [row[0] for row in of]) if many else None}
        values.append({"value": value, **rates})
    return {"fleet": fleet, "passes": passes, "values": values}


def gate_cases():
    """Decisions as (community, action, language, how many, indefensible, with a derivable opposite); the raw gate over cohorts of any keys."""
    fleet = [("alpha", "remove", "en", 60, 3, 6), ("alpha", "approve", "en", 40, 2, 3), ("alpha", "approve", "de", 30, 9, 4), ("beta", "remove", "en", 35, 0, 2),
             ("beta", "approve", "de", 28, 1, 8), ("gamma", "remove", "de", 70, 1, 3), ("gamma", "remove", "en", 9, 4, 1), ("delta", "approve", "en", 45, 11, 9),
             ("epsilon", "remove", "de", 33, 2, 1), ("epsilon", "approve", "en", 26, 0, 0), ("zeta", "approve", "de", 12, 1, 5)]
    keys = ("community", "decision", "language")
    cases = []
    for by in (["community"], ["community", "decision"], ["language"], ["decision", "language"]):
        rows = [({**dict(zip(keys, names)), "cohort": tuple(names[keys.index(key)] for key in by)}, i < bad, i >= n - open_)
                for *names, n, bad, open_ in fleet for i in range(n)]
        cohorts = {row[0]["cohort"] for row in rows}
        of = {cohort: [row for row in rows if row[0]["cohort"] == cohort] for cohort in cohorts}
        eligible = {cohort for cohort, own in of.items() if len(own) >= 25}
        passing = {cohort for cohort in eligible if 10 * sum(row[1] for row in of[cohort]) <= len(of[cohort]) and 20 * sum(row[2] for row in of[cohort]) <= 3 * len(of[cohort])}
        rates = {}
        for name, among, success in (
            ("decision_coverage_eligible", eligible, lambda row: row[0]["cohort"] in passing),
            ("decision_coverage_all", cohorts, lambda row: row[0]["cohort"] in passing),
            ("fleet_di", passing, lambda row: not row[1]),
            ("fleet_ai", passing, lambda row: row[2]),
            ("base_indefensible_rate", eligible, lambda row: row[1]),
            ("automated_indefensible_rate", passing, lambda row: row[1]),
        ):
            own = [row for row in rows if row[0]["cohort"] in among]
            rates[name] = {"k": sum(map(success, own)), "n": len(own), "cluster": pooled([success(row) for row in own], [row[0]["community"] for row in own])}
        cases.append({"by": by, "passing": len(passing), "rates": rates})
    return {"fleet": fleet, "cases": cases}


def kappa_cases():
    """Cohen's κ (scikit-learn) of rows, by community (tp, fp, fn, tn): without the rows of one community at a time."""
    rng = np.random.default_rng(11)
    result = []
    for sizes in ([60, 45, 30, 20, 9, 4, 4], [12] * 8):
        community = np.repeat(np.arange(len(sizes)), sizes)
        human = rng.random(len(community)) < 0.3 + 0.4 * (community % 3 == 0)
        decided = np.where(rng.random(len(community)) < 0.25, ~human, human)
        theta, _, half = jackknife(lambda keep: cohen_kappa_score(decided[keep], human[keep]), community)
        tables = [[int(((decided == d) & (human == h) & (community == c)).sum()) for d, h in ((1, 1), (1, 0), (0, 1), (0, 0))]
                  for c in range(len(sizes))]
        result.append({"tables": tables, "kappa": theta, "lower": max(-1, theta - half), "upper": min(1, theta + half),
                       "effective_clusters": effective(sizes)})
    return result


if __name__ == "__main__":
    print(json.dumps({"pooled": pooled_cases(), "jackknife": jackknife_cases(), "slices": slice_cases(), "gate": gate_cases(), "kappa": kappa_cases()}))
