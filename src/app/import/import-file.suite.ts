import { tempFile, tempWorkspace } from "../../store/files/in-temp-folder.suite.js";
import { type ImportOptions, importFiles } from "./import.js";

export const NOW = new Date("2026-01-02T03:04:05Z");

/** Imports a file into a new workspace. */
export async function take(name: string, content: string | Uint8Array, options: ImportOptions = {}) {
  const workspace = tempWorkspace();
  const file = tempFile(name, content);
  const result = await importFiles(workspace, [file], { now: NOW, ...options });
  const { accepted, duplicates, rejected } = result;
  return { workspace, file, result, counts: [accepted, duplicates, rejected], problem: result.files[0]!.problem };
}
