import type { SignalMode } from "../domain/audit.js";
import type { AuditCase } from "../domain/case.js";
import type { Generation } from "../domain/generation.js";

export interface GenerateOptions {
  temperature: number;
  /** Derived from the run's seed and the audit's key: the same audit draws the same numbers in whatever order a run goes. */
  seed: string;
}

/** A model that audits: given (C, R, P, ŷ) it writes a reasoning trace, with token probabilities if it has them. */
export interface Auditor {
  /** As given on the command line: `baseline`, `openai:gpt-4.1-mini`, … */
  readonly name: string;
  readonly version: string;
  /** Version of the instructions it was given. */
  readonly promptVersion: string;
  readonly signals: readonly SignalMode[];
  /** True for an auditor that computes here and now and costs nothing: it is run in large batches. */
  readonly inProcess: boolean;
  generate(auditCase: AuditCase, options: GenerateOptions): Generation | Promise<Generation>;
  close?(): Promise<void>;
}
