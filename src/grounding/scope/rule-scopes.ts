import type { CaseFrame, CaseRule } from "../../domain/case.js";
import { type ClauseScope, clauseScopes } from "./clause-scope.js";
import { StemIndex, stemsOf } from "./rule-stems.js";

export interface ClauseReading extends ClauseScope {
  /** Its telling words, each with its weight: rare among the rules, and no everyday word. */
  weights: ReadonlyMap<string, number>;
}

export interface RuleReading {
  rule: CaseRule;
  clauses: readonly ClauseReading[];
}

export interface PrecedentReading {
  id: string;
  decision: string;
  weights: ReadonlyMap<string, number>;
  /** Euclidean length of the weights. */
  length: number;
}

/** The rules and precedents of a frame, read once for all decisions under it. */
export interface FrameReading {
  rules: readonly RuleReading[];
  precedents: readonly PrecedentReading[];
  /** Weight of a stem among the precedents' texts. */
  precedentRarity: (stemmed: string) => number;
  stems: StemIndex;
}

const readings = new WeakMap<CaseFrame, FrameReading>();

export function readFrame(frame: CaseFrame): FrameReading {
  let reading = readings.get(frame);
  if (!reading) {
    reading = read(frame);
    readings.set(frame, reading);
  }
  return reading;
}

function read(frame: CaseFrame): FrameReading {
  const drafts = frame.rules.map((rule) => ({
    rule,
    clauses: clauseScopes(rule).map((clause) => ({ ...clause, stems: stemsOf(clause.text) })),
  }));
  const rarity = rarityOver(drafts.map(({ clauses }) => new Set(clauses.flatMap(({ stems }) => [...stems.keys()]))));
  const precedents = frame.precedents.map((precedent) => ({ precedent, stems: stemsOf(precedent.text) }));
  const precedentRarity = rarityOver(precedents.map(({ stems }) => new Set(stems.keys())));
  return {
    rules: drafts.map(({ rule, clauses }) => ({
      rule,
      clauses: clauses.map(({ stems, ...clause }) => ({ ...clause, weights: weigh(stems, rarity) })),
    })),
    precedents: precedents.map(({ precedent: { id, decision }, stems }) => {
      const weights = weigh(stems, precedentRarity);
      return { id, decision, weights, length: Math.hypot(...weights.values()) };
    }),
    precedentRarity,
    stems: new StemIndex(new Set(drafts.flatMap(({ clauses }) => clauses.flatMap(({ stems }) => [...stems.keys()])))),
  };
}

function weigh(stems: ReadonlyMap<string, number>, rarity: (stemmed: string) => number): Map<string, number> {
  return new Map([...stems].map(([stemmed, general]) => [stemmed, general * rarity(stemmed)]));
}

/** How few of the texts have a stem, 0 … 1: ln(1 + n / owners) / ln(1 + n). A word that all of them have says little about any. */
function rarityOver(texts: readonly ReadonlySet<string>[]): (stemmed: string) => number {
  const owners = new Map<string, number>();
  for (const text of texts) for (const stemmed of text) owners.set(stemmed, (owners.get(stemmed) ?? 0) + 1);
  const n = Math.max(2, texts.length);
  return (stemmed) => Math.log(1 + n / (owners.get(stemmed) ?? 1)) / Math.log(1 + n);
}
