"""Reference values for src/app/gate/gate-slices.test.ts, computed outside the project.

How it was run: Debian 12 packages python3-scipy 1.10.1, python3-statsmodels 0.13.5, with Python 3.11.2:

    python3 test/references/slices.py > test/references/slices.json
    npx biome format --write test/references/slices.json

Decisions are told one by one, with their lists of values, and counted here by sets of decisions: those with a value against those without.
Tests: pooled score test by statsmodels proportions_ztest where every expected count is at least 5, else scipy fisher_exact.
"""

import json

from scipy.stats import fisher_exact
from statsmodels.stats.proportion import proportions_ztest


def groups():
    """(number of decisions, indefensible ones among them, values)"""
    overlapping = [(100, 12, ["new", "x1", "x2", "x3"]), (300, 11, ["old"]), (20, 1, ["old", "new"]), (7, 2, [])]
    # 60 values, of which the 10 rarest are not shown, and every decision has two: the shown rows sum up to other than all.
    many = [(10 if i < 50 else 4, i % 3, [f"v{i:02}", f"w{i % 5}"]) for i in range(55)]
    # Rows shown sum up to exactly the number of decisions, although decisions overlap and values are left out.
    level = [(2, i % 2, [f"u{i:02}"]) for i in range(60)] + [(24, 3, ["a", "b"])]
    return {"overlapping": overlapping, "many": many, "level": level}


def test(k1, n1, k2, n2):
    if n1 == 0 or n2 == 0:
        return None
    total, hits = n1 + n2, k1 + k2
    if hits in (0, total):
        return 1.0
    if min(n1, n2) * min(hits, total - hits) / total < 5:
        return float(fisher_exact([[k1, n1 - k1], [k2, n2 - k2]])[1])
    return float(proportions_ztest([k1, k2], [n1, n2])[1])


def reference(fleet):
    decisions = [(values or ["unknown"], i < bad) for n, bad, values in fleet for i in range(n)]
    names = sorted({value for values, _ in decisions for value in values})
    rows = []
    for name in names:
        inside = [bad for values, bad in decisions if name in values]
        outside = [bad for values, bad in decisions if name not in values]
        k1, n1, k2, n2 = sum(inside), len(inside), sum(outside), len(outside)
        rows.append(
            dict(value=name, n=n1, indefensible=k1, rest=n2, rest_indefensible=k2, p=test(k1, n1, k2, n2), difference=k1 / n1 - k2 / n2)
        )
    rows.sort(key=lambda row: (-row["n"], row["value"]))
    return rows[:50]


print(json.dumps({name: {"fleet": fleet, "rows": reference(fleet)} for name, fleet in groups().items()}))
