import { openAuditTable } from "../../analysis/audit-table.js";
import type { AuditsPlace } from "../../app/find-audits.js";
import { OPPOSITE_ARM, PLAIN_ARM } from "../../audit/arms.js";
import { InputError } from "../../core/errors.js";
import type { Manifest } from "../../core/records/manifest.js";
import { chosenRun } from "../../store/choose-run.js";
import type { Context } from "../../store/context.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { experimentAudits, keepResult } from "../audits.js";
import type { ArmStudy } from "../slice.js";
import type { Step } from "../study/run/step.js";
import { buildDual, type DualInputs } from "./build-dual.js";
import { dualDocument } from "./document.js";
import type { Dual } from "./result.js";

export const dual: ArmStudy<Dual, { correct?: string; rows: number }> = {
  audits: "made",
  rows: 10,
  options: {
    "--correct <run>": ["correct the ambiguity of this run by the dual audit of a random part of its decisions"],
  },
  examples: [
    "defensible experiment dual",
    "defensible experiment dual --sample 200 --auditor openai:gpt-4.1-mini --max-cost 2",
    "defensible experiment dual --sample 200 --correct newest",
    "defensible experiment dual --run 20261115T101530Z-4f2a --md=dual.md",
  ],
  async run({ context, from, settings }, { correct, rows }) {
    if (correct !== undefined && "file" in from) {
      throw new InputError(
        "no_workspace",
        "--correct: cannot be used with --audits",
        "Use --run with a run of the workspace.",
      );
    }
    const target = correct === undefined ? null : await chosenRun(context!.runs, correct);
    // Checked first, so that no dual audit is paid for that cannot correct the run.
    if (target && settings) checkCorrection({ ...settings, selection: { ...settings.selection } }, target);
    const place = await experimentAudits(context, from, { kind: "dual", arms: [PLAIN_ARM, OPPOSITE_ARM] });
    if (!place) return null;
    const corrected = target && (await correctionOf(context!, place.manifest!, target));
    const result = await dualOf(place, { cases: 10 * rows, ...(corrected && { correct: corrected }) });
    return keepResult(place.manifest && context, result);
  },
  document: (result, { rows }) => dualDocument(result, { rows }),
};

export const dualStep: Step = {
  name: "dual",
  title: "decisions and their opposites",
  needs: () => ["dual"],
  run: async ({ runs }) => dualOf(await runs.get("dual"), { cases: 100 }),
};

/** Settings that decide whether one run may correct another. */
type Correcting = Pick<Manifest, "auditor" | "tier" | "template" | "selection">;

type Chosen = Pick<Manifest, "selection">["selection"];

const MUST_AGREE = ["auditor", "tier", "template"] as const;

/**
 * Refuses a dual audit that cannot correct the run: another auditor, tier or template asks another question, and decisions not drawn at
 * random from the run's say nothing about the others. A sample of more than the run's decisions is accepted: its overlap with the run is
 * drawn at random.
 */
export function checkCorrection(dual: Correcting, run: Correcting & { run_id: string }): void {
  const differ = MUST_AGREE.filter((name) => dual[name] !== run[name]);
  if (differ.length > 0) {
    const text = differ.map((name) => `${name} ${dual[name]} instead of ${run[name]}`).join(", ");
    throw new InputError(
      "other_audit",
      `--correct: the dual audit is no part of run ${run.run_id}; got ${text}`,
      `Make the dual audit as the run was made (${differ.map((name) => `--${name} ${run[name]}`).join(" ")}), or name another run.`,
    );
  }
  if (isRandomPart(dual.selection, run.selection)) return;
  throw new InputError(
    "not_random",
    `--correct: the decisions of the dual audit were not drawn at random among those of run ${run.run_id}; got the selection ${selectionText(dual.selection)}, the run's is ${selectionText(run.selection)}`,
    "Draw them with --sample N, with the --communities, --filter and --cohort of the run and without --limit.",
  );
}

function isRandomPart(dual: Chosen, run: Chosen): boolean {
  if (JSON.stringify(sorted(dual)) === JSON.stringify(sorted(run))) return true;
  // The first decisions are not random, not even in a sample: they come first in the file.
  if (dual.limit !== undefined) return false;
  const conditions = ({ sample: _, limit: __, ...rest }: Chosen) => JSON.stringify(sorted(rest));
  return conditions(dual) === "[]" || conditions(dual) === conditions(run);
}

/** The conditions that were given, in canonical order. */
function sorted(selection: Chosen): [string, unknown][] {
  return Object.entries(selection)
    .filter(([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]): [string, unknown] => [name, Array.isArray(value) ? [...value].sort() : value])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function selectionText(selection: Chosen): string {
  const parts = sorted(selection).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return parts.length === 0 ? "everything" : parts.join(", ");
}

/** Other differences between a dual audit and the run that it corrects, each in a sentence. */
export function correctionNotes(dual: Manifest, run: Manifest): string[] {
  const pairs: [string, unknown, unknown][] = [
    ["temperature", dual.temperature, run.temperature],
    ["version of the auditor", dual.auditor_version, run.auditor_version],
    ["version of the prompt", dual.prompt_version, run.prompt_version],
    ["rules", dual.hashes.rules, run.hashes.rules],
    ["precedents", dual.hashes.precedents, run.hashes.precedents],
  ];
  const differ = pairs.filter(([, own, other]) => own !== other).map(([name]) => name);
  return [
    differ.length > 0
      ? `the dual audit differs from run ${run.run_id} in ${differ.join(", ")}: what is corrected is what the dual audit would find, not what the run would`
      : "",
    dual.status === "open"
      ? "the dual audit was interrupted, and what it has done so far need be no random part: repeat its command to complete it"
      : "",
  ].filter(Boolean);
}

async function dualOf(
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
