import { type ReactNode, useMemo } from "react";
import type { Report } from "../../../src/core/results/report.js";
import { againstDocument, flipDocument } from "../../../src/present/report/trust-document.js";
import { auditorKind } from "../../../src/present/words/meaning.js";
import { againstWords, FLIP_WARNING_WORDS } from "../../../src/present/words/route-words.js";
import { usePage } from "../../data/page-context.ts";
import { DocumentView } from "../../parts/document.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { Section } from "../../parts/text/prose.tsx";
import { capitalised } from "../../parts/text/words.ts";
import { UserText } from "../../parts/text/written.tsx";
import { routeHash } from "../../route/route.ts";

/** Cohen's κ from which agreement is called substantial, and below which weak (Landis and Koch). */
const SUBSTANTIAL = 0.6;
const WEAK = 0.4;
/** Fewer common judgements say little. */
const FEWEST = 30;

type Answer = "yes" | "likely" | "care" | "no" | "unknown";

const ANSWERS: Readonly<Record<Answer, string>> = {
  yes: "Yes",
  likely: "Likely",
  care: "With care",
  no: "No",
  unknown: "Not checked",
};

/** Whether to rely on the auditor, by people or reference annotations; another auditor run is no reference. */
export function reliance({ run, against, flip_control: flip }: Report): Answer {
  const kind = auditorKind({ run });
  if (kind === "baseline" || kind === "simulated") return "no";
  if (!against || !["gold", "human"].includes(against.target) || against.n < FEWEST) return "unknown";
  const kappa = against.level_kappa.estimate;
  if (kappa === null) return "unknown";
  if (kappa < WEAK) return "no";
  return kappa < SUBSTANTIAL || (flip?.warnings.length ?? 0) > 0
    ? "care"
    : against.target === "human"
      ? "yes"
      : "likely";
}

/** "Can I rely on this auditor?", in a word with its reason; `linked`: with the question, as a link to the evidence. */
export function TrustBadge({ linked = false }: { linked?: boolean }) {
  const { report } = usePage();
  const answer = reliance(report);
  return (
    <p className={`trust-badge trust-${answer}`}>
      {linked && (
        <>
          <a href={routeHash("trust")}>Can I rely on this auditor?</a>{" "}
        </>
      )}
      <b>{ANSWERS[answer]}.</b> <Reason report={report} />
    </p>
  );
}

function Reason({ report }: { report: Report }): ReactNode {
  const { against } = report;
  const kind = auditorKind(report);
  if (kind === "baseline") return "The built-in baseline reads words, not meaning.";
  if (kind === "simulated") return "A simulated auditor shows what the tool does, not what your rules do.";
  if (!against || against.n === 0 || against.level_accuracy.estimate === null) {
    return "Its verdicts were not compared with people's.";
  }
  return (
    <>
      <UserText text={capitalised(againstWords(against.target).by)} max={40} /> give the same level in{" "}
      <Num at="/report/against/level_accuracy/k" as="whole" /> of <Num at="/report/against/n" as="whole" />.
    </>
  );
}

export function Reliance() {
  const { report } = usePage();
  const documents = useMemo(
    () => [againstDocument(report), flipDocument(report)].filter((one) => one !== null),
    [report],
  );
  return (
    <div className="view">
      <h1>Can I rely on this auditor?</h1>
      <TrustBadge />
      <p className="lead">
        Every number of this report is the auditor's opinion. The evidence for and against it: people, calibration,
        stability, attacks, circularity and inverted decisions.
      </p>
      {documents.map((document) => (
        <Section key={document.title} id={document.title.replace(/\W+/g, "-")} title={document.title}>
          <DocumentView of={document} at="/report" figures={[]} />
        </Section>
      ))}
      {documents.length === 0 && (
        <p>
          Ask people about some of its decisions: <code>defensible humans sample</code>. Audit inverted decisions too:{" "}
          <code>defensible experiment dual</code>.
        </p>
      )}
    </div>
  );
}

/** The warnings of the flip control, where a decision rests on the index. */
export function FlipWarnings() {
  const warnings = usePage().report.flip_control?.warnings ?? [];
  if (warnings.length === 0) return null;
  return <p className="note">{warnings.map((warning) => FLIP_WARNING_WORDS[warning]).join(" ")}</p>;
}
