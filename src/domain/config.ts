import { z } from "zod";
import { MODERATION_ACTIONS } from "./actions.js";
import { actionsSchema } from "./actions-schema.js";
import { tierSchema } from "./rule-set.js";
import { TEMPLATES } from "./trace.js";

/** `defensible.yaml`: the settings of a workspace. Flags of a command override them. */
export const configSchema = z.strictObject({
  version: z.literal(1),
  actions: actionsSchema.default(MODERATION_ACTIONS),
  auditor: z.string().min(1).default("baseline"),
  tier: tierSchema.default("wiki"),
  template: z.enum(TEMPLATES).default("paper"),
  temperature: z.number().min(0).max(2).default(0.2),
  seed: z.number().int().min(0).default(1),
});

export type Config = z.infer<typeof configSchema>;
