import { useMemo } from "react";
import { commandOf, type ExperimentKind } from "../../src/core/names.js";
import type { Experiment } from "../../src/core/results/experiment.js";
import type { ExperimentResults } from "../../src/core/results/experiment-results.js";
import { attackDocument } from "../../src/experiments/attack/document/attack-document.js";
import { circularityDocument } from "../../src/experiments/circularity/circularity-document.js";
import { dualDocument } from "../../src/experiments/dual/dual-document.js";
import { gapDocument } from "../../src/experiments/gap/gap-document.js";
import { humansDocument } from "../../src/experiments/humans/humans-document.js";
import { diffDocument } from "../../src/experiments/rules/document/diff-document.js";
import { scopesDocument } from "../../src/experiments/rules/document/scopes-document.js";
import { tiersDocument } from "../../src/experiments/rules/document/tiers-document.js";
import { signalDocument } from "../../src/experiments/signal/signal-document.js";
import { stabilityDocument } from "../../src/experiments/stability/document/stability-document.js";
import { replicateDocument } from "../../src/experiments/study/document/study-document.js";
import { validateDocument } from "../../src/experiments/validate/validate-document.js";
import type { Document } from "../../src/present/document/document.js";
import { whole } from "../../src/present/words/numbers.js";
import { isOfCohort, leftOutText } from "../../src/present/words/vocabulary.js";
import { isFromFile, usePage } from "../data/page-context.ts";
import { type Kept, useExperiment } from "../data/use-experiment.ts";
import { DocumentView } from "./document.tsx";
import { Nothing } from "./nothing.tsx";
import { UserText } from "./text/written.tsx";

/** Instead of an experiment that the workspace has not: what it would tell, and the command that makes it. */
function NoExperiment({ kind, purpose, command }: { kind: ExperimentKind; purpose: string; command?: string }) {
  const page = usePage();
  if (isOfCohort(page.report)) return <Nothing why={`${leftOutText("Experiments are")} ${purpose}`} />;
  const why = isFromFile(page)
    ? "This report was made from a file of audits; this takes the decisions and rules of a workspace."
    : "This has not been tried in this workspace.";
  return <Nothing why={`${why} ${purpose}`} command={command ?? `defensible ${commandOf(kind)}`} />;
}

/** What a result was computed from: runs, auditor, seed. */
function Provenance({ of }: { of: Experiment & { auditor?: string | null; source?: { auditor?: string | null } } }) {
  const { runs, random, experiment } = of;
  const auditor = of.auditor ?? of.source?.auditor;
  return (
    <p className="provenance small muted">
      Made by <code>defensible {commandOf(experiment)}</code>
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

type Screens = {
  [Kind in keyof ExperimentResults]?: {
    /** What it would say, where there is no result. */
    purpose: string;
    document: (result: ExperimentResults[Kind]) => Document;
    command?: string;
  };
};

const SCREENS = {
  tiers: {
    purpose:
      "It audits the same decisions under titles alone, with descriptions and with all of the rules' text, and shows what each text settles.",
    document: (result) => tiersDocument(result, { rows: Number.POSITIVE_INFINITY }),
  },
  scopes: {
    purpose:
      "It audits the same decisions under the platform's rules alone and the community's alone, and shows what ambiguity rests on.",
    document: (result) => scopesDocument(result, { rows: Number.POSITIVE_INFINITY }),
  },
  diff: {
    purpose:
      "It audits past decisions under the rules as they are and under a rewrite, and shows which come out otherwise.",
    document: (result) => diffDocument(result, { rows: Number.POSITIVE_INFINITY }),
    command: "defensible rules diff NEW_RULES",
  },
  humans: {
    purpose: "People rate a sheet of cases without seeing the verdicts; the ratings show how far to trust the auditor.",
    document: humansDocument,
    command: "defensible humans sample --out sheet",
  },
  attack: {
    purpose:
      "It disguises wrong decisions as right ones and shows how many the defences catch, and at how many false alarms.",
    document: attackDocument,
    command: "defensible attack build --out attacks.jsonl && defensible attack run attacks.jsonl",
  },
  stability: {
    purpose: "It audits the same cases many times and shows which verdicts flip.",
    document: (result) => stabilityDocument(result, { rows: Number.POSITIVE_INFINITY }),
  },
  gap: {
    purpose: "It compares agreement with moderators and defensibility, and shows how much of the gap is arithmetic.",
    document: gapDocument,
  },
  signal: {
    purpose: "It measures how well each signal of an audit finds indefensible decisions.",
    document: signalDocument,
  },
  dual: {
    purpose: "It audits the opposite of each decision too, and shows what the inverse check is worth.",
    document: (result) => dualDocument(result, { rows: Number.POSITIVE_INFINITY }),
  },
  circularity: {
    purpose: "It gathers the evidence that the auditor does not merely confirm itself.",
    document: circularityDocument,
  },
  validate: {
    purpose:
      "It draws simulated worlds whose truth is known and shows how far estimates, intervals and gates are right.",
    document: validateDocument,
  },
  replicate: {
    purpose: "It repeats every experiment of the paper and compares the results with its printed numbers.",
    document: replicateDocument,
  },
} satisfies Screens;

/** Experiments with a screen of their own. */
export type ExperimentName = keyof typeof SCREENS;

/** The newest result of an experiment: the same document as in the terminal. */
export function ExperimentScreen({ kind }: { kind: ExperimentName }) {
  const kept = useExperiment(kind);
  const { purpose, command } = SCREENS[kind] as { purpose: string; command?: string };
  return kept ? (
    <Result kind={kind} {...kept} />
  ) : (
    <NoExperiment kind={kind} purpose={purpose} {...(command ? { command } : {})} />
  );
}

function Result({ kind, result, at }: Kept<ExperimentResults[ExperimentName]> & { kind: ExperimentName }) {
  // A result of a kind goes to the document of the same kind, which types cannot follow.
  const document = useMemo(() => SCREENS[kind].document(result as never), [kind, result]);
  return (
    <>
      <DocumentView of={document} at={at} figures={result.figures} />
      <Provenance of={result} />
    </>
  );
}
