"""Reference values for the statistics of raters: raters.json. Run: /usr/bin/python3 test/references/raters.py

Krippendorff's alpha is computed from its definition, pair of ratings by pair of ratings, and once from the worked example of
Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", part C (nominal 0.743, ordinal 0.815, interval 0.849).
Intraclass correlations of complete tables come from the analysis of variance of statsmodels; of incomplete ones from the normal
equations of Henderson's method 1, expectations computed numerically by matrix traces. Shrout and Fleiss (1979) print 0.29 and 0.62.
"""
import itertools, json, os
import numpy as np
import pandas as pd
import statsmodels.api as sm
from statsmodels.formula.api import ols

def alpha(table, scale):
    units = [[v for v in row if v is not None] for row in table]
    units = [u for u in units if len(u) > 1]
    pooled = [v for u in units for v in u]
    n = len(pooled)
    count = {v: pooled.count(v) for v in set(pooled)}
    def d2(a, b):
        if a == b: return 0.0
        if scale == "nominal": return 1.0
        if scale == "interval": return float((a - b) ** 2)
        lo, hi = min(a, b), max(a, b)
        return (sum(c for v, c in count.items() if lo <= v <= hi) - (count[a] + count[b]) / 2) ** 2
    do = sum(sum(d2(a, b) for a, b in itertools.permutations(u, 2)) / (len(u) - 1) for u in units) / n
    de = sum(d2(a, b) for a, b in itertools.permutations(pooled, 2)) / (n * (n - 1))
    return None if de == 0 else 1 - do / de

def icc_complete(table):
    rows = [(c, r, v) for c, row in enumerate(table) for r, v in enumerate(row)]
    df = pd.DataFrame(rows, columns=["c", "r", "v"])
    an = sm.stats.anova_lm(ols("v ~ C(c) + C(r)", df).fit(), typ=2)
    ms = an["sum_sq"] / an["df"]
    n, k = len(table), len(table[0])
    bms, jms, ems = ms["C(c)"], ms["C(r)"], ms["Residual"]
    return {"single": (bms - ems) / (bms + (k - 1) * ems + k * (jms - ems) / n), "average": (bms - ems) / (bms + (jms - ems) / n)}

def icc_incomplete(table):
    cells = [(c, r, v) for c, row in enumerate(table) for r, v in enumerate(row) if v is not None]
    y = np.array([v for *_, v in cells], float); N = len(y)
    C = np.array([[c == i for i in range(len(table))] for c, _, _ in cells], float)
    R = np.array([[r == j for j in range(len(table[0]))] for _, r, _ in cells], float)
    one = np.ones((N, 1))
    proj = lambda X: X @ np.linalg.pinv(X)
    forms = [proj(C) - proj(one), proj(R) - proj(one), np.eye(N) - proj(one)]
    M = np.array([[np.trace(Q @ C @ C.T), np.trace(Q @ R @ R.T), np.trace(Q)] for Q in forms])
    s = np.linalg.solve(M, [y @ Q @ y for Q in forms])
    k = len(table) / sum(1 / sum(v is not None for v in row) for row in table)
    s = [max(0.0, v) for v in s]
    return {"components": s, "k": k, "single": s[0] / sum(s), "average": s[0] / (s[0] + (s[1] + s[2]) / k)}

K = [[1,1,None,1],[2,2,3,2],[3,3,3,3],[3,3,3,3],[2,2,2,2],[1,2,3,4],[4,4,4,4],[1,1,2,1],[2,2,2,2],[None,5,5,5],[None,None,1,1],[None,None,3,None]]
SF = [[9,2,5,8],[6,1,3,2],[8,4,6,8],[7,1,2,6],[10,5,6,9],[6,2,4,7]]
rng = np.random.default_rng(20261115)
def draw(cases, raters, missing, spread):
    true = rng.normal(2, spread, cases); lean = rng.normal(0, 0.4, raters)
    t = np.clip(np.rint(true[:, None] + lean[None] + rng.normal(0, .6, (cases, raters))), 1, 3)
    gone = rng.random((cases, raters)) < missing
    return [[None if gone[c, r] else int(t[c, r]) for r in range(raters)] for c in range(cases)]
tables = [K, draw(8, 5, .2, .8), draw(12, 9, .05, .5), draw(6, 4, .3, .1)]
def stratified(strata):
    k, n, N = (np.array([s[i] for s in strata], float) for i in range(3))
    W = N / N.sum(); ph = (W * k / n).sum(); pt = (k + .5) / (n + 1); pb = (W * pt).sum()
    ne = pb * (1 - pb) / (W**2 * (1 - n / N) * pt * (1 - pt) / n).sum()
    from statsmodels.stats.proportion import proportion_confint
    lo, hi = proportion_confint(ph * ne, ne, method="wilson")
    return {"strata": strata, "estimate": ph, "lower": lo, "upper": hi}

out = {
  "stratified": [stratified(s) for s in ([[5, 6, 90], [2, 2, 10]], [[9, 9, 136], [8, 9, 127], [3, 3, 3], [9, 9, 116]], [[1, 1, 50], [0, 4, 50]])],
  "alpha": [{"table": t, **{s: alpha(t, s) for s in ("nominal", "ordinal", "interval")}} for t in tables],
  "icc_complete": [{"table": t, **icc_complete(t)} for t in (SF, draw(10, 6, 0, .9))],
  "icc_incomplete": [{"table": t, **icc_incomplete(t)} for t in (draw(9, 7, .15, .9), draw(14, 11, .05, .6))],
}
json.dump(out, open(os.path.join(os.path.dirname(__file__), "raters.json"), "w"), indent=2)
print({k: v for k, v in out["alpha"][0].items() if k != "table"}, out["icc_complete"][0]["single"], out["icc_complete"][0]["average"])
