import { createHash } from "node:crypto";

/** Longer lists are kept as their first element, their length and a hash of all of it. */
const KEPT = 1;
const LONG = 4;

/** What differs from run to run: ids, times, speeds, folders and the user of the system. */
export function mask(text: string, folder: string): string {
  return text
    .replaceAll(folder, "<folder>")
    .replace(/\b2\d{7}T\d{6}Z-[0-9a-f]{4}\b/g, "<run>")
    .replace(/\b(cal|gate)-2\d{7}T\d{6}Z-[0-9a-f]+\b/g, "<$1>")
    .replace(/\b20(2[6-9]|[3-9]\d)-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replace(/"actor": "[^"]*"/g, '"actor": "<user>"')
    .replace(/"(\w+_hash)": "[0-9a-f]{32,64}"/g, '"$1": "<hash>"')
    .replace(
      /"(seconds|latency_ms|elapsed_s|per_second|duration_s|elapsed_ms|wall_s|bytes)": [\d.e+-]+/g,
      '"$1": "<number>"',
    );
}

/** A result in few lines: long lists are told by their beginning and a hash, so that the files can be read and nothing can change unseen. */
export function shorten(value: unknown): unknown {
  if (Array.isArray(value)) {
    if (value.length <= LONG) return value.map(shorten);
    const hash = createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
    return [...value.slice(0, KEPT).map(shorten), { and: value.length - KEPT, sha256: hash }];
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shorten(one)]));
}
