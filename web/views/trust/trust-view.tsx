import { useMemo } from "react";
import type { ReportPage } from "../../../src/measures/report-page.js";
import { calibrationMissing, isMissing } from "../../../src/present/figures/missing.js";
import { calibrationWeightsFigure, reliabilityFigure } from "../../../src/present/figures/reliability.js";
import { scoreByLevelFigure } from "../../../src/present/figures/score-frontier.js";
import { calibrationDocument } from "../../../src/present/report/calibration-document.js";
import { moderatorsDocument } from "../../../src/present/report/trust-document.js";
import { usePage } from "../../data/page-context.ts";
import { Chart } from "../../parts/chart/chart.tsx";
import { DocumentView } from "../../parts/document.tsx";
import { type ExperimentName, ExperimentScreen } from "../../parts/experiment.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { type Tab, Tabs } from "../../parts/shell/menu.tsx";
import { Section } from "../../parts/text/prose.tsx";
import { useRoute } from "../../route/use-route.ts";
import { Reliance } from "./reliance.tsx";

interface Screen extends Omit<Tab, "has"> {
  heading: string;
  /** The experiment that it shows. */
  kind?: ExperimentName;
  has?: (page: ReportPage) => boolean;
}

/** One screen for each kind of evidence about the auditor. */
const SCREENS: readonly Screen[] = [
  {
    id: "people",
    title: "People",
    heading: "People",
    kind: "humans",
    has: ({ report }) => Boolean(report.humans),
  },
  { id: "calibration", title: "Calibration", heading: "Calibration", has: () => true },
  { id: "stability", title: "Stability", heading: "Stability", kind: "stability" },
  { id: "attacks", title: "Attacks", heading: "Attacks", kind: "attack" },
  { id: "gap", title: "Agreement", heading: "Agreement against defensibility", kind: "gap" },
  { id: "signal", title: "Signals", heading: "Which signal finds indefensible decisions", kind: "signal" },
  { id: "dual", title: "Opposites", heading: "Decisions and their opposites, audited apart", kind: "dual" },
  {
    id: "circularity",
    title: "Circularity",
    heading: "Do the indices measure the rules, or the auditor's taste?",
    kind: "circularity",
  },
  { id: "validate", title: "Known truth", heading: "The instruments against a known truth", kind: "validate" },
  { id: "replicate", title: "Paper", heading: "The paper's experiments, repeated", kind: "replicate" },
];

/** Whether the workspace has something for a screen. */
function hasResult({ kind, has }: Screen, page: ReportPage): boolean {
  const { stability, experiments } = page.report;
  const result = kind === "stability" ? stability : kind && experiments?.[kind];
  return result !== undefined || (has?.(page) ?? false);
}

/** The evidence for and against the auditor. */
export function TrustView() {
  const page = usePage();
  const [about = ""] = useRoute().about;
  const screen = SCREENS.find(({ id }) => id === about);
  const tabs = SCREENS.map((one) => ({ id: one.id, title: one.title, has: hasResult(one, page) }));
  return (
    <>
      <Tabs label="Evidence" of={[{ id: "", title: "Summary", has: true }, ...tabs]} />
      {screen ? (
        <div className="view">
          <h1>{screen.heading}</h1>
          {screen.kind ? <ExperimentScreen kind={screen.kind} /> : <CalibrationScreen />}
          {screen.id === "people" && <PeopleScreen />}
        </div>
      ) : (
        <Reliance />
      )}
    </>
  );
}

/** How far the score can be trusted as a probability, and what it is made of. */
function CalibrationScreen() {
  const page = usePage();
  const { calibration } = page.report;
  const document = useMemo(() => calibration && calibrationDocument(calibration), [calibration]);
  const figures = useMemo(
    () =>
      [reliabilityFigure(page), calibrationWeightsFigure(page), scoreByLevelFigure(page)].flatMap((figure) =>
        isMissing(figure) ? [] : [figure],
      ),
    [page],
  );
  if (document) return <DocumentView of={document} at="/report/calibration" figures={figures} />;
  const { missing, command } = calibrationMissing(page);
  return (
    <>
      <Nothing why={missing} command={command} />
      <Chart figure={scoreByLevelFigure(page)} />
    </>
  );
}

/** Moderators' own decisions by the same measure. */
function PeopleScreen() {
  const { report } = usePage();
  const moderators = useMemo(() => moderatorsDocument(report), [report]);
  return (
    <Section id="moderators" title={moderators.title}>
      <DocumentView of={moderators} at="/report" figures={[]} />
    </Section>
  );
}
