import type { Estimate } from "../../core/estimate.js";
import type { CandidateResult, DetailedCalibration } from "../../measures/calibration/candidate-result.js";
import type { FeatureWorths } from "../../measures/calibration/feature-worth.js";
import { printable } from "../../text/printable.js";
import { type Block, table } from "../document/document.js";
import {
  COMPONENT_WORDS,
  FEATURE_GROUP_WORDS,
  methodName,
  SKIP_REASONS,
  SKIP_WORDS,
} from "../words/calibration-words.js";
import { countText, decimal, percent, points, pText, rateText, signed, whole } from "../words/numbers.js";

/** Another mix of classes than where the calibration was fitted, before and after it is corrected for. */
export function priorShiftSection({ prior_shift: shift, evaluated_on }: DetailedCalibration): Block[] {
  if (!shift) return [];
  const row = (name: string, { log_loss, ece, brier }: typeof shift.before) => [
    name,
    decimal(log_loss.value, 4),
    decimal(brier.value, 4),
    decimal(ece.equal_frequency.value, 4),
    decimal(ece.equal_frequency.null_95, 4),
  ];
  const how =
    shift.method === "estimated" ? "estimated from the scores there, without their labels" : "as the labels there show";
  const kept = shift.kept
    ? "The correction lowers the log-loss, so the calibration is kept with it and its numbers are those after it."
    : shift.method === "labels"
      ? "S itself stays as the paper has it; its numbers are those before."
      : "The correction does not lower the log-loss, so the calibration is kept without it.";
  return [
    { kind: "heading", text: "Another mix of levels" },
    {
      kind: "text",
      text: `Level 3 is ${percent(shift.fitted.at(-1)!)} where it was fitted and ${percent(shift.deployed.at(-1)!)} in ${printable(evaluated_on?.label ?? "the other audits", 60)}, ${how}. ${kept}`,
    },
    table(
      ["", ">log-loss", ">Brier", ">ECE", ">its 95 % limit"],
      [row("before the correction", shift.before), row("after it", shift.after)],
    ),
  ];
}

/** The paper's table of held-out calibration: one row a temperature. */
export function temperaturesSection({ temperatures = [] }: DetailedCalibration): Block[] {
  if (temperatures.length === 0) return [];
  const own = temperatures.some((row) => row.calibrated);
  const rows = temperatures.map((row) => [
    row.temperature === null ? printable(row.arm || "main", 12) : `${row.temperature}`,
    whole(row.n),
    whole(row.skipped),
    row.extraction_rate === null ? "–" : percent(row.extraction_rate),
    decimal(row.ece, 4),
    decimal(row.ece_null_95, 4),
    decimal(row.mean_pds.all, 3),
    decimal(row.mean_pds.defensible, 3),
    decimal(row.mean_pds.indefensible, 3),
    row.defensible_rate === null ? "–" : percent(row.defensible_rate),
    ...(own ? [decimal(row.calibrated?.ece ?? null, 4)] : []),
  ]);
  const titles = [">T", ">n", ">skipped", ">extracted", ">ECE of S", ">95 % limit", ">S̄", ">S̄ def", ">S̄ indef", ">def"];
  return [{ kind: "heading", text: "By temperature" }, table(own ? [...titles, ">ECE of p"] : titles, rows)];
}

/** How many verdicts gave what S needs, and whether those that did not are like the others. */
export function extractionSection({ extraction }: DetailedCalibration): Block[] {
  if (!extraction || extraction.n === 0) return [];
  const { extracted, skipped, levels, test, level3_difference: difference, statement } = extraction;
  const lacking = SKIP_REASONS.filter((reason) => skipped[reason] > 0);
  const told = lacking.map((reason) => `${whole(skipped[reason])} ${SKIP_WORDS[reason]}`);
  const blocks: Block[] = [
    { kind: "heading", text: "Signals found" },
    {
      kind: "text",
      text: `${countText(extracted)} verdicts (${rateText(extracted)}) have all parts of S (with ${COMPONENT_WORDS[extraction.component].meaning})${told.length > 0 ? `; the others: ${told.join(", ")}` : ""}. ${statement}`,
    },
  ];
  if (test.p === null || difference.estimate === null) return blocks;
  const row = (name: string, [one, two, three]: [number, number, number]) => [
    name,
    ...[one, two, three].map(whole),
    percent(three / (one + two + three)),
  ];
  blocks.push(
    table(
      ["verdicts", ">level 1", ">level 2", ">level 3", ">level 3"],
      [row("with S", levels.extracted), row("without", levels.skipped)],
    ),
    {
      kind: "text",
      text: `Independence of skipping and level: ${pText(test.p)} (${test.method === "exact" ? "exact" : "chi-square"}). Level 3 among the skipped: ${points(difference.estimate)}${difference.interval ? ` (${points(difference.interval.lower)} to ${points(difference.interval.upper)})` : ""}.`,
    },
  );
  return blocks;
}

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
