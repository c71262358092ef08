import type { SamplingComparison, SigmaRow, SignalExperiment } from "../../core/results/signal-experiment.js";
import { auditorNotes } from "../auditor-notes.js";
import { levelRows, measureSignals } from "./measure-signals.js";
import type { SignalReading } from "./read-run.js";
import { regimeRows, spanOf } from "./regimes.js";
import { signalFigures } from "./signal-figures.js";

export interface SignalInputs extends SignalReading {
  source: Omit<SignalExperiment["source"], "arm">;
  runs: string[];
  temperatures: SigmaRow[];
  sampling: SamplingComparison[];
  /** The weights of S were fitted. */
  calibrated: boolean;
}

/** Every table of the experiment from columns that have been read. */
export function signalExperiment(inputs: SignalInputs): SignalExperiment {
  const { columns, references, sampling, arm } = inputs;
  const { n, level, agrees } = columns;
  const signals = measureSignals(columns, references);
  const agreement = regimeRows(columns, inputs.spread);
  const count = (column: Uint8Array, value: number) => column.reduce((sum, one) => sum + (one === value ? 1 : 0), 0);
  return {
    format: 1,
    experiment: "signal",
    runs: inputs.runs,
    source: { ...inputs.source, arm: arm.arm },
    counts: {
      verdicts: n,
      communities: columns.communities.length,
      labelled: n - count(agrees, 2),
      disagreements: count(agrees, 0),
      indefensible: count(level, 3),
      replicated: arm.replicated,
    },
    references: references.map((one) => ({
      name: one.name,
      n: n - count(one.level, 0),
      indefensible: count(one.level, 3),
      ...(one.under && { under: one.under }),
    })),
    signals,
    levels: levelRows(columns),
    temperatures: inputs.temperatures,
    agreement,
    output_confidence: {
      agree: spanOf(columns.outputConfidence, agrees, 1),
      disagree: spanOf(columns.outputConfidence, agrees, 0),
    },
    sampling:
      sampling.length > 0
        ? { available: true, comparisons: sampling }
        : {
            available: false,
            reason: arm.sampled
              ? `each audit is made of several draws (signal \`sampling\`): its level is what most of them gave and its probabilities are their shares, so that ${arm.replicated > 0 ? "its replicates are no single draws, and " : ""}there is no pass with probabilities to compare; give a run with signal \`logprobs\` of the same decisions beside it`
              : "no decision was audited four times or more, and no run with signal `sampling` of the same decisions was given",
          },
    figures: signalFigures({ columns, signals, agreement, sampling, calibrated: inputs.calibrated }),
    warnings: warningsOf(inputs, signals),
  };
}

function warningsOf(
  { source, calibrated, references, arm }: SignalInputs,
  signals: SignalExperiment["signals"],
): string[] {
  const warnings = auditorNotes([source.auditor]);
  if (signals.find(({ signal }) => signal === "pds")!.n === 0) warnings.push("no verdict has S");
  else if (!calibrated) warnings.push("S has weights that were not fitted to this auditor");
  if (references.length === 0) {
    warnings.push(
      "nobody but the auditor says which decisions are indefensible, so that every AUROC is against the level of the same answer",
    );
  }
  if (arm.arm !== "") warnings.push(`the run has no plain arm: the tables are of arm ${arm.arm}`);
  return warnings;
}
