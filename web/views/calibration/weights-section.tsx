import { useMemo } from "react";
import type { DetailedCalibration } from "../../../src/measures/calibration/candidate-result.js";
import { calibrationWeightsFigure, otherWeights } from "../../../src/present/figures/reliability.js";
import { COMPONENT_WORDS, FITTER_WORDS, partName } from "../../../src/present/words/calibration-words.js";
import { wordOr } from "../../../src/present/words/word-table.js";
import { usePage } from "../../data/page-context.ts";
import { Chart } from "../../parts/chart/chart.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { Term } from "../../parts/text/term.tsx";
import { CALIBRATION } from "./use-calibration.ts";

/** The three weights of S, what each part does with them, and what other fits give. */
export function WeightsSection({ calibration }: { calibration: DetailedCalibration }) {
  const page = usePage();
  const figure = useMemo(() => calibrationWeightsFigure(page), [page]);
  const { component, active_constraints: active, calibrated } = calibration;
  return (
    <section aria-labelledby="weights">
      <h2 id="weights">What S is made of with the weights of this calibration</h2>
      <p>
        S is 1 when nothing speaks against the verdict, and falls with three kinds of doubt, each with its{" "}
        <Term symbol="α, β, γ">weight</Term>: doubt about the level (α ={" "}
        <Num at={`${CALIBRATION}/weights/alpha`} as="fine" />
        ), {COMPONENT_WORDS[component].meaning} (β = <Num at={`${CALIBRATION}/weights/beta`} as="fine" />) and the
        probability that the opposite holds too (γ = <Num at={`${CALIBRATION}/weights/gamma`} as="fine" />
        ). They sum to 1.{" "}
        {calibrated === false
          ? "They were not fitted: equal ones stand in."
          : active.length > 0
            ? `At the border of what is allowed: ${active.map(constraintWords).join(", ")}. That part plays no role in S.`
            : "None of them is at the border of what is allowed."}
        {otherWeights(page) && (
          <>
            {" "}
            The S of this report's verdicts, in pictures, in the list and on the pages of decisions, was computed with
            the weights of the run instead: α = <Num at="/signal_weights/alpha" as="fine" />, β ={" "}
            <Num at="/signal_weights/beta" as="fine" />, γ = <Num at="/signal_weights/gamma" as="fine" />.
          </>
        )}
      </p>
      <Chart figure={figure} />
      <Contributions calibration={calibration} />
      <Fits calibration={calibration} />
      <MeanScores calibration={calibration} />
    </section>
  );
}

/** "beta = 0" -> "β = 0". */
function constraintWords(constraint: string): string {
  return constraint.replace("alpha", "α").replace("beta", "β").replace("gamma", "γ").slice(0, 40);
}

function Contributions({ calibration: { paper, component } }: { calibration: DetailedCalibration }) {
  const fit = paper?.[component];
  if (!fit || fit.contributions.length === 0) return null;
  const at = `${CALIBRATION}/paper/${component}/contributions`;
  return (
    <>
      <p>
        Weights alone mislead: they must sum to 1, so a part that is near 0 in every decision takes what the others do
        not want. What each part does:
      </p>
      <PlainTable
        caption="Parts of S: how far each moves it from decision to decision, and how much worse the fit is without it"
        heads={[
          { key: "part", name: "Part" },
          { key: "weight", name: "Weight", align: "right" },
          { key: "mean", name: "Mean", align: "right" },
          { key: "spread", name: "Weight × spread", align: "right" },
          { key: "without", name: "Loss more without it", align: "right" },
          { key: "at-mean", name: "Loss more at its mean", align: "right" },
        ]}
        rows={fit.contributions.map(({ part }, i) => ({
          key: part,
          cells: [
            partName(part, component),
            <Num key="weight" at={`${at}/${i}/weight`} as="fine" />,
            <Num key="mean" at={`${at}/${i}/mean`} as="fine" />,
            <Num key="spread" at={`${at}/${i}/weight_times_sd`} as="fine" />,
            <Num key="without" at={`${at}/${i}/loss_increase_without`} as="finer" />,
            <Num key="at-mean" at={`${at}/${i}/loss_increase_at_mean`} as="finer" />,
          ],
        }))}
      />
      {fit.rows_below_epsilon.all > 0 && (
        <p className="muted small">
          <Num at={`${CALIBRATION}/paper/${component}/rows_below_epsilon/all`} as="whole" /> decisions have S = 1 to the
          last digit (<Num at={`${CALIBRATION}/paper/${component}/rows_below_epsilon/indefensible`} as="whole" /> of
          them indefensible): their loss is set by the smallest probability that is allowed, not by the data.
        </p>
      )}
    </>
  );
}

function Fits({ calibration: { paper, component, loss } }: { calibration: DetailedCalibration }) {
  if (!paper) return null;
  const fits = (["h_w", "h_kappa"] as const).flatMap((name) =>
    (paper[name]?.methods ?? []).map((one, i) => ({ name, i, method: one.method, fit: paper[name] })),
  );
  if (fits.length === 0) return null;
  const at = (name: string, i: number) => `${CALIBRATION}/paper/${name}/methods/${i}`;
  return (
    <>
      <PlainTable
        caption="Weights of S by either entropy and either way to fit them; loss in nats per decision, lower is better"
        heads={[
          { key: "fit", name: "Entropy, fitted by" },
          { key: "alpha", name: "α", align: "right" },
          { key: "beta", name: "β", align: "right" },
          { key: "gamma", name: "γ", align: "right" },
          { key: "loss", name: "Loss", align: "right" },
          { key: "border", name: "At the border" },
        ]}
        rows={fits.map(({ name, i, method, fit }) => ({
          key: `${name} ${method}`,
          chosen: name === component && fit.method === method,
          cells: [
            `${COMPONENT_WORDS[name].name}, ${wordOr(FITTER_WORDS, method)}`,
            <Num key="alpha" at={`${at(name, i)}/weights/alpha`} as="finer" />,
            <Num key="beta" at={`${at(name, i)}/weights/beta`} as="finer" />,
            <Num key="gamma" at={`${at(name, i)}/weights/gamma`} as="finer" />,
            <Num key="loss" at={`${at(name, i)}/loss`} as="finer" />,
            method === "closed-simplex" ? fit.active_constraints.map(constraintWords).join(", ") : "",
          ],
        }))}
      />
      {loss !== null && (
        <p className="muted small">
          S with these weights has a loss of <Num at={`${CALIBRATION}/loss`} as="finer" />, the base rate alone{" "}
          <Num at={`${CALIBRATION}/paper/${component}/base_rate_loss`} as="finer" />.
        </p>
      )}
    </>
  );
}

function MeanScores({ calibration: { mean_pds } }: { calibration: DetailedCalibration }) {
  if (mean_pds.all === null) return null;
  return (
    <p>
      Mean S with these weights: <Num at={`${CALIBRATION}/mean_pds/all`} as="fine" />; of defensible decisions{" "}
      <Num at={`${CALIBRATION}/mean_pds/defensible`} as="fine" />, of indefensible ones{" "}
      <Num at={`${CALIBRATION}/mean_pds/indefensible`} as="fine" />. S is no probability: a level 3 given with
      confidence, and no case for the opposite, is near 1 too.
    </p>
  );
}
