/** Whether a text is one JSON value. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export const ISO_TIME = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/;

export const TIME_EXAMPLE = "a time such as 2026-11-15T04:00:00Z";

/** Whether a text is a date that the calendar has, or a time, in ISO 8601. */
export function isTime(value: unknown): value is string {
  return typeof value === "string" && ISO_TIME.test(value) && !Number.isNaN(Date.parse(value)) && isDay(value);
}

/** Whether the calendar has the day. `Date.parse` takes 30 February for 2 March. */
function isDay(time: string): boolean {
  return new Date(`${time.slice(0, 10)}T00:00:00Z`).toISOString().slice(0, 10) === time.slice(0, 10);
}
