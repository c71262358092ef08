import { openAuditTable } from "../../analysis/audit-table.js";
import type { AuditsPlace } from "../../app/find-audits.js";
import { OPPOSITE_ARM, PLAIN_ARM } from "../../audit/arms.js";
import type { Manifest } from "../../core/records/manifest.js";
import type { Dual } from "../../core/results/dual.js";
import { chosenRun } from "../../store/choose-run.js";
import type { Context } from "../../store/context.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { type AuditsFrom, experimentAudits, type Kept, keepResult } from "../audits.js";
import { buildDual, type DualInputs } from "./build-dual.js";
import { checkCorrection, correctionNotes } from "./check-correction.js";

export interface DualRequest {
  /** Null: audits of a file. */
  context: Context | null;
  from: AuditsFrom;
  /** Run whose ambiguity is corrected, or `newest`. Needs a context. */
  correct: string | undefined;
  /** Settings that audits will be made with, where they are known before: a run that they cannot correct must not cost a dual audit. */
  settings: Parameters<typeof checkCorrection>[0] | null;
  /** Contradictions listed, of each kind. */
  cases: number;
}

/** What the rules settle, by audits of decisions and of their opposites; null: there is nothing to analyse. */
export async function runDual(request: DualRequest): Promise<Kept<Dual> | null> {
  const { context, from, correct, settings, cases } = request;
  const target = correct === undefined ? null : await chosenRun(context!.runs, correct);
  if (target && settings && "make" in from) checkCorrection(settings, target);
  const place = await experimentAudits(context, from, { kind: "dual", arms: [PLAIN_ARM, OPPOSITE_ARM] });
  if (!place) return null;
  const corrected = target && (await correctionOf(context!, place.manifest!, target));
  const result = await dualOf(place, { cases, ...(corrected && { correct: corrected }) });
  return keepResult(place.manifest && context, result);
}

/** What a dual audit says. */
export async function dualOf(
  { source, actions, label, manifest }: AuditsPlace,
  inputs: Pick<DualInputs, "cases" | "correct">,
): Promise<Dual> {
  const { run_id = null, auditor = null } = manifest ?? {};
  const named = { name: run_id ?? label, run_id, auditor, oppositeArm: OPPOSITE_ARM.name, ...inputs };
  return withDuckDB(async (db) => buildDual(await openAuditTable(db, source, { actions, anyArm: true }), named), {
    ordered: false,
  });
}

async function correctionOf(
  { runs }: Context,
  dual: Manifest,
  target: Manifest,
): Promise<NonNullable<DualInputs["correct"]>> {
  checkCorrection(dual, target);
  return {
    run_id: target.run_id,
    source: await runs.snapshot(target.run_id),
    notes: correctionNotes(dual, target),
  };
}
