import type { DecisionSource } from "../../audit/rules-in-force.js";
import { InputError } from "../../core/errors.js";
import type { Decision } from "../../core/records/decision.js";
import { nearestName } from "../../core/text-checks.js";
import { unknownCohort } from "../../store/cohorts.js";
import type { Context } from "../../store/context.js";
import type { CohortStore } from "../../store/ports.js";
import { HashSample, parseFilter } from "../../store/records/cohort-sample.js";
import type { AuditRequest } from "./audit-request.js";

const LOOSEN = "Select more: by community, filter, cohort, sample or limit.";

/** Why there is nothing to audit, and what to do about it. */
export function nothingToAudit({
  selection,
  auditor,
  source,
}: Pick<AuditRequest, "selection" | "auditor" | "source">): InputError {
  if (source) {
    return new InputError("no_decisions", "decisions: the experiment has none that match the selection", LOOSEN);
  }
  if (auditor.knows) {
    return new InputError(
      "no_decisions",
      `decisions: ${auditor.name} has an answer for none of those selected`,
      "Replay a run of this workspace, and of the same decisions.",
    );
  }
  return isEverything(selection)
    ? new InputError(
        "no_decisions",
        "decisions: the workspace has none",
        "Import some with `defensible import FILE`, or see the example with `defensible demo`.",
      )
    : new InputError("no_decisions", "decisions: nothing matches the selection", LOOSEN);
}

/** Refuses names of communities that no decision has: a typo would leave out what was meant. */
async function checkCommunities(from: () => AsyncIterable<Decision[]>, asked: readonly string[]): Promise<void> {
  const names = new Set<string>();
  const missing = () => asked.filter((name) => !names.has(name));
  for await (const batch of from()) {
    for (const { community } of batch) names.add(community);
    if (missing().length === 0) return;
  }
  if (missing().length === 0 || names.size === 0) return;
  const meant = missing().flatMap((name) => nearestName(name, names) ?? []);
  const shown = [...names].sort().slice(0, 20);
  const all = `Communities: ${shown.join(", ")}${names.size > shown.length ? ` and ${names.size - shown.length} more` : ""}.`;
  throw new InputError(
    "unknown_community",
    `communities: no decision is of ${missing().join(", ")}`,
    meant.length > 0 ? `Did you mean ${meant.join(", ")}?` : all,
  );
}

/** Which decisions of a workspace a command is about. Conditions are joined by "and"; sample and limit come last. */
export interface Selection {
  cohort?: string;
  communities?: string[];
  filters?: string[];
  sample?: { size: number; seed: number };
  limit?: number;
  /** So many decisions that a program gave, instead of the workspace's own. */
  given?: number;
}

function isEverything(selection: Selection): boolean {
  return Object.values(selection).every((value) => value === undefined || (Array.isArray(value) && value.length === 0));
}

/** The chosen decisions in their order, streaming; a sample is drawn once. `from`: others than those that are kept. */
export async function selectDecisions(
  { records, cohorts }: Pick<Context, "records" | "cohorts">,
  selection: Selection,
  from: () => AsyncIterable<Decision[]> = () => records.decisions(),
): Promise<DecisionSource> {
  await checkCommunities(from, selection.communities ?? []);
  const matches = await conditions(cohorts, selection);
  const sampled = selection.sample ? await sampleIds(from, matches, selection.sample) : null;
  return () => chosenDecisions(from, selection, matches, sampled);
}

async function* chosenDecisions(
  from: () => AsyncIterable<Decision[]>,
  selection: Selection,
  matches: (decision: Decision) => boolean,
  sampled: ReadonlySet<string> | null,
): AsyncGenerator<Decision[]> {
  let left = selection.limit ?? Number.POSITIVE_INFINITY;
  for await (const batch of from()) {
    let chosen = batch.filter((decision) => (sampled ? sampled.has(decision.id) : matches(decision)));
    if (chosen.length > left) chosen = chosen.slice(0, left);
    left -= chosen.length;
    if (chosen.length) yield chosen;
    if (left <= 0) return;
  }
}

async function conditions(cohorts: CohortStore, selection: Selection): Promise<(decision: Decision) => boolean> {
  const tests: ((decision: Decision) => boolean)[] = [];
  if (selection.cohort) {
    const cohort = await cohorts.find(selection.cohort);
    if (!cohort)
      throw unknownCohort(
        selection.cohort,
        (await cohorts.list()).map(({ name }) => name),
      );
    const members = new Set(cohort.decision_ids);
    tests.push((decision) => members.has(decision.id));
  }
  if (selection.communities?.length) {
    const communities = new Set(selection.communities);
    tests.push((decision) => communities.has(decision.community));
  }
  for (const filter of selection.filters ?? []) tests.push(parseFilter(filter));
  return (decision) => tests.every((test) => test(decision));
}

async function sampleIds(
  from: () => AsyncIterable<Decision[]>,
  matches: (decision: Decision) => boolean,
  { size, seed }: { size: number; seed: number },
): Promise<Set<string>> {
  const sample = new HashSample(seed, size);
  for await (const batch of from()) {
    for (const decision of batch) if (matches(decision)) sample.add(decision.id);
  }
  return new Set(sample.ids());
}
