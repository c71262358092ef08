import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { InputError } from "../../core/errors.js";
import type { Figure, FigureRow } from "../../core/figure.js";
import type { Precedent } from "../../core/records/decision.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import type { DiffChanges, DiffEffect, GateChange, RulesDiff } from "../../core/results/rules-diff.js";
import { readPrecedents } from "../../store/files/records.js";
import { loadRuleSets, readText } from "../../store/files/rule-files.js";
import type { Workspace } from "../../store/files/workspace.js";
import { readRuleFile } from "../../store/formats/rule-file.js";
import { sniffFile } from "../../store/formats/sniff-file.js";
import { parseRuleSets, ruleSetIdentity, ruleSetName } from "../../store/records/parse-rule-set.js";
import { armWarnings } from "./compare-arms.js";
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
        ? "No decision has a verdict before and after, so no change can be told"
        : `Defensibility changes by ${pointWords(changes.defensibility_index.difference)} to ${rateWords(changes.defensibility_index.b)}, ambiguity by ${pointWords(changes.ambiguity_index.difference)} to ${rateWords(changes.ambiguity_index.b)}`,
    mark: "point",
    x: { field: "rules", label: "rules or precedents", order: ["before", "after"] },
    y: { field: "value", label: "share of decisions", format: "percent", domain: [0, 1] },
    series: "index",
    rows,
  };
}

function ruleBars({ rules: { by_old } }: DiffEffect): Figure {
  const told = by_old.rules.filter((rule) => !rule.too_few);
  const shown = told.slice(0, RULES_SHOWN);
  return {
    id: "diff-rules",
    title:
      told.length === 0
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
    ...(shown.length < told.length ? { of: told.length } : {}),
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

/** One side of a comparison: rules, precedents, or both; null: this side says nothing of them. */
export interface BookSide {
  name: string;
  sets: RuleSet[] | null;
  precedents: Precedent[] | null;
  /** A single file: it is about what it names and nothing else. */
  single: boolean;
}

const RULE_FILE = /^[^.].*\.(ya?ml|json)$/i;

/** A file of rule sets, a page of rules, a precedents file, or a folder of rule sets (or of a workspace, with `rules/` and `precedents.jsonl`). */
export async function readSide(path: string, workspace: Workspace): Promise<BookSide> {
  if (!existsSync(path)) {
    throw new InputError(
      "no_file",
      `rules: there is no ${path}`,
      "Name a rule set, a folder of them, or precedents (.jsonl).",
    );
  }
  const name = basename(path) || path;
  if (statSync(path).isDirectory()) return { name, ...(await readFolder(path, workspace)), single: false };
  if (sniffFile(path).format !== "ruleset" && /\.(jsonl|ndjson)$/i.test(path)) {
    return { name, sets: null, precedents: await precedentsIn(path, workspace), single: true };
  }
  const { sets } = readRuleFile(readText(path), path);
  return { name, sets: sets.map(({ set }) => set), precedents: null, single: true };
}

async function readFolder(path: string, workspace: Workspace): Promise<Pick<BookSide, "sets" | "precedents">> {
  const rules = existsSync(join(path, "rules")) ? join(path, "rules") : path;
  const files = readdirSync(rules, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && RULE_FILE.test(entry.name) && entry.name !== "defensible.yaml")
    .map((entry) => join(rules, entry.name))
    .sort();
  const precedents = join(path, "precedents.jsonl");
  const sets = files.flatMap((file) => parseRuleSets(readText(file), file).map(({ set }) => set));
  refuseTwice(sets, path);
  const found = existsSync(precedents) ? await precedentsIn(precedents, workspace) : null;
  if (sets.length === 0 && !found) {
    throw new InputError("no_rules", `${path}: holds neither rule sets nor precedents.jsonl`, "Name another folder.");
  }
  return { sets: sets.length === 0 ? null : sets, precedents: found };
}

function refuseTwice(sets: readonly RuleSet[], path: string): void {
  const seen = new Set<string>();
  for (const set of sets) {
    const identity = ruleSetIdentity(set);
    if (seen.has(identity)) {
      throw new InputError("rule_set_twice", `${path}: it holds twice ${ruleSetName(set)}`, "Remove one of them.");
    }
    seen.add(identity);
  }
}

async function precedentsIn(path: string, workspace: Workspace): Promise<Precedent[]> {
  const found: Precedent[] = [];
  // The workspace's own reader, of another file: what it accepts and how it complains are the same.
  const there = { ...workspace, paths: { ...workspace.paths, precedents: path } };
  for await (const batch of readPrecedents(there)) for (const one of batch) found.push(one);
  return found;
}

/** The rules and precedents of the workspace itself, as far as the other side speaks of them. */
export async function ownSide(workspace: Workspace, other: BookSide): Promise<BookSide> {
  const { paths } = workspace;
  return {
    name: "the workspace's own",
    sets: other.sets && loadRuleSets(workspace).map(({ set }) => set),
    precedents: other.precedents && (await precedentsIn(paths.precedents, workspace)),
    single: false,
  };
}
