import type { PageAudit } from "../../../src/measures/report-page.js";
import { probabilisticDefensibilitySignal } from "../../../src/measures/signals/probabilistic-defensibility-signal.js";
import { decisionSignal, fittedWeights, signalComponents } from "../../../src/present/words/decision-signal.js";
import { usePage } from "../../data/page-context.ts";
import { Shown } from "../../parts/num.tsx";
import { Term } from "../../parts/term.tsx";

/** Which weights made this S, and what others, fitted since, would make of it. */
export function SignalWeightsText({ audit }: { audit: PageAudit }) {
  const page = usePage();
  const signal = decisionSignal(page, audit);
  if (!signal) return null;
  const { weights, source } = signal;
  const fitted = fittedWeights(page);
  const other =
    fitted && source !== "calibration" ? probabilisticDefensibilitySignal(signalComponents(audit), fitted) : null;
  const pointer =
    source === "run" ? "/signal_weights" : source === "calibration" ? "/report/calibration/weights" : null;
  const mark = (name: string) => (pointer ? { mark: `${pointer}/${name}` } : {});
  return (
    <p className="small">
      <Term symbol="α, β, γ">Weights</Term> of this S: <Shown value={weights.alpha} as="fine" {...mark("alpha")} /> for
      λ, <Shown value={weights.beta} as="fine" {...mark("beta")} /> for {weights.component === "h_w" ? "H[w]" : "H[κ]"},{" "}
      <Shown value={weights.gamma} as="fine" {...mark("gamma")} /> for σ(ρ).{" "}
      {!weights.calibrated
        ? "They are equal because nobody had fitted any when the run began."
        : source === "calibration"
          ? "They are those of the workspace's calibration."
          : "They are those that the workspace had when the run began."}
      {fitted && other !== null && (
        <>
          {" "}
          With the weights that the calibration of this report fitted (
          <Shown value={fitted.alpha} as="fine" mark="/report/calibration/weights/alpha" />,{" "}
          <Shown value={fitted.beta} as="fine" mark="/report/calibration/weights/beta" />,{" "}
          <Shown value={fitted.gamma} as="fine" mark="/report/calibration/weights/gamma" />) S would be{" "}
          <Shown value={other} as="fine" />.
        </>
      )}
    </p>
  );
}
