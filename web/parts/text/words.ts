import { printable } from "../../../src/text/printable.js";

export function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** "2026-03-14T09:30:00Z" as "14 March 2026, 09:30 UTC", the same in every time zone. */
export function dateText(iso: string): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return printable(iso, 40);
  const text = new Date(time).toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  return `${text.replace(" at ", ", ")} UTC`;
}
