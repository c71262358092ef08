import type { Price } from "../auditor.js";
import type { ErrorContext } from "./gemini-errors.js";
import type { Thinking } from "./gemini-families.js";

/** What a model was found to accept; the probe and refusals write it, every request reads it. */
export interface Limits {
  /** null: not probed. */
  logprobs: boolean | null;
  answersPerCall: number;
  schema: boolean;
  safetyOff: boolean;
  /** null: leave it to the model. */
  thinking: Thinking | null;
}

/** One model at one address, as the parts of its auditor share it. */
export interface Model {
  context: ErrorContext;
  price: Price | null;
  maxOutputTokens: number;
  limits: Limits;
}
