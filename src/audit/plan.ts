import type { Decision } from "../domain/decision.js";
import { sameFamily } from "../domain/model-family.js";
import type { Workspace } from "../workspace/workspace.js";
import { hashFiles } from "./identity.js";
import { CommunitySizes } from "./prefix-order.js";
import type { RuleBook } from "./rules-in-force.js";
import { tasksOf } from "./run.js";
import type { DecisionSource } from "./selection.js";
import type { RunSettings } from "./settings.js";

/** What a run is going to do, found out by one pass over the decisions. */
export interface Plan {
  decisions: number;
  /** Audits: decisions, times replicates, and the human's where asked for. */
  audits: number;
  /** Questions: what has its own case, however many answers it gets. */
  tasks: number;
  decisionsHash: string;
  withoutRules: string[];
  communities: CommunitySizes;
  /** Rule sets in force, by community and version: as many shared prefixes. */
  prefixes: number;
  /** Decisions made by a model of the auditor's family. */
  sameFamily: number;
  /** Evenly spread over the file. */
  sample: Decision[];
}

const SAMPLE = 128;

export async function planRun(
  workspace: Workspace,
  source: DecisionSource,
  rules: RuleBook,
  settings: Pick<RunSettings, "replicates" | "humans">,
  auditor: string,
): Promise<Plan> {
  const withoutRules = new Set<string>();
  const prefixes = new Set<string>();
  const communities = new CommunitySizes();
  const sample = new EvenSample<Decision>(SAMPLE);
  const plan = { decisions: 0, audits: 0, tasks: 0, sameFamily: 0 };
  for await (const batch of source()) {
    plan.decisions += batch.length;
    for (const decision of batch) {
      const tasks = tasksOf(decision, settings);
      plan.tasks += tasks.length;
      plan.audits += tasks.length * settings.replicates;
      communities.add(decision);
      sample.add(decision);
      if (decision.decider?.kind === "model" && sameFamily(decision.decider.id ?? null, auditor)) plan.sameFamily++;
      const inForce = rules.inForce(decision);
      prefixes.add(`${decision.community}\u0000${inForce.version}`);
      if (inForce.community === null) withoutRules.add(decision.community);
    }
  }
  return {
    ...plan,
    decisionsHash: await hashFiles([workspace.paths.decisions, workspace.paths.decisionsParquet]),
    withoutRules: [...withoutRules].sort(),
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
