import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RatingKey } from "../../core/results/humans.js";
import { writeFileAtomic } from "../../io/files.js";
import type { Workspace } from "./workspace.js";

type Place = Pick<Workspace, "paths">;

/** Where the workspace keeps the key of a rating sheet: apart from the sheet, which goes to raters. */
function keyFile({ paths }: Place, sheetId: string): string {
  return join(paths.humans, `${sheetId}.key.json`);
}

export async function readRatingKey(workspace: Place, sheetId: string): Promise<RatingKey> {
  // Loaded only now: making schemas takes longer than the rest of a short command.
  const { noRatingKey, parseRatingKey } = await import("../rating-keys.js");
  const file = keyFile(workspace, sheetId);
  if (!existsSync(file)) throw noRatingKey(file);
  return parseRatingKey(readFileSync(file, "utf8"), file);
}

export function writeRatingKey(workspace: Place, key: RatingKey): string {
  mkdirSync(workspace.paths.humans, { recursive: true });
  const file = keyFile(workspace, key.sheet_id);
  writeFileAtomic(file, `${JSON.stringify(key, null, 2)}\n`);
  return file;
}

/** Ids of the sheets that were drawn, oldest first. */
export function sheetIds({ paths }: Place): string[] {
  if (!existsSync(paths.humans)) return [];
  return readdirSync(paths.humans)
    .flatMap((name) => /^(?<id>.+)\.key\.json$/.exec(name)?.groups?.id ?? [])
    .sort();
}
