"""Reference values for the calibration of defensibility, computed outside the project.

How it was run: Debian 12 packages python3-scipy 1.10.1, python3-sklearn 1.2.1, python3-numpy 1.24.2, with Python 3.11.2:

    python3 test/references/recalibration.py > test/references/recalibration.json
    npx biome format --write test/references/recalibration.json

Platt and multinomial: scikit-learn's LogisticRegression on standardised features, C = 1 / (n * l2), intercept not penalised.
Isotonic: scikit-learn's IsotonicRegression, with the project's rule for blocks of one class at an end applied to its thresholds.
Temperature: scipy's minimize_scalar. Beta and vector scaling: their definitions, minimised by scipy (L-BFGS-B within bounds,
BFGS from three starts). Cross-validated losses: GroupKFold, StandardScaler and LogisticRegression of scikit-learn.
Deployed prior: its likelihood, maximised by scipy, not EM.
Data are drawn here with a fixed seed and printed with four decimals, so both sides fit the same numbers.
"""

import json
import warnings

import numpy as np
from scipy import optimize, special
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

warnings.simplefilter("ignore")
rng = np.random.default_rng(20250301)
SIZES = [77, 65, 58, 51, 44, 37, 29, 22, 17]  # all different: the greedy folds have no ties
N = sum(SIZES)
CLIP = 1e-12


def draw():
    target = rng.choice([1, 2, 3], size=N, p=[0.55, 0.25, 0.2])
    logits = rng.normal(0, 2.5, (N, 3))
    logits[np.arange(N), target - 1] += 3
    p = np.round(special.softmax(logits, axis=1), 4)
    p[:, 0] = np.round(1 - p[:, 1] - p[:, 2], 4)
    p = np.clip(p, 0, 1)
    p[0], p[1], p[2] = [1, 0, 0], [0, 0, 1], [0, 1, 0]
    order = rng.permutation(np.repeat(np.arange(len(SIZES)), SIZES))
    return {
        "p": p,
        "rho": np.round(np.where(target == 3, 2.0, -1.5) + rng.normal(0, 3, N), 4),
        "weight_bits": np.round(np.clip(np.where(target == 2, 0.9, 0.5) + rng.normal(0, 0.3, N), 0, 1.585), 4),
        "citation_bits": np.round(np.abs(rng.normal(0.6, 0.3, N)), 4),
        "positive": rng.integers(0, 2, N),
        "community": order,
        "target": target,
    }


data = draw()
p = data["p"] / data["p"].sum(axis=1, keepdims=True)
target = data["target"]
y = (target <= 2).astype(int)
logp = np.log(np.maximum(p, CLIP))
logdef = np.log(np.maximum(p[:, 0] + p[:, 1], CLIP))
logind = logp[:, 2]
map_level = np.array([3 if r[2] == max(r) else 2 if r[1] == max(r) else 1 for r in p])
X = np.column_stack(
    [
        logp[:, 0] - logp[:, 2],
        logp[:, 1] - logp[:, 2],
        np.clip(data["rho"], -14, 14),
        data["weight_bits"],
        data["citation_bits"],
        map_level == 2,
        map_level == 3,
        data["positive"],
    ]
).astype(float)


def temperature(binary):
    def loss(t):
        q = special.log_softmax(logp / np.exp(t), axis=1)
        if binary:
            d = special.logsumexp(q[:, :2], axis=1)
            return -np.mean(np.where(y == 1, d, q[:, 2]))
        return -np.mean(q[np.arange(N), target - 1])

    best = optimize.minimize_scalar(loss, bounds=(np.log(0.1), np.log(100)), method="bounded", options={"xatol": 1e-12})
    return {"temperature": float(np.exp(best.x)), "loss": float(best.fun)}


def logistic(features, labels, l2, multinomial=False):
    scaler = StandardScaler().fit(features)
    model = LogisticRegression(
        C=1 / (len(labels) * l2),
        solver="newton-cg",
        tol=1e-12,
        max_iter=10_000,
        multi_class="multinomial" if multinomial else "ovr",
    ).fit(scaler.transform(features), labels)
    return scaler, model


def platt(labels):
    scaler, model = logistic((logdef - logind)[:, None], labels, 1e-6)
    slope = model.coef_[0, 0] / scaler.scale_[0]
    return {"slope": slope, "intercept": model.intercept_[0] - slope * scaler.mean_[0]}


def beta(labels):
    features = np.column_stack([logdef, -logind])
    mean, sd = features.mean(axis=0), features.std(axis=0)
    z = (features - mean) / sd
    sign = np.where(labels == 1, 1, -1)

    def loss(w):
        t = z @ w[:2] + w[2]
        return np.mean(np.logaddexp(0, -sign * t)) + 5e-7 * (w[:2] ** 2).sum()

    def grad(w):
        r = special.expit(z @ w[:2] + w[2]) - labels
        return np.append(z.T @ r / len(r) + 1e-6 * w[:2], r.mean())

    best = min(
        (
            optimize.minimize(
                loss, start, jac=grad, method="L-BFGS-B", bounds=[(0, None), (0, None), (None, None)],
                options={"ftol": 1e-16, "gtol": 1e-12, "maxiter": 10_000, "maxfun": 100_000},
            )
            for start in ([0, 0, 0], [3, 0, 0], [0, 3, 1])
        ),
        key=lambda fit: fit.fun,
    )
    a, b = best.x[:2] / sd
    return {"a": a, "b": b, "c": best.x[2] - a * mean[0] - b * mean[1], "loss": best.fun}


def vector():
    variance = logp.var(axis=0)

    def loss(w):
        q = special.log_softmax(w[:3] * logp + np.append(w[3:], 0), axis=1)
        return -np.mean(q[np.arange(N), target - 1]) + 5e-7 * ((w[:3] - 1) ** 2 * variance).sum()

    fits = [optimize.minimize(loss, s, method="BFGS", options={"gtol": 1e-9}) for s in (np.zeros(5), np.ones(5), -np.ones(5))]
    best = min(fits, key=lambda fit: fit.fun)
    bias = np.append(best.x[3:], 0)
    return {"scale": best.x[:3], "bias": bias - bias.mean(), "loss": best.fun}


def isotonic(grid):
    score = p[:, 0] + p[:, 1]
    fit = IsotonicRegression(out_of_bounds="clip").fit(score, y)
    knots, values = fit.X_thresholds_.copy(), fit.y_thresholds_.copy()
    fitted = fit.predict(score)
    low, high = (fitted == 0).sum(), (fitted == 1).sum()
    interior = values[(values > 0) & (values < 1)]
    values[values == 0] = min(0.5 / (low + 1), interior.min())
    values[values == 1] = max((high + 0.5) / (high + 1), interior.max())
    return {"grid": grid, "value": np.interp(grid, knots, values), "pure_rows": [low, high]}


def multinomial(binary):
    scaler, model = logistic(X, y if binary else target, 1e-3, multinomial=not binary)
    bias = model.intercept_
    proba = model.predict_proba(scaler.transform(X[:12]))
    return {
        "mean": scaler.mean_,
        "sd": scaler.scale_,
        "weights": model.coef_,
        "bias": bias if binary else bias - bias.mean(),
        "levels": None if binary else proba,
        "defensible": proba[:, 1] if binary else proba[:, 0] + proba[:, 1],
    }


def cross_validated():
    folds = GroupKFold(5)
    fold = np.zeros(N, dtype=int)
    scores = {"raw": p[:, 0] + p[:, 1], "platt": np.zeros(N), "multinomial": np.zeros(N)}
    levels = np.zeros((N, 3))
    for number, (train, test) in enumerate(folds.split(X, groups=data["community"])):
        fold[test] = number
        column = (logdef - logind)[:, None]
        binary = make_pipeline(
            StandardScaler(),
            LogisticRegression(C=1 / (len(train) * 1e-6), solver="newton-cg", tol=1e-12, max_iter=10_000),
        ).fit(column[train], y[train])
        scores["platt"][test] = binary.predict_proba(column[test])[:, 1]
        full = make_pipeline(
            StandardScaler(),
            LogisticRegression(
                C=1 / (len(train) * 1e-3), solver="newton-cg", tol=1e-12, max_iter=10_000, multi_class="multinomial"
            ),
        ).fit(X[train], target[train])
        levels[test] = full.predict_proba(X[test])
        scores["multinomial"][test] = levels[test, 0] + levels[test, 1]
    clipped = {name: np.clip(s, CLIP, 1 - CLIP) for name, s in scores.items()}
    return {
        "fold": fold,
        "level_log_loss": log_loss(target, levels),
        **{
            name: {
                "log_loss": -np.mean(np.where(y == 1, np.log(np.maximum(s, CLIP)), np.log(np.maximum(1 - s, CLIP)))),
                "brier": brier_score_loss(y, s),
                "auroc": roc_auc_score(y, s),
                "sklearn_log_loss": log_loss(y, clipped[name]),
            }
            for name, s in scores.items()
        },
    }


def deployed_prior():
    """Posteriors under equal shares for rows that truly come 80 : 15 : 5; the likelihood of the shares maximised directly."""
    truth = rng.choice(3, size=300, p=[0.8, 0.15, 0.05])
    logits = rng.normal(0, 1, (300, 3))
    logits[np.arange(300), truth] += 2
    posterior = np.round(special.softmax(logits, axis=1), 5)
    fitted = np.array([0.4, 0.35, 0.25])
    posterior = posterior * fitted / (posterior * fitted).sum(axis=1, keepdims=True)
    posterior = np.round(posterior, 6)

    def loss(u):
        share = special.softmax(np.append(u, 0))
        return -np.mean(np.log((posterior * (share / fitted)).sum(axis=1)))

    best = min(
        (optimize.minimize(loss, s, method="BFGS", options={"gtol": 1e-10}) for s in ([0, 0], [2, 1], [-1, 1])),
        key=lambda fit: fit.fun,
    )
    share = special.softmax(np.append(best.x, 0))
    shifted = posterior * (share / fitted)
    return {
        "posterior": posterior,
        "fitted": fitted,
        "prior": share,
        "shifted": (shifted / shifted.sum(axis=1, keepdims=True))[:8],
    }


def pooled():
    values = np.round(np.linspace(0, 2, 60) + rng.normal(0, 0.7, 60), 3)
    weights = rng.integers(1, 6, 60)
    fit = IsotonicRegression().fit(np.arange(60), values, sample_weight=weights)
    return {"values": values, "weights": weights, "fitted": fit.predict(np.arange(60))}


def plain(value):
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value.item() if isinstance(value, np.generic) else value


def bent(slope_low, slope_high):
    """Labels that follow p at one end only, so that a bound of beta calibration is met."""
    z = slope_low * logdef - slope_high * logind + 0.3
    return (rng.random(N) < special.expit(z)).astype(int)


variants = {"a_bound": bent(-0.6, 0.5), "b_bound": bent(0.5, -0.25), "both_bounds": bent(-0.3, -0.2)}
print(
    json.dumps(
        plain(
            {
                "data": data,
                "temperature": {"levels": temperature(False), "binary": temperature(True)},
                "platt": platt(y),
                "beta": {"free": {"y": y, **beta(y)}, **{k: {"y": v, **beta(v)} for k, v in variants.items()}},
                "vector": vector(),
                "isotonic": isotonic(np.round(np.linspace(0, 1, 41), 4)),
                "pooled": pooled(),
                "multinomial": {"levels": multinomial(False), "binary": multinomial(True)},
                "cross_validated": cross_validated(),
                "deployed_prior": deployed_prior(),
            }
        )
    )
)
