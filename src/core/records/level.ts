import { z } from "zod";

/** All levels in order, in a file without zod for the rooms that run in a browser. */
export const LEVELS = [1, 2, 3] as const satisfies readonly Level[];

/**
 * Defensibility level ξ: 1 robustly defensible, 2 plausibly defensible, 3 indefensible.
 * @see paper §3.1
 */
export const levelSchema = z.union([z.literal(1), z.literal(2), z.literal(3)]);

export type Level = z.infer<typeof levelSchema>;
