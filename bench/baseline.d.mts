/** Communities of the sample that nobody may tune on, and the others (design/holdout.md). */
export const HELD_OUT: readonly string[];
export const DEVELOPMENT: readonly string[];
/** The table in docs/baseline.md, for a workspace folder that does not exist yet. */
export function baselineTable(workspace: string, command?: (args: readonly string[]) => string): string;
