import { type Block, type Document, table } from "../../present/document/document.js";
import {
  decimal,
  intervalText,
  percent,
  plural,
  points,
  pointsInterval,
  pointsText,
  rateText,
} from "../../present/words/numbers.js";
import { printable } from "../../text/printable.js";
import type { Validate } from "./result.js";

const NAMES: Record<string, string> = {
  defensibility_index: "DI",
  ambiguity_index: "AI",
  ambiguity_pure: "AI_pure",
  ambiguity_platform: "AI_G, by citation",
  ambiguity_community: "AI_C, by citation",
};

/** Where the table has many columns; the text below it says by what they are attributed. */
const SHORT: Record<string, string> = { ambiguity_platform: "AI_G", ambiguity_community: "AI_C" };

/** What the instruments measure where the truth is known. */
export function validateDocument(result: Validate): Document {
  const { run, worlds } = result;
  const parts = [
    ...(run ? [`run ${printable(run.run_id, 60)} by ${printable(run.auditor, 60)}`] : []),
    ...(worlds ? [`${plural(worlds.count, "simulated world")} of ${plural(worlds.decisions, "decision")}`] : []),
  ];
  return {
    title: "Validation against planted truth",
    subtitle: parts.join(" · "),
    blocks: [
      ...(run ? runBlocks(run) : []),
      ...(worlds ? worldBlocks(worlds) : []),
      ...result.warnings.map((text): Block => ({ kind: "text", text: `Note: ${printable(text, 400)}.` })),
      {
        kind: "text",
        text: "All of it is simulated: it shows whether the instruments measure what they claim where the truth is known by construction, not how good an auditor is on your decisions. For that there are people's labels (`defensible humans`) and `gate --judge-error`.",
      },
    ],
  };
}

type Run = NonNullable<Validate["run"]>;

function runBlocks(run: Run): Block[] {
  const blocks: Block[] = [
    againstTruth(
      run,
      "defensibility_index",
      ` Over ${plural(run.matched, "verdict")}; the auditor names the true level in ${rateText(run.same_level)} of them.`,
    ),
    againstTruth(run, "ambiguity_index"),
    { kind: "heading", text: "This run against the truth" },
    table(
      ["index", ">true", ">measured", ">error", "95 % interval", "covers", "over communities"],
      run.quantities.map((one) => [
        NAMES[one.quantity]!,
        share(one.truth),
        rateText(one.measured),
        one.error === null ? "–" : points(one.error),
        one.measured.estimate === null ? one.measured.reason : intervalText(one.measured),
        yesNo(one.covered),
        yesNo(one.covered_clustered),
      ]),
    ),
    {
      kind: "text",
      text: `Covers: whether the interval holds the true share of these decisions; over communities: whether the one with communities as clusters does.${uncovered(run)} Inverse check: ${rateText(run.inverse.sensitivity)} of derivable opposites found (${run.inverse.sensitivity.n}), ${rateText(run.inverse.specificity)} of the others denied (${run.inverse.specificity.n}).${family(run)}`,
    },
    table(
      ["true level", ">audited 1", ">audited 2", ">audited 3"],
      run.levels.map((row, i) => [`level ${i + 1}`, ...row.map(String)]),
    ),
  ];
  if (run.scores.length > 0)
    blocks.push({ kind: "heading", text: "Scores of this run against the truth" }, scoreTable(run.scores));
  blocks.push(
    table(
      ["gate mode", ">passing", ">should not", "95 % interval", ">found of those that should"],
      Object.entries(run.gate).map(([mode, one]) => [
        mode,
        String(one.passing),
        rateText(one.false_openings),
        one.passing === 0 ? "none passed" : intervalText(one.false_openings as never),
        one.recall.estimate === null ? "none should" : rateText(one.recall),
      ]),
    ),
  );
  return blocks;
}

/** Measured against true, and whether its interval tells: an interval that misses is as much a finding as the error. */
function againstTruth({ quantities }: Run, name: "defensibility_index" | "ambiguity_index", more = ""): Block {
  const { error, measured, truth, covered } = quantities.find(({ quantity }) => quantity === name)!;
  const verdict =
    covered === null
      ? ""
      : covered
        ? ": it holds the truth"
        : ": it does not hold the truth, and nothing in the verdicts shows that";
  return {
    kind: "headline",
    value: error === null ? "–" : points(error),
    label: `measured ${NAMES[name]} − true ${NAMES[name]}`,
    under:
      measured.estimate === null
        ? `${measured.reason}.${more}`
        : `${rateText(measured)} measured, ${share(truth)} true; 95 % interval ${intervalText(measured)}${verdict}.${more}`,
  };
}

/** Why a dash stands instead of yes or no. */
function uncovered({ quantities }: Run): string {
  const without = quantities.filter(
    ({ measured, covered_clustered }) => measured.estimate !== null && covered_clustered === null,
  );
  return without.length === 0
    ? ""
    : ` A dash: there is no interval over communities${without.length < quantities.length ? ` of ${without.map(({ quantity }) => NAMES[quantity]).join(", ")}` : ""}, which takes two communities at least.`;
}

function family({ same_family: of }: Run): string {
  if (!of) return " No decision was made by a model of the auditor's family.";
  return ` Of indefensible decisions, ${rateText(of.own)} by its own family pass for defensible (${of.own.n}), ${rateText(of.others)} by others (${of.others.n}).`;
}

function worldBlocks(worlds: NonNullable<Validate["worlds"]>): Block[] {
  return [
    { kind: "heading", text: `Estimators in ${plural(worlds.count, "world")}` },
    table(
      ["auditor", "index", ">true", ">measured", ">mean error, pp", ">RMSE", ">covers", ">over communities"],
      worlds.conditions.flatMap((condition) =>
        condition.estimators.map((one, i) => [
          i === 0 ? printable(condition.name, 40) : "",
          SHORT[one.quantity] ?? NAMES[one.quantity]!,
          share(one.truth),
          share(one.measured),
          one.error.estimate === null
            ? "–"
            : `${pointsText(one.error).replace(" pp", "")} (${pointsInterval(one.error)})`,
          one.rmse === null ? "–" : `${(100 * one.rmse).toFixed(1)} pp`,
          rateText(one.coverage.independent),
          rateText(one.coverage.clustered),
        ]),
      ),
    ),
    {
      kind: "text",
      text: `Auditors: "faultless" reads and answers without error; "as set" has the errors of its settings; "bias 0.3" is the same one auditing a decider of its own backbone, and takes 30 % of its indefensible decisions for derivable. In brackets: 95 % interval of the mean error over worlds. "Covers": share of worlds whose 95 % interval holds the true rate: with rows as independent, that of just these communities in the long run; over communities, that of all communities they are a sample of. With the faultless auditor both should be near 95 %; what is missing with another is the auditor's error, which no interval of its own verdicts can show. The largest community of a world holds ${percent(worlds.largest_community, 0)} of its decisions on average. AI_G and AI_C are those by citation: they count decisions that no rule covers, since their trace cites a rule all the same.${dashes(worlds)}`,
    },
    { kind: "heading", text: "Corrected by labels" },
    table(
      ["auditor", ">labels", ">mean error of DI", "its 95 % interval", ">covers"],
      worlds.conditions.flatMap(({ name, corrected }) =>
        corrected
          ? [
              [
                printable(name, 40),
                String(corrected.labels),
                pointsText(corrected.error),
                corrected.error.estimate === null ? corrected.error.reason : `${pointsInterval(corrected.error)} pp`,
                rateText(corrected.coverage),
              ],
            ]
          : [],
      ),
    ),
    { kind: "heading", text: "Gates: communities that passed and should not" },
    table(
      ["auditor", "mode", ">worlds with one", ">of those passing", ">found of those that should"],
      worlds.conditions.flatMap((condition) =>
        Object.entries(condition.gate).map(([mode, one], i) => [
          i === 0 ? printable(condition.name, 40) : "",
          mode,
          rateText(one.worlds_with_false_opening),
          one.false_openings.estimate === null ? "none passed" : rateText(one.false_openings),
          one.recall.estimate === null ? "none should" : rateText(one.recall),
        ]),
      ),
    ),
    {
      kind: "text",
      text: `Promises: ${promises(worlds)}. A community should pass if its true rates in the long run keep the limits (DI 90 %, AI 15 %). The promises are about the auditor's verdicts: they hold for the truth only as far as the auditor is right. How far a biased auditor strains or breaks them, the table shows.`,
    },
    ...(worlds.scores.length > 0
      ? ([
          {
            kind: "heading",
            text: `Scores fitted on ${plural(worlds.fitted_on, "world")}, judged by the truth of ${worlds.evaluated_on} others`,
          },
          scoreTable(worlds.scores),
        ] as Block[])
      : []),
  ];
}

/** Why dashes stand in the table, each reason once, with the indices it is about. */
function dashes({ conditions }: NonNullable<Validate["worlds"]>): string {
  const reasons = new Map<string, Set<string>>();
  for (const { quantity, error, coverage } of conditions.flatMap(({ estimators }) => estimators)) {
    for (const estimate of [error, coverage.independent, coverage.clustered]) {
      if (estimate.estimate !== null) continue;
      const names = reasons.get(estimate.reason) ?? new Set();
      reasons.set(estimate.reason, names.add(SHORT[quantity] ?? NAMES[quantity]!));
    }
  }
  const told = [...reasons].map(([reason, names]) => `${[...names].join(", ")}: ${printable(reason)}`);
  return told.length === 0 ? "" : ` A dash: ${told.join("; ")}.`;
}

function promises({ conditions }: NonNullable<Validate["worlds"]>): string {
  return Object.entries(conditions[0]?.gate ?? {})
    .map(([mode, { promise }]) => `${mode}, ${promise}`)
    .join("; ");
}

function scoreTable(scores: NonNullable<Validate["worlds"]>["scores"]): Block {
  return table(
    ["~score", ">AUROC", ">ECE", ">chance alone", ">log-loss", ">L3 found at 5 % false alarms"],
    scores.map((one) => [
      one.score,
      decimal(one.auroc.estimate, 3),
      decimal(one.ece, 4),
      decimal(one.ece_null_95, 4),
      decimal(one.log_loss, 4),
      rateText(one.detected_at_5),
    ]),
  );
}

function share(value: number | null): string {
  return value === null ? "–" : percent(value);
}

function yesNo(value: boolean | null): string {
  return value === null ? "–" : value ? "yes" : "no";
}
