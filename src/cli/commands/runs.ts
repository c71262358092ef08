import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { Command } from "commander";
import { auditorFrom } from "../../app/audit/configured-auditor.js";
import { DefensibleError, InputError } from "../../core/errors.js";
import type { Manifest } from "../../core/records/manifest.js";
import { table } from "../../present/document/document.js";
import { selectionText } from "../../present/report/report-document.js";
import { plural, whole } from "../../present/words/numbers.js";
import { fileStores } from "../../store/files/stores.js";
import type { Workspace } from "../../store/files/workspace.js";
import type { RunStore } from "../../store/ports.js";
import { printable } from "../../text/printable.js";
import { type CommonOptions, examples, withCommonOptions, workspaceOf } from "../options.js";
import { print, printDocument, printJson, say } from "../output.js";

export function runsCommand(): Command {
  const runs = new Command("runs").addHelpText(
    "after",
    examples("defensible runs", "defensible runs show 20261115T101530Z-4f2a"),
  );
  runs.addCommand(
    withCommonOptions(new Command("list")).description("all runs, newest first (the default)").action(list),
    { isDefault: true },
  );
  runs.addCommand(
    withCommonOptions(new Command("show"))
      .description("everything about a run")
      .argument("<run>", "its id")
      .action(show),
  );
  runs.addCommand(
    withCommonOptions(new Command("delete"))
      .description("delete a run and its audits; asks first")
      .argument("<run>", "its id")
      .option("--yes", "do not ask")
      .action(remove),
  );
  return runs;
}

async function list(options: CommonOptions): Promise<void> {
  const ledger = await ledgerOf(options);
  const manifests = await ledger.list();
  for (const name of await ledger.damaged()) {
    say(
      `run ${printable(name)}: its manifest.json cannot be read; restore it, or \`defensible runs delete ${printable(name)}\``,
    );
  }
  if (printJson(manifests, options)) return;
  if (manifests.length === 0) {
    print("There is no run yet. `defensible audit` starts one.");
    return;
  }
  const rows = manifests.map((run) => [
    run.run_id,
    run.status,
    printable(run.auditor, 30),
    verdicts(run),
    printable(particulars(run), 300),
  ]);
  printDocument({
    title: "Runs",
    subtitle: "newest first",
    blocks: [table(["run", "status", "~auditor", ">verdicts", "~particulars"], rows)],
  });
}

async function show(runId: string, options: CommonOptions): Promise<void> {
  const workspace = await workspaceOf(options);
  const manifest = await fileStores(workspace).runs.manifest(runId);
  const batches = await batchesOf(manifest, workspace);
  if (printJson(batches.length > 0 ? { ...manifest, batches } : manifest, options)) return;
  for (const [name, value] of Object.entries(manifest)) {
    print(`${name}: ${printable(typeof value === "object" ? JSON.stringify(value) : String(value), 2000)}`);
  }
  for (const line of batches) print(`batch ${printable(line, 500)}`);
}

/** How the run's batches stand at the provider; what was last known where it cannot be asked. */
async function batchesOf(manifest: Manifest, workspace: Workspace): Promise<string[]> {
  const folder = join(workspace.paths.runs, manifest.run_id);
  if (!existsSync(join(folder, "batch"))) return [];
  const { followBatches } = await import("../../app/audit/batch/follow.js");
  if (manifest.status === "sealed") return followBatches(folder, manifest.run_id, null);
  try {
    const { endpoint, capabilities } = manifest;
    const options = {
      ...(endpoint === undefined ? {} : { baseUrl: endpoint }),
      ...(typeof capabilities?.dialect === "string" ? { dialect: capabilities.dialect } : {}),
    };
    const auditor = await auditorFrom(manifest.auditor, options, workspace.config);
    try {
      return await followBatches(folder, manifest.run_id, auditor.batch ?? null);
    } finally {
      await auditor.close?.();
    }
  } catch (cause) {
    if (!(cause instanceof DefensibleError)) throw cause;
    say(`The provider could not be asked: ${printable(cause.message, 300)}`);
    return followBatches(folder, manifest.run_id, null);
  }
}

async function remove(runId: string, options: CommonOptions & { yes?: boolean }): Promise<void> {
  const ledger = await ledgerOf(options);
  const damaged = (await ledger.damaged()).includes(runId);
  const counts = damaged ? null : (await ledger.manifest(runId)).counts;
  const audits = counts ? counts.verdicts + counts.unscored + counts.errors : null;
  if (!options.yes) {
    if (!process.stdin.isTTY) {
      throw new InputError(
        "not_confirmed",
        `run ${runId}: deleting asks first, and nobody is there to answer`,
        "Add --yes.",
      );
    }
    const prompt = createInterface({ input: process.stdin, output: process.stderr });
    const answer = await prompt.question(
      `Delete run ${runId} with ${audits ?? "an unknown number of"} audits for good? [y/N] `,
    );
    prompt.close();
    if (!/^y(es)?$/i.test(answer.trim())) {
      print("Nothing was deleted.");
      return;
    }
  }
  await ledger.delete(runId);
  if (!printJson({ deleted: runId, audits }, options))
    print(`Deleted run ${runId}${audits === null ? "" : ` with ${audits} audits`}.`);
}

/** What tells a run from others of the same auditor. */
function particulars(run: Manifest): string {
  const { unscored, errors } = run.counts;
  const words = [
    `${run.tier}, T = ${run.temperature}`,
    unscored > 0 ? `${whole(unscored)} unscored` : "",
    errors > 0 ? plural(errors, "error") : "",
    run.experiment ? `experiment ${run.experiment.kind}, ${plural(run.experiment.arms.length, "arm")}` : "",
    Object.keys(run.selection).length > 0 ? selectionText(run.selection) : "",
    run.humans ? "humans" : "",
    run.replicates > 1 ? `${run.replicates} replicates` : "",
    run.template === "paper" ? "" : run.template,
    run.signal === "logprobs" ? "" : `signal ${run.signal}`,
    run.parent_run_id ? `after ${run.parent_run_id}` : "",
  ];
  return words.filter(Boolean).join("; ");
}

function verdicts({ counts, status }: Manifest): string {
  // Counts of an open run are those of its last orderly stop.
  const sure = status === "sealed" || counts.verdicts + counts.unscored + counts.errors > 0;
  return `${sure ? whole(counts.verdicts) : "?"} of ${whole(counts.planned)}`;
}

async function ledgerOf(options: CommonOptions): Promise<RunStore> {
  return fileStores(await workspaceOf(options)).runs;
}
