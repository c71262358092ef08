import { type ReactNode, useMemo } from "react";
import type { Experiment, ExperimentResults } from "../../src/core/results/experiment.js";
import type { Screen } from "../../src/present/document/document.js";
import { whole } from "../../src/present/words/numbers.js";
import { isOfCohort, leftOutText } from "../../src/present/words/vocabulary.js";
import { isFromFile, usePage } from "../data/page-context.js";
import { type Kept, keptResult } from "../data/use-experiment.js";
import { DocumentView } from "./document.js";
import { Nothing } from "./nothing.js";
import { UserText } from "./text/written.js";

/** Shown for an experiment that was not run: its purpose and command. */
function NoExperiment({ purpose, command, missing }: Screen) {
  const page = usePage();
  if (isOfCohort(page.report)) return <Nothing why={`${leftOutText("Experiments are")} ${purpose}`} />;
  const why = isFromFile(page)
    ? "This report was made from a file of audits; this takes the decisions and rules of a workspace."
    : (missing?.(page) ?? "This experiment was not run in this workspace.");
  return <Nothing why={`${why} ${purpose}`} command={command} />;
}

type Made = Experiment & { auditor?: string | null; source?: { auditor?: string | null } };

/** Source of a result: runs, auditor, seed. */
function Provenance({ of, command }: { of: Made; command: string }) {
  const { runs, random } = of;
  const auditor = of.auditor ?? of.source?.auditor;
  return (
    <p className="provenance small muted">
      Made by <code>{command}</code>
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

/** Screens of experiments by view, in tab order. */
const SCREENS = Object.values(
  import.meta.glob<Screen>("../../src/experiments/*/**/document.ts", { eager: true, import: "default" }),
).sort((one, other) => one.place - other.place);

export const screensOf = (view: Screen["view"]): Screen[] => SCREENS.filter((one) => one.view === view);

/** The newest result of an experiment: the same document as in the terminal. */
export function ExperimentScreen({ of, children }: { of: Screen; children?: ReactNode }) {
  const kept = keptResult(usePage(), of.kind);
  return (
    <div className="view">
      <h1>{of.heading}</h1>
      {kept ? <Result of={of} {...kept} /> : <NoExperiment {...of} />}
      {children}
    </div>
  );
}

function Result({ of, result, at }: Kept<ExperimentResults[Screen["kind"]]> & { of: Screen }) {
  const document = useMemo(() => of.document(result), [of, result]);
  return (
    <>
      <DocumentView of={document} at={at} figures={result.figures} />
      <Provenance of={result} command={of.command} />
    </>
  );
}
