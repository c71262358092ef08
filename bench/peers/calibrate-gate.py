"""The peer of `defensible calibrate --method paper` and `defensible gate` on the same audits: what an analyst who knows numpy well
would write. Reads the CSV, fits (alpha, beta, gamma) for both entropies by scipy's L-BFGS-B and on the closed simplex by SLSQP, computes five calibration errors of S with
200 null draws each, and the three gate modes by community. No checks, no intervals, no report."""
import sys

import numpy as np
import pandas as pd
from scipy.optimize import minimize
from scipy.special import betainc, betaln
from scipy.stats import binom

DRAWS, BINS, GRID = 200, 10, 2000
rng = np.random.default_rng(1)
columns = ["community", "level", "inverse", "lambda_nats", "h_weight_bits", "h_citation_bits", "inverse_yes_prob"]
audits = pd.read_csv(sys.argv[1], usecols=columns)
y = (audits["level"].to_numpy() < 3).astype(float)


def fit(entropy):
    x = np.stack([-audits["lambda_nats"].to_numpy(), entropy, audits["inverse_yes_prob"].to_numpy()])
    ones = y == 1
    sums, rest = x[:, ones].sum(axis=1), np.ascontiguousarray(x[:, ~ones])

    def loss(u):
        w = np.exp(u - u.max())
        w /= w.sum()
        z = w @ rest + 1e-6
        value = (w @ sums + 1e-6 * ones.sum() - np.log(-np.expm1(-z)).sum()) / len(y)
        grad = (sums - rest @ (1 / np.expm1(z))) / len(y)
        return value, w * (grad - w @ grad)

    def on_simplex(w):
        z = w @ rest + 1e-6
        value = (w @ sums + 1e-6 * ones.sum() - np.log(-np.expm1(-z)).sum()) / len(y)
        return value, (sums - rest @ (1 / np.expm1(z))) / len(y)

    found = minimize(loss, np.zeros(3), jac=True, method="L-BFGS-B")
    closed = minimize(on_simplex, np.full(3, 1 / 3), jac=True, method="SLSQP", bounds=[(0, 1)] * 3,
                      constraints={"type": "eq", "fun": lambda w: w.sum() - 1, "jac": lambda w: np.ones(3)})
    print("closed simplex", closed.x, closed.fun)
    w = np.exp(found.x - found.x.max())
    w /= w.sum()
    return w, found.fun, np.exp(-(w @ x))


weights, loss, s = fit(audits["h_weight_bits"].to_numpy())
other, other_loss, _ = fit(audits["h_citation_bits"].to_numpy())
print("h_w", weights, loss, "h_kappa", other, other_loss)

order = np.argsort(s, kind="stable")
s, y = s[order], y[order]
n = len(s)
starts = np.concatenate([[0], np.cumsum([len(part) for part in np.array_split(np.arange(n), BINS)])[:-1]])
sizes = np.diff(np.append(starts, n))
mean_s = np.add.reduceat(s, starts) / sizes
tie_starts = np.flatnonzero(np.concatenate([[True], s[1:] != s[:-1]]))
tie_sizes = np.diff(np.append(tie_starts, n))
no_ties = len(tie_starts) == n
width_starts = np.searchsorted(s, np.arange(BINS) / BINS)
width_sizes = np.diff(np.append(width_starts, n))
width_s = np.diff(np.append(0, np.cumsum(s))[np.append(width_starts, n)])
cell = np.minimum((s * GRID).astype(np.int64), GRID - 1)
cell_starts = np.searchsorted(cell, np.arange(GRID))
cell_s = np.diff(np.append(0, np.cumsum(s))[np.append(cell_starts, n)])
centres = (np.arange(3 * GRID) + 0.5) / GRID - 1


def smooth(residual):
    mirrored = np.concatenate([residual[::-1], residual, residual[::-1]])
    spectrum = np.fft.rfft(mirrored, 8 * GRID)
    low, high = 1e-3, 1.0
    for _ in range(12):
        sigma = (low + high) / 2
        kernel = np.exp(-0.5 * ((np.arange(2 * GRID) - GRID) / GRID / sigma) ** 2)
        kernel /= kernel.sum()
        blurred = np.fft.irfft(spectrum * np.fft.rfft(kernel, 8 * GRID))[2 * GRID : 3 * GRID]
        error = np.abs(blurred).sum() / n
        low, high = (sigma, high) if error > sigma else (low, sigma)
    return error


def errors(y):
    cumulative = np.append(0, np.cumsum(y))
    mean_y = np.add.reduceat(y, starts) / sizes
    gaps = mean_s - mean_y
    equal = (sizes * np.abs(gaps)).sum() / n
    if no_ties:
        tied = equal
    else:
        averaged = np.repeat(np.diff(np.append(cumulative[tie_starts], cumulative[-1])) / tie_sizes, tie_sizes)
        tied = (sizes * np.abs(mean_s - np.add.reduceat(averaged, starts) / sizes)).sum() / n
    width = np.abs(width_s - np.diff(cumulative[np.append(width_starts, n)])).sum() / n
    debiased = np.sqrt(max(0, (sizes / n * (gaps**2 - mean_y * (1 - mean_y) / (sizes - 1))).sum()))
    return equal, tied, width, debiased, smooth(np.diff(cumulative[np.append(cell_starts, n)]) - cell_s)


print("ECE", errors(y))
null = np.array([errors((rng.random(n) < s).astype(float)) for _ in range(DRAWS)])
print("null", null.mean(axis=0), np.quantile(null, 0.95, axis=0))

counts = audits.assign(bad=audits["level"] == 3).groupby("community").agg(n=("bad", "size"), bad=("bad", "sum"), yes=("inverse", "sum"))
size, bad, yes = (counts[name].to_numpy() for name in ("n", "bad", "yes"))
enough = size >= 25
print("paper", (enough & (1 - bad / size >= 0.9 - 1e-9) & (yes / size <= 0.15 + 1e-9)).sum())


def shrink(k, limit):
    def loss(t):
        m, mu = np.exp(np.clip(t[1], np.log(0.05), np.log(1e5))), 1 / (1 + np.exp(-t[0]))
        return -(betaln(mu * m + k, (1 - mu) * m + size - k) - betaln(mu * m, (1 - mu) * m)).sum()

    t = minimize(loss, [np.log(k.sum() / (size.sum() - k.sum())), np.log(20)], method="L-BFGS-B").x
    m, mu = np.exp(np.clip(t[1], np.log(0.05), np.log(1e5))), 1 / (1 + np.exp(-t[0]))
    return 1 - betainc(mu * m + k, (1 - mu) * m + size - k, limit)


f = np.minimum(1, shrink(bad, 0.1) + shrink(yes, 0.15))
f[~enough] = 1
ranked = np.sort(f)
print("shrunk", ((np.cumsum(ranked) / np.arange(1, len(f) + 1) <= 0.05) & (ranked <= 0.1)).sum())
p = np.maximum(binom.cdf(bad, size, 0.1), binom.cdf(yes, size, 0.15))
p[~enough] = 1
ranked = np.sort(p)
print("certified", np.argmin(np.append(ranked * (len(p) - np.arange(len(p))) <= 0.05, False)))
