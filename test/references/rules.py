"""Reference values for the experiments on rules (src/measures/metrics/paired/: paired-change.ts, transitions.ts,
scope-ablation.ts), computed outside the project.

How it was run: Debian 12 packages python3-scipy 1.10.1, python3-statsmodels 0.13.5, python3-sklearn 1.2.1, python3-numpy 1.24.2, with
Python 3.11.2:

    python3 test/references/rules.py > test/references/rules.json
    npx biome format --write test/references/rules.json

A made-up set of 160 decisions in 9 communities with three arms each, some without a verdict, is written out row by row and counted here with
numpy masks. McNemar: statsmodels (exact) and its mid-p from scipy's binomial. Interval over communities: `jackknife`
of clusters.py. Wilson: statsmodels. Kappa: sklearn. Tango's interval has references of its own (paired.py).
"""

import json
import sys

import numpy as np
from clusters import jackknife
from scipy import stats
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint

rng = np.random.default_rng(11)
ROWS = 160
COMMUNITIES = 9
community = rng.integers(0, COMMUNITIES, size=ROWS)
positive = rng.random(ROWS) < 0.45
opened = [np.clip(0.15 + 0.05 * community, 0, 1), np.clip(0.08 + 0.03 * community, 0, 1), np.clip(0.05 + 0.02 * community, 0, 1)]
level = np.stack([rng.choice([1, 2, 3], size=ROWS, p=p) for p in ([0.4, 0.5, 0.1], [0.6, 0.32, 0.08], [0.7, 0.24, 0.06])])
inverse = np.stack([rng.random(ROWS) < np.where(level[arm] == 3, 0.8, opened[arm]) for arm in range(3)])
# -1 unscored, -2 error, -3 absent; 0 a verdict.
missing = np.where(rng.random((3, ROWS)) < 0.04, rng.choice([-1, -2, -3], size=(3, ROWS)), 0)
kinds = np.where(missing < 0, missing, (level - 1) * 2 + np.where(inverse, 0, 1))
cited = rng.choice(["platform", "community", "mixed", "none"], size=ROWS, p=[0.4, 0.45, 0.05, 0.1])

FOLLOWED = {
    "defensibility_index": lambda arm: level[arm] != 3,
    "ambiguity_index": lambda arm: inverse[arm],
    "ambiguity_pure": lambda arm: inverse[arm] & (level[arm] != 3),
    "level_1": lambda arm: level[arm] == 1,
    "level_3": lambda arm: level[arm] == 3,
}


def paired(a, b, name, keep):
    complete = keep & (missing >= 0).all(axis=0)
    x, y = FOLLOWED[name](a)[complete], FOLLOWED[name](b)[complete]
    n = int(complete.sum())
    only_a, only_b = int((x & ~y).sum()), int((~x & y).sum())
    change = y.astype(float) - x.astype(float)
    d = change.mean()
    _, _, half = jackknife(lambda rows: change[rows].mean(), community[complete])
    table = [[int((x & y).sum()), only_a], [only_b, int((~x & ~y).sum())]]
    m, t = min(only_a, only_b), only_a + only_b
    point = stats.binom.pmf(m, t, 0.5) if t else None
    known = [np.where(missing[arm] >= 0, FOLLOWED[name](arm).astype(float), np.nan) for arm in (a, b)]
    least = [np.where(np.isnan(k), 0, k)[keep] for k in known]
    most = [np.where(np.isnan(k), 1, k)[keep] for k in known]
    return {
        "n": n,
        "a": {"k": int(x.sum()), "wilson": list(proportion_confint(x.sum(), n, method="wilson"))},
        "b": {"k": int(y.sum()), "wilson": list(proportion_confint(y.sum(), n, method="wilson"))},
        "only_a": only_a,
        "only_b": only_b,
        "difference": d,
        "cluster": [max(-1, d - half), min(1, d + half)],
        "exact_p": float(mcnemar(table, exact=True).pvalue) if t else None,
        "mid_p": (float(2 * stats.binom.cdf(m, t, 0.5) - point) if only_a != only_b else float(1 - point / 2)) if t else None,
        "worst_case": [float((least[1] - most[0]).mean()), float((most[1] - least[0]).mean())],
        "worst_case_a": [float(least[0].mean()), float(most[0].mean())],
    }


def transitions(a, b, keep):
    complete = keep & (missing >= 0).all(axis=0)
    return [[int((complete & (level[a] == i) & (level[b] == j)).sum()) for j in (1, 2, 3)] for i in (1, 2, 3)]


def underspecified(name, keep):
    complete = keep & (missing >= 0).all(axis=0)
    x, y = FOLLOWED[name](0)[complete], FOLLOWED[name](2)[complete]
    return {"gross": int((x & ~y).sum()), "reversals": int((~x & y).sum()), "net": float(x.mean() - y.mean()), "residual": int(y.sum())}


def ablation(name):
    """Arm 0 is all rules, 1 the platform's alone, 2 the community's alone."""
    complete = (missing >= 0).all(axis=0)
    b, g, c = (FOLLOWED[name](arm)[complete] for arm in range(3))
    return {
        "both": int(b.sum()),
        "platform": int((b & g & ~c).sum()),
        "community": int((b & ~g & c).sum()),
        "either": int((b & g & c).sum()),
        "together": int((b & ~g & ~c).sum()),
        "ended_by_community": int((g & ~b).sum()),
        "ended_by_platform": int((c & ~b).sum()),
    }


def agreement():
    complete = (missing >= 0).all(axis=0)
    b, g, c = (inverse[arm] for arm in range(3))
    measured = np.select([complete & b & g & ~c, complete & b & ~g & c], ["platform", "community"], "")
    use = (measured != "") & np.isin(cited, ["platform", "community"])
    return {
        "n": int(use.sum()),
        "alike": int((measured[use] == cited[use]).sum()),
        "kappa": float(cohen_kappa_score(measured[use], cited[use])),
    }


everyone = np.ones(ROWS, dtype=bool)
STEPS = [(0, 1), (1, 2), (0, 2)]
result = {
    "rows": [
        {
            "decision_id": f"d{i}",
            "community": f"c{community[i]}",
            "decision": "remove" if positive[i] else "approve",
            "cited": str(cited[i]),
            "kinds": [int(kind) for kind in kinds[:, i]],
        }
        for i in range(ROWS)
    ],
    "complete": int((missing >= 0).all(axis=0).sum()),
    "steps": [
        {"a": a, "b": b, "transitions": transitions(a, b, everyone), **{name: paired(a, b, name, everyone) for name in FOLLOWED}}
        for a, b in STEPS
    ],
    "removals": [
        {"a": a, "b": b, "transitions": transitions(a, b, positive), **{name: paired(a, b, name, positive) for name in FOLLOWED}}
        for a, b in STEPS
    ],
    "underspecification": {name: underspecified(name, everyone) for name in ("ambiguity_index", "ambiguity_pure")},
    "ablation": {name: ablation(name) for name in ("defensibility_index", "ambiguity_index", "ambiguity_pure")},
    "agreement": agreement(),
}
json.dump(result, sys.stdout, indent=1)
