"""Reference values for the tests of src/measures/gate and of the parts of src/stats it stands on, computed outside the project.

How it was run: Debian 12 packages python3-scipy 1.10.1, python3-statsmodels 0.13.5, python3-numpy 1.24.2,
python3-mpmath 1.2.1, with Python 3.11.2:

    python3 test/references/gate.py > test/references/gate.json
    npx biome format --write test/references/gate.json

Adjusted p-values: statsmodels multipletests. Binomial tests: scipy binomtest. Beta-binomial: scipy.stats.betabinom,
maximised by scipy.optimize.minimize. e-values: the integral of the definition by mpmath's incomplete beta function at 40 digits.
Integrated priors: the same integral on a fixed grid of 601 x 601 points, without any of the adaptive choices of the project.
Randomness is seeded, so the output is the same at every run.
"""

import json
import math
import sys

import mpmath as mp
import numpy as np
import scipy
import statsmodels
from scipy import optimize, special, stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportions_ztest

mp.mp.dps = 40
rng = np.random.default_rng(20260729)


def adjustments():
    lists = [[0.01, 0.04, 0.03, 0.005], [0.5], [0.02, 0.02, 0.02, 0.8], [0.0, 1.0, 0.3], list(rng.beta(0.3, 2, 40))]
    return [{"p": p, **{name: list(multipletests(p, method=key)[1])
                        for name, key in [("holm", "holm"), ("bh", "fdr_bh"), ("by", "fdr_by")]}} for p in lists]


def log_likelihood(mu, m, k, n):
    a, b = mu * m, (1 - mu) * m
    return float(np.sum(special.betaln(a + k, b + n - k) - special.betaln(a, b)))


def likelihood_cases():
    cases = [(0, 25, 0.5, 4.5), (3, 40, 2.0, 18.0), (40, 40, 1.2, 9.0), (1200, 30000, 3.0, 50.0)]
    return [{"k": k, "n": n, "a": a, "b": b,
             "value": float(stats.betabinom.logpmf(k, n, a, b) - (special.gammaln(n + 1) - special.gammaln(k + 1)
                                                                  - special.gammaln(n - k + 1)))}
            for k, n, a, b in cases]


def fleet(size, mu, m, least=5):
    n = np.floor(np.exp(rng.uniform(math.log(least), math.log(400), size))).astype(int)
    k = rng.binomial(n, rng.beta(mu * m, (1 - mu) * m, size))
    return k, n


def fits():
    cases = []
    for size, mu, m in [(40, 0.08, 12), (120, 0.2, 4), (300, 0.05, 60)]:
        k, n = fleet(size, mu, m)

        def loss(x):
            return -log_likelihood(special.expit(x[0]), math.exp(x[1]), k, n)

        best = min((optimize.minimize(loss, [special.logit(k.sum() / n.sum()), start], method="Nelder-Mead",
                                      options={"xatol": 1e-11, "fatol": 1e-12, "maxiter": 20000})
                    for start in (0.0, 3.0, 6.0)), key=lambda r: r.fun)
        mu_hat, m_hat = float(special.expit(best.x[0])), math.exp(best.x[1])
        a, b = mu_hat * m_hat, (1 - mu_hat) * m_hat
        cases.append({"k": k.tolist(), "n": n.tolist(), "mean": mu_hat, "concentration": m_hat,
                      "log_likelihood": -float(best.fun),
                      "exceeds": [float(stats.beta.sf(0.1, a + k[i], b + n[i] - k[i])) for i in range(5)],
                      "posterior_mean": [float((a + k[i]) / (a + b + n[i])) for i in range(5)]})
    return cases


def integrated():
    """Prior: mu ~ Beta(1/2, 1/2), n0/(n0+M) uniform with n0 the lower median of n, M cut to [0.05, 1e5]."""
    cases = []
    lists = [([1], [40]), ([0], [25]), ([1, 9], [40, 50]), ([1, 9, 3, 0, 5], [40, 50, 100, 30, 60]),
             ([0, 0, 0, 0, 0], [25, 30, 40, 60, 100]),
             ([2, 3, 1, 10, 0, 1, 20, 4, 5, 8], [30, 60, 25, 80, 25, 300, 120, 40, 70, 200])]
    u = np.linspace(-30, 12, 601)
    t = np.linspace(math.log(0.05), math.log(1e5), 601)
    mu, om = special.expit(u)[:, None], special.expit(-u)[:, None]
    m = np.exp(t)[None, :]
    a, b = mu * m, om * m
    for ks, ns in lists:
        n0 = sorted(ns)[(len(ns) + 1) // 2 - 1]
        log = 0.5 * np.log(mu) + 0.5 * np.log(om) + np.log(m) + math.log(n0) - 2 * np.log(m + n0)
        for k, n in zip(ks, ns):
            log = log + special.betaln(a + k, b + n - k) - special.betaln(a, b)
        w = np.exp(log - log.max())
        w[[0, -1], :] /= 2
        w[:, [0, -1]] /= 2
        w /= w.sum()
        cases.append({"k": ks, "n": ns,
                      "exceeds": [float((w * special.betainc(b + n - k, a + k, 0.9)).sum()) for k, n in zip(ks, ns)],
                      "posterior_mean": [float((w * (a + k) / (a + b + n)).sum()) for k, n in zip(ks, ns)]})
    return cases


def binomial_tests():
    cases = [(0, 25, 0.1), (2, 25, 0.1), (3, 25, 0.15), (0, 29, 0.1), (1, 46, 0.1), (40, 600, 0.1), (70, 1000, 0.15)]
    return [{"k": k, "n": n, "r": r, "p": float(stats.binomtest(k, n, r, alternative="less").pvalue)} for k, n, r in cases]


def smallest_n():
    """Fewest decisions with k failures that certify a rate below 10 % at 5 %, alone and with Bonferroni over 270."""
    def least(k, delta):
        n = k + 1
        while stats.binom.cdf(k, n, 0.1) > delta:
            n += 1
        return n
    return {"alone": [least(k, 0.05) for k in range(4)], "of_270": [least(k, 0.05 / 270) for k in range(4)]}


def at_25():
    """Probability of passing on 25 decisions: DI limit (at most 2 of level 3) and AI limit (at most 3 Yes)."""
    return {"di": [[p, float(stats.binom.cdf(2, 25, p))] for p in (0.02, 0.05, 0.1, 0.15, 0.2)],
            "ai": [[p, float(stats.binom.cdf(3, 25, p))] for p in (0.1, 0.15, 0.2, 0.25)]}


def bounds():
    cases = [(0, 25, 0.05), (3, 76, 0.05), (12, 400, 0.05 / 270), (0, 1000, 1e-6), (5, 9, 0.1)]
    return [{"k": k, "n": n, "delta": d, "upper": float(stats.beta.isf(d, k + 1, n - k)),
             "lower": 0.0 if k == 0 else float(stats.beta.ppf(d, k, n - k + 1))} for k, n, d in cases]


def e_values():
    def value(k, n, r):
        k, n, r = mp.mpf(k), mp.mpf(n), mp.mpf(r)
        top = mp.betainc(k + mp.mpf("0.5"), n - k + mp.mpf("0.5"), 0, r)
        bottom = 2 * mp.asin(mp.sqrt(r))
        return float(mp.log(top / bottom) - k * mp.log(r) - (n - k) * mp.log(1 - r))
    cases = [(0, 0, 0.1), (0, 1, 0.5), (0, 29, 0.1), (0, 60, 0.1), (3, 120, 0.1), (20, 100, 0.1), (5, 400, 0.15),
             (1.5, 40.5, 0.1), (90, 100, 0.15)]
    return [{"k": k, "n": n, "r": r, "log": value(k, n, r)} for k, n, r in cases]


def two_proportions():
    cases = [(8, 10, 1, 6), (0, 20, 5, 15), (3, 40, 30, 60), (120, 1000, 90, 1100), (40, 50, 45, 60), (1, 2000, 4, 9)]
    out = []
    for k1, n1, k2, n2 in cases:
        expected = min(n1, n2) * min(k1 + k2, n1 + n2 - k1 - k2) / (n1 + n2)
        if expected < 5:
            p, method = stats.fisher_exact([[k1, n1 - k1], [k2, n2 - k2]])[1], "fisher"
        else:
            p, method = proportions_ztest([k1, k2], [n1, n2])[1], "score"
        out.append({"k1": k1, "n1": n1, "k2": k2, "n2": n2, "p": float(p), "method": method})
    return out


def main():
    print(json.dumps({
        "versions": {"scipy": scipy.__version__, "numpy": np.__version__, "mpmath": mp.__version__,
                     "statsmodels": statsmodels.__version__.split("+")[0],
                     "python": ".".join(map(str, sys.version_info[:3]))},
        "adjustments": adjustments(),
        "log_likelihood": likelihood_cases(),
        "fits": fits(),
        "integrated": integrated(),
        "binomial_tests": binomial_tests(),
        "smallest_n": smallest_n(),
        "at_25": at_25(),
        "bounds": bounds(),
        "e_values": e_values(),
        "two_proportions": two_proportions(),
    }, indent=2, allow_nan=False))


if __name__ == "__main__":
    main()
