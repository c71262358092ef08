import { z } from "zod";

/**
 * Defensibility level ξ: 1 robustly defensible, 2 plausibly defensible, 3 indefensible.
 * @see paper §3.1
 */
export const levelSchema = z.union([z.literal(1), z.literal(2), z.literal(3)]);

export type Level = z.infer<typeof levelSchema>;
