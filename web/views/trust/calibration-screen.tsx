import { useMemo } from "react";
import { calibrationMissing, isMissing } from "../../../src/present/figures/missing.js";
import { calibrationWeightsFigure, reliabilityFigure } from "../../../src/present/figures/reliability.js";
import { scoreByLevelFigure } from "../../../src/present/figures/score-frontier.js";
import { calibrationDocument } from "../../../src/present/report/calibration-document.js";
import { moderatorsDocument } from "../../../src/present/report/trust-document.js";
import { usePage } from "../../data/page-context.ts";
import { Chart } from "../../parts/chart/chart.tsx";
import { DocumentView } from "../../parts/document.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { Section } from "../../parts/text/prose.tsx";

/** How far the score can be trusted as a probability, and what it is made of. */
export function CalibrationScreen() {
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
export function PeopleScreen() {
  const { report } = usePage();
  const moderators = useMemo(() => moderatorsDocument(report), [report]);
  return (
    <Section id="moderators" title={moderators.title}>
      <DocumentView of={moderators} at="/report" figures={[]} />
    </Section>
  );
}
