import { type ReactNode, useMemo } from "react";
import { calibrationMissing } from "../../../src/present/figures/missing.js";
import { reliabilityFigure } from "../../../src/present/figures/reliability.js";
import { scoreByLevelFigure } from "../../../src/present/figures/score-frontier.js";
import { COMPONENT_WORDS } from "../../../src/present/words/calibration-words.js";
import { usePage } from "../../data/page-context.ts";
import { Chart } from "../../parts/chart/chart.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { ViewGuard } from "../../parts/shell/guards.tsx";
import { Term } from "../../parts/text/term.tsx";
import { BasisSection } from "./basis-section.tsx";
import { CalibrationLead } from "./calibration-lead.tsx";
import { ExtractionSection, PriorShiftSection, TemperaturesSection } from "./elsewhere-sections.tsx";
import { ErrorsSection } from "./errors-section.tsx";
import { BaselinesSection, MethodsSection } from "./methods-sections.tsx";
import { RemarksList } from "./remarks-list.tsx";
import { useCalibration } from "./use-calibration.ts";
import { WeightsSection } from "./weights-section.tsx";

/** How far the score can be trusted as a probability, and what it is made of. */
export function CalibrationView() {
  const page = usePage();
  const calibration = useCalibration();
  const none = calibration ? null : calibrationMissing(page);
  return (
    <div className="view">
      <h1>Calibration</h1>
      {calibration && (
        <Guarded>
          <CalibrationLead calibration={calibration} />
          <RemarksList calibration={calibration} />
        </Guarded>
      )}
      {none && <Nothing why={none.missing} command={none.command} />}
      {calibration && (
        <Guarded>
          <ReliabilitySection />
        </Guarded>
      )}
      <LevelSection />
      {calibration &&
        SECTIONS.map(([name, Part]) => (
          <Guarded key={name}>
            <Part calibration={calibration} />
          </Guarded>
        ))}
    </div>
  );
}

const SECTIONS = [
  ["weights", WeightsSection],
  ["methods", MethodsSection],
  ["baselines", BaselinesSection],
  ["errors", ErrorsSection],
  ["prior shift", PriorShiftSection],
  ["temperatures", TemperaturesSection],
  ["extraction", ExtractionSection],
  ["basis", BasisSection],
] as const;

/** A calibration is kept as it was written: what a file of another version lacks takes away its own section and no more. */
function Guarded({ children }: { children: ReactNode }) {
  return <ViewGuard part="section">{children}</ViewGuard>;
}

function ReliabilitySection() {
  const page = usePage();
  const figure = useMemo(() => reliabilityFigure(page), [page]);
  return (
    <section aria-labelledby="reliability">
      <h2 id="reliability">What it says, and what is found</h2>
      <Chart figure={figure} />
    </section>
  );
}

/** S needs no calibration to be looked at. */
function LevelSection() {
  const page = usePage();
  const figure = useMemo(() => scoreByLevelFigure(page), [page]);
  const weights = page.signal_weights;
  return (
    <section aria-labelledby="score-by-level">
      <h2 id="score-by-level">
        <Term symbol="S">S</Term> at each level
      </h2>
      <p>
        S is high when the auditor was sure of its verdict and saw no case for the opposite.
        {weights && (
          <>
            {weights.calibrated
              ? " The run was made with fitted weights: "
              : " The run was made with equal weights, because none had been fitted: "}
            α = <Num at="/signal_weights/alpha" as="fine" /> for doubt about the level, β ={" "}
            <Num at="/signal_weights/beta" as="fine" /> for {COMPONENT_WORDS[weights.component].meaning}, γ ={" "}
            <Num at="/signal_weights/gamma" as="fine" /> for the inverse check.
          </>
        )}
      </p>
      <Chart figure={figure} />
    </section>
  );
}
