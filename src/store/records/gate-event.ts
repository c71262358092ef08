import { z } from "zod";
import { InputError } from "../../core/errors.js";
import {
  type Evidence,
  evidenceSchema,
  GATE_KEYS,
  GATE_MODES,
  GATE_VARIABLES,
  type GateMode,
  type GateState,
} from "../../core/gate.js";
import {
  P0_SOURCES,
  WATCH_DETECTORS,
  WATCH_UNITS,
  WATCHED,
  type WatchState,
} from "../../measures/gate/drift/watch-types.js";
import { explainIssue } from "./fits.js";
import type { Closure } from "./suspensions.js";

/** An event in the history of the gate. `type` says which; every event has its time. */
export interface GateEvent {
  type: "gate" | "suspended" | "reinstated" | "closed" | "opened" | "reset";
  at: string;
  /** The actor: a person, an API key, or the service itself. Absent in histories of earlier versions. */
  actor?: string;
  reason?: string;
  /** Hash of the active gate after an event that changed it, for `verify`. Absent in histories of earlier versions. */
  content_hash?: string;
  [key: string]: unknown;
}

export function closedEvent({ since, reason }: Closure, actor?: string): GateEvent {
  return { type: "closed", at: since, reason, ...(actor ? { actor } : {}) };
}

export function openedEvent(
  at: string,
  { actor, reason }: Pick<Partial<GateEvent>, "actor"> & { reason?: string | undefined } = {},
): GateEvent {
  return { type: "opened", at, ...(reason ? { reason } : {}), ...(actor ? { actor } : {}) };
}

const eventSchema = z.looseObject({ type: z.string(), at: z.string() });

/** The members that are read, for some types of events. For other types only the time is read. */
const schemas = new Map<string, z.ZodType>([
  [
    "gate",
    z.looseObject({
      gate_id: z.string(),
      in_force: z.boolean(),
      mode: z.enum(GATE_MODES),
      settings: z.looseObject({}),
      evidence: evidenceSchema,
      data: z.string(),
      look: z.string(),
      states: z.looseObject({}),
      passing: z.array(z.string()),
    }),
  ],
  ["suspended", z.looseObject({ community: z.string() })],
  ["reinstated", z.looseObject({ community: z.string() })],
]);

/** Parses one line of the history. The checked value is returned as written, because a schema would drop a community called `__proto__`. */
export function parseGateEvent(text: string, place: string): GateEvent {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    throw badLine(`${place}: not JSON`);
  }
  const { type } = check(eventSchema, event, place);
  const schema = schemas.get(type);
  if (schema) check(schema, event, place);
  return event as GateEvent;
}

function check<T>(schema: z.ZodType<T>, event: unknown, place: string): T {
  const { success, data, error } = schema.safeParse(event);
  if (success) return data;
  const { path, reason } = explainIssue(error.issues[0]!, event);
  throw badLine(`${place}: not an event of a gate; ${[path.join("."), reason].filter(Boolean).join(": ")}`);
}

function badLine(message: string): InputError {
  return new InputError("bad_history", message, "Restore the file from a copy, or remove this line.");
}

/** A look at the gate, as recorded in the history: its evidence, its results by cohort, and whether it became active. */
export interface RecordedLook extends GateEvent {
  type: "gate";
  gate_id: string;
  in_force: boolean;
  /** Whether it was activated with --apply. */
  applied?: boolean;
  /** Whether the previously active gate could not be read, or was edited. */
  replaced_damaged?: boolean;
  mode: GateMode;
  /** All settings that determine the gate's result for given audits. */
  settings: Record<string, unknown>;
  evidence: Evidence;
  /** Hash of the counts that the gate was computed from. */
  data: string;
  /** How certified mode was tested. */
  look: string;
  /** State by cohort, and the cohorts that pass in the gate's mode. */
  states: Record<string, GateState>;
  passing: string[];
  /** Hash of the calibration behind the gate's threshold; only for an active gate that has one. */
  calibration_hash?: string;
}

export async function readLooks(history: AsyncIterable<GateEvent>): Promise<RecordedLook[]> {
  const looks: RecordedLook[] = [];
  for await (const event of history) if (event.type === "gate") looks.push(event as RecordedLook);
  return looks;
}

/**
 * How many other data sets of the same auditor and prompt were looked at before. Each was a chance of being certified by luck, so tests designed
 * for one look lose their guarantee. Looking again at the same counts is not a further chance.
 */
export function otherLooks(looks: readonly RecordedLook[], evidence: Evidence, data: string): number {
  const same = (look: RecordedLook) =>
    look.evidence.auditor === evidence.auditor &&
    look.evidence.auditor_version === evidence.auditor_version &&
    look.evidence.prompt_version === evidence.prompt_version;
  return new Set(looks.filter((look) => look.data !== data && same(look)).map((look) => look.data)).size;
}

/** Whether the last look gave the same result on the same data, so that there is nothing to record. */
export function isRepeated(looks: readonly RecordedLook[], look: RecordedLook): boolean {
  const last = looks.at(-1);
  const gist = ({ data, settings, in_force, applied, look: kind, states, passing, content_hash }: RecordedLook) =>
    JSON.stringify([data, settings, in_force, applied ?? false, kind, states, passing, content_hash ?? null]);
  return last !== undefined && gist(last) === gist(look);
}

const count = z.number().int().min(0);
const sum = z.number().min(0);
const rate = z.number().gt(0).lt(1);
const factor = z.number().gt(1);
const counts = { n: count, indefensible: sum, ambiguous: sum };
const weighted = z.object({ n: sum, indefensible: sum, ambiguous: sum });

/** States of earlier versions only had single decisions, each with weight 1. */
function withWeights(value: unknown): unknown {
  if (typeof value !== "object" || value === null || "weighted" in value) return value;
  const { n, indefensible, ambiguous } = value as Record<string, unknown>;
  return { ...value, weighted: { n, indefensible, ambiguous } };
}

const suspensionSchema = z.object({
  type: z.literal("suspended"),
  key: z.string(),
  at: z.string().nullable(),
  row: count,
  version: z.string(),
  which: z.enum(WATCHED),
  detector: z.enum(WATCH_DETECTORS),
  statistic: z.number(),
  threshold: z.number(),
  after: z.number().nullable(),
  since: z.preprocess(withWeights, z.object({ ...counts, weighted })),
  not_counted: count,
});

const keySchema = z.preprocess(
  withWeights,
  z.object({
    key: z.string(),
    version: z.string(),
    versions: z.array(z.string()),
    rows: count,
    changes: count,
    resets: count,
    reset_rows: z.array(count),
    ...counts,
    weighted,
    m: z.array(sum),
    suspended: suspensionSchema.nullable(),
  }),
);

/** All members are checked, because missing statistics would silently disable detectors. The order of settings is that of `watchSettings`. */
const stateSchema: z.ZodType<WatchState> = z
  .object({
    format: z.literal(1),
    settings: z.object({
      p0: z.object({ indefensible: rate, ambiguous: rate }),
      p0_from: z.enum(P0_SOURCES),
      units: z.enum(WATCH_UNITS).default("decisions"),
      fleet: count.min(1),
      alpha: rate,
      delta: rate,
      odds_ratios: z.array(factor).min(1),
    }),
    rows: count,
    keys: z.array(keySchema),
  })
  .refine(({ settings, keys }) => keys.every(({ m }) => m.length === WATCHED.length * settings.odds_ratios.length))
  .refine(({ keys }) => new Set(keys.map(({ key }) => key)).size === keys.length);

/** `gate/watch.json`: the progress of a workspace's watch, so that the next one only processes new verdicts. */
export const storedWatchSchema = z.object({
  format: z.literal(1),
  by: z.array(z.enum(GATE_KEYS)),
  variable: z.enum(GATE_VARIABLES),
  /** Runs whose verdicts have been watched. */
  runs: z.array(z.string()),
  /** Time of the last watch: threads that were open then are processed once they are closed. Absent: whole runs were watched. */
  closed_until: z.string().optional(),
  /** Communities that met the limits at some time. An alarm about any other is not a change. */
  met: z.array(z.string()),
  watch: stateSchema,
});

export type StoredWatch = z.infer<typeof storedWatchSchema>;
