import { type ReactNode, useMemo } from "react";
import type { PageAudit, PageDecision } from "../../../src/measures/report-page.js";
import { probabilisticDefensibilitySignal } from "../../../src/measures/signals/probabilistic-defensibility-signal.js";
import { SIGNAL_WORDS } from "../../../src/present/words/audit-words.js";
import {
  decisionSignal,
  decisionSignalFigure,
  fittedWeights,
  signalComponents,
} from "../../../src/present/words/decision-signal.js";
import type { NumberForm } from "../../../src/present/words/numbers.js";
import { LEVEL_WORDS } from "../../../src/present/words/words.js";
import { usePage } from "../../data/page-context.ts";
import { Chart } from "../../parts/chart/chart.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { Num, Shown } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { Section } from "../../parts/text/prose.tsx";
import { Term } from "../../parts/text/term.tsx";
import { InverseBars, LevelBars } from "./bars.tsx";

/** How sure the auditor was: its distributions, the parts of S and what each contributed. */
export function DecisionSignals({ decision: { audit }, at }: { decision: PageDecision; at: string }) {
  const page = usePage();
  const figure = useMemo(() => decisionSignalFigure(page, audit), [page, audit]);
  const none = audit.outcome !== "verdict" || (!audit.level_probs && typeof audit.inverse_yes_prob !== "number");
  return (
    <Section id="decision-signals" title="How sure the auditor was">
      {none ? (
        <Nothing
          why={
            audit.outcome !== "verdict"
              ? "Without a verdict there is nothing to be sure of."
              : SIGNAL_WORDS[audit.signal].meaning
          }
        />
      ) : (
        <>
          <p className="muted">
            {SIGNAL_WORDS[audit.signal].meaning}
            {typeof audit.samples === "number" && (
              <>
                {" "}
                Here: <Num at={`${at}/audit/samples`} as="whole" />.
              </>
            )}
          </p>
          <div className="columns">
            <div>
              <h3>Level</h3>
              <LevelBars audit={audit} at={`${at}/audit`} />
              {audit.level && audit.level_map && audit.level !== audit.level_map && (
                <p className="small">
                  It wrote level {audit.level}, though level {audit.level_map} (
                  {LEVEL_WORDS[audit.level_map].name.toLowerCase()}) was the most probable when it did.
                </p>
              )}
            </div>
            <div>
              <h3>Could the opposite be derived?</h3>
              <InverseBars audit={audit} at={`${at}/audit`} />
            </div>
          </div>
          <Chart figure={figure} />
          <SignalWeightsText audit={audit} />
          <SignalParts audit={audit} at={`${at}/audit`} />
        </>
      )}
    </Section>
  );
}

interface Row {
  field: keyof PageAudit;
  name: ReactNode;
  unit: string;
  as: NumberForm;
  says: string;
}

const ROWS: readonly Row[] = [
  {
    field: "pds",
    name: <Term symbol="S" />,
    unit: "",
    as: "fine",
    says: "one number for how settled the audit is; it is no probability of being defensible",
  },
  {
    field: "p_defensible",
    name: <Term symbol="p_defensible">P(defensible), raw</Term>,
    unit: "",
    as: "percent",
    says: "probability of level 1 or 2, as the auditor gave it",
  },
  {
    field: "p_calibrated",
    name: <Term symbol="P(defensible)">P(defensible), calibrated</Term>,
    unit: "",
    as: "percent",
    says: "the same, corrected by the workspace's calibration",
  },
  {
    field: "lambda_nats",
    name: <Term symbol="ξ*, λ_ξ">λ</Term>,
    unit: "nats",
    as: "fine",
    says: "how far it was committed to one level; 0 is wholly",
  },
  {
    field: "h_weight_bits",
    name: <Term symbol="H[w]" />,
    unit: "bits",
    as: "fine",
    says: "doubt about how much precedents weigh; 0 is none",
  },
  {
    field: "h_citation_bits",
    name: <Term symbol="H[κ]" />,
    unit: "bits per token",
    as: "fine",
    says: "how freely it chose the words of its citation; 0 is not at all",
  },
  {
    field: "h_citation_sampled_bits",
    name: <Term symbol="Ĥ[κ]" />,
    unit: "bits per citation",
    as: "fine",
    says: "how much the citations of repeated answers differ; 0 is not at all",
  },
  {
    field: "inverse_log_odds",
    name: <Term symbol="ρ, σ(ρ)">ρ</Term>,
    unit: "nats",
    as: "fine",
    says: "log-odds that the opposite could be derived; below 0 is rather not",
  },
  {
    field: "inverse_yes_prob",
    name: <Term symbol="ρ, σ(ρ)">σ(ρ)</Term>,
    unit: "",
    as: "percent",
    says: "the same as a probability",
  },
  {
    field: "tail_mass",
    name: "Unseen mass",
    unit: "",
    as: "percent",
    says: "probability outside the listed candidates of the citation's tokens, on average",
  },
];

const HEADS = [
  { key: "signal", name: "Signal" },
  { key: "value", name: "Value", align: "right" },
  { key: "unit", name: "Unit" },
  { key: "says", name: "What it says" },
] as const;

/** Every signal of an audit that it has, with what it says. */
function SignalParts({ audit, at }: { audit: PageAudit; at: string }) {
  const rows = ROWS.filter(({ field }) => typeof audit[field] === "number");
  return (
    <PlainTable
      caption="The signals of this audit"
      heads={HEADS}
      rows={rows.map(({ field, name, unit, as, says }) => ({
        key: field,
        cells: [
          name,
          <Num key="value" at={`${at}/${field}`} as={as} />,
          <span key="unit" className="muted">
            {unit}
          </span>,
          says,
        ],
      }))}
    />
  );
}

/** Which weights made this S, and what others, fitted since, would make of it. */
function SignalWeightsText({ audit }: { audit: PageAudit }) {
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
        ? "They are equal because none had been fitted when the run began."
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
