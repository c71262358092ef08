import { HUMAN_ARM } from "../../analysis/signal-counts.js";
import { type Arm, type Flips, PLAIN_ARM, type RunSettings } from "../../audit/arms.js";
import type { AuditTask } from "../../audit/audit-one.js";
import { type Actions, oppositeAction } from "../../core/records/actions.js";
import type { Decision } from "../../core/records/decision.js";
import { createRng } from "../../stats/random/create-rng.js";
import { shuffle } from "../../stats/random/shuffle.js";
import type { Conditions } from "./conditions.js";

/** What is to be done for each decision of a run. */
export interface TaskSettings extends Pick<RunSettings, "replicates" | "humans"> {
  /** Default: the run as it stands, and nothing else. */
  arms?: readonly Arm[];
  /** The two actions: needed where an arm audits the opposite. */
  actions?: Actions;
  /** Replicates of one decision under one arm, instead of `replicates`. Asked anew in each pass. */
  replicatesFor?: (decision: Decision, arm: Arm) => number;
  /** Where given, the opposite is audited of these decisions only, and once. */
  flips?: Flips;
}

/** Everything to be done for one decision: all replicates of it under each arm, and of the human's decision where that is asked for and differs. */
export function tasksOf(decision: Decision, settings: TaskSettings): AuditTask[] {
  const tasks: AuditTask[] = [];
  const human = decision.human_label;
  for (const arm of settings.arms ?? ONLY_PLAIN) {
    const flip = arm.opposite && settings.flips;
    if (flip && !flip(decision.id)) continue;
    const count = flip ? 1 : (settings.replicatesFor?.(decision, arm) ?? settings.replicates);
    if (count <= 0) continue;
    const replicates = upTo(count);
    const action = arm.opposite ? oppositeAction(settings.actions!, decision.decision) : decision.decision;
    tasks.push({
      decision,
      arm: arm.name,
      action,
      replicates,
      ...(arm.draws === undefined ? {} : { draws: arm.draws }),
    });
    if (settings.humans && arm.name === PLAIN_ARM.name && human && human !== decision.decision) {
      tasks.push({ decision, arm: HUMAN_ARM, action: human, replicates });
    }
  }
  return tasks;
}

const ONLY_PLAIN: readonly Arm[] = [PLAIN_ARM];

let last: readonly number[] = [0];

/** 0 … count − 1. Most tasks of a run have as many as the one before, and share the list. */
function upTo(count: number): readonly number[] {
  if (last.length !== count) last = Array.from({ length: count }, (_, i) => i);
  return last;
}

/** For an auditor that is sent prompts. */
interface PromptOrder {
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
