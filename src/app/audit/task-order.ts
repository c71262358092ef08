import type { Arm } from "../../audit/arms.js";
import type { AuditTask } from "../../audit/audit-one.js";
import type { Decision } from "../../core/records/decision.js";
import { createRng } from "../../stats/random/create-rng.js";
import { shuffle } from "../../stats/random/shuffle.js";
import type { Conditions } from "./conditions.js";
import { type TaskSettings, tasksOf } from "./tasks.js";

/** For an auditor that is sent prompts. */
export interface PromptOrder {
  conditions: Conditions;
  seed: number;
}

/**
 * The tasks of some decisions. Where prompts are sent, those that begin alike follow one another (community by community, and inside it arms that show the
 * same rules and precedents), so that a prefix cache serves them; arms that begin alike are asked in an order drawn for each decision: which of
 * them comes first must not be a difference between them.
 */
export function* tasksInOrder(
  decisions: readonly Decision[],
  settings: TaskSettings,
  order: PromptOrder | null,
): Generator<AuditTask> {
  if (!order || !settings.arms || settings.arms.length < 2) {
    for (const decision of decisions) yield* tasksOf(decision, settings);
    return;
  }
  const groups = groupsOf(settings.arms, order.conditions);
  for (const run of communityRuns(decisions)) {
    for (const arms of groups) {
      for (const decision of run) {
        const tasks = tasksOf(decision, { ...settings, arms });
        yield* tasks.length < 2 ? tasks : shuffle(tasks, createRng(`${order.seed}:order:${decision.id}`));
      }
    }
  }
}

/** Arms by how their prompts begin, in the order of their first. */
function groupsOf(arms: readonly Arm[], conditions: Conditions): Arm[][] {
  const groups = new Map<string, Arm[]>();
  for (const arm of arms) {
    const { prefix } = conditions.of(arm.name);
    const known = groups.get(prefix);
    if (known) known.push(arm);
    else groups.set(prefix, [arm]);
  }
  return [...groups.values()];
}

/** Neighbours of the same community. */
function* communityRuns(decisions: readonly Decision[]): Generator<readonly Decision[]> {
  let start = 0;
  for (let i = 1; i <= decisions.length; i++) {
    if (decisions[i]?.community === decisions[start]!.community) continue;
    yield decisions.slice(start, i);
    start = i;
  }
}
