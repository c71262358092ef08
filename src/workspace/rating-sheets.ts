import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { RatingKey } from "../domain/humans.js";
import { writeFileAtomic } from "../ledger/files.js";
import type { Workspace } from "./workspace.js";

/** Where the workspace keeps the keys of its rating sheets: apart from the sheets, which go to raters. */
function keyFolder({ root }: Pick<Workspace, "root">): string {
  return join(root, "humans");
}

export function keyFile(workspace: Pick<Workspace, "root">, sheetId: string): string {
  return join(keyFolder(workspace), `${sheetId}.key.json`);
}

export function writeRatingKey(workspace: Pick<Workspace, "root">, key: RatingKey): string {
  mkdirSync(keyFolder(workspace), { recursive: true });
  const file = keyFile(workspace, key.sheet_id);
  writeFileAtomic(file, `${JSON.stringify(key, null, 2)}\n`);
  return file;
}

/** Ids of the sheets that were drawn, oldest first. */
export function sheetIds(workspace: Pick<Workspace, "root">): string[] {
  const folder = keyFolder(workspace);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((name) => /^(?<id>.+)\.key\.json$/.exec(name)?.groups?.id ?? [])
    .sort();
}
