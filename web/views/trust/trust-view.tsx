import { Fragment, useMemo } from "react";
import { calibrationMissing, isMissing } from "../../../src/present/figures/missing.js";
import { calibrationWeightsFigure, reliabilityFigure } from "../../../src/present/figures/reliability.js";
import { scoreByLevelFigure } from "../../../src/present/figures/score-frontier.js";
import { calibrationDocument } from "../../../src/present/report/calibration-document.js";
import { moderatorsDocument } from "../../../src/present/report/trust-document.js";
import { usePage } from "../../data/page-context.ts";
import { keptResult } from "../../data/use-experiment.ts";
import { Chart } from "../../parts/chart/chart.tsx";
import { DocumentView } from "../../parts/document.tsx";
import { ExperimentScreen, screensOf } from "../../parts/experiment.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { Tabs } from "../../parts/shell/menu.tsx";
import { Section } from "../../parts/text/prose.tsx";
import { routeHash } from "../../route/route.ts";
import { useRoute } from "../../route/use-route.ts";
import { Reliance } from "./reliance.tsx";

const SCREENS = screensOf("trust");
const MORE = screensOf("more");

export function TrustView() {
  const page = usePage();
  const [about = ""] = useRoute().about;
  const has = ({ kind }: (typeof SCREENS)[number]) =>
    keptResult(page, kind) !== null || (kind === "humans" && page.report.humans != null);
  const tabs = SCREENS.map((one) => ({ id: one.id, title: one.tab, has: has(one) }));
  const screen = [...SCREENS, ...MORE].find(({ id }) => id === about);
  return (
    <>
      <Tabs
        label="Evidence"
        of={[
          { id: "", title: "Summary" },
          { id: "calibration", title: "Calibration" },
          ...tabs,
          { id: "more", title: "More evidence", has: MORE.some(has), holds: MORE.map(({ id }) => id) },
        ]}
      />
      {screen ? (
        <ExperimentScreen key={screen.id} of={screen}>
          {screen.kind === "humans" && <PeopleScreen />}
        </ExperimentScreen>
      ) : about === "calibration" ? (
        <div className="view">
          <h1>Calibration</h1>
          <CalibrationScreen />
        </div>
      ) : about === "more" ? (
        <MoreScreen />
      ) : (
        <Reliance />
      )}
    </>
  );
}

function MoreScreen() {
  const page = usePage();
  return (
    <div className="view">
      <h1>More evidence</h1>
      <p className="lead">Further experiments on this workspace: about the signals, the method and the paper.</p>
      <dl>
        {MORE.map(({ id, kind, tab, purpose }) => (
          <Fragment key={id}>
            <dt>
              <a href={routeHash("trust", [id])}>{tab}</a>
              {keptResult(page, kind) === null && <span className="muted"> (not run)</span>}
            </dt>
            <dd>{purpose}</dd>
          </Fragment>
        ))}
      </dl>
    </div>
  );
}

/** How far the score can be trusted as a probability, and its components. */
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

function PeopleScreen() {
  const { report } = usePage();
  const moderators = useMemo(() => moderatorsDocument(report), [report]);
  return (
    <Section id="moderators" title={moderators.title}>
      <DocumentView of={moderators} at="/report" figures={[]} />
    </Section>
  );
}
