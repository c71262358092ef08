import type { CandidateResult } from "../../calibration/candidate-result.js";
import type { DetailedCalibration } from "../../calibration/detailed-calibration.js";
import type { Estimate } from "../../domain/estimate.js";
import { methodName } from "../../figures/calibration-words.js";
import { decimal, signed } from "../../figures/numbers.js";
import { type Block, table } from "../document.js";

/** Every method on rows it was not fitted on, the best first, the two baselines among them. */
export function candidatesSection({ choice, method }: DetailedCalibration): Block[] {
  if (!choice) return [];
  const scored = choice.candidates.filter((one) => one.log_loss !== null);
  scored.sort((a, b) => a.log_loss! - b.log_loss!);
  const left = choice.candidates.filter((one) => one.log_loss === null);
  const rows = scored.map((one) => [
    `${one.method === method ? "→ " : "  "}${methodName(one.method)}`,
    decimal(one.log_loss, 4),
    decimal(one.log_loss_se, 4),
    decimal(one.brier, 4),
    decimal(one.auroc.estimate, 3),
    difference(one),
  ]);
  const blocks: Block[] = [
    { kind: "heading", text: "Methods" },
    {
      kind: "text",
      text: "Each row is scored by a model that has not seen it. 1 − p(L3) and S are what a method has to beat; S has the weights that suit these labels best.",
    },
    table(["  method", ">log-loss", ">± se", ">Brier", ">AUROC", ">log-loss against 1 − p(L3)"], rows),
  ];
  if (left.length > 0) {
    const reasons = left.map((one) => `${methodName(one.method)} ${one.reason}`);
    blocks.push({ kind: "text", text: `Not tried: ${reasons.join("; ")}.` });
  }
  const { dropped } = choice.features;
  if (dropped.length > 0) {
    const names = dropped.map(({ feature, reason }) => `${feature} (${reason})`);
    blocks.push({ kind: "text", text: `Left out of the multinomial model: ${names.join(", ")}.` });
  }
  return blocks;
}

function difference({ against }: CandidateResult): string {
  const raw: Estimate | null = against.raw;
  if (raw?.estimate == null) return "";
  return `${signed(raw.estimate, 4)} (${signed(raw.lower, 4)} to ${signed(raw.upper, 4)})`;
}
