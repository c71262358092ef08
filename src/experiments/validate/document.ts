import {
  type Block,
  boundsAt,
  type Document,
  noteBlocks,
  type Screen,
  type Text,
  table,
} from "../../present/document/document.js";
import { percent, plural } from "../../present/words/numbers.js";
import { estAt, numberAt, pointerPart, type Sentence, sentence } from "../../present/words/sentence.js";
import { printable } from "../../text/printable.js";
import type { Validate } from "./result.js";

const NAMES: Record<string, string> = {
  defensibility_index: "defensibility",
  ambiguity_index: "ambiguity",
  ambiguity_pure: "pure ambiguity",
  ambiguity_platform: "platform amb.",
  ambiguity_community: "community amb.",
};

const rateAt = (at: string) => estAt(at, "percent", "value");

export function validateDocument(result: Validate): Document {
  const { run, worlds } = result;
  const parts = [
    ...(run ? [`run ${printable(run.run_id, 60)} by ${printable(run.auditor, 60)}`] : []),
    ...(worlds ? [`${plural(worlds.count, "simulated world")} of ${plural(worlds.decisions, "decision")}`] : []),
  ];
  return {
    title: "Validation against planted truth",
    subtitle: parts.join(" · "),
    data: result,
    blocks: [
      ...(run ? runBlocks(run) : []),
      ...(worlds ? worldBlocks(worlds) : []),
      ...noteBlocks(result.warnings),
      {
        kind: "text",
        text: "All of it is simulated: it shows whether the instruments measure what they claim where the truth is known by construction, not how good an auditor is on your decisions. For that there are people's labels (`defensible humans`) and `gate --judge-error`.",
      },
    ],
  };
}

type Run = NonNullable<Validate["run"]>;
type Worlds = NonNullable<Validate["worlds"]>;

function runBlocks(run: Run): Block[] {
  const { inverse } = run;
  return [
    againstTruth(
      run,
      "defensibility_index",
      sentence` Over ${numberAt("/run/matched", "whole")} verdicts; the auditor names the true level in ${rateAt("/run/same_level")} of them.`,
    ),
    againstTruth(run, "ambiguity_index"),
    { kind: "heading", text: "This run against the truth" },
    table(
      ["index", ">true", ">measured", ">error", "covers", "over communities"],
      run.quantities.map((one, place): Text[] => {
        const at = `/run/quantities/${place}`;
        return [
          NAMES[one.quantity]!,
          numberAt(`${at}/truth`),
          estAt(`${at}/measured`),
          numberAt(`${at}/error`, "points"),
          yesNo(one.covered),
          yesNo(one.covered_clustered),
        ];
      }),
    ),
    {
      kind: "text",
      text: sentence`Covers: whether the interval of independent decisions holds the true share; over communities: whether the one with communities as clusters does, which takes at least two. Inverse check: ${estAt("/run/inverse/sensitivity", "percent", "value")} of derivable opposites found (${String(inverse.sensitivity.n)}), ${estAt("/run/inverse/specificity", "percent", "value")} of the others denied (${String(inverse.specificity.n)}).${family(run)}`,
    },
    table(
      ["true level", ">audited 1", ">audited 2", ">audited 3"],
      run.levels.map((row, level): Text[] => [
        `level ${level + 1}`,
        ...row.map((_, column) => numberAt(`/run/levels/${level}/${column}`, "whole")),
      ]),
    ),
    ...(run.scores.length > 0
      ? [
          { kind: "heading" as const, text: "Scores of this run against the truth" },
          scoreTable(run.scores, "/run/scores"),
        ]
      : []),
    table(
      ["gate mode", ">passing", ">should not", ">found of those that should"],
      Object.entries(run.gate).map(([mode, one]): Text[] => {
        const at = `/run/gate/${pointerPart(mode)}`;
        return [
          mode,
          numberAt(`${at}/passing`, "whole"),
          one.passing === 0 ? "none passed" : estAt(`${at}/false_openings`),
          one.recall.estimate === null ? "none should" : rateAt(`${at}/recall`),
        ];
      }),
    ),
  ];
}

/** Measured against true, and whether the interval covers: an interval that misses is as much a finding as the error. */
function againstTruth(
  { quantities }: Run,
  name: "defensibility_index" | "ambiguity_index",
  more: Sentence = [],
): Block {
  const place = quantities.findIndex(({ quantity }) => quantity === name);
  const { measured, covered } = quantities[place]!;
  const at = `/run/quantities/${place}`;
  const verdict =
    covered === null
      ? ""
      : covered
        ? ": it holds the truth"
        : ": it does not hold the truth, and nothing in the verdicts shows that";
  return {
    kind: "headline",
    value: numberAt(`${at}/error`, "points"),
    label: `measured − true ${NAMES[name]}`,
    under:
      measured.estimate === null
        ? sentence`${measured.reason}.${more}`
        : sentence`${rateAt(`${at}/measured`)} measured, ${numberAt(`${at}/truth`)} true; 95% interval ${boundsAt(`${at}/measured`, undefined, "percent")}${verdict}.${more}`,
  };
}

function family({ same_family: of }: Run): Sentence {
  if (!of) return [" No decision was made by a model of the auditor's family."];
  return sentence` Of indefensible decisions, ${rateAt("/run/same_family/own")} by its own family pass for defensible (${String(of.own.n)}), ${rateAt("/run/same_family/others")} by others (${String(of.others.n)}).`;
}

function worldBlocks(worlds: Worlds): Block[] {
  const conditions = worlds.conditions.map((one, place) => ({ ...one, at: `/worlds/conditions/${place}` }));
  return [
    { kind: "heading", text: `Estimators in ${plural(worlds.count, "world")}` },
    table(
      ["auditor", "index", ">true", ">measured", ">mean error", ">RMSE", ">covers", ">communities"],
      conditions.flatMap(({ name, estimators, at }) =>
        estimators.map(({ quantity }, place): Text[] => {
          const row = `${at}/estimators/${place}`;
          return [
            place === 0 ? printable(name, 40) : "",
            NAMES[quantity]!.replace(", by citation", ""),
            numberAt(`${row}/truth`),
            numberAt(`${row}/measured`),
            estAt(`${row}/error`, "points"),
            numberAt(`${row}/rmse`),
            rateAt(`${row}/coverage/independent`),
            rateAt(`${row}/coverage/clustered`),
          ];
        }),
      ),
    ),
    {
      kind: "text",
      text: `Auditors: "faultless" reads and answers without error; "as set" has the errors of its settings; "bias 0.3" is the same one auditing a decider of its own backbone, and takes 30% of its indefensible decisions for derivable. Mean error: with its 95% interval over worlds. Covers: share of worlds whose 95% interval holds the true rate, of just these communities in the long run; communities: that of all communities they are a sample of. With the faultless auditor both should be near 95%; what is missing with another is the auditor's error, which no interval of its own verdicts can show. The largest community of a world holds ${percent(worlds.largest_community, 0)} of its decisions on average. amb.: ambiguity by citation, which also counts decisions that no rule covers, since their trace cites a rule.`,
    },
    { kind: "heading", text: "Corrected by labels" },
    table(
      ["auditor", ">labels", ">mean error of defensibility", ">covers"],
      conditions.flatMap(({ name, corrected, at }): Text[][] =>
        corrected
          ? [
              [
                printable(name, 40),
                numberAt(`${at}/corrected/labels`, "whole"),
                estAt(`${at}/corrected/error`, "points"),
                rateAt(`${at}/corrected/coverage`),
              ],
            ]
          : [],
      ),
    ),
    { kind: "heading", text: "Gates: communities that passed and should not" },
    table(
      ["auditor", "mode", ">worlds with one", ">of those passing", ">found of those that should"],
      conditions.flatMap(({ name, gate, at }) =>
        Object.entries(gate).map(([mode, one], place): Text[] => {
          const row = `${at}/gate/${pointerPart(mode)}`;
          return [
            place === 0 ? printable(name, 40) : "",
            mode,
            rateAt(`${row}/worlds_with_false_opening`),
            one.false_openings.estimate === null ? "none passed" : rateAt(`${row}/false_openings`),
            one.recall.estimate === null ? "none should" : rateAt(`${row}/recall`),
          ];
        }),
      ),
    ),
    {
      kind: "text",
      text: `Promises: ${promises(worlds)}. A community should pass if its true rates in the long run keep the limits (DI 90%, ambiguity 15%). The promises are about the auditor's verdicts: they hold for the truth only as far as the auditor is right.`,
    },
    ...(worlds.scores.length > 0
      ? [
          {
            kind: "heading" as const,
            text: `Scores fitted on ${plural(worlds.fitted_on, "world")}, judged by the truth of ${worlds.evaluated_on} others`,
          },
          scoreTable(worlds.scores, "/worlds/scores"),
        ]
      : []),
  ];
}

function promises({ conditions }: Worlds): string {
  return Object.entries(conditions[0]?.gate ?? {})
    .map(([mode, { promise }]) => `${mode}, ${promise}`)
    .join("; ");
}

function scoreTable(scores: Worlds["scores"], at: string): Block {
  return table(
    ["~score", ">AUROC", ">ECE", ">chance alone", ">log-loss", ">L3 found at 5% false alarms"],
    scores.map(({ score }, place): Text[] => [
      score,
      estAt(`${at}/${place}/auroc`, "fine", "value"),
      ...["ece", "ece_null_95", "log_loss"].map((name) => numberAt(`${at}/${place}/${name}`, "finer")),
      rateAt(`${at}/${place}/detected_at_5`),
    ]),
  );
}

function yesNo(value: boolean | null): string {
  return value === null ? "–" : value ? "yes" : "no";
}

export default {
  kind: "validate",
  view: "more",
  id: "validate",
  place: 4,
  tab: "Known truth",
  heading: "The instruments against a known truth",
  purpose: "It draws simulated worlds whose truth is known and shows how far estimates, intervals and gates are right.",
  command: "defensible validate",
  document: validateDocument,
} satisfies Screen<"validate">;
