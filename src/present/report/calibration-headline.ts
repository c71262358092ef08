import type { DetailedCalibration } from "../../measures/calibration/candidate-result.js";
import type { PaperFit } from "../../measures/calibration/paper/fit-paper.js";
import { printable } from "../../text/printable.js";
import { type Block, table } from "../document/document.js";
import { COMPONENT_WORDS, FITTER_WORDS, methodName, partName } from "../words/calibration-words.js";
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

/** The loss and the error, each beside what it has to be compared with. */
export function calibrationHeadline(calibration: DetailedCalibration): Block[] {
  return [calibration.method === "paper" ? weightsBlock(calibration) : lossBlock(calibration), errorBlock(calibration)];
}

function lossBlock(calibration: DetailedCalibration): Block {
  const { log_loss, method, asked, baselines, evaluation, choice } = calibration;
  const how = choice ? foldsText(choice.folds) : "";
  const chosen =
    asked === "auto" && choice
      ? `${methodName(method)}, the best of ${plural(choice.candidates.filter((one) => one.log_loss !== null && one.method !== "pds").length, "method")} by ${how}`
      : `${methodName(method)}${how ? `; ${how}` : ""}`;
  const beside = [
    baselines ? `1 − p(L3) as the auditor gives it: ${decimal(baselines.p_defensible.log_loss.value, 3)}` : "",
    baselines ? `S: ${decimal(baselines.pds.log_loss.value, 3)}` : "",
    evaluation ? `the base rate alone: ${decimal(evaluation.log_loss.base_rate, 3)}` : "",
  ].filter(Boolean);
  return {
    kind: "headline",
    value: decimal(log_loss, 3),
    label: "log-loss of P(defensible), in nats; lower is better",
    under: `${chosen}${elsewhere(calibration)}. ${beside.join(" · ")}.`,
  };
}

function elsewhere({ evaluated_on: on }: DetailedCalibration): string {
  if (!on || on.kind === "fitted") return "";
  return on.kind === "holdout" ? ", measured on the rows held out" : `, measured on ${printable(on.label, 60)}`;
}

function foldsText({ count, by, communities }: { count: number; by: string; communities: number }): string {
  return by === "community"
    ? `cross-validation in ${count} parts of whole communities (${communities})`
    : `cross-validation in ${count} parts of single rows`;
}

function weightsBlock({ weights, component, loss, paper, calibrated, n }: DetailedCalibration): Block {
  const fit = paper?.[component];
  const entropy =
    component === "h_w" ? "H[w], the entropy of the precedent weight" : "H[κ], the entropy of the citation";
  return {
    kind: "headline",
    value: `${decimal(weights.alpha, 3)} ${decimal(weights.beta, 3)} ${decimal(weights.gamma, 3)}`,
    label: "α β γ: weights of label confidence, entropy and inverse check in S",
    under:
      calibrated === false
        ? "Not fitted: equal weights stand in."
        : `With ${entropy}. Loss ${decimal(loss, 4)} nats a row over ${plural(n, "row")}; the base rate alone: ${decimal(fit?.base_rate_loss ?? null, 4)}.`,
  };
}

function errorBlock({ ece, evaluation, score }: DetailedCalibration): Block {
  if (evaluation?.n === 0) {
    return {
      kind: "headline",
      value: "–",
      label: "calibration error (ECE, bins of equally many rows)",
      under: "Nothing to measure: no row has both a score and a target.",
    };
  }
  const null95 = decimal(ece.null_95, 3);
  const verdict =
    ece.equal_frequency === null || ece.null_95 === null
      ? ""
      : ece.equal_frequency > ece.null_95
        ? "More than chance explains: the score is not calibrated here."
        : "No more than chance explains.";
  return {
    kind: "headline",
    value: decimal(ece.equal_frequency, 3),
    label: "calibration error (ECE, bins of equally many rows)",
    under: `A perfectly calibrated score would show up to ${null95} with ${plural(evaluation?.n ?? 0, "row")}. ${verdict} Measured: ${printable(score ?? "the score", 100)}.`,
  };
}
