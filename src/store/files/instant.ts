const MIN_TIME = Date.UTC(1000, 0);
const MAX_TIME = Date.UTC(10_000, 0) - 1;

/** Without a zone, times are UTC: a watch must come out the same on every machine. */
export const UTC = "SET TimeZone = 'UTC'";

/**
 * SQL for the instant that a text names, in milliseconds; NULL where it cannot be read. The second way is for times without seconds, which ISO
 * 8601 allows and DuckDB refuses. Years beyond four digits, and `infinity`, are no times of decisions.
 */
export function instant(column: string): string {
  const withSeconds = `regexp_replace(${column}, '^(\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d)(Z|[+-].*)?$', '\\1:00\\2')`;
  const ms = `epoch_ms(coalesce(TRY_CAST(${column} AS TIMESTAMPTZ), TRY_CAST(${withSeconds} AS TIMESTAMPTZ)))`;
  return `CASE WHEN ${ms} BETWEEN ${MIN_TIME} AND ${MAX_TIME} THEN ${ms} END`;
}
