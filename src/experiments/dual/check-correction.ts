import { InputError } from "../../core/errors.js";
import type { Manifest } from "../../core/records/manifest.js";

/** What decides whether one run may correct another. */
export type Correcting = Pick<Manifest, "auditor" | "tier" | "template" | "selection">;

type Chosen = Pick<Manifest, "selection">["selection"];

const MUST_AGREE = ["auditor", "tier", "template"] as const;

/**
 * Refuses a dual audit that cannot correct the run: another auditor, tier or template asks another question, and decisions that were not drawn at
 * random among the run's say nothing of the others. A sample of more than the run's decisions will do: what it shares with the run is drawn at random.
 */
export function checkCorrection(dual: Correcting, run: Correcting & { run_id: string }): void {
  const differ = MUST_AGREE.filter((name) => dual[name] !== run[name]);
  if (differ.length > 0) {
    const told = differ.map((name) => `${name} ${dual[name]} instead of ${run[name]}`).join(", ");
    throw new InputError(
      "other_audit",
      `--correct: the dual audit is no part of run ${run.run_id}; got ${told}`,
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
  // The first ones are no random ones, of a sample neither: they are those that stand first in the file.
  if (dual.limit !== undefined) return false;
  const conditions = ({ sample: _, limit: __, ...rest }: Chosen) => JSON.stringify(sorted(rest));
  return conditions(dual) === "[]" || conditions(dual) === conditions(run);
}

/** What was given, in an order that does not matter. */
function sorted(selection: Chosen): [string, unknown][] {
  return Object.entries(selection)
    .filter(([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]): [string, unknown] => [name, Array.isArray(value) ? [...value].sort() : value])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function selectionText(selection: Chosen): string {
  const told = sorted(selection).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return told.length === 0 ? "everything" : told.join(", ");
}

/** What else differs between a dual audit and the run that it corrects, each in a sentence. */
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
