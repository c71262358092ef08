import { z } from "zod";
import { GATE_KEYS, GATE_VARIABLES } from "../../core/gate.js";
import {
  P0_SOURCES,
  WATCH_DETECTORS,
  WATCH_UNITS,
  WATCHED,
  type WatchState,
} from "../../measures/gate/drift/watch-types.js";

const count = z.number().int().min(0);
const sum = z.number().min(0);
const rate = z.number().gt(0).lt(1);
const factor = z.number().gt(1);
const counts = { n: count, indefensible: sum, ambiguous: sum };
const weighted = z.object({ n: sum, indefensible: sum, ambiguous: sum });

/** States of earlier versions knew single decisions only, each with the weight 1. */
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
    cusum: z.array(sum).length(WATCHED.length),
    suspended: suspensionSchema.nullable(),
  }),
);

/** Everything is checked: statistics that are missing would leave detectors dead without a word. The order of settings is that of `watchSettings`. */
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
      cusum_odds_ratio: factor,
      detectors: z.array(z.enum(WATCH_DETECTORS)).min(1),
    }),
    rows: count,
    keys: z.array(keySchema),
  })
  .refine(({ settings, keys }) => keys.every(({ m }) => m.length === WATCHED.length * settings.odds_ratios.length))
  .refine(({ keys }) => new Set(keys.map(({ key }) => key)).size === keys.length);

/** `gate/watch.json`: how far the watch of a workspace has come, so that the next one goes on with new verdicts only. */
export const storedWatchSchema = z.object({
  format: z.literal(1),
  by: z.array(z.enum(GATE_KEYS)),
  variable: z.enum(GATE_VARIABLES),
  /** Runs whose verdicts have been watched. */
  runs: z.array(z.string()),
  /** Time of the last watch: threads that were open then are watched once they are closed. Absent: whole runs were watched. */
  closed_until: z.string().optional(),
  /** Communities that met the limits at some time: an alarm about another is no change. */
  met: z.array(z.string()),
  watch: stateSchema,
});

export type StoredWatch = z.infer<typeof storedWatchSchema>;
