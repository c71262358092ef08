import type { Level } from "./level.js";

/** All levels in order, in a file without zod for the rooms that run in a browser. */
export const LEVELS = [1, 2, 3] as const satisfies readonly Level[];
