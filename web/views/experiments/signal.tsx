import type { SignalExperiment } from "../../../src/experiments/signal/result.js";
import {
  CIRCULAR_ONLY,
  NO_SIGNAL,
  REFERENCE_WORDS,
  rankSignals,
} from "../../../src/present/words/experiments/experiment-words.js";
import { wordOr } from "../../../src/present/words/word-table.js";
import { useExperiment } from "../../data/use-experiment.ts";
import { KeptFigure, KeptFigures } from "../../parts/experiment.tsx";
import { EstInText } from "../../parts/numbers/est.tsx";
import { ComparedEstimates } from "../../parts/numbers/estimate-tables.tsx";
import { Section } from "../../parts/text/prose.tsx";
import type { LeadProps } from "./lead-props.ts";
import { SamplingSection } from "./sampling.tsx";
import { SignalTable } from "./signal-table.tsx";

/** The signal that finds indefensible decisions best, by whoever else says which they are. */
export function SignalLead({ className }: LeadProps) {
  const { result, at } = useExperiment("signal")!;
  const { target, rows } = rankSignals(result);
  const [best] = rows;
  if (!best) return <p className={className}>{NO_SIGNAL}</p>;
  if (!target) return <p className={className}>{CIRCULAR_ONLY}</p>;
  const confidence = rows.find(({ row }) => row.signal === "output_confidence");
  const place = (i: number) => `${at}/signals/${i}/auroc/references/${target}`;
  return (
    <p className={className}>
      {best.row.label} finds indefensible decisions best: an <abbr title="area under the ROC curve">AUROC</abbr> of{" "}
      <EstInText at={place(best.place)} as="decimal" />, held against {wordOr(REFERENCE_WORDS, target)}.{" "}
      {confidence && confidence !== best && (
        <>
          The model's confidence in its answer has <EstInText at={place(confidence.place)} as="decimal" />.{" "}
        </>
      )}
      0.50 is chance.
    </p>
  );
}

export function SignalBody() {
  const { result, at } = useExperiment("signal")!;
  const signals = result.signals.filter(({ n }) => n > 0);
  return (
    <>
      <Section id="detection" title="Which signal finds indefensible decisions">
        <KeptFigure of={result} id="signal-auroc" />
        <SignalTable result={result} at={at} />
      </Section>
      <Section id="by-level" title="By level">
        <KeptFigure of={result} id="pds-by-level" />
        <ComparedEstimates
          caption="Means by the auditor's level"
          of="Mean of"
          rows={[
            { name: "Verdicts", field: "n", count: true },
            { name: "Ambiguity: share whose opposite could be derived", field: "ambiguity_index" },
            ...signals.map(({ signal, label }) => ({ name: label, field: `means/${signal}`, as: "fine" as const })),
          ]}
          columns={result.levels.map(({ level }, i) => ({
            key: String(level),
            name: `Level ${level}`,
            at: `${at}/levels/${i}`,
          }))}
        />
        <p className="small muted">
          At level 3 an inverse = Yes says that the opposite is what the rules ask for, not that they are ambiguous.
        </p>
      </Section>
      <Section id="agreement" title="Where decider and people agree, and where they do not">
        <KeptFigures of={result} ids={["signals-by-agreement", "pds-sigma-states"]} />
        <Regimes result={result} at={at} />
      </Section>
      <Temperatures result={result} at={at} />
      <SamplingSection result={result} at={at} />
    </>
  );
}

function Regimes({ result, at }: { result: SignalExperiment; at: string }) {
  const labels = new Map(result.signals.map(({ signal, label }) => [signal, label]));
  const shown = result.agreement
    .map((row, i) => ({ ...row, at: `${at}/agreement/${i}` }))
    .filter(({ agree, disagree }) => agree.estimate !== null || disagree.estimate !== null);
  if (shown.length === 0) return <p className="nothing">No labelled decision has signals.</p>;
  return (
    <ComparedEstimates
      caption="Mean of each signal; ratio: disagreements over agreements"
      of="Signal"
      turned
      rows={[
        { name: "Agreements", field: "agree", as: "fine" },
        { name: "Disagreements", field: "disagree", as: "fine" },
        { name: "Ratio", field: "ratio", as: "decimal" },
      ]}
      columns={shown.map(({ signal, statistic, at: place }) => ({
        key: `${signal} ${statistic}`,
        name: `${statistic === "sd" ? "sd of " : ""}${labels.get(signal) ?? signal}`,
        at: place,
      }))}
      with="interval"
    />
  );
}

function Temperatures({ result, at }: { result: SignalExperiment; at: string }) {
  const rows = result.temperatures
    .map((row, i) => ({ ...row, at: `${at}/temperatures/${i}` }))
    .filter(({ n }) => n > 0);
  if (rows.length === 0) return null;
  return (
    <Section id="by-temperature" title="σ(ρ) by temperature">
      <div className="stacked">
        <ComparedEstimates
          caption="σ(ρ), the probability of Yes in the inverse check, where the check says Yes and No"
          of="Measure"
          rows={[
            { name: "Verdicts", field: "n", count: true },
            { name: "Ambiguity", field: "ambiguity_index" },
            { name: "Rank correlation with Yes", field: "spearman", as: "decimal" },
            { name: "AUROC", field: "auroc", as: "decimal" },
            { name: "Mean where Yes", field: "yes", as: "fine" },
            { name: "Mean where No", field: "no", as: "fine" },
            { name: "Ratio", field: "ratio", as: "decimal" },
          ]}
          columns={rows.map(({ temperature, at: place }, i) => ({
            key: String(i),
            name: temperature === null ? "T unknown" : `T = ${temperature}`,
            at: place,
          }))}
        />
      </div>
      <p className="small muted">
        σ(ρ) is the probability of the very token that the check is: correlation, AUROC and ratio say how decided the
        auditor is, not that the rules are ambiguous.
      </p>
    </Section>
  );
}
