import type { ReportPage } from "../../../src/measures/report-page.js";
import { usePage } from "../../data/page-context.ts";
import { type ExperimentName, ExperimentScreen } from "../../parts/experiment.tsx";
import { type Tab, Tabs } from "../../parts/shell/menu.tsx";
import { useRoute } from "../../route/use-route.ts";
import { CalibrationScreen, PeopleScreen } from "./calibration-screen.tsx";
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
