"""Recounts every leaf of a report.json from the raw audits, with nothing of the project.

    python3 test/recount.py --report report.json --audits audits.jsonl [--workspace DIR] [--rules rules.json]
                            [--positive remove --negative approve, or --actions allow,label/limit,remove,ban]
    python3 test/recount.py --self-test

The audits are the JSONL export of one run; the workspace gives decisions.jsonl (gold, stated reasons), precedents.jsonl, cohorts/*.json, gate/routes.jsonl and outcomes.jsonl; rules.json is
a list of {scope, community, rule_id, title}. Python 3.9 or later, standard library only. The script builds the whole
report again as a tree of expected leaves and compares leaf by leaf: one that differs, is absent, or has no counterpart
("not recounted") is printed, and the exit code is 1. Left out is `gate_findings`, which is the gate's and not a count:
test/references/{gate,slices,judge-error}.py have its numbers. Counts and statuses must be equal, other numbers agree to 1e-9
(relative or absolute, whichever is larger); a `method`, a `reason` and a warning only have to be texts.
"""

import argparse, bisect, functools, glob, json, math, os, re, statistics, sys
from collections import Counter, defaultdict, namedtuple
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from types import SimpleNamespace

Z, TOLERANCE = statistics.NormalDist().inv_cdf(0.975), 1e-9
LEVELS, WEIGHTS, CELLS = (1, 2, 3), ("High", "Medium", "Low"), ("tp", "fp", "fn", "tn")
TARGETS = {"defensibility_index": (0.90, "at_least"), "ambiguity_index": (0.15, "at_most")}
ROOT_CAUSES = {"model_error": "level3", "policy_ambiguity": "pure", "implicit_norm": "norm"}
INDICES = {"defensibility_index": "defensible", "ambiguity_index": "yes", "ambiguity_pure": "pure"}
SCOPES = {"platform": ["platform"], "community": ["community", "precedent"], "mixed": ["mixed"], "none": ["none", None]}
SIGNALS = {"level": ["p_defensible"], "weight": ["h_weight_bits"],
           "inverse": ["inverse_yes_prob"], "citation": ["h_citation_bits"]}
RUN_FIELDS = ("run_id", "auditor", "tier", "template", "temperature", "signal")
# What the audits do not determine and is taken as it stands; everything else in a report is recounted.
RUN_METADATA = ("created_at", "status", "source", "auditor_version", "prompt_version", "cohort", "planned", "selection")

# ---------------------------------------------------------------- distributions
def beta_cdf(x, a, b):
    """Regularised incomplete beta I_x(a, b): Lentz's continued fraction, on the side where it converges fast."""
    if x > (a + 1) / (a + b + 2):
        return 1.0 - beta_cdf(1 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    d = 1 / (1 - (a + b) * x / (a + 1))
    c, total = 1.0, d
    for m in range(1, 100_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            d, c = 1 / (1 + step * d or 1e-300), 1 + step / c or 1e-300
            total *= c * d
        if abs(c * d - 1) < 1e-15:
            return front * total
    raise ArithmeticError("incomplete beta: no convergence")

def increasing_root(function, low, high):
    """Where an increasing function crosses 0, by bisection (1e-14, relative above 1)."""
    while high - low > 1e-14 * max(1.0, high):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return (low + high) / 2

@functools.lru_cache(maxsize=None)
def t_quantile(df):
    """The 0.975 quantile of Student's t: P(T > t) = I_{df/(df + t²)}(df/2, 1/2) / 2."""
    return increasing_root(lambda t: 0.025 - beta_cdf(df / (df + t * t), df / 2, 0.5) / 2, 0.0, 20.0)

def wilson(k, n, z=Z):
    p, s = k / n, z * z / n
    half = z * math.sqrt(p * (1 - p) / n + s / (4 * n))
    return (p + s / 2 - half) / (1 + s), (p + s / 2 + half) / (1 + s)

def clopper_pearson(k, n):
    """Two-sided 95 %; k and n may be fractional."""
    lower = increasing_root(lambda x: beta_cdf(x, k, n - k + 1) - 0.025, 0.0, 1.0) if k > 0 else 0.0
    return lower, increasing_root(lambda x: beta_cdf(x, k + 1, n - k) - 0.975, 0.0, 1.0) if k < n else 1.0

def logit_interval(p, half):
    middle = math.log(p / (1 - p))
    return 1 / (1 + math.exp(half - middle)), 1 / (1 + math.exp(-half - middle))

# ---------------------------------------------------------------- expected leaves
class Check(namedtuple("Check", "name holds")):  # an expected leaf that is known by a condition
    def __repr__(self):
        return self.name

def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)

def one_of(values):
    return values[0] if len(values) == 1 else Check(f"one of {values}", lambda value: value in values)

TEXT = Check("a text", lambda value: isinstance(value, str) and value.strip() != "")
ANY = Check("a share", lambda value: is_number(value) and 0 <= value <= 1)
MISSING = Check("nothing", lambda value: False)

def undefined(n=0):
    return {"estimate": None, "reason": TEXT, "n": n}

def defined(estimate, lower, upper, n, low=0.0, high=1.0, **more):
    """An estimate whose interval is clamped to its range [low, high]."""
    bounds = {"lower": float(max(low, lower)), "upper": float(min(high, upper))}
    return {"estimate": float(estimate), **bounds, "level": 0.95, "method": TEXT, "n": n, **more}

# ---------------------------------------------------------------- estimates
def rate(rows, name, attempted=None):
    """The share of rows with the named property, Wilson; `attempted` adds the rows without a verdict: worst case."""
    n, k = len(rows), sum(getattr(r, name) for r in rows)
    if n == 0:
        return undefined()
    result = defined(k / n, *wilson(k, n), n, k=k)
    tally = [(sum(getattr(r, name) for r in part), len(part)) for part in by_community(rows)]
    if len(tally) >= 2:
        result["cluster"] = rate_cluster(k, n, tally)
    if attempted is not None:
        result["worst_case"] = {"lower": k / attempted, "upper": (k + attempted - n) / attempted}
    return result

def effective(sizes):
    """1/Σa²: how many communities of equal size say as much."""
    return Fraction(sum(sizes)) ** 2 / sum(Fraction(size) ** 2 for size in sizes)

def t_of(communities):
    return t_quantile(max(1.0, float(communities) - 1))

def rate_cluster(k, n, tally):
    """Communities of unequal size: the larger of the jackknife's variance and that of a model with components between and within
    communities; Wilson's ends with t, Clopper–Pearson's at 0 and 1. Fractions, so that no variance is exactly 0."""
    groups, p, many = len(tally), Fraction(k, n), effective([nc for _, nc in tally])
    t, spread = t_of(many), p * (1 - p)
    counts = {"method": TEXT, "clusters": groups, "effective_clusters": float(many)}
    if spread == 0:
        size = n * (Z / t) ** 2
        lower, upper = clopper_pearson(size if k == n else 0.0, size)
        return {"lower": lower, "upper": upper, **counts, "design_effect": None}
    left_out = sum((Fraction(k - kc, n - nc) - p) ** 2 for kc, nc in tally)
    between = sum(nc * (Fraction(kc, nc) - p) ** 2 for kc, nc in tally) / (groups - 1)
    within = sum(Fraction(kc * (nc - kc), nc) for kc, nc in tally) / (n - groups) if n > groups else spread
    size = (n - Fraction(sum(nc * nc for _, nc in tally), n)) / (groups - 1)
    differing = max(Fraction(0), (between - within) / size)
    variance = max(left_out, sum(Fraction(nc, n) ** 2 * (differing + within / nc) for _, nc in tally))
    lower, upper = wilson(float(p * spread / variance), float(spread / variance), t)
    return {"lower": lower, "upper": upper, **counts, "design_effect": float(variance * n / spread)}

def linear(theta, half, n, low, high, bounds=None):
    """θ ± half, or `bounds`."""
    return defined(theta, *(bounds or (float(theta) - half, float(theta) + half)), n, low, high)

def jackknife(theta, left_out, many, row_variance, low, high):
    """The interval over communities from the values without each of them; None where there is no second, or one is undefined."""
    if len(left_out) < 2 or None in left_out:
        return None
    variance = sum((value - theta) ** 2 for value in left_out)
    half, theta = t_of(many) * math.sqrt(variance), float(theta)
    ends = {"lower": max(low, theta - half), "upper": min(high, theta + half)}
    effect = float(variance / row_variance) if row_variance else None
    return {**ends, "method": TEXT, "clusters": len(left_out), "effective_clusters": float(many), "design_effect": effect}

def row_variance_of(rows, influence):
    """N/(N−1) Σu² over the rows; exact."""
    kinds = Counter((r.defensible, r.cell) for r in rows)
    squares = sum(m * Fraction(influence(*kind)) ** 2 for kind, m in kinds.items())
    return squares * len(rows) / (len(rows) - 1) if len(rows) > 1 else None

def f1_influence(tp, fp, fn):
    f1, size = Fraction(2 * tp, 2 * tp + fp + fn), 2 * tp + fp + fn
    return lambda _, cell: (2 * (cell == "tp") - f1 * (2 * (cell == "tp") + (cell in ("fp", "fn")))) / size

F1_CELLS = ("tp", "fp", "fn")

def f1_of(cells):
    """F1 from counts of cells; None where nothing is positive, true or claimed."""
    whole = 2 * cells["tp"] + cells["fp"] + cells["fn"]
    return Fraction(2 * cells["tp"], whole) if whole else None

def cells_by_community(rows):
    return [Counter(r.cell for r in part) for part in by_community(rows)]

def f1_score(rows, tp, fp, fn):
    """The interval is that of J = TP/(TP+FP+FN), of which F1 = 2J/(1+J) is a monotone function; over communities too if
    they do not differ, since a spread of 0 says nothing of chance."""
    if (n := tp + fp + fn) == 0:
        return undefined()
    result = linear(Fraction(2 * tp, n + tp), None, n, 0.0, 1.0, tuple(2 * j / (1 + j) for j in wilson(tp, n)))
    cells = [c for c in cells_by_community(rows) if any(c[name] for name in F1_CELLS)]
    tally = [(c["tp"], sum(c[name] for name in F1_CELLS)) for c in cells]
    total = sum(cells, Counter())
    left_out = [f1_of(total - c) for c in cells]
    row_variance = row_variance_of(rows, f1_influence(tp, fp, fn))
    cluster = jackknife(f1_of(total), left_out, effective([size for _, size in tally]), row_variance, 0.0, 1.0)
    if cluster and len(set(left_out)) == 1 and left_out[0] == f1_of(total):
        of_j = rate_cluster(tp, n, tally)
        ends = {end: 2 * of_j[end] / (1 + of_j[end]) for end in ("lower", "upper")}
        cluster = {**of_j, **ends, "design_effect": None}
    return with_cluster(result, cluster, rows)

def with_cluster(result, cluster, rows):
    """With the interval over communities; where there is none although there are several, with a warning."""
    if cluster:
        return {**result, "cluster": cluster}
    return {**result, "warnings": [*result.get("warnings", []), TEXT]} if len(by_community(rows)) > 1 else result

def square_and_add(first, second):
    """Ends of first − second from the ends of both (Newcombe 1998; Zou and Donner 2008). `first` and `second` are (value, lower, upper)."""
    (x, x_low, x_high), (y, y_low, y_high) = first, second
    below, above = math.sqrt((x - x_low) ** 2 + (y_high - y) ** 2), math.sqrt((x_high - x) ** 2 + (y - y_low) ** 2)
    return {"lower": max(-1.0, x - y - below), "upper": min(1.0, x - y + above)}

def gap(rows, other, other_influence, other_of, counts, n, second):
    """Defensibility Index over all verdicts minus another index (a Fraction, or None where it is undefined; `other_of` computes it from the
    cells, of which it `counts` some). Where verdicts, or communities, are all alike, the interval is made of those of the index and of
    `second`, the other's estimate."""
    total = len(rows)
    if other is None or n < 2:
        return undefined(n)
    hits = sum(r.defensible for r in rows)
    index = Fraction(hits, total)
    row_variance = row_variance_of(rows, lambda d, cell: (d - index) / total - other_influence(d, cell))
    result = linear(index - other, Z * math.sqrt(row_variance), n, -1.0, 1.0)
    first = rate(rows, "defensible")
    ends = lambda of, bounds: (of["estimate"], bounds["lower"], bounds["upper"])
    if row_variance == 0:
        result.update(square_and_add(ends(first, first), ends(second, second)))
    parts, cells = by_community(rows), cells_by_community(rows)
    if len(parts) < 2:
        return result
    whole = sum(cells, Counter())
    without = [other_of(whole - c) for c in cells]
    left_out = [None if o is None else Fraction(hits - sum(r.defensible for r in part), total - len(part)) - o
                for part, o in zip(parts, without)]
    sizes = [sum(c[name] for name in counts) for c in cells]
    many = min(effective([len(part) for part in parts]), effective(sizes))
    cluster = jackknife(index - other, left_out, many, row_variance, -1.0, 1.0)
    if cluster and all(value == index - other for value in left_out):
        both = "cluster" in first and "cluster" in second
        cluster = {**cluster, **square_and_add(ends(first, first["cluster"]), ends(second, second["cluster"]))} if both else None
    return with_cluster(result, cluster, rows)

def kappa_of(cells):
    """Cohen's kappa of decision and human label from counts of cells; None where it is undefined."""
    n, (tp, fp, fn, tn) = sum(cells[name] for name in CELLS), (cells[name] for name in CELLS)
    chance = (tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)
    return Fraction((tp + tn) * n - chance, n * n - chance) if chance < n * n else None

def kappa_influence(cells):
    """What one more row in a cell adds: the derivative of kappa_of, of (p_o − p_e)/(1 − p_e) with the shares of both sides."""
    tp, fp, fn, tn = (cells[name] for name in CELLS)
    n, k = tp + fp + fn + tn, kappa_of(cells)
    ours, theirs = [Fraction(tp + fp, n), Fraction(fn + tn, n)], [Fraction(tp + fn, n), Fraction(fp + tn, n)]
    chance = sum(a * b for a, b in zip(ours, theirs))
    def of(_, cell):
        if not cell:
            return 0
        i, j = int(cell in ("fn", "tn")), int(cell in ("fp", "tn"))
        by_chance = theirs[i] + ours[j] - 2 * chance
        agreeing = (i == j) - Fraction(tp + tn, n)
        return (agreeing * (1 - chance) - by_chance * (1 - Fraction(tp + tn, n))) / (1 - chance) ** 2 / n
    return of

def kappa_score(rows, number):
    """κ; over communities too. Where these do not differ: the agreement's interval, carried through at the same chance."""
    result = kappa([[number["tp"], number["fp"]], [number["fn"], number["tn"]]])
    if result["estimate"] is None:
        return result
    cells = [c for c in cells_by_community(rows) if any(c[name] for name in CELLS)]
    sizes = [sum(c[name] for name in CELLS) for c in cells]
    total, n = sum(cells, Counter()), sum(sizes)
    k, left_out = kappa_of(total), [kappa_of(total - c) for c in cells]
    cluster = jackknife(k, left_out, effective(sizes), row_variance_of(rows, kappa_influence(total)), -1.0, 1.0)
    if cluster and all(value == k for value in left_out):
        agreed = [(c["tp"] + c["tn"], size) for c, size in zip(cells, sizes)]
        p = Fraction(sum(a for a, _ in agreed), n)
        chance = float((p - k) / (1 - k)) if k != 1 else float(Fraction((total["tp"]) ** 2 + total["tn"] ** 2, n * n))
        of_p = rate_cluster(sum(a for a, _ in agreed), n, agreed)
        ends = {end: max(-1.0, (of_p[end] - chance) / (1 - chance)) for end in ("lower", "upper")}
        cluster = {**of_p, **ends, "design_effect": None}
    return with_cluster(result, cluster, rows)

def kappa(table):
    """Cohen's kappa, large-sample variance of Fleiss, Cohen and Everitt; undefined where chance always agrees."""
    n, size = sum(map(sum, table)), range(len(table))
    p = [[Fraction(x, n or 1) for x in line] for line in table]
    row, column = [sum(line) for line in p], [sum(line[j] for line in p) for j in size]
    chance = sum(row[i] * column[i] for i in size)
    if n == 0 or chance == 1:
        return undefined(n)
    k = (sum(p[i][i] for i in size) - chance) / (1 - chance)
    inner = sum(p[i][i] * (1 - (row[i] + column[i]) * (1 - k)) ** 2 for i in size)
    inner += (1 - k) ** 2 * sum(p[i][j] * (column[i] + row[j]) ** 2 for i in size for j in size if i != j)
    variance = (inner - (k - chance * (1 - k)) ** 2) / (n * (1 - chance) ** 2)
    # A standard error of 0 says nothing of chance: Wilson of the agreement, carried through at the same chance.
    if variance == 0 or 1 in row or 1 in column:
        ends = [(share - float(chance)) / float(1 - chance) for share in wilson(sum(table[i][i] for i in size), n)]
        bounds = min(float(k), ends[0]), max(float(k), ends[1])
        return {**linear(k, None, n, -1.0, 1.0, bounds), "warnings": [TEXT]}
    return linear(k, Z * math.sqrt(variance), n, -1.0, 1.0)

def mean(rows, field, high=1.0):
    """The mean of a field over the rows that have it, with a t interval inside [0, high]."""
    rows = [r for r in rows if r.raw.get(field) is not None]
    if (n := len(rows)) == 0:
        return undefined()
    middle = math.fsum(r.raw[field] for r in rows) / n
    variance = math.fsum((r.raw[field] - middle) ** 2 for r in rows) / (n - 1) / n if n > 1 else 0.0
    half = t_quantile(n - 1) * math.sqrt(variance) if n > 1 else 0.0
    result = linear(middle, half, n, 0.0, high)
    if 2 * half < 1e-12:
        # All equal: with 95 % confidence at most this share of the population has another value. One value: Markov's inequality.
        others = 1 - 0.05 ** (1 / n)
        bounds = (middle * (1 - others), middle + others * (high - middle))
        return {**linear(middle, half, n, 0.0, high, bounds if high < math.inf else None), "warnings": [TEXT]}
    parts = by_community(rows)
    left_out = [math.fsum(r.raw[field] for other in parts if other is not part for r in other) / (n - len(part))
                for part in parts] if len(parts) > 1 else []
    usable = variance if variance > 1e-15 else None
    cluster = jackknife(middle, left_out, effective([len(part) for part in parts]), usable, 0.0, high)
    if cluster and cluster["upper"] - cluster["lower"] < 1e-12:
        cluster = None
    return {**result, "cluster": cluster} if cluster else result

# ---------------------------------------------------------------- rows
def confusion_cell(raw, positive):
    """Positive are the actions that restrict: a false negative kept what the human removed."""
    if raw.get("human_label") is None:
        return None
    decided, labelled = raw["decision"] in positive, raw["human_label"] in positive
    return ("t" if decided == labelled else "f") + ("p" if decided else "n")

def read_row(raw, positive):
    """A row with the properties that rates count."""
    citation, trace, cell = raw.get("citation") or {}, raw.get("trace") or {}, confusion_cell(raw, positive)
    scope, rule_id, level = citation.get("scope"), citation.get("rule_id"), raw.get("level")
    # Where the trace says what the opposite rests on, the ambiguity stands there.
    rests_on = (raw.get("inverse_citation") or {}).get("scope") or scope
    is_rule = scope in ("platform", "community", "mixed") and rule_id is not None
    implied = "verdict" if level in LEVELS and isinstance(raw.get("inverse"), bool) else "unscored"
    defensible, yes, agrees = level in (1, 2), raw.get("inverse") is True, cell in ("tp", "tn")
    return SimpleNamespace(
        raw=raw, id=raw["decision_id"], community=raw["community"], outcome=raw.get("outcome") or implied,
        restricts=raw["decision"] in positive, no_rules=level not in LEVELS and raw.get("outcome") != "error" and "no_rules" in (raw.get("flags") or []),
        level=level, defensible=defensible, level1=level == 1, level2=level == 2, level3=level == 3,
        yes=yes, pure=yes and defensible, contradiction=yes and level == 3, norm=defensible and not yes,
        cell=cell, agrees=agrees, disagrees=cell in ("fp", "fn"), right_level3=agrees and level == 3,
        scope=rests_on, grounded=citation.get("grounded"), other_map=level != raw.get("level_map"),
        **{f"yes_{name}": yes and rests_on in scopes for name, scopes in SCOPES.items()},
        weight=trace.get("precedent_weight"), high=trace.get("precedent_weight") == "High",
        **{f"has_{name}": any(raw.get(field) is not None for field in fields) for name, fields in SIGNALS.items()},
        rule=(scope, "" if scope == "platform" else raw["community"], rule_id) if is_rule else None,
    )

def group_by(items, key):
    groups = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return groups

def by_community(rows):
    return list(group_by(rows, lambda r: r.community).values())

def verdicts_of(rows):
    return [r for r in rows if r.outcome == "verdict"]

def split_arms(records, positive):
    """The rows of the analysis (arm "", replicate 0), those of the human arm, of opposites, of alternatives, and of stated reasons."""
    arms = group_by((raw for raw in records if not raw.get("replicate")), lambda raw: raw.get("arm") or "")
    if len({raw["decision_id"] for raw in arms[""]}) < len(arms[""]):
        sys.exit('audits: a decision occurs twice with arm "" and replicate 0; expected the export of one run')
    if not any("p_defensible" in raw for raw in records):  # then the levels' probabilities imply it
        for raw in records:
            if len(levels := raw.get("level_probs") or []) == 3 and sum(levels) > 0:
                raw["p_defensible"] = (levels[0] + levels[1]) / sum(levels)
    alternatives = [raw for arm in sorted(arms) if arm.startswith("action=") for raw in arms[arm]]
    return [[read_row(raw, positive) for raw in part] for part in (arms[""], arms["human"], arms["opposite"], alternatives, arms["stated"])]

# ---------------------------------------------------------------- sections of the report
def indices(group):
    # A decision under no rule is counted apart: it is in no rate and in no bound.
    attempted = sum(not r.no_rules for r in group)
    return {leaf: rate(verdicts_of(group), name, attempted) for leaf, name in INDICES.items()}

def agreement_and_gap(rows):
    labelled, number = [r for r in rows if r.cell], Counter(r.cell for r in rows)
    n, (tp, fp, fn, tn) = len(labelled), (number[name] for name in CELLS)
    f1 = Fraction(2 * tp, 2 * tp + fp + fn) if tp + fp + fn else None
    accuracy = Fraction(tp + tn, n) if n else None
    agreement = {
        "n_labelled": n, "confusion": {name: number[name] for name in CELLS}, "accuracy": rate(labelled, "agrees"),
        "precision": rate([r for r in labelled if r.cell in ("tp", "fp")], "agrees"),
        "recall": rate([r for r in labelled if r.cell in ("tp", "fn")], "agrees"),
        "f1": f1_score(rows, tp, fp, fn), "kappa": kappa_score(rows, number),
    }
    by_f1 = f1_influence(tp, fp, fn) if f1 is not None else None
    di_minus_f1 = gap(rows, f1, by_f1, f1_of, F1_CELLS, n, agreement["f1"])
    by_accuracy = lambda _, c: ((c in ("tp", "tn")) - accuracy) / n if c else 0
    accuracy_of = lambda c: Fraction(c["tp"] + c["tn"], m) if (m := sum(c[name] for name in CELLS)) else None
    di_minus_accuracy = gap(rows, accuracy, by_accuracy, accuracy_of, CELLS, n, agreement["accuracy"])
    return {"agreement": agreement, "gap": {"di_minus_f1": di_minus_f1, "di_minus_accuracy": di_minus_accuracy}}

def headline(group):
    """The family over one set of rows: all, one action, one language, one cohort, one community."""
    ruled = [r for r in group if not r.no_rules]
    number = Counter(r.outcome for r in ruled)
    counts = {"verdicts": number["verdict"], "unscored": number["unscored"], "errors": number["error"],
              "no_rules": len(group) - len(ruled)}
    return {"counts": {"attempted": len(ruled), **counts}, **indices(group), **agreement_and_gap(verdicts_of(group))}

def families(groups, reported=()):
    """A family per group with rows; a name that is reported without rows must be undefined throughout."""
    return {name: headline(groups.get(name, [])) for name in {*(n for n in groups if groups[n]), *reported}}

def target(estimate, limit, direction):
    """By the wider interval; communities fewer than five are taken as they are."""
    if estimate["estimate"] is None:
        return {"target": limit, "direction": direction, "status": "undefined", "interval": "none"}
    width, over = lambda one: one["upper"] - one["lower"], estimate.get("cluster")
    by_cluster = over is not None and over["clusters"] >= 5 and width(over) > width(estimate)
    bounds, sign = over if by_cluster else estimate, 1 if direction == "at_least" else -1
    worst, best = sorted((sign * (bounds["lower"] - limit), sign * (bounds["upper"] - limit)))
    status = "met" if worst >= -TOLERANCE else "not_met" if best < -TOLERANCE else "undecided"
    interval = "cluster" if by_cluster else "independent"
    return {"target": limit, "direction": direction, "status": status, "interval": interval}

def ambiguity(rows, attempted):
    known = any(r.scope for r in rows)
    result = {name: rate(rows, f"yes_{name}") if known else undefined(len(rows)) for name in SCOPES}
    return {**result, **{name: rate(rows, name, attempted) for name in ("pure", "contradiction")}}

def trap(rows):
    labelled, agreed = [r for r in rows if r.cell], [r for r in rows if r.agrees]
    return {
        **{f"{name}_defensible": rate([r for r in labelled if r.cell == name], "defensible") for name in ("fn", "fp")},
        "disagreements_defensible": rate([r for r in labelled if r.disagrees], "defensible"),
        "accurate_but_indefensible": {"joint": rate(labelled, "right_level3"), "conditional": rate(agreed, "level3")},
    }

def humans(rows, human_rows):
    """The human's decision on the same cases: the same audit where both agree, else the audit of the human arm."""
    if not human_rows:
        return None
    audited, pairs = {r.id: r for r in verdicts_of(human_rows)}, []
    for r in rows:
        other = r if r.agrees else audited.get(r.id)
        if r.cell and other:
            side = r.defensible - other.defensible
            pairs.append(SimpleNamespace(community=r.community, model=r.defensible, human=other.defensible, side=side))
    shares = {f"{name}_defensibility_index": rate(pairs, name) for name in ("model", "human")}
    return {"n": len(pairs), **shares, "difference": paired_difference(pairs)}

def flip_control(rows, opposites):
    """Decisions and their opposites, both with a verdict."""
    if not opposites:
        return None
    others, pairs = {r.id: r for r in verdicts_of(opposites)}, []
    for r in rows:
        if (other := others.get(r.id)):
            against_itself = r.defensible and r.raw["inverse"] is False and other.defensible
            pairs.append(SimpleNamespace(community=r.community, own=r.defensible, opposite=other.defensible,
                                         apart=r.defensible != other.defensible, contradiction=bool(against_itself)))
    n, b = len(pairs), sum(p.own and not p.opposite for p in pairs)
    c, shares = sum(p.opposite and not p.own for p in pairs), {
        "defensibility_index": rate(pairs, "own"), "opposite_defensibility_index": rate(pairs, "opposite"),
        "told_apart": rate(pairs, "apart"), "self_contradiction": rate(pairs, "contradiction")}
    drop = defined((b - c) / n, -tango(c, b, n), tango(b, c, n), n, -1.0) if n else undefined()
    told = n >= 30 and [["not_told_apart"] * (shares["told_apart"]["upper"] < 0.5),
                        ["self_contradiction"] * (shares["self_contradiction"]["lower"] > 0.1)]
    return {"n": n, **shares, "drop": drop, "warnings": sum(told or [], [])}

def tango(b, c, n):
    """Upper end of Tango's score interval of (b − c)/n: the root of its statistic, by halving."""
    low, high = (b - c) / n, 1.0
    for _ in range(100 if b < n else 0):
        d = (low + high) / 2
        x, y = (2 * n - b + c) * d - b - c, -c * d * (1 - d)
        q = (math.sqrt(x * x - 8 * n * y) - x) / (4 * n)
        low, high = (d, high) if (b - c - n * d) ** 2 < Z * Z * n * (2 * q + d * (1 - d)) else (low, d)
    return low if b < n else 1.0

def paired_difference(pairs):
    if (n := len(pairs)) < 2:
        return undefined(n)
    theta, discordant = Fraction(sum(p.side for p in pairs), n), Fraction(sum(p.side != 0 for p in pairs), n)
    variance, parts = (discordant - theta**2) / (n - 1), by_community(pairs)
    result = linear(theta, Z * math.sqrt(variance), n, -1.0, 1.0)
    if variance == 0:
        # Tango's score interval: without a discordant pair ±z²/(n + z²), with nothing else from (n − z²)/(n + z²) to 1.
        near = {0: (-Z * Z / (n + Z * Z), Z * Z / (n + Z * Z)), 1: ((n - Z * Z) / (n + Z * Z), 1.0)}
        low, high = near[abs(theta)]
        result.update({"lower": low, "upper": high} if theta >= 0 else {"lower": -high, "upper": -low})
    if len(parts) < 2:
        return result
    left_out = [(theta * n - sum(p.side for p in part)) / (n - len(part)) for part in parts]
    if all(value == theta for value in left_out):
        return {**result, "warnings": [TEXT]}
    cluster = jackknife(theta, left_out, effective([len(part) for part in parts]), None, -1.0, 1.0)
    return {**result, "cluster": cluster}

def several_actions(rows, group, alternatives, steps):
    """Agreement on the action itself, how far off it is, and which alternatives of a decision follow from the rules as well."""
    severity = {step["name"]: step["severity"] for step in steps}
    labelled = [r for r in rows if r.raw.get("human_label") is not None]
    for r in labelled:
        decided, human = r.raw["decision"], r.raw["human_label"]
        r.exact, r.raw["severity_distance"] = decided == human, abs(severity[decided] - severity[human])
    own, pairs = {r.id: r for r in group}, []
    for other in alternatives:
        if (r := own.get(other.id)):
            pairs.append(SimpleNamespace(
                id=r.id, community=r.community, actions=(r.raw["decision"], other.raw["decision"]),
                scored=r.outcome == other.outcome == "verdict", derivable=other.outcome == "verdict" and other.defensible))
    any_of = [SimpleNamespace(community=part[0].community, derivable=any(p.derivable for p in part))
              for part in group_by(pairs, lambda p: p.id).values() if all(p.scored for p in part)]
    names, by_actions = [step["name"] for step in steps], group_by(pairs, lambda p: p.actions)
    return {
        "exact_agreement": rate(labelled, "exact"),
        "severity_distance": mean(labelled, "severity_distance", high=steps[-1]["severity"] - steps[0]["severity"]),
        "alternatives": None if not pairs else {
            "any_derivable": rate(any_of, "derivable"),
            "pairs": [{"decision": a, "alternative": b, "derivable": rate([p for p in part if p.scored], "derivable"),
                       "without_verdict": sum(not p.scored for p in part)}
                      for a in names for b in names if (part := by_actions.get((a, b)))]},
    }

def precedent_weight(rows):
    number = Counter((r.level, r.weight) for r in rows)
    table = {str(x): {w: number[x, w] for w in WEIGHTS} for x in LEVELS}
    return {"by_level": table, "level3_high_share": rate([r for r in rows if r.level3 and r.weight in WEIGHTS], "high")}

def signals(rows, foreign):
    return {
        "detection": {name: undefined() if foreign and not any(getattr(r, f"has_{name}") for r in rows) else rate(rows, f"has_{name}")
                      for name in SIGNALS},
        "mean_citation_tokens": mean(rows, "citation_tokens", high=math.inf),
        "mean_pds": mean(rows, "pds"),
        "level_differs_from_map": rate([r for r in rows if r.raw.get("level_map") is not None], "other_map"),
        "grounded_citations": rate([r for r in rows if r.grounded is not None], "grounded"),
    }

def rule_key(rule):
    return (rule["scope"], rule["community"] or "", rule["rule_id"])

def open_labels(group):
    """What people did, by whether it restricts, where the verdict is open both ways. A true positive or false negative was restricted by a person."""
    cells = Counter(r.cell for r in verdicts_of(group) if r.pure)
    return {"positive": cells["tp"] + cells["fn"], "negative": cells["tn"] + cells["fp"]}

def rules(group, catalogue):
    """One entry a rule that a row cites, and one a rule of the platform or of a community in the rows that nobody cited."""
    groups, titles, result = group_by(group, lambda r: r.rule), defaultdict(list), {}
    present = {r.community for r in group} | {None}
    for rule in (rule for rule in catalogue if rule["community"] in present):
        titles[rule_key(rule)].append(rule["title"])
    for key in {r.rule for r in group if r.rule} | set(titles):
        scope, community, rule_id = key
        keys = [("community", community, rule_id), ("platform", "", rule_id)] if scope == "mixed" else [key]
        known = [title for k in keys for title in titles.get(k, [])]
        named = {"scope": scope, "community": community or None, "rule_id": rule_id, "title": one_of(known or [None])}
        result[key] = {**named, "cited": len(verdicts_of(groups[key])), **indices(groups[key]), "open_labels": open_labels(groups[key])}
    return result

def against(rows, gold):
    levels = [(r, gold[r.id]["level"]) for r in rows if gold.get(r.id, {}).get("level") in LEVELS]
    inverses = [(r, gold[r.id]["inverse"]) for r in rows if isinstance(gold.get(r.id, {}).get("inverse"), bool)]
    level_table = [[sum(g == i and r.level == j for r, g in levels) for j in LEVELS] for i in LEVELS]
    inverse_table = [[sum(g is i and r.yes is j for r, g in inverses) for j in (True, False)] for i in (True, False)]
    scores = [(1 - r.raw["p_defensible"], g == 3) for r, g in levels if r.raw.get("p_defensible") is not None]
    return {
        "target": "gold", "n": len(levels),
        "defensibility_index": counted([g < 3 for _, g in levels]), "ambiguity_index": counted([g for _, g in inverses]),
        "confirmed": {
            "disagreements_defensible": counted([g < 3 for r, g in levels if r.disagrees and r.level < 3]),
            "agreed_indefensible": counted([g == 3 for r, g in levels if r.agrees and r.level == 3]),
            "model_error": counted([g == 3 for r, g in levels if r.disagrees and r.level == 3]),
            "implicit_norm": counted([
                gold[r.id]["level"] < 3 and not inverse for r, inverse in inverses if r.disagrees and r.norm]),
        },
        "levels": level_table, "level_accuracy": diagonal(level_table),
        "level_balanced_accuracy": balanced_accuracy(level_table), "level_kappa": kappa(level_table),
        "level3_auroc": auroc([s for s, hit in scores if hit], [s for s, hit in scores if not hit]),
        "n_inverse": len(inverses), "inverse": inverse_table, "inverse_accuracy": diagonal(inverse_table),
        "inverse_kappa": kappa(inverse_table),
    }

def against_people(rows, labels, run_id):
    """Labels that were drawn from this run, each standing for the verdicts of its cell; without any, those of unknown design."""
    last = {}
    for line, label in enumerate(label for label in labels if label["source"] == "human"):
        last[label["decision_id"], label.get("rater") or line, label.get("drawn"), label.get("frame")] = label
    frames = {"random": (None, run_id), "sheet": (run_id,)}
    design, known = lambda x: (x.get("drawn"), x.get("frame")), {r.id for r in rows}
    own = {design(x) for x in last.values() if x["decision_id"] in known and x.get("frame") in frames.get(x.get("drawn"), ())}
    used = own or {design(x) for x in last.values() if x.get("drawn") is None}
    said, groups, counted = defaultdict(list), defaultdict(set), {}
    for line, label in enumerate(label for label in labels if label["source"] == "human"):
        groups[design(label)].add(label["decision_id"])
        if design(label) in used:  # a rater counts once, by the last word, in however many designs
            counted[label["decision_id"], label.get("rater") or line] = label
    for (decision, _), label in counted.items():
        said[decision].append(label)
    judged = {}
    for decision, all_of in said.items():
        levels, answers = sorted(x["level"] for x in all_of), [x["inverse"] for x in all_of if isinstance(x.get("inverse"), bool)]
        judged[decision] = {"level": levels[len(levels) // 2], **({"inverse": 2 * sum(answers) >= len(answers)} if answers else {})}
    sheet = any(drawn == "sheet" for drawn, _ in own)
    order = sorted(groups, key=lambda g: (g[0] is None, g[0] or "", g[1] is None, g[1] or ""))
    sample = {"weighted": "by_verdict" if sheet else "random", "frame": None, "flags": [] if own else ["design_unknown"],
              "designs": [{"drawn": drawn or "unknown", "frame": frame, "labels": len(groups[drawn, frame] & known),
                           "used": (drawn, frame) in used} for drawn, frame in order]}
    result = {**against(rows, judged), "target": "human", "sample": sample}
    return {**result, **weighted(rows, judged, result, sheet)} if own and result["n"] else result

def weighted(rows, judged, plain, sheet):
    cell = lambda r: (r.level, r.yes) if sheet else ()  # labels at random are of one cell
    pairs = [(r, judged[r.id]["level"], judged[r.id].get("inverse")) for r in rows if r.id in judged]
    def share(hit, within=lambda r: True):
        sizes, tally = Counter(cell(r) for r in rows if within(r)), defaultdict(list)
        for r, level, inverse in pairs:
            if within(r) and (told := hit(r, level, inverse)) is not None:
                tally[cell(r)].append(told)
        total, n, k = sum(sizes.values()), sum(map(len, tally.values())), sum(map(sum, tally.values()))
        if not n or any(h not in tally for h in sizes):
            return {**undefined(n), **({"worst_case": {"lower": ANY, "upper": ANY}} if n else {})}
        smooth = {h: (sum(x) + 0.5) / (len(x) + 1) for h, x in tally.items()}
        p = math.fsum(sizes[h] / total * sum(x) / len(x) for h, x in tally.items())
        middle = math.fsum(sizes[h] / total * s for h, s in smooth.items())
        v = math.fsum((sizes[h] / total) ** 2 * (1 - len(x) / sizes[h]) * smooth[h] * (1 - smooth[h]) / len(x) for h, x in tally.items())
        if v == 0:
            return defined(p, p, p, n, k=k, warnings=[TEXT])
        thin = any(len(x) <= 2 and len(x) < sizes[h] for h, x in tally.items())
        many = middle * (1 - middle) / v
        return defined(p, *wilson(p * many, many), n, k=k, **({"warnings": [TEXT]} if thin else {}))
    def statistic(name, of, cases, low):
        if not sheet:
            return plain[name]
        sizes, groups = Counter(map(cell, rows)), group_by(cases, lambda case: cell(case[0]))
        if any(h not in groups for h in sizes) or not cases:
            return undefined(len(cases))
        base = {id(case): sizes[h] / len(part) for h, part in groups.items() for case in part}
        theta, v = of(cases, base), 0.0
        if theta is None:
            return undefined(len(cases))
        for h, part in groups.items():
            values = []
            for out in part:
                w = {**base, **{id(c): base[id(c)] * len(part) / max(1, len(part) - 1) for c in part}, id(out): 0.0}
                values.append(of(cases, w))
            values = [x for x in values if x is not None]
            left = 1 - len(part) / sizes[h]
            if left <= 0 or not values:
                continue
            centre = theta if len(part) == 1 else math.fsum(values) / len(values)
            v += left * (1 if len(part) == 1 else (len(part) - 1) / len(part)) * math.fsum((x - centre) ** 2 for x in values)
        alone = [sizes[h] for h, part in groups.items() if len(part) == 1 and sizes[h] > 1]
        free = math.fsum(len(part) - 1 for part in groups.values()) + (sum(alone) ** 2 / sum(x * x for x in alone) - 1 if alone else 0)
        half = t_quantile(max(1, free)) * math.sqrt(v)
        return defined(theta, theta - half, theta + half, len(cases), low, 1.0, **({"warnings": [TEXT]} if v < 1e-18 else {}))
    def balance(cases, w):
        all_of, found = Counter(), Counter()
        for case in cases:
            all_of[case[1]] += w[id(case)]
            found[case[1]] += w[id(case)] * (case[0].level == case[1])
        recalls = [found[x] / all_of[x] for x in all_of if all_of[x] > 0]
        return math.fsum(recalls) / len(recalls) if recalls else None
    def agree(places):
        def of(cases, w):
            total, same, left, right = 0.0, 0.0, Counter(), Counter()
            for case in cases:
                a, b = places(case)
                total, same = total + w[id(case)], same + w[id(case)] * (a == b)
                left[a] += w[id(case)]
                right[b] += w[id(case)]
            chance = math.fsum(left[x] * right[x] for x in left) / total**2
            return None if chance > 1 - 1e-12 else (same / total - chance) / (1 - chance)
        return of
    def area(cases, w):
        bad, good = [c for c in cases if c[1] == 3], [c for c in cases if c[1] != 3]
        sums = math.fsum(w[id(c)] for c in bad) * math.fsum(w[id(c)] for c in good)
        s = lambda c: 1 - c[0].raw["p_defensible"]
        pairs_of = math.fsum(w[id(b)] * w[id(g)] * ((s(b) > s(g)) + 0.5 * (s(b) == s(g))) for b in bad for g in good)
        return pairs_of / sums if sums else None
    of = lambda name, value: plain[name] if plain[name]["estimate"] is None and plain[name]["n"] == 0 else value
    inside = {"disagreements_defensible": (lambda r, g, i: g < 3, lambda r: r.disagrees and r.level < 3),
              "agreed_indefensible": (lambda r, g, i: g == 3, lambda r: r.agrees and r.level == 3),
              "model_error": (lambda r, g, i: g == 3, lambda r: r.disagrees and r.level == 3),
              "implicit_norm": (lambda r, g, i: None if i is None else g < 3 and not i, lambda r: r.disagrees and r.norm)}
    answered, scored = [c for c in pairs if c[2] is not None], [c for c in pairs if c[0].raw.get("p_defensible") is not None]
    return {
        "defensibility_index": share(lambda r, g, i: g < 3), "ambiguity_index": of("ambiguity_index", share(lambda r, g, i: i)),
        "confirmed": {name: plain["confirmed"][name] if plain["confirmed"][name]["n"] == 0 else share(*how)
                      for name, how in inside.items()},
        "level_accuracy": share(lambda r, g, i: r.level == g),
        "level_balanced_accuracy": statistic("level_balanced_accuracy", balance, pairs, 0.0),
        "level_kappa": statistic("level_kappa", agree(lambda c: (c[1], c[0].level)), pairs, -1.0),
        "level3_auroc": statistic("level3_auroc", area, scored, 0.0),
        "inverse_accuracy": of("inverse_accuracy", share(lambda r, g, i: None if i is None else r.yes == i)),
        "inverse_kappa": of("inverse_kappa", statistic("inverse_kappa", agree(lambda c: (c[2], c[0].yes)), answered, -1.0)),
    }

def counted(hits):
    k, n = sum(hits), len(hits)
    return defined(k / n, *wilson(k, n), n, k=k) if n else undefined()

def diagonal(table):
    k, n = sum(table[i][i] for i in range(len(table))), sum(map(sum, table))
    return defined(k / n, *wilson(k, n), n, k=k) if n else undefined()

def balanced_accuracy(table):
    present = [(line[i], sum(line)) for i, line in enumerate(table) if sum(line)]
    if not present:
        return undefined()
    half = Z * math.sqrt(sum((x + 1) * (n - x + 1) / (n + 2) ** 2 / n for x, n in present)) / len(present)
    return linear(sum(x / n for x, n in present) / len(present), half, sum(map(sum, table)), 0.0, 1.0)

def placements(values, others):
    """The share of `others` below each value, a tie counting half."""
    others = sorted(others)
    return [(bisect.bisect_left(others, v) + bisect.bisect_right(others, v)) / 2 / len(others) for v in values]

def auroc(positives, negatives):
    """Mann–Whitney, DeLong's variance; where that gives no interval, the reported one only has to hold the estimate."""
    m, n = len(positives), len(negatives)
    if not m or not n:
        return undefined(m + n)
    above, below = placements(positives, negatives), placements(negatives, positives)
    area = math.fsum(above) / m
    variance = statistics.variance(above) / m + statistics.variance(below) / n if m > 1 and n > 1 else 0
    if variance <= 0 or not 0 < area < 1:
        ends = {"lower": Check("below", lambda v: 0 <= v <= area), "upper": Check("above", lambda v: area <= v <= 1)}
        return {**defined(area, 0, 1, m + n), **ends}
    return defined(area, *logit_interval(area, Z * math.sqrt(variance) / (area * (1 - area))), m + n)

# ---------------------------------------------------------------- stated reasons
REASONS = ("right_reason", "other_rule", "no_rule_supports", "unknown_rule", "undetermined", "unstated")
CHECKED, SUPPORTED = REASONS[:4], REASONS[:2]

def tokens(text):
    return re.findall(r"[^\W_]+", text.lower())

def ranges(text, sources):
    """Of `R1–R4` one group of all rules between the ends: which is meant is not known."""
    found = []
    for letters, first, last in re.findall(r"\b([a-z]+)(\d+)(?:\s*[–—-]\s*|\s+(?:to|through)\s+)\1(\d+)\b", text.lower()):
        numbered = [(re.fullmatch(letters + r"0*(\d+)", s[1].lower()), s) for s in sources]
        found.append([s for m, s in numbered if m and int(first) <= int(m[1]) <= int(last)])
    return [group for group in found if group]

def named_sources(text, sources):
    """Sources (scope, id, title) that a text names: by id as a whole word, else by a title of two words or more."""
    words = re.findall(r"[^\W_]+(?:[-_][^\W_]+)*", text.lower())
    by_id = ranges(text, sources)
    by_id += [[s for s in sources if s[1].lower() == word] for word in words if any(s[1].lower() == word for s in sources)] if not by_id else []
    phrase = f" {' '.join(tokens(text))} "
    titles = {title for _, _, title in sources if len(tokens(title)) > 1 and f" {' '.join(tokens(title))} " in phrase}
    return by_id or [[s for s in sources if s[2] == title] for title in titles]

def stated_reason(row, decision, sources):
    """Only references in the forms of the sample: a cited rule is an id, and ids have letters and digits."""
    cited, prose = (decision.get("cited_rule") or "").strip(), (decision.get("rationale") or "").strip()
    if not cited and not prose:
        return "unstated"
    named = ranges(cited, sources) or [[s for s in sources if s[1].lower() == cited.lower()]] if cited else named_sources(prose, sources)
    named = [group for group in named if group]
    if not named:
        if cited:
            return "unknown_rule"
        refers = re.search(r"(?:\b(?:rules?|policy|guideline|section|article)|§)[\s:#]{0,3}#?[a-z]{0,3}[-.]?\d", prose, re.I)
        return "unknown_rule" if refers else "unstated"
    named = [[s for s in group if s[0] != "precedent"] for group in named]
    if not (named := [group for group in named if group]):
        return "undetermined"
    if row.level == 3:
        return "no_rule_supports"
    citation, words = row.raw.get("citation") or {}, (row.raw.get("trace") or {}).get("policy_citation") or ""
    support = {s for s in sources if (s[0], s[1]) == (citation.get("scope"), citation.get("rule_id")) and citation.get("grounded") is not False}
    support |= {group[0] for group in named_sources(words, sources) if len(group) == 1}
    support = {s for s in support if s[0] != "precedent"}
    first = tokens(words)[:4]
    denied = {"rule", "rules", "policy", "prohibition", "provision", "guideline", "precedent", "applicable", "citation"}
    if first[:1] and (first[0] in {"none", "nothing", "null", "na"} or first[0] == "no" and denied & set(first[1:])):
        support = set()
    if not support:
        return "undetermined"
    if any(set(group) <= support for group in named):
        return "right_reason"
    return "undetermined" if any(set(group) & support for group in named) else "other_rule"

AUDITED = ("carries_alone", "needs_more", "only_others", "unknown_rule", "not_under_all", "no_rule_supports", "no_verdict")

def audited_reason(row, code, alone):
    if not row.restricts or (alone is None and code != "unknown_rule"):
        return None
    if code == "unknown_rule":
        return "no_rule_supports" if row.level == 3 else "unknown_rule"
    if alone.outcome != "verdict":
        return "no_verdict"
    if row.level == 3:
        return "no_rule_supports" if alone.level == 3 else "not_under_all"
    return "carries_alone" if alone.level < 3 else "needs_more" if code == "right_reason" else "only_others"

def stated_reasons(rows, files, foreign, alone):
    if foreign:
        return {"counts": None, "accuracy": undefined(), "accuracy_supported": undefined()}
    coded, by_id = [], {a.id: a for a in alone}
    for r in rows:
        own = [(x["scope"], x["rule_id"], x["title"]) for x in files["rules"] if x["community"] in (None, r.community)]
        own += [("precedent", x["id"], "") for x in files["precedents"] if x["community"] == r.community]
        code = stated_reason(r, files["decisions"].get(r.id, {}), own)
        audited = audited_reason(r, code, by_id.get(r.id))
        coded.append(SimpleNamespace(community=r.community, code=code, right=code == "right_reason", audited=audited,
            alone=audited == "carries_alone", wrong=audited in ("only_others", "unknown_rule")))
    of = lambda codes: rate([c for c in coded if c.code in codes], "right")
    return {"counts": {name: sum(c.code == name for c in coded) for name in REASONS},
            "accuracy": of(CHECKED), "accuracy_supported": of(SUPPORTED), **audited_reasons(coded, alone)}

def audited_reasons(coded, alone):
    if not alone:
        return {}
    follow = [c for c in coded if c.audited in AUDITED[:4]]
    return {"audited": {"counts": {name: sum(c.audited == name for c in coded) for name in AUDITED},
                        "carries_alone": rate(follow, "alone"), "wrong_reason": rate(follow, "wrong")}}

# ---------------------------------------------------------------- the whole report
def run_section(rows, reported, actions):
    section = {name: reported[name] for name in RUN_METADATA if name in reported}
    for name in {*reported, "run_id"} & set(RUN_FIELDS):
        found = list({r.raw[name] for r in rows if r.raw.get(name) is not None})
        foreign = name == "run_id" and "source" in reported
        section[name] = one_of(found if len(found) == 1 and not foreign else [None, *found])
    return {**section, "actions": actions} if "actions" in reported else section

def expected_report(reported, group, human_rows, opposites, alternatives, alone, files, actions):
    rows, attempted, family = verdicts_of(group), sum(not r.no_rules for r in group), headline(group)
    del family["ambiguity_pure"]  # stands in `ambiguity`
    if 0 < len(labelled := [r for r in rows if r.cell]) < len(rows):
        family["gap"]["labelled"] = {
            "defensibility_index": rate(labelled, "defensible"), **agreement_and_gap(labelled)["gap"]}
    cohorts = {name: [r for r in group if r.id in ids] for name, ids in files["cohorts"].items()}
    flags = Counter(flag for r in group for flag in r.raw.get("flags") or [])
    communities = group_by(group, lambda r: r.community)
    return {
        "format": 1, "run": run_section(group, reported["run"], actions), **family,
        "targets": {name: target(family[name], *limit) for name, limit in TARGETS.items()},
        "defensibility_index_soft": mean(rows, "p_defensible"), "ambiguity_index_soft": mean(rows, "inverse_yes_prob"),
        "ambiguity": ambiguity(rows, attempted), "levels": {str(x): rate(rows, f"level{x}", attempted) for x in LEVELS},
        "root_causes": {cause: rate([r for r in rows if r.disagrees], name) for cause, name in ROOT_CAUSES.items()},
        "trap": trap(rows), "humans": humans(rows, human_rows),
        "flip_control": flip_control(rows, opposites),
        "stated_reasons": stated_reasons(rows, files, "source" in reported["run"], alone),
        "precedent_weight": precedent_weight(rows), "signals": signals(rows, "source" in reported["run"]),
        "flags": {name: flags[name] for name in {*flags, *reported["flags"]}},
        "by_decision": families(group_by(group, lambda r: r.raw["decision"]), reported["by_decision"]),
        **({"several_actions": several_actions(rows, group, alternatives, actions["all"])} if "all" in actions else {}),
        "by_language": families(group_by(group, lambda r: r.raw.get("language") or "unknown")),
        "by_cohort": families(cohorts, set(reported["by_cohort"]) & set(cohorts)),
        "communities": {name: {"community": name, **headline(part)} for name, part in communities.items()},
        "rules": rules(group, files["rules"]),
        **({"against": against_people(rows, files["labels"], reported["run"]["run_id"]) if reported["against"]["target"] == "human"
            else against(rows, files["gold"])} if "against" in reported else {}),
        **({"realised_risk": realised_risk(reported["realised_risk"], files)} if "realised_risk" in reported else {}),
    }

# ---------------------------------------------------------------- realised risk
def time_of(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()

def log_e(units, r):
    """The e-value against "the weighted mean is at least r"; units are counted by (weight, value)."""
    angle, logs = math.asin(math.sqrt(r)), []
    for g in range(128):
        p = math.sin((g + 0.5) / 128 * angle) ** 2
        bet = (r - p) / (r * (1 - r))
        logs.append(sum(n * math.log1p(bet * u * (r - x)) for (u, x), n in units.items()))
    top = max(logs)
    return top + math.log(sum(math.exp(x - top) for x in logs) / 128)

def anytime_bound(units, delta):
    if not units or all(x == 1 for _, x in units):
        return 1.0 if units else None
    return increasing_root(lambda r: log_e(units, r) + math.log(delta), 1e-12, 1 - 1e-12)

def exact_bound(k, n, delta):
    return 1.0 if k == n else increasing_root(lambda x: beta_cdf(x, k + 1, n - k) - (1 - delta), 0.0, 1.0)

def random_reviews(files):
    """Routes that were drawn, the first of each decision, and what reviewers said of them."""
    outcomes, first, left = group_by(files["outcomes"], lambda x: x["decision_id"]), {}, Counter()
    for route in files["routes"]:
        old = "review_share" not in route
        if not (route.get("would_automate") or old and (route.get("sampled") or route["route"] == "automate")):
            continue
        kind = "shadow" if route.get("shadow") else "repeated" if route["decision_id"] in first else "share_unknown" if old else None if route["review_share"] > 0 else "share_zero"
        left[kind] += 1
        if kind in ("share_unknown", "share_zero", None):
            first[route["decision_id"]] = route
    known = {i: route for i, route in first.items() if route.get("review_share", 0) > 0}
    drawn = {i: route for i, route in known.items() if route.get("sampled")}
    return outcomes, known, drawn, left

def answer(given):
    latest = {x.get("reviewer"): x for x in sorted(given, key=lambda x: time_of(x["at"]))}.values()
    levels = sorted(x["level"] for x in latest if x.get("level"))
    overturned = sum(x["outcome"] == "overturn" for x in latest)
    return {"risk": levels[len(levels) // 2] == 3 if levels else None, "overturned": 2 * overturned >= len(latest)}

def realised_rate(reviews, loss, now, cap, deltas):
    known = [(r["answer"][loss], r["review_share"]) for r in reviews if r["answer"] and r["answer"][loss] is not None]
    is_open = lambda r: r["answer"] is None and now - time_of(r["at"]) <= 14 * 86400
    still_open = sum(map(is_open, reviews))
    k, n = sum(bad for bad, _ in known), len(known)
    ordered = sorted(reviews, key=lambda r: time_of(r["at"]))
    threads = list(group_by(ordered, lambda r: (r["community"], r["thread_id"]) if r.get("thread_id") else id(r)).values())
    least = min((r["review_share"] for r in reviews), default=1)
    weight = lambda r: least / r["review_share"]
    m = min(cap, max([sum(map(weight, t)) for t in threads] + [1]))
    simple = all(len(t) == 1 and t[0]["review_share"] == least for t in threads)
    entered, largest = [], 0
    for anytime in (False, True):
        units = Counter()
        for t in threads:
            closes = time_of(t[0]["at"]) + 7 * 86400
            if any(map(is_open, t)) or anytime and t[0].get("thread_id") and now < closes:
                break
            largest = largest if anytime else max(largest, len(t))
            part = [r for r in t if not anytime or time_of(r["at"]) <= closes]
            total = sum(map(weight, part))
            bad = sum(weight(r) for r in part if not r["answer"] or r["answer"][loss] in (None, True))
            units[(min(1.0, total / m), min(1.0, bad / total))] += 1
        entered.append(units)
    count, bad = sum(entered[0].values()), sum(n for (_, x), n in entered[0].items() if x == 1)
    bounds = [{"once": None if count == 0 else exact_bound(bad, count, d) if simple else anytime_bound(entered[0], d),
               "anytime": anytime_bound(entered[1], d)} for d in deltas]
    return {
        "estimate": sum(b / s for b, s in known) / sum(1 / s for _, s in known) if known else None,
        "k": k, "n": n, "missing": len(reviews) - n - still_open, "open": still_open, "threads": count, "largest_thread": largest,
        "method": TEXT if count else None, "upper": bounds[0], **({} if known else {"reason": TEXT}),
        **({"upper_all": bounds[1]} if len(bounds) > 1 else {}),
    }

def realised_risk(reported, files):
    outcomes, known, drawn, left = random_reviews(files)
    gate, now = files["gate"], time_of(reported["as_of"])
    delta, cap = gate.get("delta", 0.05), gate.get("thread_cap", 5)
    blind, seen = [], []
    for i, route in drawn.items():
        reviews = [x for x in outcomes.get(i, []) if x.get("source") != "appeal"]
        unseen = [x for x in reviews if not x.get("saw_audit")]
        used = unseen or reviews
        (seen if reviews and not unseen else blind).append({**route, "answer": answer(used) if used else None})
    monday = lambda r: (lambda day: day - timedelta(days=day.weekday()))(datetime.fromtimestamp(time_of(r["at"]), timezone.utc)).date().isoformat()
    keys = {"community": lambda r: r["community"], "action": lambda r: r["decision"],
            "language": lambda r: r.get("language") or "unknown", "week": monday}
    cells = [(by, value, part) for by, key in keys.items() for value, part in sorted(group_by(blind, key).items())]
    rates = lambda part, deltas: {loss: realised_rate(part, loss, now, cap, deltas) for loss in ("risk", "overturned")}
    appealed = [answer(a) for given in outcomes.values() if (a := [x for x in given if x.get("source") == "appeal"])]
    routed = {route["decision_id"] for route in files["routes"]}
    return {
        "as_of": TEXT, "delta": delta, "thread_cap": cap, "frame": len(known), "drawn": len(drawn),
        "limit": (gate.get("selective") or {}).get("risk", gate.get("risk")),
        "shares": sorted({route["review_share"] for route in known.values()}), **rates(blind, [delta]),
        "saw_audit": {"drawn": len(seen), **rates(seen, [delta])} if seen else None,
        "appeals": {"decisions": len(appealed), "overturned": sum(a["overturned"] for a in appealed),
                    "indefensible": sum(a["risk"] is True for a in appealed)},
        "cells": [{"by": by, "value": value, "drawn": len(part), **rates(part, [delta, delta / len(cells)])}
                  for by, value, part in cells],
        "left_out": {name: left[name] for name in ("share_unknown", "share_zero", "shadow", "repeated")},
        "outcomes": {
            "in_all": len(files["outcomes"]), "unknown": sum(x["decision_id"] not in routed for x in files["outcomes"]),
            "not_drawn": sum(x["decision_id"] in routed and x["decision_id"] not in drawn and x.get("source") != "appeal"
                             for x in files["outcomes"])},
    }

# ---------------------------------------------------------------- comparison
def leaves(tree, path=()):
    """(path, leaf) of every leaf; an empty list or mapping is a leaf."""
    children = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    if not tree or children == ():
        yield path, tree
    for name, child in children:
        yield from leaves(child, path + (name,))

def same(found, expected):
    if isinstance(expected, Check):
        return expected.holds(found)
    if isinstance(expected, float):
        return is_number(found) and abs(found - expected) <= TOLERANCE * max(1.0, abs(expected))
    return (type(found) is type(expected) or is_number(found) and is_number(expected)) and found == expected

def compare(report, expected):
    """Number of leaves compared, and a line for each that differs, is absent or was not recounted."""
    found, wanted, problems, compared = dict(leaves(report)), dict(leaves(expected)), [], 0
    for path, value in {**wanted, **found}.items():
        name = ".".join("/".join(map(str, part)) if isinstance(part, tuple) else str(part) for part in path)
        leaf = TEXT if path[-2:-1] == ("warnings",) else wanted.get(path, MISSING)
        if leaf is MISSING:
            problems.append(f"not recounted: {name} (reported {value!r})")
        elif path not in found or not same(value, leaf):
            problems.append(f"differs: {name}: reported {found.get(path, MISSING)!r}, recounted {leaf!r}")
        compared += path in found and leaf is not MISSING
    return compared, problems

def recount(report, records, files, actions):
    """Matches communities and rules by identity, not by place; a report on a cohort is recounted from its members."""
    communities = {item["community"]: item for item in report["communities"]}
    report = {name: part for name, part in report.items() if name != "gate_findings"}
    keyed = {**report, "communities": communities, "rules": {rule_key(rule): rule for rule in report["rules"]}}
    only = files["cohorts"].get(report["run"].get("cohort"), {raw["decision_id"] for raw in records})
    names = [step["name"] for step in actions.get("all", [])]
    restricting = names[names.index(actions["positive"]):] if names else [actions["positive"]]
    arms = split_arms([raw for raw in records if raw["decision_id"] in only], restricting)
    compared, problems = compare(keyed, expected_report(keyed, *arms, files, actions))
    cited = [rule["cited"] for rule in report["rules"]]
    if cited != sorted(cited, reverse=True):
        problems.append("differs: rules: not sorted by cited, descending")
    twice = [name for name in ("communities", "rules") if len(keyed[name]) < len(report[name])]
    return compared, problems + [f"differs: {name}: two entries have the same identity" for name in twice]

# ---------------------------------------------------------------- files, self-test, command line
def read(path, lines=False):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()] if lines else json.load(file)

def read_workspace(folder, rules_file):
    root = glob.escape(folder or os.devnull)
    decisions = [x for path in glob.glob(os.path.join(root, "decisions.jsonl")) for x in read(path, lines=True)]
    cohorts = [read(path) for path in glob.glob(os.path.join(root, "cohorts", "*.json"))]
    return {
        "decisions": {decision["id"]: decision for decision in decisions},
        "precedents": [x for path in glob.glob(os.path.join(root, "precedents.jsonl")) for x in read(path, lines=True)],
        "gold": {decision["id"]: decision["gold"] for decision in decisions if decision.get("gold")},
        "labels": [x for path in glob.glob(os.path.join(root, "labels.jsonl")) for x in read(path, lines=True)],
        "cohorts": {cohort["name"]: set(cohort["decision_ids"]) for cohort in cohorts},
        "rules": read(rules_file) if rules_file else [],
        "routes": [x for path in glob.glob(os.path.join(root, "gate", "routes.jsonl")) for x in read(path, lines=True)],
        "outcomes": [x for path in glob.glob(os.path.join(root, "outcomes.jsonl")) for x in read(path, lines=True)],
        "gate": next((read(path)["gate"] for path in glob.glob(os.path.join(root, "gate", "current.json"))), {}),
    }

def self_test():
    """Published constants and closed forms, and that the comparison finds what is wrong."""
    fleiss = kappa([[75, 1, 4], [5, 4, 1], [0, 0, 10]])  # his example: 0.676; s.e. 0.0877 by numerical differentiation
    newcombe = lambda k, n, l, m: square_and_add((k / n, *wilson(k, n)), (l / m, *wilson(l, m))).values()
    known = [
        (wilson(8, 10), (0.4901625, 0.9433178), 1e-7), (clopper_pearson(8, 10), (0.4439045, 0.9747893), 1e-7),
        (clopper_pearson(0, 10), (0.0, 1 - 0.025**0.1), 1e-11),
        ([t_quantile(11), t_quantile(1)], [2.2009851600, math.tan(0.475 * math.pi)], 1e-10),
        # Newcombe (1998), table II, method 10: 56/70 − 48/80, and differences of rates that are 0 or 1.
        (list(newcombe(56, 70, 48, 80)), [0.0524, 0.3339], 5e-5), (list(newcombe(10, 10, 0, 20)), [0.6791, 1.0], 5e-5),
        (list(newcombe(10, 10, 0, 10)), [0.6075, 1.0], 5e-5), (list(newcombe(0, 10, 0, 20)), [-0.1611, 0.2775], 5e-5),
        ([-tango(7, 1, 21), tango(1, 7, 21)], [-0.5172, -0.0260], 5e-5),  # Tango (1998), table III
        ([fleiss["estimate"], (fleiss["upper"] - fleiss["lower"]) / Z / 2], [0.676, 0.0877], 5e-4),
        ([len(compare({"a": {}, "b": 2.0, "c": 3, "e": "x"}, {"a": {}, "b": 2.1, "d": 4, "e": TEXT})[1])], [3], 0),
    ]
    for found, wanted, error in known:
        if any(abs(x - y) > error for x, y in zip(found, wanted)):
            sys.exit(f"self-test: found {found}, expected {wanted}")
    print(f"self-test: {len(known)} checks hold")

def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("report", "audits", "workspace", "rules", "positive", "negative", "actions"):
        parser.add_argument(f"--{name}", default={"positive": "remove", "negative": "approve"}.get(name))
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    if not (options.report and options.audits):
        parser.error("--report and --audits are needed, or --self-test")
    report, records = read(options.report), read(options.audits, lines=True)
    actions = {"positive": options.positive, "negative": options.negative}
    if options.actions:  # mildest first; those after the slash restrict
        names = options.actions.replace("/", ",").split(",")
        steps = [{"name": name, "severity": place} for place, name in enumerate(names)]
        actions = {"positive": options.actions.split("/")[1].split(",")[0], "negative": names[0], "all": steps}
    compared, problems = recount(report, records, read_workspace(options.workspace, options.rules), actions)
    print(*problems, f"{compared} leaves compared, {len(problems)} problems", sep="\n")
    return 1 if problems else 0

if __name__ == "__main__":
    sys.exit(main())
