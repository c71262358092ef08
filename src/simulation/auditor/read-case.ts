import type { TrueVerdict, Truth } from "../../core/records/label.js";
import type { Tier } from "../../core/records/rule-set.js";
import { createRng } from "../../stats/random/create-rng.js";
import { drawNormal } from "../../stats/random/draw-normal.js";
import { oppositeTruth } from "../world/level-shares.js";
import type { CompiledAuditor, Rates } from "./draw-audit.js";

/** The parts of a truth that can affect an audit. */
export type CaseTruth = Pick<Truth, "level" | "inverse" | "tiers" | "scopes" | "contest">;

/** The parts of a case that an auditor is shown. */
export interface Shown {
  tier: Tier;
  /** Whose rules are shown. */
  scopes: "both" | "platform" | "community" | "none";
  /** The action audited is not the one that was taken. */
  opposite: boolean;
  precedents: boolean;
}

const NOTHING: TrueVerdict = { level: 3, inverse: false };

/**
 * The true verdict on a decision under the text that an auditor is shown.
 *
 * Formula: both scopes: the truth of the tier. One scope: the truth of that scope, at the tier's if the scope carries the case (its truth is
 * the whole truth). No rules: level 3, no inverse. For the opposite action: `oppositeTruth` of that.
 * Range: a verdict.
 * Undefined when: never.
 * Differs from the paper: not in the paper.
 * @see paper §3.1, §6
 */
export function shownVerdict(truth: CaseTruth, shown: Shown): TrueVerdict {
  const verdict = underText(truth, shown);
  return shown.opposite ? oppositeTruth(verdict) : verdict;
}

/** `shownVerdict` for the action that was taken. */
function underText(truth: CaseTruth, { tier, scopes }: Shown): TrueVerdict {
  if (scopes === "none") return NOTHING;
  const atTier = truth.tiers[tier];
  if (scopes === "both") return atTier;
  const alone = truth.scopes[scopes];
  return alone.level === truth.level && alone.inverse === truth.inverse ? atTier : alone;
}

/** A case as the auditor reads it in every trace. */
export interface CaseReading {
  rates: Rates;
  /** The level read, 0 to 2, and whether its opposite is taken to be derivable. */
  level: number;
  inverse: boolean;
  /** Shares of traces that lean to each level. */
  leans: readonly [number, number, number];
  precedents: boolean;
  /** The case's contribution to ρ, in standard deviations. */
  inverseEffect: number;
  /** The case's contribution to ln H[κ]. */
  citationEffect: number;
  /** In [0, 1): rank of the case among those of its level, for its precedent weight; and which other rule it is mistaken for. */
  weightPlace: number;
  rulePlace: number;
}

export interface AuditedCase {
  decisionId: string;
  truth: CaseTruth;
  /** The decider is of the auditor's family. */
  sameFamily: boolean;
  shown: Shown;
}

/**
 * What an auditor makes of a case before it writes anything: systematic misreadings and the case's own effects. They are the same for all
 * replicates, since they depend only on the auditor's seed and the decision's id.
 *
 * Formula: the verdict under the text shown; with probability `bias` (level 3, decider of its family) read as (1, no inverse); for the opposite
 * action: the opposite of that. Level read r with probability (1 − noise) 1{r = l} + noise · confusion[l][r]; inverse missed or invented at the
 * rates of the level read. Share of traces leaning elsewhere, all to one level: min(0.95, most · contest^k · T^power), most and k by the level
 * of the action taken.
 * Range: see CaseReading.
 * Undefined when: never.
 * Differs from the paper: not in the paper, whose auditor's errors are unknown.
 * @see paper §10 (circularity), appendix A.1 (same backbone)
 */
export function readCase(one: AuditedCase, auditor: CompiledAuditor, temperature: number): CaseReading {
  const { settings } = auditor;
  const { truth, shown } = one;
  const rates = auditor.at(temperature);
  const own = createRng(`${settings.seed}:${one.decisionId}`);
  const biasPlace = own.next();
  // The opposite action is a separate case with its own misreadings, but which decider the auditor favours does not depend on the question.
  const effects = shown.opposite ? own.fork("opposite") : own;
  const levelPlace = effects.next();
  const inversePlace = effects.next();
  const inverseEffect = drawNormal(effects);
  const citationEffect = rates.citationCase * drawNormal(effects) + rates.citationMixed * drawNormal(effects);
  const weightPlace = effects.next();
  const rulePlace = effects.next();
  const leanPlace = effects.next();

  let taken = underText(truth, shown);
  const open = taken.level === 2 && !(truth.level === 2 && truth.inverse === taken.inverse);
  if (taken.level === 3 && one.sameFamily && biasPlace < settings.bias) taken = { level: 1, inverse: false };
  const verdict = shown.opposite ? oppositeTruth(taken) : taken;
  const content = taken.level - 1;

  const level = misread(verdict.level - 1, levelPlace, settings.confusion[verdict.level - 1]!, settings.noise);
  const inverse = verdict.inverse ? inversePlace >= rates.missed[level]! : inversePlace < rates.invented[level]!;
  let contest = open ? Math.max(truth.contest, settings.lean.unsettled) : truth.contest;
  if (!shown.precedents) contest += settings.lean.without_precedents * (1 - contest);
  const elsewhere = strayShare(content, contest, rates, auditor);
  const leans: [number, number, number] = [0, 0, 0];
  leans[level] = 1 - elsewhere;
  leans[direction(level, leanPlace, settings.lean.elsewhere[level]!)] = elsewhere;
  return {
    rates,
    level,
    inverse,
    leans,
    precedents: shown.precedents,
    inverseEffect,
    citationEffect,
    weightPlace,
    rulePlace,
  };
}

/** Upper limit: no case is nearly always read against itself. */
const MOST_ELSEWHERE = 0.95;

/** Share of a case's traces that lean to a level other than the one read; `content` is the true level of the action taken, 0 to 2. */
export function strayShare(content: number, contest: number, rates: Rates, { settings }: CompiledAuditor): number {
  return Math.min(MOST_ELSEWHERE, rates.lean[content]! * contest ** settings.lean.contest_power[content]!);
}

/** The level to which a case's stray traces go. */
function direction(level: number, place: number, row: readonly number[]): number {
  const [first, second] = level === 0 ? [1, 2] : level === 1 ? [0, 2] : [0, 1];
  return place < row[first!]! ? first! : second!;
}

function misread(level: number, place: number, row: readonly number[], noise: number): number {
  // The true level first, so that less noise changes fewer cases and never changes one back and forth.
  const right = 1 - noise * (1 - row[level]!);
  if (place < right) return level;
  let left = (place - right) / noise;
  for (let other = 0; other < 3; other++) {
    if (other === level) continue;
    left -= row[other]!;
    if (left < 0) return other;
  }
  return level === 2 ? 1 : 2;
}
