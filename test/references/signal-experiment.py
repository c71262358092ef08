"""Reference values for the statistics behind `defensible experiment gap` and `signal`, computed outside the project.

How it was run: Debian 12 packages python3-scipy 1.10.1, python3-numpy 1.24.2, python3-sklearn 1.2.1, with Python 3.11.2:

    python3 test/references/signal-experiment.py > test/references/signal-experiment.json
    npx biome format --write test/references/signal-experiment.json

The spread of an AUROC is that of the areas without each cluster. Influence values of others come from their definition: the derivative of the weighted statistic by the weight of a row, taken numerically
(central differences, weights 1 +- 1e-5) with nothing shared with the closed forms of the project. F1 is scikit-learn's on rows
in the stated proportions. The bound of a binary partner is scipy's Spearman of 1..n against a step.
Randomness is seeded, so the output is the same at every run.
"""

import json

import numpy as np
from clusters import t_of
from scipy import stats
from sklearn import metrics

rng = np.random.default_rng(20250611)


def weighted_auroc(score, positive, weight):
    area = 0.0
    for s, w in zip(score[positive], weight[positive]):
        other, ow = score[~positive], weight[~positive]
        area += w * (ow[other < s].sum() + 0.5 * ow[other == s].sum())
    return area / (weight[positive].sum() * weight[~positive].sum())


def mid(values, weight):
    return np.array([weight[values < v].sum() + 0.5 * weight[values == v].sum() for v in values]) / weight.sum()


def weighted_spearman(x, y, weight):
    a, b = mid(x, weight), mid(y, weight)
    w = weight / weight.sum()
    a, b = a - (w * a).sum(), b - (w * b).sum()
    return (w * a * b).sum() / np.sqrt((w * a * a).sum() * (w * b * b).sum())


def derivatives(statistic, n, step=1e-5):
    values = []
    for i in range(n):
        up, down = np.ones(n), np.ones(n)
        up[i] += step
        down[i] -= step
        values.append((statistic(up) - statistic(down)) / (2 * step))
    return np.array(values)


def cluster_error(influence, cluster):
    """t √V with V = Σ(s_c/(1 − a_c))², a_c the share of rows of cluster c."""
    names, sizes = np.unique(cluster, return_counts=True)
    sums = np.array([influence[cluster == c].sum() for c in names])
    return t_of(sizes, 0.95) * np.sqrt(((sums / (1 - sizes / sizes.sum())) ** 2).sum())


def auroc_case(n, groups, levels):
    score = np.round(rng.normal(size=n) * levels) / levels
    positive = rng.random(n) < 1 / (1 + np.exp(-score))
    cluster = rng.integers(groups, size=n)
    area = weighted_auroc(score, positive, np.ones(n))
    # From its definition: the area of the rows outside of each cluster.
    names, sizes = np.unique(cluster, return_counts=True)
    others = [cluster != c for c in names]
    without = np.array([weighted_auroc(score[rest], positive[rest], np.ones(rest.sum())) for rest in others])
    half = t_of(sizes, 0.95) * np.sqrt(((without - area) ** 2).sum()) / (area * (1 - area))
    logit = np.log(area / (1 - area))
    return {
        "score": score.tolist(),
        "positive": positive.astype(int).tolist(),
        "cluster": cluster.tolist(),
        "clusters": groups,
        "estimate": area,
        "lower": 1 / (1 + np.exp(-(logit - half))),
        "upper": 1 / (1 + np.exp(-(logit + half))),
    }


def spearman_case(n, groups, binary):
    shift = rng.normal(size=groups)
    cluster = rng.integers(groups, size=n)
    x = np.round(rng.normal(size=n) + shift[cluster], 1)
    y = x + rng.normal(size=n)
    y = (y > 0.7).astype(float) if binary else np.round(y, 1)
    rho = stats.spearmanr(x, y).correlation
    influence = derivatives(lambda w: weighted_spearman(x, y, w), n)
    half = cluster_error(influence, cluster) / (1 - rho**2)
    return {
        "x": x.tolist(),
        "y": y.tolist(),
        "cluster": cluster.tolist(),
        "clusters": groups,
        "estimate": rho,
        "lower": np.tanh(np.arctanh(rho) - half),
        "upper": np.tanh(np.arctanh(rho) + half),
    }


def ratio_case(n0, n1):
    first, second = rng.exponential(2, n1), rng.exponential(1, n0)
    ratio = first.mean() / second.mean()
    se = np.sqrt(stats.sem(first) ** 2 / first.mean() ** 2 + stats.sem(second) ** 2 / second.mean() ** 2)
    z = stats.norm.ppf(0.975)
    return {
        "first": first.tolist(),
        "second": second.tolist(),
        "estimate": ratio,
        "lower": ratio * np.exp(-z * se),
        "upper": ratio * np.exp(z * se),
    }


def f1_case(positives, negatives, found, false):
    truth = [1] * positives + [0] * negatives
    claimed = [1] * found + [0] * (positives - found) + [1] * false + [0] * (negatives - false)
    return {
        "true_positive_rate": found / positives,
        "false_positive_rate": false / negatives,
        "prevalence": positives / (positives + negatives),
        "f1": metrics.f1_score(truth, claimed),
    }


def bound_case(n, ones):
    step = np.r_[np.zeros(n - ones), np.ones(ones)]
    return {"n": n, "share": ones / n, "largest": stats.spearmanr(np.arange(n), step).correlation}


print(
    json.dumps(
        {
            "auroc": [auroc_case(60, 12, 4), auroc_case(45, 5, 1), auroc_case(80, 30, 100)],
            "spearman": [spearman_case(60, 12, False), spearman_case(60, 25, True), spearman_case(30, 4, False)],
            "ratio": [ratio_case(30, 20), ratio_case(8, 5)],
            "f1": [f1_case(10, 90, 9, 9), f1_case(50, 50, 45, 5), f1_case(7, 200, 3, 11), f1_case(4, 6, 0, 2)],
            "bound": [bound_case(1000, 222), bound_case(20, 10), bound_case(50, 3)],
        }
    )
)
