import { z } from "zod";
import { figureSchema } from "../figure.js";
import { TRUE_CAUSES } from "../records/truth.js";

/** A share of the decisions counted; null: nothing is there. */
const share = z.number().min(0).max(1).nullable();
const indices = z.object({ defensibility_index: share, ambiguity_index: share });
const causes = TRUE_CAUSES.filter((cause) => cause !== "none");

/** True rates of simulated decisions: counts, not estimates. */
export const plantedRatesSchema = z.looseObject({
  decisions: z.number().int(),
  communities: z.number().int(),
  levels: z.object({ "1": share, "2": share, "3": share }),
  defensibility_index: share,
  /** The opposite is derivable. */
  ambiguity_index: share,
  /** Its parts: platform + community + none (whose rule the case turns on), and pure + contradiction (level 3). */
  ambiguity: z.object({ platform: share, community: share, none: share, pure: share, contradiction: share }),
  /** Neither outcome is derivable. */
  void: share,
  tiers: z.object({ title: indices, sidebar: indices, wiki: indices }),
  /** Under one scope's rules alone. */
  scopes: z.object({ platform: indices, community: indices }),
  /** Why decision and human label differ. */
  causes: z.record(z.enum(causes), share),
});

/** What `defensible simulate --json` prints. */
export const simulatedWorldSchema = z.looseObject({
  format: z.literal(1),
  simulated: z.literal(true),
  workspace: z.string(),
  preset: z.string(),
  seed: z.number().int(),
  book: z.string(),
  communities: z.number().int(),
  decisions: z.number().int(),
  precedents: z.number().int(),
  rules: z.number().int(),
  cohorts: z.record(z.string(), plantedRatesSchema),
  all: plantedRatesSchema,
  /** Sizes of the cohorts that were drawn from the generated ones. */
  drawn: z.record(z.string(), z.number().int()),
  figures: z.array(figureSchema),
});

export type PlantedRates = z.infer<typeof plantedRatesSchema>;
export type SimulatedWorld = z.infer<typeof simulatedWorldSchema>;
