import type { z } from "zod";
import { FORMATS, jsonSchema as formatSchema } from "../core/schemas.js";
import attack, { attackCaseSchema } from "../experiments/attack/result.js";
import backbone from "../experiments/backbone/result.js";
import circularity from "../experiments/circularity/result.js";
import dual from "../experiments/dual/result.js";
import gap from "../experiments/gap/result.js";
import humans, { ratingKeySchema } from "../experiments/humans/result.js";
import diff from "../experiments/rules/diff/result.js";
import scopes from "../experiments/rules/scopes/result.js";
import tiers from "../experiments/rules/tiers/result.js";
import signal from "../experiments/signal/result.js";
import stability from "../experiments/stability/result.js";
import replicate from "../experiments/study/result.js";
import validate from "../experiments/validate/result.js";

/** Without loaders, so that the entry point needs nothing of Node. A test holds it equal to the registry. */
const own = { gap, signal, tiers, scopes, stability, attack, dual, humans, validate, circularity, backbone, replicate };

/** Formats by the name that `defensible schema` knows them under. */
export const SCHEMAS = {
  ...FORMATS,
  ...own,
  rules_diff: diff,
  attack_case: attackCaseSchema,
  rating_key: ratingKeySchema,
} as const;

export type SchemaName = keyof typeof SCHEMAS;

/** Names of experiments. */
export const EXPERIMENT_KINDS: readonly string[] = [...Object.keys(own), "diff"];

/** JSON Schema (draft 2020-12) of a format. */
export function jsonSchema(name: string, of: z.ZodType = SCHEMAS[name as SchemaName]): Record<string, unknown> {
  return formatSchema(name, of);
}
