import type { Arm } from "../audit/arms.js";
import { InputError } from "../core/errors.js";
import type { RuleSet, Tier } from "../core/records/rule-set.js";
import type { DiffChanges, RulesDiff } from "../core/results/rules-diff.js";
import { ownSide, readSide } from "../experiments/rules/book-side.js";
import { planDiff } from "../experiments/rules/plan-diff.js";
import { readExperiment } from "../store/files/experiment-store.js";
import { loadRuleSets } from "../store/files/rule-files.js";
import type { Workspace } from "../store/files/workspace.js";
import type { ArmAudits } from "./arm-audits.js";

/** What is compared, as far as it is known. */
export interface DiffSubject {
  what: RulesDiff["what"] | null;
  old: string;
  new: string;
  tier: string | null;
  changes: DiffChanges | null;
  /** Null: nothing that the auditor reads differs. */
  arms: [Arm, Arm] | null;
  /** Rules by which citations get their titles. */
  sets: readonly RuleSet[];
}

interface SubjectFlags {
  precedents?: "off";
  tier?: Tier;
}

/** Reads what the arguments name. */
export async function subjectOf(
  workspace: Workspace,
  first: string | undefined,
  second: string | undefined,
  flags: SubjectFlags,
): Promise<DiffSubject> {
  const rules = loadRuleSets(workspace).map(({ set }) => set);
  const tier = flags.tier ?? workspace.config.tier;
  if (flags.precedents !== undefined) {
    if (first !== undefined) {
      throw new InputError("two_comparisons", `--precedents off: got ${first} too`, "Compare one thing at a time.");
    }
    const arms: [Arm, Arm] = [
      { name: "precedents=on", draws: "" },
      { name: "precedents=off", draws: "", precedents: false },
    ];
    return { what: "precedents_off", old: "with precedents", new: "without", tier, changes: null, arms, sets: rules };
  }
  const oneSided = second === undefined;
  const now = await readSide(second ?? first!, workspace);
  const old = oneSided ? await ownSide(workspace, now) : await readSide(first!, workspace);
  const plan = planDiff({ old, new: now, rules, tier, oneSided });
  const sets = [...rules, ...(old.sets ?? []), ...(now.sets ?? [])];
  return { ...plan, old: old.name, new: now.name, tier, sets };
}

/** Only communities whose rules or precedents differ: in the others nothing could come out otherwise. */
export function onlyDiffering<Flags extends { communities?: string[] }>(flags: Flags, { changes }: DiffSubject): Flags {
  const differing = changes?.communities;
  if (!differing) return flags;
  const asked = flags.communities;
  const communities = asked ? differing.filter((name) => asked.includes(name)) : differing;
  if (communities.length > 0) return { ...flags, communities };
  throw new InputError(
    "nothing_differs_there",
    `--communities: the rules of ${asked!.join(", ")} are the same on both sides; ${differing.join(", ")} differ`,
    "Name one of these.",
  );
}

/** What the kept result of a run says was compared; without one only the audits are known. */
export async function keptSubject({ workspace, place }: ArmAudits): Promise<DiffSubject> {
  const sets = workspace ? loadRuleSets(workspace).map(({ set }) => set) : [];
  const tier = place.manifest?.tier ?? null;
  const unknown = { what: null, old: "old", new: "new", tier, changes: null, arms: null, sets };
  const run = place.manifest?.run_id;
  if (!workspace || run === undefined) return unknown;
  const kept = await readExperiment(workspace, "diff");
  if (!kept?.runs.includes(run)) return unknown;
  return { ...unknown, what: kept.what, old: kept.old, new: kept.new, changes: kept.changes };
}
