import type { Command } from "commander";
import { smallRun } from "../../store/choose-run.js";
import type { Context } from "../../store/context.js";
import { type CommonOptions, contextOf, withCommonOptions } from "../options.js";
import { say } from "../output.js";

/** Adds the flags of commands that also work on a workspace of the live service. */
export function withStores(command: Command): Command {
  return withCommonOptions(command).option(
    "--database [url]",
    "a workspace of the live service; --workspace is its name there (default: DATABASE_URL, and the only one)",
  );
}

/** Says which run to name if the newest was used and covers a small selection. */
export async function saySmallRun({ runs }: Pick<Context, "runs">, runId?: string): Promise<void> {
  const small = await smallRun(runs, runId);
  if (!small) return;
  const { smallRunNote } = await import("../../present/words/vocabulary.js");
  say(smallRunNote(small));
}

/** The stores for a use case: of a workspace in a folder, or in a database. */
export async function storesOf(options: CommonOptions): Promise<Context> {
  if (options.database === undefined) return contextOf(options);
  const { databaseContext } = await import("./place.js");
  return databaseContext(options);
}
