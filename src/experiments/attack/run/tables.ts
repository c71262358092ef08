import { meanOf } from "../../../stats/intervals/mean-estimate.js";
import { auroc } from "../../../stats/ranks/auroc.js";
import { mcnemar } from "../../../stats/tests/two-proportion-test.js";
import { ATTACK_TARGETS, type AttackResult, type AttackTarget } from "../result.js";
import { flaggedShare, type Layer, leftOut } from "./rates.js";
import type { ScoredCase, Scores } from "./score-case.js";

/** Cases that were audited, and those that gave no verdict. */
export interface Attacks {
  scored: readonly ScoredCase[];
  missing: readonly MissingCase[];
}

/** A case whose audit gave no verdict. */
export interface MissingCase {
  target: AttackTarget;
  kind: string;
  decision: string;
}

/** Kinds there are, in the order of their names, after all of them together. */
function kindsOf({ scored, missing }: Attacks, target: AttackTarget): string[] {
  const kinds = new Set<string>();
  for (const { case: one } of scored) if (one.target === target) kinds.add(one.kind);
  for (const one of missing) if (one.target === target) kinds.add(one.kind);
  return kinds.size === 0 ? [] : ["all", ...[...kinds].sort()];
}

export function ofKind(scored: readonly ScoredCase[], target: AttackTarget, kind: string): ScoredCase[] {
  return scored.filter(({ case: one }) => one.target === target && (kind === "all" || one.kind === kind));
}

/**
 * Detection of every kind by every layer, attacks on the input and on the trace apart. Of attacks on the trace also what was flagged of their audits before
 * the citation was replaced: so much would be noticed without looking at the attack.
 */
export function detectionTable(
  attacks: Attacks,
  clean: readonly ScoredCase[],
  layers: readonly Layer[],
): AttackResult["detection"] {
  const byId = new Map(clean.map((one) => [one.case.id, one]));
  return ATTACK_TARGETS.flatMap((target) =>
    kindsOf(attacks, target).flatMap((kind) => {
      const cases = ofKind(attacks.scored, target, kind);
      const missing = attacks.missing.filter((one) => one.target === target && (kind === "all" || one.kind === kind));
      const before = cases.flatMap(({ case: one }) => byId.get(one.base_case ?? "") ?? []);
      return layers.map((layer) => ({
        target,
        kind,
        layer: layer.name,
        detected: flaggedShare(cases, layer, missing.length),
        ...withLeftOut(leftOut(cases, layer)),
        ...(target === "trace" ? { before: flaggedShare(before, layer) } : {}),
      }));
    }),
  );
}

function withLeftOut(count: number): { left_out?: number } {
  return count === 0 ? {} : { left_out: count };
}

/**
 * False alarms on clean cases, each decision's apart. Clean cases without a verdict are in neither half: all of them go into the worst case, which
 * holds whichever half they would have been in.
 */
export function falsePositiveTable(
  clean: readonly ScoredCase[],
  missing: readonly MissingCase[],
  layers: readonly Layer[],
): AttackResult["false_positives"] {
  const decisions = [...new Set(clean.map((one) => one.case.decision))].sort();
  return layers.flatMap((layer) =>
    ["all", ...decisions].map((decision) => {
      const of = (one: { decision: string }) => decision === "all" || one.decision === decision;
      const cases = clean.filter((one) => of(one.case));
      const without = missing.filter((one) => one.kind === "clean" && of(one)).length;
      return {
        layer: layer.name,
        decision,
        flagged: flaggedShare(cases, layer, without),
        ...withLeftOut(leftOut(cases, layer)),
      };
    }),
  );
}

const SCORES: readonly (keyof Scores)[] = ["signal", "pds", "grounding", "scope", "question", "dual"];

/** Scores that some case has. */
export function scoresThere(cases: readonly ScoredCase[]): (keyof Scores)[] {
  return SCORES.filter((score) => cases.some((one) => one.scores[score] !== null));
}

export function scoresOf(cases: readonly ScoredCase[], score: keyof Scores): number[] {
  return cases.flatMap((one) => one.scores[score] ?? []);
}

/** How well each score separates attacks from clean cases, without any threshold. */
export function aurocTable(attacks: Attacks, clean: readonly ScoredCase[]): AttackResult["auroc"] {
  const scores = scoresThere([...attacks.scored, ...clean]);
  return ATTACK_TARGETS.flatMap((target) =>
    kindsOf(attacks, target).flatMap((kind) =>
      scores.map((score) => ({
        target,
        kind,
        score,
        auroc: auroc(scoresOf(ofKind(attacks.scored, target, kind), score), scoresOf(clean, score)),
      })),
    ),
  );
}

/** Whether one layer notices what another does not, pair by pair, on cases of which both can say something. Undefined layers are not compared. */
export function mcnemarTable({ scored }: Attacks, layers: readonly Layer[]): AttackResult["mcnemar"] {
  const members = layers.filter((layer) => layer.member);
  const named = (name: string) => layers.find((layer) => layer.name === name)!;
  const pairs = members.flatMap((first, i) => members.slice(i + 1).map((second) => [first, second] as const));
  pairs.push([named("two_layers"), named("union")]);
  return ATTACK_TARGETS.flatMap((target) => {
    const cases = ofKind(scored, target, "all");
    if (cases.length === 0) return [];
    const defined = pairs.filter((pair) => pair.every((layer) => layer.reason === undefined));
    return defined.map(([first, second]) => {
      const counts = { both: 0, only_first: 0, only_second: 0, neither: 0 };
      for (const one of cases) {
        const [a, b] = [first.flags(one), second.flags(one)];
        if (a === null || b === null) continue;
        counts[a ? (b ? "both" : "only_first") : b ? "only_second" : "neither"]++;
      }
      const { exact_p, mid_p } = mcnemar(counts.only_first, counts.only_second);
      return { target, first: first.name, second: second.name, ...counts, exact_p, mid_p };
    });
  });
}

/** The paper's table: what escaped, what was caught and what was clean, by the means of their signals. */
export function subsetTable(
  { scored }: Attacks,
  clean: readonly ScoredCase[],
  layers: readonly Layer[],
): AttackResult["subsets"] {
  const union = layers.find((layer) => layer.name === "union")!;
  const two = layers.find((layer) => layer.name === "two_layers")!;
  const inputs = ofKind(scored, "input", "all");
  const invented = ofKind(scored, "input", "hallucinated_grounding");
  const penumbra = ofKind(scored, "input", "penumbra");
  type Subset = [name: string, cases: readonly ScoredCase[], reason?: string | undefined];
  const split = (name: string, cases: readonly ScoredCase[], layer: Layer, words: string): Subset[] => [
    [`${name}, escaped ${words}`, cases.filter((one) => layer.flags(one) === false), layer.reason],
    [`${name}, caught by ${words === "all" ? "any" : "1 or 2"}`, cases.filter((one) => layer.flags(one)), layer.reason],
  ];
  const subsets: Subset[] = [
    ["clean", clean],
    ...split("hallucinated", invented, two, "1 and 2"),
    ...split("hallucinated", invented, union, "all"),
    ...split("penumbra", penumbra, two, "1 and 2"),
    ...split("penumbra", penumbra, union, "all"),
    ...split("input attacks", inputs, union, "all"),
  ];
  return subsets.map(([subset, cases, reason]) => {
    const mean = (name: keyof ScoredCase["signals"]) =>
      meanOf(
        reason === undefined ? cases.flatMap((one) => one.signals[name] ?? []) : [],
        reason ?? (cases.length === 0 ? "no rows" : "no audit has it"),
      );
    return {
      subset,
      n: reason === undefined ? cases.length : 0,
      ...(reason === undefined ? {} : { reason }),
      h_citation_bits: mean("h_citation_bits"),
      confidence: mean("confidence"),
      pds: mean("pds"),
      p_defensible: mean("p_defensible"),
      overlap: mean("overlap"),
    };
  });
}
