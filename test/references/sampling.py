"""Reference values for the signals of sampling mode (src/measures/signals/extract-sampled.ts), computed outside the project.

How it was run: Debian 12 packages python3-scipy 1.10.1, python3-numpy 1.24.2, python3-mpmath 1.2.1, with Python 3.11.2:

    python3 test/references/sampling.py > test/references/sampling.json
    npx biome format --write test/references/sampling.json

Digamma and trigamma: mpmath at 40 digits. Standard deviations under a Dirichlet distribution: by numerical integration of the
density, not by the closed forms the project uses. Whole records: numpy and scipy from lists of draws; their standard errors again
by integration, that of S with numpy's correlations of the draws.
"""

import json
import sys

import mpmath as mp
import numpy as np
import scipy
from scipy import special, stats

mp.mp.dps = 40


def moments(function, a):
    """Mean and standard deviation of function(p) for p ~ Dirichlet(a), 2 or 3 categories.

    p = (sin² s, cos² s sin² t, cos² s cos² t), Gauss-Legendre in s and t: with parameters from 1/2 on the density has no poles there.
    """
    nodes, node_weights = np.polynomial.legendre.leggauss(1000)
    angle = (nodes + 1) * np.pi / 4
    step = node_weights * np.pi / 4
    a = np.asarray(a, float)
    log_norm = special.gammaln(a.sum()) - special.gammaln(a).sum()
    sin, cos = np.sin(angle), np.cos(angle)
    if len(a) == 2:
        p = np.array([sin**2, cos**2])
        measure = step * 2 * sin * cos
    else:
        p = np.array([np.outer(sin**2, np.ones_like(sin)), np.outer(cos**2, sin**2), np.outer(cos**2, cos**2)])
        measure = np.outer(step * 2 * sin * cos**3, step * 2 * sin * cos)
    mass = measure * np.exp(log_norm + np.tensordot(a - 1, np.log(p), 1))
    assert abs(mass.sum() - 1) < 1e-11
    value = function(p)
    mean = (mass * value).sum()
    return float(mean), float(np.sqrt((mass * (value - mean) ** 2).sum()))


def entropy_bits(p):
    return -(p * np.log2(p)).sum(axis=0)


def log_odds_sd(a, b):
    """Standard deviation of ln(p / (1 - p)) for p ~ Beta(a, b): its logarithms at both ends want mpmath's tanh-sinh rule."""

    def integral(g):
        return mp.quad(lambda x: g(mp.log(x / (1 - x))) * x ** (a - 1) * (1 - x) ** (b - 1), [0, 0.5, 1]) / mp.beta(a, b)

    mean = integral(lambda rho: rho)
    return float(mp.sqrt(integral(lambda rho: (rho - mean) ** 2)))


def dirichlet_entropy():
    out = []
    for a in [(1.5, 0.5), (0.5, 0.5), (5.5, 0.5), (2.5, 2.5), (20.5, 4.5), (1.5, 0.5, 0.5), (2.5, 2.5, 2.5), (7.5, 2.5, 0.5)]:
        out.append({"parameters": list(a), "sd": moments(entropy_bits, a)[1]})
    return out


def gammas():
    xs = [0.01, 0.5, 1, 1.5, 2.25, 3, 5.5, 9.999, 10, 12.75, 100.5, 12345.5, 1e9]
    return [{"x": x, "digamma": float(mp.digamma(mp.mpf(x))), "trigamma": float(mp.polygamma(1, mp.mpf(x)))} for x in xs]


def miller_madow():
    out = []
    for counts in [[1], [5], [2, 2], [3, 1, 1], [1, 1, 1, 1], [40, 7, 2, 1], [0, 3, 0, 2]]:
        seen = [count for count in counts if count]
        bits = stats.entropy(seen, base=2) + (len(seen) - 1) / (2 * sum(seen) * np.log(2))
        out.append({"counts": counts, "value": float(bits)})
    return out


def record(draws, weights):
    """One record from draws of (level, weight, inverse, citation)."""
    alpha, beta, gamma = weights
    levels = np.array([draw[0] for draw in draws])
    kinds = np.array(["HML".index(draw[1]) for draw in draws])
    yes = np.array([draw[2] == "Y" for draw in draws]).astype(float)
    a_level = np.bincount(levels - 1, minlength=3) + 0.5
    a_weight = np.bincount(kinds, minlength=3) + 0.5
    a_yes = np.array([yes.sum(), len(draws) - yes.sum()]) + 0.5
    p, w, i = a_level / a_level.sum(), a_weight / a_weight.sum(), a_yes / a_yes.sum()
    best = 2 - int(np.argmax(p[::-1]))
    h_weight = float(stats.entropy(w, base=2))
    _, counts = np.unique([draw[3] for draw in draws], return_counts=True)
    h_citation = stats.entropy(counts, base=2) + (len(counts) - 1) / (2 * len(draws) * np.log(2))
    s = float(np.exp(alpha * np.log(p[best]) - beta * h_weight - gamma * i[0]))
    se = {f"p_{n + 1}": float(stats.beta.std(a_level[n], a_level.sum() - a_level[n])) for n in range(3)}
    se["p_defensible"] = se["p_3"]
    se["lambda_nats"] = moments(lambda q: np.log(q[0]), (a_level[best], a_level.sum() - a_level[best]))[1]
    se["h_weight_bits"] = moments(entropy_bits, a_weight)[1]
    se["inverse_log_odds"] = log_odds_sd(a_yes[0], a_yes[1])
    se["inverse_yes_prob"] = float(stats.beta.std(a_yes[0], a_yes[1]))
    if len(counts) <= 2:
        se["h_citation_sampled_bits"] = moments(entropy_bits, tuple(counts + 0.5) + (0.5,))[1]
    columns = np.array([(levels == best + 1).astype(float), -np.log(w)[kinds], yes])
    corr = np.eye(3)
    varies = columns.std(axis=1) > 1e-10
    for x, y in [(0, 1), (0, 2), (1, 2)]:
        if varies[x] and varies[y]:
            corr[x, y] = corr[y, x] = np.corrcoef(columns[x], columns[y])[0, 1]
    part = np.array([alpha * se["lambda_nats"], -beta * se["h_weight_bits"], -gamma * se["inverse_yes_prob"]])
    se["pds"] = float(s * np.sqrt(part @ corr @ part))
    return {
        "draws": [list(draw) for draw in draws],
        "weights": {"alpha": alpha, "beta": beta, "gamma": gamma},
        "level_probs": p.tolist(),
        "level_map": best + 1,
        "lambda_nats": float(np.log(p[best])),
        "h_weight_bits": h_weight,
        "inverse_log_odds": float(np.log(i[0] / i[1])),
        "inverse_yes_prob": float(i[0]),
        "h_citation_sampled_bits": float(h_citation),
        "p_defensible": float(p[0] + p[1]),
        "pds": s,
        "se": se,
    }


def records():
    third = (1 / 3, 1 / 3, 1 / 3)
    return [
        record([(2, "H", "N", "r1")], third),
        record([(1, "H", "N", "r1")] * 5, third),
        record([(1, "H", "N", "r1"), (1, "M", "N", "r1"), (2, "M", "Y", "r2"), (3, "L", "Y", "r2"), (1, "H", "N", "r1")], (0.6, 0.1, 0.3)),
        record([(3, "H", "Y", "r1"), (2, "L", "N", "r2"), (3, "H", "Y", "r1"), (2, "M", "N", "r3")], (0.2, 0.5, 0.3)),
    ]


json.dump(
    {
        "made_with": {"scipy": scipy.__version__, "numpy": np.__version__, "mpmath": mp.__version__},
        "gammas": gammas(),
        "dirichlet_entropy": dirichlet_entropy(),
        "miller_madow": miller_madow(),
        "records": records(),
    },
    sys.stdout,
    indent=1,
)
