import { createInterface } from "node:readline/promises";
import { Command } from "commander";
import { batchesOfRun } from "../../../app/audit/batch/collect.js";
import { InputError } from "../../../core/errors.js";
import type { ChainEntry } from "../../../evidence/chain.js";
import { runLines, runsDocument } from "../../../present/document/list-documents.js";
import { batchText } from "../../../present/words/route-words.js";
import { namedRun, runIdOf } from "../../../store/choose-run.js";
import { printable } from "../../../text/printable.js";
import { type CommonOptions, examples } from "../../options.js";
import { print, printDocument, printJson, say } from "../../output.js";
import { storesOf, withStores } from "../../serve/stores.js";

export function runsCommand(): Command {
  const runs = new Command("runs").addHelpText(
    "after",
    examples("defensible runs", "defensible runs show 20261115T101530Z-4f2a"),
  );
  runs.addCommand(withStores(new Command("list")).description("all runs, newest first (the default)").action(list), {
    isDefault: true,
  });
  runs.addCommand(
    withStores(new Command("show"))
      .description("everything about a run")
      .argument("<run>", "its id, the beginning or last part of it, newest, or newest~1")
      .action(show),
  );
  runs.addCommand(
    withStores(new Command("delete"))
      .description("delete a run and its audits; asks first")
      .argument("<run>", "its id, the beginning or last part of it, newest, or newest~1")
      .option("--yes", "do not ask")
      .action(remove),
  );
  return runs;
}

async function list(options: CommonOptions): Promise<void> {
  const { runs } = await storesOf(options);
  const manifests = await runs.list();
  for (const name of await runs.damaged()) {
    say(
      `run ${printable(name)}: its manifest.json cannot be read; restore it, or \`defensible runs delete ${printable(name)}\``,
    );
  }
  if (printJson(manifests, options)) return;
  if (manifests.length > 0) printDocument(runsDocument(manifests));
  else print("There is no run yet. `defensible audit` starts one.");
}

async function show(runId: string, options: CommonOptions): Promise<void> {
  const context = await storesOf(options);
  const manifest = await namedRun(context.runs, runId);
  const { batches: parts, problem } = await batchesOfRun(context, manifest);
  const batches = parts.map(batchText);
  if (problem !== null) say(`The provider could not be asked: ${printable(problem, 300)}`);
  if (printJson(batches.length > 0 ? { ...manifest, batches } : manifest, options)) return;
  for (const line of runLines(manifest, batches)) print(line);
}

async function remove(name: string, options: CommonOptions & { yes?: boolean }): Promise<void> {
  const { runs, chain } = await storesOf(options);
  const runId = await runIdOf(runs, name);
  const damaged = (await runs.damaged()).includes(runId);
  const counts = damaged ? null : (await runs.manifest(runId)).counts;
  const audits = counts ? counts.verdicts + counts.unscored + counts.errors : null;
  // An unreadable chain does not prevent deleting a run; `verify` reports it.
  const { entries } = await chain.read().catch(() => ({ entries: [] as ChainEntry[] }));
  if (entries.some(({ source }) => source === `audits:${runId}`)) {
    say(
      `The audits of run ${runId} are sealed: once deleted, \`defensible verify\` reports them as removed, and \`defensible seal\` needs --force.`,
    );
  }
  if (!options.yes && !(await isConfirmed(runId, audits))) {
    print("Nothing was deleted.");
    return;
  }
  await runs.delete(runId);
  if (!printJson({ deleted: runId, audits }, options))
    print(`Deleted run ${runId}${audits === null ? "" : ` with ${audits} audits`}.`);
}

async function isConfirmed(runId: string, audits: number | null): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new InputError(
      "not_confirmed",
      `run ${runId}: deleting needs an answer, and this is not a terminal`,
      "Add --yes.",
    );
  }
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await prompt.question(
    `Delete run ${runId} with ${audits ?? "an unknown number of"} audits for good? [y/N] `,
  );
  prompt.close();
  return /^y(es)?$/i.test(answer.trim());
}
