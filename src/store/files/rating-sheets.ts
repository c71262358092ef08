import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import { type RatingKey, ratingKeySchema } from "../../core/results/humans.js";
import { writeFileAtomic } from "../../io/files.js";
import type { Workspace } from "./workspace.js";

type Place = Pick<Workspace, "paths">;

/** Where the workspace keeps the key of a rating sheet: apart from the sheet, which goes to raters. */
export function keyFile({ paths }: Place, sheetId: string): string {
  return join(paths.humans, `${sheetId}.key.json`);
}

export function readRatingKey(file: string): RatingKey {
  if (!existsSync(file)) {
    throw new InputError(
      "no_key",
      `key: no file ${file}`,
      "`defensible humans sample` keeps the key of a sheet in the workspace's folder humans; name it with --key.",
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    value = null;
  }
  const read = ratingKeySchema.safeParse(value);
  if (read.success) return read.data;
  throw new InputError("bad_key", `${file}: is not the key of a rating sheet`, "Name the key of the sheet with --key.");
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
