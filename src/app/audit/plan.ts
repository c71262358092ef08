import { OPPOSITE_ARM } from "../../audit/arms.js";
import { CommunitySizes, countRules, type DecisionSource, type RuleBook } from "../../audit/rules-in-force.js";
import { sameFamily } from "../../core/model-family.js";
import type { Audit } from "../../core/records/audit.js";
import type { Decision } from "../../core/records/decision.js";
import type { RecordStore } from "../../store/ports.js";
import { type TaskSettings, tasksOf } from "./task-order.js";

/** What a run is going to do, found out by one pass over the decisions. */
export interface Plan {
  decisions: number;
  /** Audits: decisions, times arms and replicates, and the human's where asked for. */
  audits: number;
  /** Opposites of the flip control, beside these. */
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
  const withoutRules = new Set<string>();
  const withoutAnyRules = new Set<string>();
  const prefixes = new Set<string>();
  const communities = new CommunitySizes();
  const sample = new EvenSample<Decision>(SAMPLE);
  const questions = new Map<string, Map<number, number>>();
  const plan = { decisions: 0, underRules: 0, audits: 0, flips: 0, sameFamily: 0 };
  for await (const batch of source()) {
    plan.decisions += batch.length;
    for (const decision of batch) {
      const inForce = rules.inForce(decision);
      let asked = false;
      for (const { arm, replicates } of tasksOf(decision, wanted)) {
        if (wanted.flips && arm === OPPOSITE_ARM.name) plan.flips++;
        else plan.audits += replicates.length;
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

/** What should be said about the audits of one command beside their number. */
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
