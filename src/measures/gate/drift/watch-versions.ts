import { RESETS_ALLOWED, RESETS_IN_ROWS, VERSIONS_KEPT, type WatchKeyState } from "./watch-types.js";

/** What a key remembers of the versions it has seen. */
export type VersionMemory = Pick<
  WatchKeyState,
  "version" | "versions" | "rows" | "changes" | "resets" | "reset_rows"
> & { suspended: unknown };

/**
 * Takes in the version of the next row of a key; true: it is new, and the detectors have to begin at zero.
 *
 * A version that was seen of late is not new. While nobody is suspended, at most 4 of 400 rows reset: a stream in which every row has a version
 * of its own would never be watched otherwise. Where no reset follows, the detectors run over the versions together, and their promise stands:
 * it asks only that each row's rate is within the limit, whatever its version. A suspended key is reset by every new version, which can only
 * delay its return.
 */
export function takeVersion(key: VersionMemory, version: string): boolean {
  const row = key.rows;
  key.rows += 1;
  if (key.version === version) return false;
  key.version = version;
  key.changes += 1;
  const place = key.versions.indexOf(version);
  if (place >= 0) key.versions.splice(place, 1);
  key.versions.push(version);
  if (key.versions.length > VERSIONS_KEPT) key.versions.shift();
  if (place >= 0) return false;
  const often = key.reset_rows.length === RESETS_ALLOWED && row - key.reset_rows[0]! < RESETS_IN_ROWS;
  if (often && key.suspended === null) return false;
  key.resets += 1;
  key.reset_rows.push(row);
  if (key.reset_rows.length > RESETS_ALLOWED) key.reset_rows.shift();
  return true;
}
