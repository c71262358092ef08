import type { Generation } from "../core/records/generation.js";
import type { Ask } from "./auditor.js";
import type { CallError } from "./call-error.js";

/** One question of a batch. `id` is ours, letters and digits, at most 64 characters; the provider gives it back. */
export interface BatchItem {
  id: string;
  ask: Ask;
}

/** A submitted part of a batch. Plain data: it is kept in the run's folder. */
export interface BatchHandle {
  /** The provider's name for it. */
  id: string;
  /** How many questions it holds. */
  items: number;
  submitted_at: string;
}

export interface BatchStatus {
  state: "running" | "finished" | "expired" | "failed" | "cancelled";
  done: number;
  failed: number;
  /** The provider's own words, where it gave any. */
  message: string | null;
}

export interface BatchResult {
  id: string;
  answer: { generations: Generation[] } | { error: CallError };
}

/** A provider's way to take many questions at once and answer within a day, for less. */
export interface BatchClient {
  /**
   * Sends the questions in as few parts as the provider's limits allow and yields each part once the provider has it. `label` names the
   * run at the provider, so that a part whose receipt was lost can be found again with `find`.
   */
  submit(items: AsyncIterable<BatchItem>, label: string): AsyncIterable<BatchHandle>;
  /** Parts at the provider that carry the label. */
  find(label: string): Promise<BatchHandle[]>;
  status(handle: BatchHandle): Promise<BatchStatus>;
  /** What there is of a part that is no longer running, in any order, at the ordinary price; a part that expired gives what it finished. */
  results(handle: BatchHandle): AsyncIterable<BatchResult>;
}
