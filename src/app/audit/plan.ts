import { HUMAN_ARM } from "../../analysis/signal-counts.js";
import {
  type Arm,
  asksAbout,
  auditedAction,
  type Flips,
  OPPOSITE_ARM,
  PLAIN_ARM,
  type RunSettings,
  STATED_REASON_ARM,
} from "../../audit/arms.js";
import type { AuditTask } from "../../audit/audit-one.js";
import { CommunitySizes, countRules, type DecisionSource, type RuleBook } from "../../audit/rules-in-force.js";
import { sameFamily } from "../../core/model-family.js";
import type { Actions } from "../../core/records/actions.js";
import type { Audit } from "../../core/records/audit.js";
import type { Decision } from "../../core/records/decision.js";
import { createRng, shuffle } from "../../stats/random/create-rng.js";
import type { RecordStore } from "../../store/ports.js";
import type { Conditions } from "./run-tools.js";

/** What is to be done for each decision of a run. */
export interface TaskSettings extends Pick<RunSettings, "replicates" | "humans"> {
  /** Default: the run as it is, and nothing else. */
  arms?: readonly Arm[];
  /** Needed where an arm audits another action than the one that was taken. */
  actions?: Actions;
  /** Replicates of one decision under one arm, instead of `replicates`. Asked anew in each pass. */
  replicatesFor?: (decision: Decision, arm: Arm) => number;
  /** Where given, the opposite is audited of these decisions only, and once. */
  flips?: Flips;
  /** Of these decisions the stated reason is audited, once. Absent: of none. */
  states?: (decision: Decision) => boolean;
}

/** Everything to be done for one decision: all replicates of it under each arm, and of the human's decision where that is asked for and differs. */
export function tasksOf(decision: Decision, settings: TaskSettings): AuditTask[] {
  const tasks: AuditTask[] = [];
  const human = decision.human_label;
  for (const arm of settings.arms ?? ONLY_PLAIN) {
    const flip = arm.opposite && settings.flips;
    if (flip && !flip(decision.id)) continue;
    if (arm.stated && !settings.states?.(decision)) continue;
    const count = flip || arm.stated ? 1 : (settings.replicatesFor?.(decision, arm) ?? settings.replicates);
    if (count <= 0) continue;
    const replicates = upTo(count);
    if (!asksAbout(arm, settings.actions, decision.decision)) continue;
    const action = auditedAction(arm, settings.actions!, decision.decision);
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

/** What a run is going to do, found out by one pass over the decisions. */
export interface Plan {
  decisions: number;
  /** Audits: decisions, times arms and replicates, and the human's where asked for. */
  audits: number;
  /** Of these, audits of alternatives. */
  alternatives: number;
  /** Of these, audits of stated reasons. */
  stated: number;
  /** Opposites of the flip control, in addition to these. */
  flips: number;
  /** Decisions with a rule in force, in any arm; the others are not asked about. */
  underRules: number;
  /** Questions by arm and number of replicates: what has its own case, however many answers it gets. Without what no rule is in force for. */
  questions: ReadonlyMap<string, ReadonlyMap<number, number>>;
  decisionsHash: string;
  withoutRules: string[];
  /** Of these, those with decisions that are under no rule at all. */
  withoutAnyRules: string[];
  communities: CommunitySizes;
  /** Rules and precedents as they are shown, by community, version and arm: as many shared prefixes. */
  prefixes: number;
  /** Decisions made by a model of the auditor's family. */
  sameFamily: number;
  /** Evenly spread over the file. */
  sample: Decision[];
  /** The same among decisions whose stated reason is audited. */
  statedSample: Decision[];
}

const SAMPLE = 128;

interface PlanInputs {
  source: DecisionSource;
  /** Hash of the decisions; null: that of the decisions that are kept. */
  hash: string | null;
  rules: RuleBook;
  wanted: TaskSettings;
  /** Whether an arm shows a rule for a decision; default: whether one is in force. */
  hasRules?: (decision: Decision, arm: string) => boolean;
  /** How the prompts of an arm begin, inside a community; default: all alike. */
  prefixOf?: (arm: string) => string;
  /** The auditor's name. */
  auditor: string;
}

export async function planRun(records: RecordStore, inputs: PlanInputs): Promise<Plan> {
  const { source, rules, wanted, prefixOf = () => "", auditor } = inputs;
  const alternatives = new Set(wanted.arms?.flatMap((arm) => (arm.alternative ? [arm.name] : [])));
  const withoutRules = new Set<string>();
  const withoutAnyRules = new Set<string>();
  const prefixes = new Set<string>();
  const communities = new CommunitySizes();
  const sample = new EvenSample<Decision>(SAMPLE);
  const statedSample = new EvenSample<Decision>(SAMPLE);
  const questions = new Map<string, Map<number, number>>();
  const plan = { decisions: 0, underRules: 0, audits: 0, alternatives: 0, stated: 0, flips: 0, sameFamily: 0 };
  for await (const batch of source()) {
    plan.decisions += batch.length;
    for (const decision of batch) {
      const inForce = rules.inForce(decision);
      let asked = false;
      for (const { arm, replicates } of tasksOf(decision, wanted)) {
        if (wanted.flips && arm === OPPOSITE_ARM.name) plan.flips++;
        else plan.audits += replicates.length;
        if (alternatives.has(arm)) plan.alternatives += replicates.length;
        if (arm === STATED_REASON_ARM.name) {
          plan.stated += replicates.length;
          statedSample.add(decision);
        }
        if (!questions.has(arm)) questions.set(arm, new Map());
        if (!(inputs.hasRules?.(decision, arm) ?? countRules(inForce) > 0)) continue;
        asked = true;
        const known = questions.get(arm)!;
        known.set(replicates.length, (known.get(replicates.length) ?? 0) + 1);
        prefixes.add(`${decision.community}\u0000${inForce.version}\u0000${prefixOf(arm)}`);
      }
      communities.add(decision);
      if (asked) {
        plan.underRules++;
        sample.add(decision);
      } else withoutAnyRules.add(decision.community);
      if (decision.decider?.kind === "model" && sameFamily(decision.decider.id ?? null, auditor)) plan.sameFamily++;
      if (inForce.community === null) withoutRules.add(decision.community);
    }
  }
  return {
    ...plan,
    questions,
    decisionsHash: inputs.hash ?? (await records.hash()),
    withoutRules: [...withoutRules].sort(),
    withoutAnyRules: [...withoutAnyRules].sort(),
    communities,
    prefixes: prefixes.size,
    sample: sample.items(),
    statedSample: statedSample.items(),
  };
}

/** Every k-th of a stream whose length is not known: k doubles whenever the sample is full. */
class EvenSample<T> {
  private kept: T[] = [];
  private stride = 1;
  private seen = 0;

  constructor(private readonly size: number) {}

  add(item: T): void {
    if (this.seen++ % this.stride !== 0) return;
    if (this.kept.length === this.size) {
      this.kept = this.kept.filter((_, i) => i % 2 === 0);
      this.stride *= 2;
      if ((this.seen - 1) % this.stride !== 0) return;
    }
    this.kept.push(item);
  }

  items(): T[] {
    return this.kept;
  }
}

/** What should be said about the audits of one command in addition to their number. */
export class Remarks {
  /** Answers that came from the cache. */
  cached = 0;
  private readonly reasons = new Map<string, { count: number; message: string }>();

  note(audits: readonly Audit[]): void {
    for (const audit of audits) {
      if (audit.flags.includes("cached")) this.cached++;
      if (audit.outcome === "verdict") continue;
      const { code, message } = audit.error ?? { code: audit.outcome, message: "" };
      const known = this.reasons.get(code);
      if (known) known.count++;
      else this.reasons.set(code, { count: 1, message });
    }
  }

  /** Why audits have no verdict, the commonest first, each with one example of its words. */
  get causes(): { code: string; count: number; message: string }[] {
    return [...this.reasons].map(([code, reason]) => ({ code, ...reason })).sort((a, b) => b.count - a.count);
  }
}
