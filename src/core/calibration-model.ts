import { z } from "zod";

/** What the multinomial model may look at. */
export const CALIBRATION_FEATURES = [
  "log_p1_p3",
  "log_p2_p3",
  "inverse_log_odds",
  "h_weight_bits",
  "h_citation_bits",
  "map_level_2",
  "map_level_3",
  "positive",
] as const;

const feature = z.enum(CALIBRATION_FEATURES);
const numbers = z.array(z.number());
const probabilities = z.array(z.number().min(0).max(1)).min(1);
const triple = z.tuple([z.number(), z.number(), z.number()]);
const target = z.enum(["levels", "binary"]);
const shares = z.array(z.number().positive()).min(2).max(3);
/** Shares of the classes where a model was fitted and where it is used: three (levels) or two (defensible, indefensible). */
const prior = z
  .object({ fitted: shares, deployed: shares })
  .refine(({ fitted, deployed }) => fitted.length === deployed.length, { error: "as many shares on both sides" })
  .optional();

const isotonic = z
  .object({ kind: z.literal("isotonic"), x: probabilities, y: probabilities, prior })
  .refine(({ x, y }) => x.length === y.length, { error: "as many y as x" })
  .refine(({ x }) => x.every((value, i) => i === 0 || value > x[i - 1]!), { error: "rising x" })
  .refine(({ y }) => y.every((value, i) => i === 0 || value >= y[i - 1]!), { error: "y that do not fall" });

const multinomial = z
  .object({
    kind: z.literal("multinomial"),
    target,
    features: z.array(feature),
    mean: numbers,
    sd: z.array(z.number().positive()),
    weights: z.array(numbers),
    bias: numbers,
    l2: z.number().min(0),
    dropped: z.array(z.object({ feature, reason: z.string() })),
    prior,
  })
  .refine(
    ({ features, mean, sd, weights }) => [mean, sd, ...weights].every((entries) => entries.length === features.length),
    { error: "a mean, an sd and a weight for each feature" },
  )
  .refine((model) => model.weights.length === (model.target === "levels" ? 3 : 1), { error: "weights for each class" })
  .refine(({ weights, bias }) => bias.length === weights.length, { error: "a bias for each class" });

/** A fitted map from the signals of an audit to P(defensible). A file that is none of these is refused: it decides what is automated. */
export const calibrationModelSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("raw"), prior }),
  z.object({
    kind: z.literal("pds"),
    weights: z.object({
      alpha: z.number().min(0),
      beta: z.number().min(0),
      gamma: z.number().min(0),
      component: z.enum(["h_w", "h_kappa"]),
    }),
  }),
  z.object({ kind: z.literal("temperature"), target, temperature: z.number().positive(), prior }),
  z.object({ kind: z.literal("platt"), slope: z.number(), intercept: z.number(), prior }),
  z.object({ kind: z.literal("beta"), a: z.number().min(0), b: z.number().min(0), c: z.number(), prior }),
  isotonic,
  z.object({ kind: z.literal("vector"), scale: triple, bias: triple, prior }),
  multinomial,
]);
