import type { AttackResult } from "../../src/domain/attack.js";
import type { Circularity } from "../../src/domain/circularity.js";
import type { Dual } from "../../src/domain/dual.js";
import type { GapExperiment } from "../../src/domain/gap-experiment.js";
import type { Humans } from "../../src/domain/humans.js";
import type { Replicate } from "../../src/domain/replicate.js";
import type { RulesDiff } from "../../src/domain/rules-diff.js";
import type { Scopes } from "../../src/domain/scopes.js";
import type { SignalExperiment } from "../../src/domain/signal-experiment.js";
import type { Stability } from "../../src/domain/stability.js";
import type { Tiers } from "../../src/domain/tiers.js";
import type { Validate } from "../../src/domain/validate.js";
import { usePage } from "./page-context.ts";

interface Results {
  attack: AttackResult;
  circularity: Circularity;
  diff: RulesDiff;
  dual: Dual;
  gap: GapExperiment;
  humans: Humans;
  replicate: Replicate;
  scopes: Scopes;
  signal: SignalExperiment;
  stability: Stability;
  tiers: Tiers;
  validate: Validate;
}

/** A kept result, and the JSON pointer to it. */
export interface Kept<Result> {
  result: Result;
  at: string;
}

/** The workspace's newest result of an experiment; null where there is none. */
export function useExperiment<Kind extends keyof Results>(kind: Kind): Kept<Results[Kind]> | null {
  const { stability, experiments } = usePage().report;
  const result = kind === "stability" ? stability : experiments?.[kind];
  if (!result) return null;
  const at = kind === "stability" ? "/report/stability" : `/report/experiments/${kind}`;
  return { result: result as unknown as Results[Kind], at };
}
