"""Reference values for the laws that a simulated auditor draws from (src/stats/logit-normal-*.ts, src/simulation/auditor), computed outside the project.

How it was run: Debian 12 packages python3-scipy 1.10.1, python3-mpmath 1.2.1, with Python 3.11.2:

    python3 test/references/simulated-auditor.py > test/references/simulated-auditor.json
    npx biome format --write test/references/simulated-auditor.json

Means of the logit-normal law: adaptive quadrature with 30 digits (mpmath), no trapezoid rule. Locations: Brent's method on those means (scipy).
Entropies of p_j proportional to j^-b over 20 candidates: scipy.stats.entropy in bits.
"""

import json

import mpmath as mp
import numpy as np
from scipy import optimize, stats

mp.mp.dps = 30


def mean(location, sd):
    if sd == 0:
        return float(1 / (1 + mp.e ** (-mp.mpf(location))))
    density = lambda z: mp.npdf(z) / (1 + mp.e ** (-(location + sd * z)))
    return float(mp.quad(density, [-12, -6, -3, 0, 3, 6, 12]))


def location(wanted, sd):
    return optimize.brentq(lambda m: mean(m, sd) - wanted, -60, 60, xtol=1e-13)


def bits(exponent):
    p = np.arange(1, 21, dtype=float) ** -exponent
    return float(stats.entropy(p / p.sum(), base=2))


print(
    json.dumps(
        {
            "means": [[m, s, mean(m, s)] for m in (-6.0, -1.5, 0.3, 4.0) for s in (0.0, 0.5, 2.0, 5.0)],
            "locations": [[p, s, location(p, s)] for p in (0.001, 0.063, 0.5, 0.932) for s in (0.5, 2.0, 5.0)],
            "entropies": [[b, bits(b)] for b in (0.0, 0.7, 2.0, 6.0, 15.0)],
        }
    )
)
