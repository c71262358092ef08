import type { Generation } from "../../core/records/generation.js";

/** Answers of earlier runs, so that no question is paid twice. Losing it costs money, never a result. */
export interface ResponseCache {
  /** The answer kept under a key; null if there is none that can be read. Never fails. */
  get(key: string): Promise<Generation | null>;
  /**
   * Keeps an answer, unless it was cut off, refused or filtered. Never fails: the first write that does not succeed ends all writing,
   * with one message; what is there can still be read.
   */
  put(key: string, generation: Generation): Promise<void>;
  /** Waits for writes that are under way. */
  close(): Promise<void>;
}
