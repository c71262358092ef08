import type { DetailedCalibration } from "../../measures/calibration/detailed-calibration.js";
import type { PaperFit } from "../../measures/calibration/fit-paper.js";
import { type Block, table } from "../document/document.js";
import { COMPONENT_WORDS, FITTER_WORDS, partName } from "../words/calibration-words.js";
import { decimal, plural } from "../words/numbers.js";
import { wordOr } from "../words/word-table.js";

/** The weights of S by both entropies and both methods, and what each part contributes. */
export function paperSection({ paper, component, method, mean_pds }: DetailedCalibration): Block[] {
  if (!paper) return [];
  const fits = [paper.h_w, paper.h_kappa];
  const rows = fits.flatMap((fit) =>
    fit.methods.map((one) => [
      COMPONENT_WORDS[fit.component].name,
      wordOr(FITTER_WORDS, one.method),
      decimal(one.weights.alpha, 4),
      decimal(one.weights.beta, 4),
      decimal(one.weights.gamma, 4),
      decimal(one.loss, 5),
      one.method === "closed-simplex" ? fit.active_constraints.join(", ") : "",
    ]),
  );
  const blocks: Block[] = [{ kind: "heading", text: "Weights of S = exp(−(α·(−λ) + β·H + γ·σ(ρ)))" }];
  if (rows.length > 0) blocks.push(table(["entropy", "method", ">α", ">β", ">γ", ">loss", "at the border"], rows));
  for (const fit of fits) {
    if (fit.reason)
      blocks.push({
        kind: "text",
        text: `${COMPONENT_WORDS[fit.component].name}: equal weights, because ${fit.reason}.`,
      });
  }
  blocks.push(...contributions(paper[component]));
  if (mean_pds.all !== null) {
    blocks.push({
      kind: "text",
      text: `Mean S: ${decimal(mean_pds.all, 3)}; of defensible decisions ${decimal(mean_pds.defensible, 3)}, of indefensible ones ${decimal(mean_pds.indefensible, 3)}.${method === "paper" ? " S is no probability: with three weights that sum to 1 it has neither intercept nor slope, and a confident level 3 with a low σ(ρ) is near 1. `--method auto` gives one." : ""}`,
    });
  }
  return blocks;
}

function contributions(fit: PaperFit): Block[] {
  if (fit.contributions.length === 0) return [];
  const rows = fit.contributions.map((part) => [
    partName(part.part, fit.component),
    decimal(part.weight, 4),
    decimal(part.weight_times_sd, 4),
    decimal(part.loss_increase_without, 5),
    decimal(part.loss_increase_at_mean, 5),
  ]);
  const blocks: Block[] = [
    {
      kind: "text",
      text: "Weights alone mislead: they must sum to 1, so a part that is near 0 in every row takes what the others do not want. What each part does:",
    },
    table(["part", ">weight", ">weight × spread", ">loss more without it", ">loss more at its mean"], rows),
  ];
  const below = fit.rows_below_epsilon.all;
  if (below > 0) {
    blocks.push({
      kind: "text",
      text: `${plural(below, "row")} with S = 1 to the last digit (${fit.rows_below_epsilon.indefensible} of them level 3): their loss is set by ε = ${fit.epsilon}, not by the data.`,
    });
  }
  return blocks;
}
