"""Reference values for judge error (src/stats: prediction-powered mean, Rogan-Gladen, confusion correction, bounds), computed outside
the project.

How it was run: Debian 12 packages python3-scipy 1.10.1, python3-numpy 1.24.2, with Python 3.11.2:

    python3 test/references/judge-error.py > test/references/judge-error.json
    npx biome format --write test/references/judge-error.json

Prediction-powered means: numpy on rows written out one by one, with the tuning parameter found by a numerical minimiser of the
published variance instead of its closed form. Lang-Reiczigel: the formula of the article (equations 2, 4, 6, 7, 17) as CRAN's asht
writes it, in Python. Confusion correction: numpy.linalg.solve, scipy's SLSQP for the projection, and a numerical gradient for the
delta method. Stratified bound: scipy.stats.beta, and a linear programme for the greatest rate that the bounds allow.
"""

import json
import sys

import numpy as np
import scipy
from scipy import optimize, stats

rng = np.random.default_rng(20250714)


def expand(groups):
    rows = [(y, f, w) for y, f, c, w in groups for _ in range(c)]
    return tuple(np.array(column, float) for column in zip(*rows))


def ppi_cases():
    designs = [
        # label, prediction, count, weight
        [(1, 1, 12, 1), (1, 0, 3, 1), (0, 1, 5, 1), (0, 0, 180, 1)],
        [(1, 1, 40, 1), (1, 0, 20, 1), (0, 1, 30, 1), (0, 0, 60, 1)],
        [(1, 1, 30, 2), (1, 0, 4, 9.5), (0, 1, 10, 2), (0, 0, 90, 9.5)],
        [(0.2, 0.9, 15, 1), (0.7, 0.4, 20, 1), (0.9, 0.95, 25, 1), (0.1, 0.3, 7, 3)],
        [(1, 0, 10, 1), (0, 1, 12, 1), (0, 0, 8, 1), (1, 1, 2, 1)],
    ]
    cases = []
    for groups in designs:
        y, f, w = expand(groups)
        n = len(y)
        for form in ("disjoint", "nested"):
            big = {"disjoint": 5000, "nested": 5000}[form]
            others = rng.choice(np.unique(f), size=big - (n if form == "nested" else 0))
            predicted = np.concatenate([f, others]) if form == "nested" else others
            N = len(predicted)
            wmean = lambda x: np.sum(w * x) / np.sum(w)
            pop = np.sum(w) / (w * N) if form == "nested" else np.zeros(n)

            def se2(lam):
                r = y - lam * f
                dev = r - wmean(r)
                part = n / (n - 1) * np.sum(w**2 * np.maximum(0, 1 - pop) * dev**2) / np.sum(w) ** 2
                if form == "disjoint":
                    return part + lam**2 * np.var(predicted, ddof=1) / N
                return part + n / (n - 1) * wmean((y - wmean(y)) ** 2) / N

            best = optimize.minimize_scalar(se2, bounds=(0, 1), method="bounded", options={"xatol": 1e-12})
            lam = min((0.0, 1.0, float(best.x)), key=se2)
            theta = lam * predicted.mean() + wmean(y - lam * f)
            se = np.sqrt(se2(lam))
            cases.append({
                "groups": groups, "form": form,
                "predicted": {"n": N, "mean": float(predicted.mean()), "variance": float(np.var(predicted, ddof=1))},
                "lambda": lam, "theta": float(theta), "se": float(se),
                "lower": float(theta - stats.norm.ppf(0.975) * se), "upper": float(theta + stats.norm.ppf(0.975) * se),
                "upper_bound": float(theta + stats.norm.ppf(0.95) * se),
            })
    return cases


def lang_reiczigel(k, n, kse, nse, ksp, nsp, level):
    ap, se, sp = k / n, kse / nse, ksp / nsp
    z = stats.norm.ppf(1 - (1 - level) / 2)
    nse_, nsp_, n_ = nse + 2, nsp + 2, n + z**2
    se_, sp_, ap_ = (nse * se + 1) / nse_, (nsp * sp + 1) / nsp_, (n * ap + z**2 / 2) / n_
    p_ = (ap_ + sp_ - 1) / (se_ + sp_ - 1)
    dp = 2 * z**2 * (p_ * se_ * (1 - se_) / nse_ - (1 - p_) * sp_ * (1 - sp_) / nsp_)
    var = (ap_ * (1 - ap_) / n_ + p_**2 * se_ * (1 - se_) / nse_ + (1 - p_) ** 2 * sp_ * (1 - sp_) / nsp_) / (se_ + sp_ - 1) ** 2
    estimate = min(1, max(0, (ap + sp - 1) / (se + sp - 1)))
    lower = max(0, p_ + dp - z * np.sqrt(var))
    upper = min(1, p_ + dp + z * np.sqrt(var))
    return {"estimate": estimate, "lower": float(min(lower, estimate)), "upper": float(max(upper, estimate))}


def rogan_gladen_cases():
    cases = [(20, 100, 45, 50, 90, 100), (4, 1000, 178, 197, 500, 500), (259, 9000, 66, 87, 799, 800), (0, 60, 30, 40, 190, 200),
             (60, 60, 30, 40, 190, 200), (13, 61, 11, 12, 40, 49), (5, 400, 20, 25, 300, 375), (77, 26902, 90, 100, 880, 900)]
    return [{"apparent": [k, n], "sensitivity": [a, b], "specificity": [c, d], "level": level,
             **lang_reiczigel(k, n, a, b, c, d, level)} for (k, n, a, b, c, d) in cases for level in (0.95, 0.9)]


def confusion_cases():
    tables = [
        ([[180, 15, 5], [20, 60, 10], [3, 7, 50]], [700, 200, 100]),
        ([[90, 8, 2], [10, 25, 5], [4, 6, 20]], [960, 35, 5]),
        ([[30, 0, 0], [0, 20, 0], [0, 0, 10]], [5, 6, 7]),
        ([[9, 1], [2, 8]], [50, 50]),
    ]
    cases = []
    for table, judged in tables:
        table, judged = np.array(table, float), np.array(judged, float)
        totals, n = table.sum(1), judged.sum()
        rates, q = table / totals[:, None], judged / n

        def solve(rates, q):
            return np.linalg.solve(rates.T, q)

        raw = solve(rates, q)
        projected = optimize.minimize(lambda p: np.sum((p - raw) ** 2), np.full(len(q), 1 / len(q)), method="SLSQP",
                                      bounds=[(0, 1)] * len(q), constraints={"type": "eq", "fun": lambda p: p.sum() - 1},
                                      options={"ftol": 1e-18, "maxiter": 500}).x
        size = len(q)
        h = 1e-6
        cov = np.zeros((size, size))
        jac = np.column_stack([(solve(rates, q + h * e) - solve(rates, q - h * e)) / (2 * h) for e in np.eye(size)])
        cov += jac @ ((np.diag(q) - np.outer(q, q)) / n) @ jac.T
        for t in range(size):
            columns = []
            for j in range(size):
                step = np.zeros((size, size))
                step[t, j] = h
                columns.append((solve(rates + step, q) - solve(rates - step, q)) / (2 * h))
            jac = np.column_stack(columns)
            cov += jac @ ((np.diag(rates[t]) - np.outer(rates[t], rates[t])) / totals[t]) @ jac.T
        half = stats.norm.ppf(0.975) * np.sqrt(np.diag(cov))
        cases.append({"table": table.astype(int).tolist(), "judged": judged.astype(int).tolist(), "raw": raw.tolist(),
                      "projected": projected.tolist(), "half": half.tolist()})
    return cases


def bound_cases():
    cases = []
    for strata, delta in [([(29, 29, 0)], 0.05), ([(900, 40, 1), (100, 60, 40)], 0.05), ([(700, 30, 0), (200, 30, 2), (100, 40, 30)], 0.05),
                          ([(50, 10, 3), (50, 40, 2)], 0.01), ([(400, 80, 0), (0, 0, 0), (10, 0, 0)], 0.1)]:
        used = [s for s in strata if s[0] > 0]
        rows = sum(s[0] for s in used)
        cp = lambda k, n, d: 1.0 if k == n else float(stats.beta.ppf(1 - d, k + 1, n - k))
        many = len(used) > 1
        rates, before = [], 0.0
        for n, m, k in used:
            before = max(before, cp(k, m, (0.8 if many else 1) * delta / len(used)) if m else 1.0)
            rates.append(before)
        # Greatest mean rate over the shares that the bounds allow: a linear programme.
        if many:
            tails = [cp(sum(s[0] for s in used[i:]), rows, 0.2 * delta / (len(used) - 1)) for i in range(1, len(used))]
            a = [[1.0 if j >= i else 0.0 for j in range(len(used))] for i in range(1, len(used))]
            best = optimize.linprog([-r for r in rates], A_ub=a, b_ub=tails, A_eq=[[1.0] * len(used)], b_eq=[1.0], method="highs")
            bound = -best.fun
        else:
            bound = rates[0]
        cases.append({"strata": [{"n": n, "labelled": m, "k": k} for n, m, k in strata], "delta": delta, "bound": float(bound)})
    return cases


def main():
    result = {
        "versions": {"scipy": scipy.__version__, "numpy": np.__version__, "python": ".".join(map(str, sys.version_info[:3]))},
        "prediction_powered": ppi_cases(),
        "rogan_gladen": rogan_gladen_cases(),
        "confusion": confusion_cases(),
        "stratified_bound": bound_cases(),
    }
    print(json.dumps(result, indent=2, allow_nan=False))


if __name__ == "__main__":
    main()
