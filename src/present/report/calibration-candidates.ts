import type { Estimate } from "../../core/estimate.js";
import type { CandidateResult } from "../../measures/calibration/candidate-result.js";
import type { DetailedCalibration } from "../../measures/calibration/detailed-calibration.js";
import type { FeatureWorths } from "../../measures/calibration/feature-worth.js";
import { type Block, table } from "../document/document.js";
import { FEATURE_GROUP_WORDS, methodName } from "../words/calibration-words.js";
import { decimal, signed, whole } from "../words/numbers.js";

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
  return [...blocks, ...worthBlocks(choice.features.worth)];
}

function difference({ against }: CandidateResult): string {
  return against.raw ? changeText(against.raw) : "";
}

/** What the multinomial model loses without each feature. */
function worthBlocks(worth: FeatureWorths | undefined): Block[] {
  if (!worth) return [];
  const defined = worth.drop_one.filter(({ log_loss }) => log_loss.estimate !== null);
  const reasons = worth.drop_one.flatMap(({ group, log_loss }) =>
    log_loss.estimate === null ? [{ group, reason: log_loss.reason }] : [],
  );
  const heading: Block = { kind: "heading", text: "What each feature is worth" };
  if (defined.length === 0) return [heading, { kind: "text", text: `Undefined: ${reasons[0]?.reason}.` }];
  const sample = worth.n < worth.of ? ` Refitted on a random ${whole(worth.n)} of ${whole(worth.of)} rows.` : "";
  const blocks: Block[] = [
    heading,
    { kind: "text", text: entropyText(worth) },
    table(
      ["multinomial model without", ">log-loss of the three levels", ">log-loss of defensible or not"],
      defined.map((one) => [
        FEATURE_GROUP_WORDS[one.group] ?? one.group,
        changeText(one.level_log_loss) || "–",
        changeText(one.log_loss),
      ]),
    ),
    {
      kind: "text",
      text: `Change of the log-loss in communities that were not fitted, nats per case, with 95% intervals over communities. Above 0, the feature helps.${sample}`,
    },
  ];
  if (reasons.length > 0) {
    const names = reasons.map(({ group, reason }) => `${FEATURE_GROUP_WORDS[group] ?? group} (${reason})`);
    blocks.push({ kind: "text", text: `Undefined: ${names.join("; ")}.` });
  }
  return blocks;
}

/** Whether entropy helps: both entropies together, or the one there is; of the three levels, or of two classes where labels have no more. */
function entropyText({ drop_one }: FeatureWorths): string {
  const one = (["entropy", "h_weight", "h_citation"] as const)
    .map((group) => drop_one.find((entry) => entry.group === group))
    .find((entry) => entry && entry.log_loss.estimate !== null);
  if (!one) return "Whether entropy helps is unknown: the audits have none that varies.";
  const ofLevels = one.level_log_loss.estimate !== null;
  const change = ofLevels ? one.level_log_loss : one.log_loss;
  if (change.estimate === null) return "";
  const task = ofLevels ? "to tell the three levels apart" : "to tell defensible from indefensible";
  const numbers = `without ${one.group === "entropy" ? "H[w] and H[κ]" : FEATURE_GROUP_WORDS[one.group]} the log-loss changes by ${changeText(change)}`;
  if (change.lower > 0) return `Entropy helps ${task}: ${numbers}.`;
  if (change.upper < 0) return `Entropy does not help ${task}, the model is better without it: ${numbers}.`;
  return `These data do not show that entropy helps ${task}: ${numbers}.`;
}

function changeText(change: Estimate): string {
  if (change.estimate === null) return "";
  return `${signed(change.estimate, 4)} (${signed(change.lower, 4)} to ${signed(change.upper, 4)})`;
}
