import type { Flag } from "../core/records/audit.js";
import type { OutputFormat } from "./output-format.js";

/** What a language model reads. A provider sends `system` as the system turn and `shared` + `own` as the only user turn. */
export interface Prompt {
  /** The instructions: the same for a whole run. */
  system: string;
  /** Rules, and precedents if all of them fit: the same for all decisions of a frame, so that prefix caches keep it. */
  shared: string;
  /** What belongs to this decision alone; the content comes last. */
  own: string;
  format: OutputFormat;
  /** `<name>-<number>#<hash of the instructions>`. */
  version: string;
  notes: PromptNotes;
}

/** What was done to fit a case into its prompt. It goes into the audit record, so that a reader knows what the model saw. */
export interface PromptNotes {
  flags: Flag[];
  /** Ids of the precedents shown, in order; null: all of them. */
  precedents_used: string[] | null;
  precedents_left_out: number;
  /** Characters of the content that did not fit. */
  content_cut: number;
  /** Placeholder → what it stands for. Never leaves the machine. null: nothing was asked to be hidden. */
  scrubbed: Record<string, string> | null;
}

/** Counts the tokens of a text. `exact` is false for an estimate from its length. */
export interface TokenCounter {
  readonly name: string;
  readonly exact: boolean;
  count(text: string): number;
}
