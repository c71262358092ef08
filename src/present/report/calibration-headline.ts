import type { DetailedCalibration } from "../../measures/calibration/detailed-calibration.js";
import { printable } from "../../text/printable.js";
import type { Block } from "../document/document.js";
import { methodName } from "../words/calibration-words.js";
import { decimal, plural } from "../words/numbers.js";

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
