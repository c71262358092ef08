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

export interface TaskSettings extends Pick<RunSettings, "replicates" | "humans"> {
  /** Default: one arm, the run's own settings. */
  arms?: readonly Arm[];
  /** Required if an arm audits an action other than the one taken. */
  actions?: Actions;
  /** Replicates of a decision under an arm, instead of `replicates`. Evaluated again in each pass. */
  replicatesFor?: (decision: Decision, arm: Arm) => number;
  /** If given, the opposite is audited only for these decisions, once each. */
  flips?: Flips;
  /** Decisions whose stated reason is audited, once each. Default: no decision. */
  states?: (decision: Decision) => boolean;
}

/** All tasks of one decision: every replicate under each arm, plus the human's decision if requested and different. */
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

/** 0 … count − 1. Most tasks have as many replicates as the previous one and share its list. */
function upTo(count: number): readonly number[] {
  if (last.length !== count) last = Array.from({ length: count }, (_, i) => i);
  return last;
}

/** Order of tasks for an auditor that receives prompts. */
interface PromptOrder {
  conditions: Conditions;
  seed: number;
}

/**
 * The tasks of some decisions. For prompts, tasks with the same prefix are adjacent (by community, and within it by arms that show the same
 * rules and precedents) so that a prefix cache serves them. Arms with the same prefix are asked in an order drawn per decision, so that
 * position is not a difference between arms.
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

/** Arms grouped by prompt prefix, in order of first appearance. */
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

/** Runs of consecutive decisions of the same community. */
function* communityRuns(decisions: readonly Decision[]): Generator<readonly Decision[]> {
  let start = 0;
  for (let i = 1; i <= decisions.length; i++) {
    if (decisions[i]?.community === decisions[start]!.community) continue;
    yield decisions.slice(start, i);
    start = i;
  }
}

/** What a run will do, found in one pass over the decisions. */
export interface Plan {
  decisions: number;
  /** Audits: decisions × arms × replicates, plus the human's decisions if requested. */
  audits: number;
  /** How many of `audits` are of alternatives. */
  alternatives: number;
  /** How many of `audits` are of stated reasons. */
  stated: number;
  /** Opposites of the flip control; not included in `audits`. */
  flips: number;
  /** Decisions to which a rule applies in at least one arm; the others are not asked about. */
  underRules: number;
  /** Questions by arm and number of replicates. One per case, however many answers it gets; cases without rules are left out. */
  questions: ReadonlyMap<string, ReadonlyMap<number, number>>;
  decisionsHash: string;
  withoutRules: string[];
  /** Communities of `withoutRules` with decisions to which no rule applies at all. */
  withoutAnyRules: string[];
  communities: CommunitySizes;
  /** Number of shared prefixes: rules and precedents as shown, by community, version and arm. */
  prefixes: number;
  /** Decisions made by a model of the auditor's own family. */
  sameFamily: number;
  /** Decisions evenly spread over the file. */
  sample: Decision[];
  /** Evenly spread decisions whose stated reason is audited. */
  statedSample: Decision[];
}

const SAMPLE = 128;

interface PlanInputs {
  source: DecisionSource;
  /** Hash of the decisions; null: use that of the stored decisions. */
  hash: string | null;
  rules: RuleBook;
  wanted: TaskSettings;
  /** Whether an arm shows a rule for a decision; default: whether any rule applies to it. */
  hasRules?: (decision: Decision, arm: string) => boolean;
  /** Identifies the prompt prefix of an arm within a community; default: the same for all arms. */
  prefixOf?: (arm: string) => string;
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

/** Every k-th item of a stream of unknown length: k doubles whenever the sample is full. */
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

/** What to report about one command's audits in addition to their number. */
export class Remarks {
  /** Answers from the cache. */
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

  /** Why audits have no verdict, most frequent first, each with one example message. */
  get causes(): { code: string; count: number; message: string }[] {
    return [...this.reasons].map(([code, reason]) => ({ code, ...reason })).sort((a, b) => b.count - a.count);
  }
}
