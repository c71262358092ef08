import type { Cohort, Manifest } from "../../core/records/manifest.js";
import { printable } from "../../text/printable.js";
import { selectionText } from "../report/report-document.js";
import { plural, whole } from "../words/numbers.js";
import { type Document, table } from "./document.js";

export function runsDocument(runs: readonly Manifest[]): Document {
  return {
    title: "Runs",
    subtitle: "newest first",
    blocks: [
      table(
        ["run", "status", "~auditor", ">verdicts", "~particulars"],
        runs.map((run) => [
          run.run_id,
          run.status,
          printable(run.auditor, 30),
          verdicts(run),
          printable(particulars(run), 300),
        ]),
      ),
    ],
  };
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

/** Everything about a run, a line for each field. */
export function runLines(manifest: Manifest, batches: readonly string[]): string[] {
  const fields = Object.entries(manifest).map(
    ([name, value]) => `${name}: ${printable(typeof value === "object" ? JSON.stringify(value) : String(value), 2000)}`,
  );
  return [...fields, ...batches.map((line) => `batch ${printable(line, 500)}`)];
}

export function cohortsDocument(cohorts: readonly Cohort[]): Document {
  return {
    title: "Cohorts",
    subtitle: "named selections of decisions",
    blocks: [
      table(
        ["name", ">decisions", ">of", "chosen"],
        cohorts.map((one) => [
          one.name,
          String(one.decision_ids.length),
          String(one.population),
          printable(selectedBy(one), 60),
        ]),
      ),
    ],
  };
}

export function cohortSentence(cohort: Cohort): string {
  const { name, decision_ids, population } = cohort;
  return `Cohort ${name}: ${decision_ids.length} of ${plural(population, "decision")} (${selectedBy(cohort)}).`;
}

function selectedBy({ selection }: Cohort): string {
  if (selection.kind === "random") return `random, seed ${selection.seed}`;
  if (selection.kind === "balanced") return `balanced, seed ${selection.seed}`;
  if (selection.kind === "filter") return printable(selection.filters.join(" and "));
  return `from ${printable(selection.file)}`;
}
