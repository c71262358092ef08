import type { Figure, FigureRow } from "../../core/figure.js";
import type { Precedent } from "../../core/records/decision.js";
import type { Context } from "../../store/context.js";
import type { BookSide } from "../../store/files/rule-files.js";
import { armWarnings } from "./compare-arms.js";
import type { DiffChanges, DiffEffect, GateChange, RulesDiff } from "./diff/result.js";
import { checkDiff, type DiffLimits } from "./diff-checks.js";
import { estimateRow, pointWords, rateWords, transitionCells } from "./tier-figures.js";

const RULES_SHOWN = 40;

/** The indices before and after, the transitions, and the change of each rule. */
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

/** The arms by which a run of `rules diff` is known again, old first. */
export const DIFF_ARMS = [
  ["rules", "rules=old", "rules=new"],
  ["precedents", "precedents=old", "precedents=new"],
  ["precedents_off", "precedents=on", "precedents=off"],
] as const;

/** What a rewrite of rules or precedents does to past decisions, and whether that is within the limits. */
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

/** The rules and precedents that are kept, as far as the other side speaks of them. */
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
