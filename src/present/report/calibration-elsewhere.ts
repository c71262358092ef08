import type { DetailedCalibration } from "../../measures/calibration/detailed-calibration.js";
import { printable } from "../../text/printable.js";
import { type Block, table } from "../document/document.js";
import { COMPONENT_WORDS, SKIP_REASONS, SKIP_WORDS } from "../words/calibration-words.js";
import { countText, decimal, percent, points, pText, rateText, whole } from "../words/numbers.js";

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
