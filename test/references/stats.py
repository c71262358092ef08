"""Reference values for the tests of src/stats, computed outside the project.

How it was run: Debian 12 packages python3-scipy 1.10.1, python3-sklearn 1.2.1, python3-statsmodels 0.13.5,
python3-numpy 1.24.2, python3-mpmath 1.2.1, with Python 3.11.2:

    python3 test/references/stats.py > test/references/stats.json
    npx biome format --write test/references/stats.json

Special functions and Student t quantiles: mpmath at 60 digits (this scipy has 11 digits for the latter).
Intervals and tests: statsmodels and scipy. Scores: scikit-learn.
What no package gives (Korn-Graubard, cluster-robust logit, DeLong, linearised intervals, the exact permutation p-value of
Spearman's rho, mid-p McNemar, the random stream) is computed here from its definition, by brute force where that is possible.
Randomness is seeded, so the output is the same at every run.
"""

import itertools
import json
import math
import sys

import mpmath as mp
import numpy as np
import scipy
import sklearn
import statsmodels
from scipy import special, stats
from sklearn import metrics
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

mp.mp.dps = 60
rng = np.random.default_rng(20240607)


def beta_cdf(x, a, b):
    """I_x(a, b) from the positive series x^a (1-x)^b / (a B(a,b)) * 2F1(a+b, 1; a+1; x).

    The smaller tail is summed, except near x = 1, where its series is slow and 60 digits can afford the subtraction.
    """
    x, a, b = mp.mpf(x), mp.mpf(a), mp.mpf(b)
    near_one = x > 0.9 and stats.beta.sf(float(1 - x), float(b), float(a)) > 1e-25
    if near_one or x > (a + 1) / (a + b + 2):
        return 1 - _series(1 - x, b, a)
    return _series(x, a, b)


def _series(x, a, b):
    term = mp.mpf(1)
    total = mp.mpf(1)
    m = 0
    while term > total * mp.mpf(10) ** -50:
        term *= (a + b + m) / (a + 1 + m) * x
        total += term
        m += 1
    log_front = a * mp.log(x) + b * mp.log(1 - x) - mp.log(a) - (mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b))
    return mp.exp(log_front) * total


def beta_quantile(p, a, b):
    """Root of ln I(x) - ln p (or of the upper tail) in logit x, started from scipy and polished by the secant method."""
    p, a, b = mp.mpf(p), mp.mpf(a), mp.mpf(b)
    start = mp.mpf(float(stats.beta.ppf(float(p), float(a), float(b))))
    u0 = mp.log(start / (1 - start))

    def gap(u):
        x = 1 / (1 + mp.exp(-u))
        return mp.log(beta_cdf(x, a, b)) - mp.log(p)

    u = mp.findroot(gap, (u0, u0 + mp.mpf(10) ** -8), tol=mp.mpf(10) ** -60, verify=False)
    assert abs(gap(u)) < mp.mpf(10) ** -30
    return 1 / (1 + mp.exp(-u))


def t_cdf(t, df):
    t, df = mp.mpf(t), mp.mpf(df)
    tail = beta_cdf(df / (df + t * t), df / 2, mp.mpf(1) / 2) / 2
    return tail if t < 0 else 1 - tail


def t_quantile(p, df):
    start = mp.mpf(float(stats.t.ppf(float(p), df)))
    root = mp.findroot(
        lambda t: mp.log(t_cdf(t, df)) - mp.log(mp.mpf(p)),
        (start, start * (1 + mp.mpf(10) ** -8)),
        tol=mp.mpf(10) ** -60,
        verify=False,
    )
    assert abs(t_cdf(root, df) / mp.mpf(p) - 1) < mp.mpf(10) ** -30
    return root


def special_functions():
    xs = [1e-10, 0.001, 0.1, 0.4999, 0.5, 0.9, 0.999999, 1.0000001, 1.3, 1.5, 1.99999999, 2.00001, 2.4, 2.6, 3.7, 7.2,
          9.99, 10, 10.5, 42.42, 171.6, 1000.5, 123456.7, 1e9, 1e15]
    pairs = [(0.5, 0.5), (1, 1), (0.001, 0.002), (0.3, 12), (2, 9.5), (5, 10), (9.9, 9.9), (10, 10), (12.5, 300),
             (1e-3, 1e5), (0.5, 1e7), (55.5, 1e6), (1e5, 1e5), (4e6, 7e6), (1e-8, 3)]
    cdf = []
    for a, b in [(0.5, 0.5), (1, 1), (1, 26), (3, 23), (0.01, 0.02), (0.05, 3), (2.5, 0.1), (5.5, 0.5), (20, 180),
                 (0.5, 200.5), (181.3, 19.9), (1000, 9000), (500, 0.5), (30000, 12000), (99999.5, 400000), (1000000, 2000000)]:
        mean = a / (a + b)
        sd = math.sqrt(a * b / (a + b) ** 2 / (a + b + 1))
        points = {mean, mean - sd, mean + sd, mean - 5 * sd, mean + 5 * sd, mean - 20 * sd, mean / 3, 0.5, 0.001, 0.97}
        cdf += [{"x": x, "a": a, "b": b} for x in sorted(points) if 0 < x < 1]
    for row in cdf:
        row["value"] = float(beta_cdf(row["x"], row["a"], row["b"]))
    cdf = [row for row in cdf if row["value"] > 1e-290]
    quantile = []
    for a, b in [(0.5, 0.5), (1, 1), (3, 23), (23, 3), (0.2, 3), (2.5, 0.1), (5.5, 0.5), (20, 180), (0.5, 200.5),
                 (180.7, 20.3), (1000, 9000), (30000, 12000), (99999.5, 400000)]:
        for p in [1e-12, 0.001, 0.025, 0.05, 0.5, 0.8, 0.975, 0.999]:
            if 1e-250 < stats.beta.ppf(p, a, b) < 1:
                quantile.append({"p": p, "a": a, "b": b, "value": float(beta_quantile(p, a, b))})
    tails = [-37.5, -20, -8.3, -5, -2.5, -2.4999, -1, -0.3, -1e-8, 0, 1e-5, 0.7, 1.959963984540054, 2.5, 3.1, 6]
    ps = [1e-300, 1e-50, 1e-10, 1e-4, 0.001, 0.025, 0.0749, 0.0751, 0.2, 0.45, 0.4999999, 0.50000000001, 0.6, 0.9,
          0.9251, 0.975, 0.995, 0.9999]
    dfs = [0.5, 1, 2, 3, 4.7, 10, 19, 29, 100, 1234, 1e6]
    t_points = [-1e5, -50, -12, -3, -2.1, -1, -0.1, -1e-6, 0.001, 0.5, 1.7, 4]
    t_ps = [1e-12, 1e-5, 0.005, 0.025, 0.05, 0.25, 0.4999, 0.6, 0.95, 0.975, 0.995]
    return {
        "log_gamma": [{"x": x, "value": float(mp.loggamma(mp.mpf(x)))} for x in xs],
        "log_beta": [
            {"a": a, "b": b,
             "value": float(mp.loggamma(mp.mpf(a)) + mp.loggamma(mp.mpf(b)) - mp.loggamma(mp.mpf(a) + mp.mpf(b)))}
            for a, b in pairs
        ],
        "incomplete_beta": cdf,
        "beta_quantile": quantile,
        "normal_cdf": [{"x": x, "value": float(mp.ncdf(mp.mpf(x)))} for x in tails],
        "normal_quantile": [{"p": p, "value": float(normal_quantile(p))} for p in ps],
        "student_t_cdf": [{"t": t, "df": df, "value": float(t_cdf(t, df))} for df in dfs for t in t_points
                          if stats.t.cdf(t, df) > 1e-290],
        "student_t_quantile": [{"p": p, "df": df, "value": float(t_quantile(p, df))} for df in dfs for p in t_ps],
    }


def normal_quantile(p):
    p = mp.mpf(p)
    start = mp.mpf(float(special.ndtri(float(p))))
    near = (start, start * (1 + mp.mpf(10) ** -8))
    root = mp.findroot(lambda x: mp.log(mp.ncdf(x)) - mp.log(p), near, tol=1e-55, verify=False)
    assert abs(mp.ncdf(root) / p - 1) < mp.mpf(10) ** -30
    return root


def binomial_intervals():
    out = []
    for k, n in [(0, 25), (1, 25), (27, 30), (25, 25), (13, 26), (5, 1000), (999, 1000), (1, 1), (0, 1), (4213, 26902)]:
        for level in [0.9, 0.95, 0.99]:
            row = {"k": k, "n": n, "level": level}
            for name, method in [("wilson", "wilson"), ("clopper_pearson", "beta"), ("jeffreys", "jeffreys")]:
                lower, upper = proportion_confint(k, n, alpha=1 - level, method=method)
                row[name] = {"lower": float(lower), "upper": float(upper)}
            out.append(row)
    return out


def real_clopper_pearson():
    out = []
    for k, n, level in [(2.5, 17.3, 0.95), (0.04, 3.1, 0.95), (151.27, 160.9, 0.9), (12, 12.5, 0.99)]:
        a = (1 - level) / 2
        out.append({"k": k, "n": n, "level": level,
                    "lower": float(beta_quantile(a, k, n - k + 1)),
                    "upper": float(beta_quantile(1 - a, k + 1, n - k))})
    return out


def newcombe():
    out = []
    for k1, n1, k2, n2 in [(56, 70, 48, 80), (9, 10, 3, 10), (10, 10, 0, 20), (0, 10, 0, 20), (6, 7, 2, 7),
                           (5, 1000, 3, 40)]:
        lower, upper = confint_proportions_2indep(k1, n1, k2, n2, method="newcomb", compare="diff")
        out.append({"k1": k1, "n1": n1, "k2": k2, "n2": n2, "lower": float(lower), "upper": float(upper)})
    return out


def clustered(k, n, level):
    """B2 of the methods page: sandwich variance of a ratio, logit-t for many clusters, Korn-Graubard for few."""
    k, n = np.asarray(k, float), np.asarray(n, float)
    k, n = k[n > 0], n[n > 0]
    groups, total = len(n), n.sum()
    p = k.sum() / total
    variance = groups / (groups - 1) * np.sum((k - p * n) ** 2) / total**2
    degenerate = p in (0.0, 1.0)
    deff = None if degenerate else variance / (p * (1 - p) / total)
    t = float(t_quantile((1 + level) / 2, groups - 1))
    z = stats.norm.ppf((1 + level) / 2)
    if groups >= 20 and not degenerate:
        half = t * math.sqrt(variance) / (p * (1 - p))
        lower, upper = special.expit(special.logit(p) - half), special.expit(special.logit(p) + half)
        method = "cluster-robust logit, t"
    else:
        ratio = 1.0 if degenerate or variance == 0 else p * (1 - p) / variance / total
        effective = min(total, total * ratio * (z / t) ** 2)
        x = p * effective
        lower = 0.0 if p == 0 else stats.beta.ppf((1 - level) / 2, x, effective - x + 1)
        upper = 1.0 if p == 1 else stats.beta.ppf((1 + level) / 2, x + 1, effective - x)
        method = "Korn-Graubard"
    return {"lower": float(lower), "upper": float(upper), "method": method, "clusters": groups,
            "design_effect": None if deff is None else float(deff)}


def clustered_cases():
    def case(k, n, level=0.95):
        return {"k": [int(v) for v in k], "n": [int(v) for v in n], "level": level, **clustered(k, n, level)}

    n_many = rng.integers(1, 120, 40)
    k_many = rng.binomial(n_many, rng.beta(9, 1, 40))
    n_some = rng.integers(5, 60, 20)
    k_some = rng.binomial(n_some, rng.beta(2, 5, 20))
    return [
        case(k_many, n_many),
        case(k_some, n_some, 0.9),
        case([8, 3, 20, 11, 0], [10, 9, 21, 30, 4]),
        case([8, 3, 20, 11, 0], [10, 9, 21, 30, 0]),
        case([0] * 25, [7] * 25),
        case([6, 12, 3], [6, 12, 3]),
        case([2, 4, 6], [4, 8, 12]),
        case([5, 4], [10, 10], 0.99),
    ]


def mean_case():
    rng.normal(size=120)  # Draws of a case that was removed: this one and those after it keep their values.
    values = np.round(rng.beta(5, 2, 23), 6)
    half = float(t_quantile(0.975, 22)) * stats.sem(values)
    return {"values": values.tolist(), "estimate": float(values.mean()), "lower": float(values.mean() - half),
            "upper": float(values.mean() + half)}


def kappa_cases():
    out = []
    for table in [[[20, 5], [10, 15]], [[88, 14, 18], [10, 40, 10], [2, 6, 12]], [[0, 10], [12, 3]], [[45, 15], [25, 15]]]:
        result = cohens_kappa(np.array(table))
        half = stats.norm.ppf(0.975) * result.std_kappa
        truth, guess = [], []
        for i, row in enumerate(table):
            for j, count in enumerate(row):
                truth += [i] * count
                guess += [j] * count
        assert abs(metrics.cohen_kappa_score(truth, guess) - result.kappa) < 1e-12
        out.append({"table": table, "estimate": float(result.kappa), "standard_error": float(result.std_kappa),
                    "lower": max(-1.0, float(result.kappa - half)), "upper": min(1.0, float(result.kappa + half))})
    return out


def f1_cases():
    out = []
    for tp, fp, fn in [(40, 10, 20), (0, 3, 2), (12, 0, 0), (3214, 1877, 4883)]:
        truth = [1] * tp + [0] * fp + [1] * fn
        guess = [1] * tp + [1] * fp + [0] * fn
        lower, upper = proportion_confint(tp, tp + fp + fn, method="wilson")
        out.append({"tp": tp, "fp": fp, "fn": fn, "estimate": float(metrics.f1_score(truth, guess, zero_division=0)),
                    "lower": float(2 * lower / (1 + lower)), "upper": float(2 * upper / (1 + upper))})
    return out


def balanced_accuracy_cases():
    out = []
    for table in [[[40, 10], [5, 95]], [[7, 2, 1], [3, 50, 7], [0, 0, 4]], [[9, 0], [0, 30]]]:
        truth, guess = [], []
        variance = 0.0
        for i, row in enumerate(table):
            for j, count in enumerate(row):
                truth += [i] * count
                guess += [j] * count
            softened = (row[i] + 1) / (sum(row) + 2)
            variance += softened * (1 - softened) / sum(row) / len(table) ** 2
        estimate = metrics.balanced_accuracy_score(truth, guess)
        half = stats.norm.ppf(0.975) * math.sqrt(variance)
        out.append({"table": table, "estimate": float(estimate), "lower": max(0.0, float(estimate - half)),
                    "upper": min(1.0, float(estimate + half))})
    return out


def auroc_cases():
    """DeLong by its definition: the full matrix of pairwise comparisons."""
    out = []
    samples = [
        (np.round(rng.normal(1, 1, 40), 3), np.round(rng.normal(0, 1, 65), 3)),
        (rng.integers(0, 5, 30).astype(float), rng.integers(0, 4, 200).astype(float)),
        (np.array([0.9, 0.8, 0.8, 0.4]), np.array([0.1, 0.8, 0.3])),
        (np.array([0.2, 0.5, 0.1, 0.7, 0.7]), np.array([0.9, 0.6])),
    ]
    for positives, negatives in samples:
        psi = (positives[:, None] > negatives[None, :]) + 0.5 * (positives[:, None] == negatives[None, :])
        auc = psi.mean()
        truth = [1] * len(positives) + [0] * len(negatives)
        assert abs(metrics.roc_auc_score(truth, np.concatenate([positives, negatives])) - auc) < 1e-12
        variance = psi.mean(axis=1).var(ddof=1) / len(positives) + psi.mean(axis=0).var(ddof=1) / len(negatives)
        half = stats.norm.ppf(0.975) * math.sqrt(variance) / (auc * (1 - auc))
        out.append({"positives": positives.tolist(), "negatives": negatives.tolist(), "estimate": float(auc),
                    "standard_error": math.sqrt(variance),
                    "lower": float(special.expit(special.logit(auc) - half)),
                    "upper": float(special.expit(special.logit(auc) + half))})
    return out


def spearman_cases():
    out = []
    x12 = np.round(rng.normal(0, 1, 12), 3)
    samples = [
        (x12, np.round(x12 + rng.normal(0, 1, 12), 3)),
        (rng.integers(0, 6, 30).astype(float), rng.integers(0, 4, 30).astype(float)),
        (np.array([106.0, 100, 86, 101, 99, 103, 97, 113]), np.array([7.0, 27, 2, 50, 28, 29, 20, 12])),
        (np.array([1.0, 2, 2, 3, 5]), np.array([2.0, 1, 4, 4, 9])),
        (np.array([1.0, 2, 3, 4, 5, 6]), np.array([6.0, 5, 4, 3, 1, 2])),
        (np.array([3.0, 1, 2, 2, 7, 7, 7]), np.array([1.0, 0, 0, 1, 1, 1, 0])),
    ]
    for x, y in samples:
        n = len(x)
        rho, p = stats.spearmanr(x, y)
        half = stats.norm.ppf(0.975) * math.sqrt((1 + rho**2 / 2) / (n - 3))
        if n <= 8:
            rank_x, rank_y = stats.rankdata(x), stats.rankdata(y)
            observed = abs(np.corrcoef(rank_x, rank_y)[0, 1])
            draws = [abs(np.corrcoef(rank_x, np.array(order))[0, 1]) for order in itertools.permutations(rank_y)]
            p = np.mean(np.array(draws) >= observed - 1e-9)
        out.append({"x": x.tolist(), "y": y.tolist(), "estimate": float(rho), "p_value": float(p),
                    "ranks_x": stats.rankdata(x).tolist(),
                    "lower": math.tanh(math.atanh(rho) - half), "upper": math.tanh(math.atanh(rho) + half)})
    return out


def mcnemar_cases():
    out = []
    for b, c in [(1, 6), (10, 10), (0, 5), (0, 1), (59, 6), (120, 181), (3, 3)]:
        n = b + c
        pmf = stats.binom.pmf(np.arange(n + 1), n, 0.5)
        at = pmf[b]
        more_extreme = pmf[pmf < at * (1 - 1e-9)].sum()
        equal = pmf[np.isclose(pmf, at, rtol=1e-9, atol=0)].sum()
        out.append({"b": b, "c": c, "exact_p": float(mcnemar([[0, b], [c, 0]], exact=True).pvalue),
                    "mid_p": float(more_extreme + equal / 2)})
    return out


def entropy_cases():
    out = []
    for probs in [[1, 1, 1], [0.7, 0.2, 0.1], [1, 0, 0], [1e-12, 3, 5, 0], [0.04, 0.01]]:
        out.append({"probs": probs, "value": float(stats.entropy(probs, base=2))})
    return out


def log_sum_exp_cases():
    cases = [[0, 0], [-1000, -1000.5, -1002], [700, 710, 1], [-0.1, -3, -745.2]]
    return [{"values": values, "value": float(special.logsumexp(values))} for values in cases]


def quantile_case():
    values = np.sort(np.round(rng.normal(0, 3, 11), 4))
    ps = [0, 0.025, 0.1, 0.25, 0.5, 0.77, 0.975, 1]
    return {"sorted": values.tolist(), "quantiles": [{"p": p, "value": float(np.quantile(values, p))} for p in ps]}


def rng_cases():
    """The seeding of createRng and xoroshiro128+ (a, b, c = 24, 16, 37), on Python's integers."""
    word, long = 2**32 - 1, 2**64 - 1

    def units(text):
        data = text.encode("utf-16-le")
        return [data[i] | data[i + 1] << 8 for i in range(0, len(data), 2)]

    def fnv(text):
        h = 0x811C9DC5
        for unit in units(text):
            h = (h ^ unit) * 0x01000193 & word
        return h

    def second(text):
        h = 0x243F6A88
        for unit in units(text):
            h = ((h << 5 | h >> 27) & word ^ unit) * 0x27220A95 & word
        return h ^ len(units(text))

    def mix(h):
        h &= word
        h = (h ^ h >> 16) * 0x85EBCA6B & word
        h = (h ^ h >> 13) * 0xC2B2AE35 & word
        return h ^ h >> 16

    def stream(low, high):
        a, b = mix(low + 0x9E3779B9), mix(high + 0x3C6EF372)
        c = mix(a + b * 0x85EBCA6B)
        s0, s1 = a << 32 | b, c << 32 | mix(c ^ b) | 1
        while True:
            yield s0 + s1 & word
            s1 ^= s0
            s0 = (s0 << 24 & long | s0 >> 40) ^ s1 ^ (s1 << 16 & long)
            s1 = s1 << 37 & long | s1 >> 27

    def uniform(bits):
        return ((next(bits) & 2**26 - 1) * 2**27 + (next(bits) & 2**27 - 1)) / 2**53

    def fork(low, high, label):
        low = mix(low ^ mix(fnv(label) + 0x27D4EB2F))
        return low, mix((high + low * 0x165667B1) & word ^ second(label))

    out = []
    for seed in ["defensible", "", "d\u00e9cision \U0001f600", 0, 1, -1, 2**40 + 7]:
        if isinstance(seed, str):
            state = fnv(seed), second(seed)
        else:
            state = seed & word, (seed >> 32 ^ 0x5BF03635) & word
        bits = stream(*state)
        draws = [uniform(bits), uniform(bits), int(uniform(bits) * 1000), uniform(stream(*fork(*state, "a")))]
        out.append({"seed": seed, "draws": draws})
    return out


def main():
    result = {
        "versions": {"scipy": scipy.__version__, "sklearn": sklearn.__version__, "numpy": np.__version__,
                     "statsmodels": statsmodels.__version__.split("+")[0], "mpmath": mp.__version__,
                     "python": ".".join(map(str, sys.version_info[:3]))},
        **special_functions(),
        "binomial_intervals": binomial_intervals(),
        "real_clopper_pearson": real_clopper_pearson(),
        "newcombe": newcombe(),
        "clustered_proportion": clustered_cases(),
        "mean_estimate": mean_case(),
        "cohen_kappa": kappa_cases(),
        "f1": f1_cases(),
        "balanced_accuracy": balanced_accuracy_cases(),
        "auroc": auroc_cases(),
        "spearman": spearman_cases(),
        "mcnemar": mcnemar_cases(),
        "entropy_bits": entropy_cases(),
        "log_sum_exp": log_sum_exp_cases(),
        "quantile": quantile_case(),
        "create_rng": rng_cases(),
    }
    print(json.dumps(result, indent=2, allow_nan=False))


if __name__ == "__main__":
    main()
