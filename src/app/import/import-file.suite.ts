import { tempFile, tempWorkspace } from "../../store/files/in-temp-folder.suite.js";
import { fileContext } from "../../store/files/stores.js";
import type { Workspace } from "../../store/files/workspace.js";
import { foreignFile } from "../../store/formats/foreign-rows.js";
import { type ImportOptions, importFiles } from "./import.js";

export const NOW = new Date("2026-01-02T03:04:05Z");

/** Imports files into a workspace. */
export function importInto(
  workspace: Workspace,
  files: readonly string[],
  options: ImportOptions & { now?: Date } = {},
) {
  const { now = new Date(), ...rest } = options;
  return importFiles(
    fileContext(workspace, () => now),
    files.map((file) => foreignFile(file)),
    rest,
  );
}

/** Imports a file into a new workspace. */
export async function take(name: string, content: string | Uint8Array, options: ImportOptions = {}) {
  const workspace = tempWorkspace();
  const file = tempFile(name, content);
  const result = await importInto(workspace, [file], { now: NOW, ...options });
  const { accepted, duplicates, rejected } = result;
  return { workspace, file, result, counts: [accepted, duplicates, rejected], problem: result.files[0]!.problem };
}
