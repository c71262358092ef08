import { EXPERIMENT_COMMANDS, type ExperimentKind } from "../../src/core/names.js";
import type { Experiment } from "../../src/core/results/experiment.js";
import { whole } from "../../src/present/words/numbers.js";
import { isOfCohort, leftOutText } from "../../src/present/words/word-table.js";
import { isFromFile } from "../data/from-file.ts";
import { usePage } from "../data/page-context.ts";
import { Chart } from "./chart/chart.tsx";
import { Nothing } from "./nothing.tsx";
import { UserText } from "./text/written.tsx";

/** Instead of an experiment that the workspace has not: what it would tell, and the command that makes it. */
export function NoExperiment({ kind, tells, command }: { kind: ExperimentKind; tells: string; command?: string }) {
  const page = usePage();
  if (isOfCohort(page.report)) return <Nothing why={`${leftOutText("Experiments are")} ${tells}`} />;
  const why = isFromFile(page)
    ? "This report was made from a file of audits; this takes the decisions and rules of a workspace."
    : "This has not been tried in this workspace.";
  return <Nothing why={`${why} ${tells}`} command={command ?? `defensible ${EXPERIMENT_COMMANDS[kind]}`} />;
}

/** A figure that the experiment carries. Where it has none of this name, why; without `missing` nothing is said. */
export function KeptFigure({ of, id, missing }: { of: Experiment; id: string; missing?: string }) {
  const figure = of.figures.find((one) => one.id === id);
  if (figure && figure.rows.length > 0) return <Chart figure={figure} />;
  if (figure) return <Nothing why={`${figure.title}.`} />;
  return missing ? <Nothing why={missing} /> : null;
}

/** Several in a row, each as wide as there is room. */
export function KeptFigures({ of, ids }: { of: Experiment; ids: readonly string[] }) {
  const there = ids.filter((id) => of.figures.some((one) => one.id === id));
  if (there.length === 0) return null;
  return (
    <div className={there.length === 3 ? "columns columns-three" : "columns"}>
      {there.map((id) => (
        <KeptFigure key={id} of={of} id={id} />
      ))}
    </div>
  );
}

/** What a result was computed from: runs, auditor, seed. */
export function Provenance({
  of,
}: {
  of: Experiment & { auditor?: string | null; source?: { auditor?: string | null } };
}) {
  const { runs, random, experiment } = of;
  const auditor = of.auditor ?? of.source?.auditor;
  return (
    <p className="provenance small muted">
      Made by <code>defensible {EXPERIMENT_COMMANDS[experiment]}</code>
      {runs.length > 0 && (
        <>
          {" "}
          from {runs.length === 1 ? "run" : "runs"}{" "}
          {runs.map((run, i) => (
            <span key={run}>
              {i > 0 && ", "}
              <UserText text={run} max={60} />
            </span>
          ))}
        </>
      )}
      {auditor && (
        <>
          {" "}
          of auditor <UserText text={auditor} max={60} />
        </>
      )}
      {random && `, seed ${random.seed}${typeof random.draws === "number" ? `, ${whole(random.draws)} draws` : ""}`}.
    </p>
  );
}
