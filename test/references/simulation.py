"""Reference values for the derived rates of simulated worlds (src/simulation/world), computed outside the project.

How it was run: Debian 12 package python3-numpy 1.24.2, with Python 3.11.2:

    python3 test/references/simulation.py > test/references/simulation.json
    npx biome format --write test/references/simulation.json

Level shares: the three linear equations DI = l1 + l2, AI = a1 l1 + a2 l2 + a3 l3, 1 = l1 + l2 + l3 solved as a matrix, no closed form. Latent rates:
found by going the other way, from a world's rates to the joint distribution of (level, inverse) by enumerating contents and decisions, and
inverting that map numerically. Tiers: the same linear equations for removals (unknown a2) and approvals. Volume: root of the pooled rate by bisection.
"""

import json

import numpy as np

A = [0.023, 0.601, 0.883]


def levels(di, ai, a=A):
    return np.linalg.solve([[1, 1, 0], a, [1, 1, 1]], [di, ai, 1]).tolist()


def joint(open_, void, implied, error):
    """Shares of (1, No), (2, No), (2, Yes), (3, Yes), (3, No), by enumeration."""
    shares = dict.fromkeys(["1n", "2n", "2y", "3y", "3n"], 0.0)
    for kind, p in (("open", open_), ("void", void), ("clear", 1 - open_ - void)):
        if kind == "open":
            shares["2y"] += p
        elif kind == "void":
            shares["3n"] += p
        else:
            for basis, q in (("purpose", implied), ("words", 1 - implied)):
                shares["3y"] += p * q * error
                shares["1n" if basis == "words" else "2n"] += p * q * (1 - error)
    return [shares[key] for key in ("1n", "2n", "2y", "3y", "3n")]


def latent(l, a2, a3):
    target = np.array([l[0], l[1] * (1 - a2), l[1] * a2, l[2] * a3, l[2] * (1 - a3)])
    x = np.array([0.1, 0.01, 0.1, 0.1])
    for _ in range(200):
        base = np.array(joint(*x))
        jac = np.array([(np.array(joint(*(x + 1e-7 * np.eye(4)[i]))) - base) / 1e-7 for i in range(4)]).T
        step, *_ = np.linalg.lstsq(jac, target - base, rcond=None)
        x = x + step
    return x.tolist()


def tier(indefensible, ai, level1, removal_ai, removals):
    l3 = indefensible / 37286
    l2 = 1 - l3 - level1
    a2 = np.linalg.solve([[l2]], [removal_ai - A[0] * level1 - A[2] * l3])[0]
    approvals = np.linalg.solve([[removals, 1 - removals], [1, 0]], [ai, removal_ai])[1]
    la = levels(1 - l3, approvals)
    return {
        "remove": [level1, l2 * (1 - a2), l2 * a2, l3 * A[2], l3 * (1 - A[2])],
        "approve": [la[0], la[1] * (1 - A[1]), la[1] * A[1], la[2] * A[2], la[2] * (1 - A[2])],
    }


def volume():
    low, high = 0.0, 10.0
    for _ in range(200):
        v = (low + high) / 2
        n = np.array([165, 40 * v, 65 * v])
        rate = float(n @ np.array([0.032, 0.323, 0.078]) / n.sum())
        low, high = (v, high) if rate < 0.0566 else (low, v)
    return (low + high) / 2


cohorts = {
    "random": (0.923, 0.183),
    "balanced": (0.873, 0.249),
    "earned_autonomy": (0.968, 0.07),
    "policy_gaps": (0.677, 0.36),
    "normative_complexity": (0.922, 0.23),
    "expert": (0.98, 0.156),
}

print(
    json.dumps(
        {
            "made_with": f"numpy {np.__version__}",
            "levels": [{"name": k, "di": d, "ai": a, "shares": levels(d, a)} for k, (d, a) in cohorts.items()],
            "latent": [{"name": k, "rates": latent(levels(d, a), A[1], A[2])} for k, (d, a) in cohorts.items()],
            "tiers": {
                "title": tier(962, 0.182, 0.485, 0.32, 0.4),
                "sidebar": tier(757, 0.088, 0.746, 0.102, 0.4),
                "wiki": tier(722, 0.074, 0.746, 0.102, 0.4),
            },
            "volume": volume(),
        }
    )
)
