import type { TrueVerdict } from "../../core/records/label.js";
import { type SimulatedAuditor, simulatedAuditorSchema } from "../../core/results/simulated-auditor.js";
import { createRng } from "../../stats/random/create-rng.js";
import { type CompiledAuditor, compileAuditor, drawAudit, type SimulatedDraw } from "./draw-audit.js";
import { type AuditedCase, type CaseTruth, readCase, type Shown } from "./read-case.js";

export const SHOWN: Shown = { tier: "wiki", scopes: "both", opposite: false, precedents: true };

/** A truth that is the same under any text. */
export function truthOf(level: 1 | 2 | 3, inverse: boolean, contest = 0, changes: Partial<CaseTruth> = {}): CaseTruth {
  const verdict: TrueVerdict = { level, inverse };
  return {
    ...verdict,
    contest,
    tiers: { title: verdict, sidebar: verdict, wiki: verdict },
    scopes: { platform: verdict, community: verdict },
    ...changes,
  };
}

/** An auditor that never errs, wavers or fails, save where the settings say so. */
export function perfect(changes: Record<string, unknown> = {}): CompiledAuditor {
  const base = { noise: 0, faults: { refusal: 0, truncation: 0, missing: 0 }, citation: { other: 0, invented: 0 } };
  return compileAuditor(simulatedAuditorSchema.parse({ ...base, ...changes }) as SimulatedAuditor);
}

export function caseOf(id: string | number, truth: CaseTruth, changes: Partial<AuditedCase> = {}): AuditedCase {
  return { decisionId: String(id), truth, sameFamily: false, shown: SHOWN, ...changes };
}

/** Draws of one case. */
export function drawsOf(
  one: AuditedCase,
  auditor: CompiledAuditor,
  temperature: number,
  count: number,
): SimulatedDraw[] {
  const reading = readCase(one, auditor, temperature);
  return Array.from({ length: count }, (_, i) => drawAudit(reading, auditor, createRng(`${one.decisionId}:${i}`)));
}

/** Share of items for which something holds. */
export function shareOf<T>(items: readonly T[], holds: (item: T) => boolean): number {
  return items.filter(holds).length / items.length;
}

/** How far a share of n may lie from its expectation, once in 30,000 times: four standard errors. */
export function slack(p: number, n: number): number {
  return 4 * Math.sqrt((p * (1 - p)) / n) + 1e-12;
}
