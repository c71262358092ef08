"""Reference values for src/measures/metrics/dual-audit.test.ts, computed outside the project.

How it was run: Debian 12 packages python3-numpy 1.24.2, python3-statsmodels 0.13.5, with Python 3.11.2:

    python3 test/references/dual.py > test/references/dual.json
    npx biome format --write test/references/dual.json

Decisions are told one by one as (community, level, inverse, level of the opposite, its inverse) and counted by filtering lists, not by tables of counts.
Intervals of rows: statsmodels proportion_confint(method="wilson"). Intervals of communities: `pooled` of clusters.py.
"""

import json

import numpy as np
from clusters import pooled
from statsmodels.stats.proportion import proportion_confint


def decisions():
    rng = np.random.default_rng(20260415)
    rows = []
    for c in range(24):
        lean = rng.beta(3, 2)
        for _ in range(int(rng.integers(5, 40))):
            level = int(rng.choice([1, 2, 3], p=[0.6 * lean, 0.4 * lean, 1 - lean]))
            opposite = int(rng.choice([1, 2, 3], p=[0.3 * (1 - lean), 0.4, 1 - 0.4 - 0.3 * (1 - lean)]))
            # The check sees the truth about four times in five.
            inverse = bool((opposite < 3) ^ (rng.random() < 0.2))
            back = bool((level < 3) ^ (rng.random() < 0.15))
            rows.append((f"c{c:02}", level, inverse, opposite, back))
    return rows


def share(rows, among, holds):
    kept = [row for row in rows if among(row)]
    hits = [1.0 if holds(row) else 0.0 for row in kept]
    k, n = int(sum(hits)), len(hits)
    lower, upper = proportion_confint(k, n, method="wilson")
    over = pooled(hits, [row[0] for row in kept])
    return {
        "k": k,
        "n": n,
        "lower": lower,
        "upper": upper,
        "clusters": over["clusters"],
        "cluster_lower": over["lower"],
        "cluster_upper": over["upper"],
    }


def check(rows, among, yes, defensible):
    return {
        "sensitivity": share(rows, lambda r: among(r) and defensible(r), yes),
        "specificity": share(rows, lambda r: among(r) and not defensible(r), lambda r: not yes(r)),
        "agreement": share(rows, among, lambda r: yes(r) == defensible(r)),
    }


rows = decisions()
everything = lambda row: True
own = lambda row: row[1] in (1, 2)
opposite = lambda row: row[3] in (1, 2)
result = {
    "rows": rows,
    "shares": {
        "ambiguous": share(rows, everything, lambda r: own(r) and opposite(r)),
        "determinate": share(rows, everything, lambda r: own(r) and not opposite(r)),
        "model_error": share(rows, everything, lambda r: not own(r) and opposite(r)),
        "void": share(rows, everything, lambda r: not own(r) and not opposite(r)),
        "defensibility_index": share(rows, everything, own),
        "opposite_defensibility_index": share(rows, everything, opposite),
        "ambiguity_index": share(rows, everything, lambda r: r[2]),
        "ambiguity_pure": share(rows, everything, lambda r: r[2] and own(r)),
    },
    "checks": {
        "inverse_check": check(rows, everything, lambda r: r[2], opposite),
        "inverse_check_defensible": check(rows, own, lambda r: r[2], opposite),
        "opposite_inverse_check": check(rows, everything, lambda r: r[4], own),
    },
}
print(json.dumps(result))
