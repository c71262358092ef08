import type { Estimate } from "../../core/estimate.js";
import type { Figure, FigureRow } from "../../core/figure.js";
import type { Precedent } from "../../core/records/decision.js";
import { decimal, percent, points, wideInterval } from "../../present/words/numbers.js";
import type { Context } from "../../store/context.js";
import type { BookSide } from "../../store/files/rule-files.js";
import { armWarnings } from "./compare-arms.js";
import type { CheckMode, DiffChanges, DiffCheck, DiffEffect, GateChange, RulesDiff } from "./diff/result.js";
import { estimateRow, pointWords, rateWords, transitionCells } from "./tier-figures.js";

const RULES_SHOWN = 40;

function diffFigures(effect: DiffEffect): Figure[] {
  return [indices(effect), transitionCells("diff-transitions", [effect.step]), ruleBars(effect)];
}

function indices({ arms, step: { changes } }: DiffEffect): Figure {
  const rows = arms.flatMap((one, i): FigureRow[] =>
    Object.entries({
      DI: one.defensibility_index,
      AI: one.ambiguity_index,
      AI_pure: one.ambiguity_pure,
      L3: one.levels["3"],
    }).map(([index, estimate]) => ({ rules: i === 0 ? "before" : "after", index, ...estimateRow(estimate) })),
  );
  return {
    id: "diff-indices",
    title:
      changes.defensibility_index.difference.estimate === null
        ? "No decision has a verdict before and after, so no change can be measured"
        : `Defensibility changes by ${pointWords(changes.defensibility_index.difference)} to ${rateWords(changes.defensibility_index.b)}, ambiguity by ${pointWords(changes.ambiguity_index.difference)} to ${rateWords(changes.ambiguity_index.b)}`,
    mark: "point",
    x: { field: "rules", label: "rules or precedents", order: ["before", "after"] },
    y: { field: "value", label: "share of decisions", format: "percent", domain: [0, 1] },
    series: "index",
    rows,
  };
}

function ruleBars({ rules: { by_old } }: DiffEffect): Figure {
  const enough = by_old.rules.filter((rule) => !rule.too_few);
  const shown = enough.slice(0, RULES_SHOWN);
  return {
    id: "diff-rules",
    title:
      enough.length === 0
        ? "No rule is cited often enough to say what changed under it"
        : `Change of ambiguity under each of ${shown.length} rules`,
    mark: "bar",
    x: { field: "value", label: "change of ambiguity", format: "points" },
    y: { field: "rule", label: "rule cited before" },
    name: "title",
    rows: shown.map((rule) => ({
      rule: [rule.community ?? "platform", rule.rule_id].join(" / "),
      title: rule.title,
      change: rule.change,
      ...estimateRow(rule.ambiguity.difference),
      new_indefensible: rule.new_indefensible,
    })),
    ...(shown.length < enough.length ? { of: enough.length } : {}),
  };
}

export interface DiffParts {
  what: RulesDiff["what"];
  old: string;
  new: string;
  tier: string | null;
  changes: DiffChanges | null;
  effect: DiffEffect | null;
  /** Default: null. */
  gate?: GateChange | null;
  limits: DiffLimits;
}

/** The arms that identify a run of `rules diff`, old first. */
export const DIFF_ARMS = [
  ["rules", "rules=old", "rules=new"],
  ["precedents", "precedents=old", "precedents=new"],
  ["precedents_off", "precedents=on", "precedents=off"],
] as const;

/** The effect of a rewrite of rules or precedents on past decisions, and whether it is within the limits. */
export function buildDiff({ limits, effect, gate = null, ...parts }: DiffParts): RulesDiff {
  const warnings = effect ? armWarnings(effect.counts, effect.source) : [];
  const hidden = parts.changes?.rules.filter((rule) => !rule.shown).length ?? 0;
  if (hidden > 0) {
    warnings.push(
      `${hidden} ${hidden === 1 ? "rule is" : "rules are"} changed only in what the auditor does not read at tier ${parts.tier}`,
    );
  }
  if (!parts.changes && parts.what !== "precedents_off") {
    warnings.push("what was changed is not known here: only the audits are");
  }
  return {
    format: 1,
    experiment: "diff",
    runs: effect?.source.run_id ? [effect.source.run_id] : [],
    ...parts,
    effect,
    gate,
    checks: { mode: limits.mode, results: checkDiff(effect, limits) },
    figures: effect ? diffFigures(effect) : [],
    warnings,
  };
}

/** The kept rules and precedents, limited to the kinds that the other side has. */
export async function ownSide({ records }: Pick<Context, "records">, other: BookSide): Promise<BookSide> {
  const precedents: Precedent[] = [];
  if (other.precedents) for await (const batch of records.precedents()) precedents.push(...batch);
  return {
    name: "the workspace's own",
    sets: other.sets && (await records.rules()).map(({ set }) => set),
    precedents: other.precedents && precedents,
    single: false,
  };
}

/** Limits of a change; undefined ones are not checked. */
export interface DiffLimits {
  /** Most decisions that may become indefensible. */
  newIndefensible?: number;
  /** How far AI and AI_pure may rise, and DI fall, as fractions. */
  aiIncrease?: number;
  aiPureIncrease?: number;
  diDrop?: number;
  /** Largest share of the decisions that may be left out. Default if another limit is given: `MAX_LEFT_OUT`. */
  maxLeftOut?: number;
  mode: CheckMode;
}

/** Rates are ratios of counts: a change of exactly the limit must pass. */
const SLACK = 1e-9;

/** Default share of decisions that may be left out of a comparison for its limits to be meaningful. */
const MAX_LEFT_OUT = 0.05;

/**
 * Checks a change against its limits. Without an effect nothing changed, and every limit holds. If any limit is given, the share of
 * decisions left out is limited too: otherwise a text under which the auditor gives no verdicts would pass.
 */
export function checkDiff(effect: DiffEffect | null, limits: DiffLimits): DiffCheck[] {
  const checks: DiffCheck[] = [];
  if (limits.newIndefensible !== undefined) checks.push(countCheck(effect, limits.newIndefensible, limits.mode));
  const changes = effect?.step.changes;
  if (limits.aiIncrease !== undefined) {
    const check = rateCheck("ai_increase", changes?.ambiguity_index.difference, limits.aiIncrease, limits.mode);
    checks.push(effect ? { ...check, text: `${check.text} (${splitText(effect)})` } : check);
  }
  if (limits.aiPureIncrease !== undefined) {
    const rise = changes?.ambiguity_pure.difference;
    checks.push(rateCheck("ai_pure_increase", rise, limits.aiPureIncrease, limits.mode));
  }
  if (limits.diDrop !== undefined) {
    const drop = changes && mirrored(changes.defensibility_index.difference);
    checks.push(rateCheck("di_drop", drop, limits.diDrop, limits.mode));
  }
  if (checks.length > 0 || limits.maxLeftOut !== undefined) {
    checks.push(leftOutCheck(effect, limits.maxLeftOut ?? MAX_LEFT_OUT));
  }
  return checks;
}

/** Decisions that become indefensible; in mode `safe`, also those that may have done so undetected. */
function countCheck(effect: DiffEffect | null, limit: number, mode: CheckMode): DiffCheck {
  const known = effect?.new_indefensible.n ?? 0;
  const most = mode === "safe" ? (effect?.new_indefensible_at_most ?? known) : known;
  const undecided = most - known;
  const also = undecided > 0 ? `, and ${undecided} without a verdict may` : "";
  return {
    name: "new_indefensible",
    limit,
    value: most,
    by: undecided > 0 ? "worst_case" : "count",
    holds: most <= limit,
    text: `${known} ${known === 1 ? "decision becomes" : "decisions become"} indefensible${also}; at most ${limit} may`,
  };
}

function leftOutCheck(effect: DiffEffect | null, limit: number): DiffCheck {
  const {
    decisions,
    paired,
    different_action: other,
  } = effect?.counts ?? {
    decisions: 0,
    paired: 0,
    different_action: 0,
  };
  const left = decisions - paired;
  const value = decisions === 0 ? 0 : left / decisions;
  const why = [
    ...(left - other > 0 ? [`${left - other} without a verdict on one side`] : []),
    ...(other > 0 ? [`${other} with different actions on the two sides`] : []),
  ];
  const text = `${left} of ${decisions} decisions are left out${why.length > 0 ? ` (${why.join(", ")})` : ""}; at most ${percent(limit)} may be`;
  return { name: "left_out", limit, value, by: "share", holds: value <= limit + SLACK, text };
}

/** `sure`: fails only what is certainly beyond the limit; `safe`: passes only what is certainly within it. */
const BY = { point: "estimate", sure: "lower", safe: "upper" } as const;

const ENDS = {
  estimate: "",
  lower: "lower end of the 95% interval",
  upper: "upper end of the 95% interval",
  worst_case: "if every audit without a verdict had gone the worst way",
};

const SUBJECTS = {
  ai_increase: { name: "ambiguity", up: "rise", down: "fall" },
  ai_pure_increase: { name: "pure ambiguity", up: "rise", down: "fall" },
  di_drop: { name: "DI", up: "fall", down: "rise" },
} as const;

/** The size of a change without its direction: "2.0 pp". */
const size = (share: number) => `${decimal(100 * Math.abs(share), 1)} pp`;

/** Ambiguity counts two kinds: decisions that can go either way, and decisions that the rules settle the other way. */
function splitText({ step: { changes } }: DiffEffect): string {
  const [all, pure] = [changes.ambiguity_index.difference.estimate, changes.ambiguity_pure.difference.estimate];
  if (all === null || pure === null) return "";
  return `open both ways ${points(pure)}, only the opposite holds ${points(all - pure)}`;
}

function rateCheck(name: keyof typeof SUBJECTS, rise: Estimate | undefined, limit: number, mode: CheckMode): DiffCheck {
  const { value, by } = judged(rise, mode);
  const text = `${foundText(name, value, by)}; ${limitText(name, limit)}`;
  return { name, limit, value, by, holds: value <= limit + SLACK, text };
}

type Held = { value: number; by: keyof typeof ENDS };

/** The value compared with the limit. In mode `safe` it includes what the left-out decisions could hide. */
function judged(rise: Estimate | undefined, mode: CheckMode): Held {
  const by = BY[mode];
  if (!rise || rise.estimate === null) return { value: 0, by };
  const value = by === "estimate" ? rise.estimate : wideInterval(rise)![by];
  const worst = mode === "safe" ? rise.worst_case?.upper : undefined;
  return worst !== undefined && worst > value + SLACK ? { value: worst, by: "worst_case" } : { value, by };
}

/** "ambiguity rises by 2.0 pp", "ambiguity falls by 3.0 pp at the least (upper end of the 95% interval)". */
function foundText(name: keyof typeof SUBJECTS, value: number, by: Held["by"]): string {
  const { name: index, up, down } = SUBJECTS[name];
  const against = value < -SLACK;
  const least = (by === "lower") !== against;
  const end = by === "estimate" ? "" : ` at the ${least ? "least" : "most"} (${ENDS[by]})`;
  return `${index} ${against ? down : up}s by ${size(value)}${end}`;
}

function limitText(name: keyof typeof SUBJECTS, limit: number): string {
  const { up, down } = SUBJECTS[name];
  if (limit === 0) return `it must not ${up}`;
  if (limit < 0) return `it must ${down} by at least ${size(limit)}`;
  return `it may ${up} by at most ${size(limit)}`;
}

/** The same change with the opposite sign. */
function mirrored(estimate: Estimate): Estimate {
  if (estimate.estimate === null) return estimate;
  const turn = ({ lower, upper }: { lower: number; upper: number }) => ({ lower: -upper, upper: -lower });
  return {
    ...estimate,
    estimate: -estimate.estimate,
    ...turn(estimate),
    ...(estimate.cluster ? { cluster: { ...estimate.cluster, ...turn(estimate.cluster) } } : {}),
    ...(estimate.worst_case ? { worst_case: turn(estimate.worst_case) } : {}),
  };
}
