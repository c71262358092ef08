import type { SamplingComparison, SignalExperiment } from "../../core/results/signal-experiment.js";
import { type Block, table } from "../../present/document/document.js";
import { numberCell } from "../../present/words/experiments/estimate-cells.js";
import { decimal, plural, whole } from "../../present/words/numbers.js";
import { printable } from "../../text/printable.js";

/** Probabilities of one pass against frequencies of samples. */
export function samplingBlocks({ sampling }: SignalExperiment): Block[] {
  const heading: Block = { kind: "heading", text: "One pass with probabilities against samples" };
  if (!sampling.available) {
    return [
      heading,
      {
        kind: "text",
        text: `Not available: ${sampling.reason}. \`defensible audit --replicates 20\` makes replicates; \`defensible audit --signal sampling\` makes a run to compare with (--run A --run B).`,
      },
    ];
  }
  return [heading, ...sampling.comparisons.flatMap(comparison)];
}

function comparison(one: SamplingComparison): Block[] {
  const { logprob, frequency, temperature, reference_replicates: reference } = one;
  const size =
    reference.least === reference.most
      ? whole(reference.least)
      : `${whole(reference.least)} to ${whole(reference.most)}`;
  const disjoint =
    one.method === "disjoint replicates"
      ? `counted in ${size} replicates that estimate nothing else`
      : `counted in ${size} draws; errors of fewer samples follow from the binomial variance`;
  return [
    { kind: "text", text: `${printable(one.name, 60)}: ${finding(one)}` },
    table(
      ["estimate of how often level 3 is drawn", ">mean squared error", ">AUROC", ">decisions"],
      [
        ["one pass, p(L3) as read", numberCell(logprob.raw_mse, 4), "", whole(logprob.raw_mse.n)],
        [
          `one pass, p(L3) at T = ${temperature ?? "?"}`,
          numberCell(logprob.tempered_mse, 4),
          numberCell(logprob.auroc),
          whole(logprob.tempered_mse.n),
        ],
        ...frequency.map(({ samples, mse, auroc, decisions }) => [
          plural(samples, "sample"),
          numberCell(mse, 4),
          numberCell(auroc),
          whole(decisions),
        ]),
      ],
    ),
    {
      kind: "text",
      text: `Errors are against how often level 3 comes, ${disjoint}; what those cannot know is taken off. The AUROC is for decisions that are mostly level 3 there. One pass sees only its own trace: probabilities at its end cannot say what another trace would have concluded.`,
    },
  ];
}

function finding({
  samples_that_match: match,
  equivalent_samples: equal,
  reason,
  decisions,
}: SamplingComparison): string {
  const worth = equal === null ? "" : ` One pass is worth ${decimal(equal, 1)} samples.`;
  if (match === null) return `${reason ?? "nothing to compare"}.${worth}`;
  return `${plural(match, "sample")} ${match === 1 ? "estimates" : "estimate"} how often level 3 is drawn at least as well as one pass with probabilities, over ${plural(decisions, "decision")}.${worth}`;
}
