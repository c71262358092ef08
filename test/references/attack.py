"""Reference values for src/stats/tests/group-test.test.ts and src/stats/ranks/detection.test.ts, computed outside the project.

How it was run: Debian 12 packages python3-scipy 1.10.1, python3-sklearn 1.2.1, python3-statsmodels 0.13.5, with Python 3.11.2:

    python3 test/references/attack.py > test/references/attack.json
    npx biome format --write test/references/attack.json

Exact tests of several groups: every table with the same margins, in fractions. Chi-square: scipy chi2_contingency without correction.
Two groups: scipy fisher_exact. Odds ratios: statsmodels Table2x2 (Woolf), with 1/2 added by hand where a cell is empty.
ROC points: sklearn roc_curve with drop_intermediate=False; the area is compared, and every point.
"""

import json
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
from scipy.stats import chi2_contingency, fisher_exact
from sklearn.metrics import roc_auc_score, roc_curve
from statsmodels.stats.contingency_tables import Table2x2


def exact(events, sizes):
    hits, n = sum(events), sum(sizes)
    weight = lambda ks: Fraction(int(np.prod([comb(s, k) for s, k in zip(sizes, ks)], dtype=object)), comb(n, hits))
    observed = weight(events)
    total = Fraction(0)
    for ks in product(*[range(s + 1) for s in sizes]):
        if sum(ks) == hits and weight(ks) <= observed:
            total += weight(ks)
    return float(total)


groups = [
    ([3, 0, 0], [3, 1, 2]),
    ([5, 1, 0, 2], [6, 7, 3, 4]),
    ([0, 0, 4], [9, 9, 9]),
    ([1, 1, 1, 1, 1], [2, 3, 4, 5, 6]),
    ([29, 19], [39, 38]),
    ([2, 9], [12, 11]),
]


def group(events, sizes):
    table = [events, [s - e for s, e in zip(sizes, events)]]
    _, p, _, expected = chi2_contingency(table, correction=False)
    row = dict(events=events, sizes=sizes, least_expected=float(expected.min()), chi=float(p), exact=None)
    if len(sizes) == 2:
        row["exact"] = float(fisher_exact(table)[1])
    elif np.prod([s + 1 for s in sizes]) < 1e6:
        row["exact"] = exact(events, sizes)
    return row


def odds(a, b, c, d):
    cells = np.array([[a, b], [c, d]], dtype=float)
    if (cells == 0).any():
        cells = cells + 0.5
    table = Table2x2(cells, shift_zeros=False)
    lower, upper = table.oddsratio_confint(0.05)
    return dict(cells=[a, b, c, d], estimate=float(table.oddsratio), lower=float(lower), upper=float(upper))


def roc(positives, negatives):
    y = [1] * len(positives) + [0] * len(negatives)
    s = positives + negatives
    fpr, tpr, _ = roc_curve(y, s, drop_intermediate=False)
    return dict(positives=positives, negatives=negatives, area=float(roc_auc_score(y, s)), fpr=fpr.tolist(), tpr=tpr.tolist())


print(
    json.dumps(
        {
            "groups": [group(*g) for g in groups],
            "odds": [odds(29, 19, 10, 19), odds(10, 5, 4, 8), odds(0, 7, 5, 2), odds(6, 33, 1, 37)],
            "roc": [
                roc([3, 2], [2, 1]),
                roc([0.9, 0.8, 0.8, 0.4], [0.1, 0.8, 0.3]),
                roc([1, 1, 1], [1, 1]),
                roc([5, 4, 3, 2, 1], [0.5, 1.5, 2.5, 2.5]),
            ],
        }
    )
)
