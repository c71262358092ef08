import type { TrueVerdict } from "../../core/records/truth.js";
import { betaQuantile } from "../../stats/distributions/beta-quantile.js";
import { type CompiledAuditor, compileAuditor } from "../auditor/compile-auditor.js";
import { paperAuditor } from "../auditor/paper-auditor.js";
import { type WrittenShares, writtenShares } from "../auditor/written-shares.js";
import { WORLD } from "../world/default-settings.js";
import type { VerdictNumber } from "../world/draw-content.js";
import type { LatentRates } from "../world/level-shares.js";

/** The temperature of the paper's audits. */
export const PAPER_TEMPERATURE = 0.2;

const VERDICTS: readonly TrueVerdict[] = [
  { level: 1, inverse: false },
  { level: 2, inverse: false },
  { level: 2, inverse: true },
  { level: 3, inverse: true },
  { level: 3, inverse: false },
];

export type Contested = "settled" | "implied" | "open" | "void";

const QUANTILES = 100;
let compiled: CompiledAuditor | null = null;
const known = new Map<string, WrittenShares>();

/** What the paper's auditor writes of decisions with one true verdict; `unsettled`: only the text shown leaves the case open. */
export function writtenOf(verdict: VerdictNumber, content: Contested, unsettled = false): WrittenShares {
  const key = `${verdict} ${content} ${unsettled}`;
  let written = known.get(key);
  if (!written) {
    compiled ??= compileAuditor(paperAuditor());
    const auditor = compiled;
    const least = unsettled ? auditor.settings.lean.unsettled : 0;
    const contests = contestsOf(content).map((contest) => Math.max(contest, least));
    written = writtenShares(VERDICTS[verdict]!, contests, auditor, PAPER_TEMPERATURE);
    known.set(key, written);
  }
  return written;
}

/** Equally likely values of a beta law. */
function contestsOf(content: Contested): number[] {
  const { concentration, [content]: mean } = WORLD.contest;
  return Array.from({ length: QUANTILES }, (_, i) =>
    betaQuantile((i + 0.5) / QUANTILES, mean * concentration, (1 - mean) * concentration),
  );
}

/** A part of a cohort: its share, and what is written of it. */
export type Part = readonly [share: number, written: WrittenShares];

/** The parts of content with given rates, by its truth. */
export function partsOf({ open, void: voided, implied, error }: LatentRates): Part[] {
  const clear = 1 - open - voided;
  return [
    [clear * (1 - error) * (1 - implied), writtenOf(0, "settled")],
    [clear * (1 - error) * implied, writtenOf(1, "implied")],
    [open, writtenOf(2, "open")],
    [clear * error * (1 - implied), writtenOf(3, "settled")],
    [clear * error * implied, writtenOf(3, "implied")],
    [voided, writtenOf(4, "void")],
  ];
}

/** DI, AI and level 1 as written. */
export function writtenRates(parts: readonly Part[]): { di: number; ai: number; level1: number } {
  const sum = (value: (written: WrittenShares) => number) =>
    parts.reduce((total, [share, written]) => total + share * value(written), 0);
  return {
    di: 1 - sum(({ levels }) => levels[2]),
    ai: sum(({ inverse }) => inverse),
    level1: sum(({ levels }) => levels[0]),
  };
}
