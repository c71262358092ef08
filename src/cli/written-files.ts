import type { Command } from "commander";
import { writtenBy } from "./out-files.js";

/** The command that is under way. */
let acting: Command | null = null;

/** Whose files hold nothing that people wrote about a decision. */
const WITHOUT_TEXTS = ["route", "draft", "seal", "verify"];

/** Before a command acts. */
export function noteActing(command: Command): void {
  acting = command;
}

/** After a command, whether it failed or not: notes the files it wrote in the workspace, so that an erasure finds them. */
export async function noteWrittenFiles(): Promise<void> {
  const command = acting;
  acting = null;
  if (command === null || WITHOUT_TEXTS.includes(command.name())) return;
  const options = command.optsWithGlobals<Record<string, unknown>>();
  const files = writtenBy(options);
  if (files.length === 0 || options.database !== undefined) return;
  const { findWorkspace, workspaceAt } = await import("../store/files/workspace.js");
  const { noteOutputs } = await import("../store/files/erasure/search-files.js");
  try {
    const workspace = workspaceAt(typeof options.workspace === "string" ? options.workspace : findWorkspace());
    await noteOutputs(workspace, files, { at: new Date().toISOString(), command: command.name() });
  } catch {
    // Without a workspace, or in one that cannot be written to, there is nothing to note it in.
  }
}
