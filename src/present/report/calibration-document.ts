import type { CalibrationResult } from "../../core/calibration.js";
import { type DetailedCalibration, detailed, failsCheck } from "../../measures/calibration/candidate-result.js";
import type { FeatureWorths } from "../../measures/calibration/feature-worth.js";
import { holm } from "../../stats/tests/multiple-testing.js";
import { printable } from "../../text/printable.js";
import { type Block, type Document, noteBlocks, readableBlocks, type Text, table } from "../document/document.js";
import { tellsNothing } from "../figures/reliability.js";
import { byCount, decimal, type NumberForm, percent, plural, pText, signed, whole } from "../words/numbers.js";
import { estAt, numberAt, type Sentence, sentence } from "../words/sentence.js";
import {
  COMPONENT_WORDS,
  FEATURE_GROUP_WORDS,
  FITTER_WORDS,
  methodName,
  partName,
  SKIP_REASONS,
  SKIP_WORDS,
  targetName,
  wordOr,
} from "../words/vocabulary.js";

/** A calibration: how far the score can be trusted, how it was made, and what it rests on. */
export function calibrationDocument(calibration: CalibrationResult): Document {
  const details = harmless(detailed(calibration));
  const own = calibration.method !== "paper";
  return {
    title: own ? "Calibrated defensibility" : "Calibration of S, as in the paper",
    subtitle: subtitle(details),
    data: details,
    blocks: readableBlocks(
      () => [{ kind: "text", as: "lead", text: conclusion(details) }],
      () => [{ kind: "text", text: made(details) }],
      () => [{ kind: "figure", id: "reliability" }, ...scoreTable(details)],
      () =>
        noteBlocks([...(details.notes ?? []), ...(details.warnings ?? []), ...(details.evaluation?.warnings ?? [])]),
      () => (own ? methodBlocks(details) : weightBlocks(details)),
      () => errorBlocks(details),
      () => (own ? weightBlocks(details) : []),
      () => priorShiftBlocks(details),
      () => temperatureBlocks(details),
      () => extractionBlocks(details),
    ),
  };
}

/** Anyone may have edited a calibration file, so no text from it reaches a terminal unescaped. */
function harmless<T>(value: T): T {
  if (typeof value === "string") return printable(value, 2000) as T;
  if (Array.isArray(value)) return value.map(harmless) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, harmless(part)])) as T;
}

function subtitle({ calibration_id, name, evidence, target, source, n }: DetailedCalibration): string {
  return [
    calibration_id ? `calibration ${printable(calibration_id, 40)}` : "",
    name ? printable(name, 40) : "",
    source ? printable(source, 60) : "",
    evidence?.auditor ? `auditor ${printable(evidence.auditor, 40)}` : "",
    target ? `target: ${printable(targetName(target), 80)}` : "",
    plural(n, "row"),
  ]
    .filter(Boolean)
    .join(" · ");
}

/** Whether the score is a reliable probability. */
function conclusion({ ece, evaluation, classwise, method }: DetailedCalibration): Sentence {
  const name = method === "paper" ? "S" : "The calibrated probability";
  if (ece.equal_frequency === null || evaluation?.n === 0)
    return [`${name} could not be checked: no decision has both a score and a reference label.`];
  const error = sentence`predicted and observed rates differ by ${numberAt("/ece/equal_frequency", "apart")} on average`;
  if (ece.null_95 === null) return sentence`${name}: ${error} (ECE).`;
  const limit = numberAt("/ece/null_95", "apart");
  if (failsCheck(ece))
    return sentence`Not calibrated: ${error}, and chance explains at most ${limit}. Do not read ${method === "paper" ? "S" : "it"} as a probability.`;
  if (evaluation && tellsNothing(evaluation)) {
    if (evaluation.auroc.estimate === null)
      return sentence`${name} cannot be judged: all decisions have the same label; ${error}, within chance.`;
    return sentence`No use for single decisions: ${error}, within chance, but it does not separate defensible from indefensible ones (AUROC ${estAt("/evaluation/auroc", "decimal", "value")}; 0.50 is chance).`;
  }
  const within = sentence`${error}, within chance (up to ${limit})`;
  const tests = [
    ...(["equal_frequency", "tie_averaged", "equal_width", "debiased_rms", "smooth"] as const).map(
      (name) => evaluation?.ece[name]?.p,
    ),
    evaluation?.spiegelhalter?.p,
    classwise?.calibrated?.mean.p,
  ].filter((p) => typeof p === "number");
  const rejected = tests.filter((p) => p <= ALPHA).length;
  if (rejected === 0) return sentence`Well calibrated: ${within}.`;
  const after = holm(tests).filter((p) => p <= ALPHA).length;
  const found = sentence`${rejected} of its ${tests.length} tests below ${byCount(rejected, "rejects", "reject")} calibration at ${percent(ALPHA, 0)}, ${after === 0 ? "none" : whole(after)} after Holm's correction`;
  return after === 0
    ? sentence`Well calibrated: ${within}. ${found}.`
    : sentence`Calibration is in doubt: ${within} in bins of equally many, but ${found}.`;
}

/** Level of the tests of calibration. */
const ALPHA = 0.05;

/** How it was made and measured, and whose labels are the reference. */
function made(calibration: DetailedCalibration): Sentence {
  const { method, asked, choice, target, weights, calibrated, log_loss } = calibration;
  const best = asked === "auto" && choice ? ", the best of the methods tried" : "";
  const how =
    method === "paper"
      ? calibrated === false
        ? sentence`Not fitted: equal weights are used.`
        : sentence`Weights of S: α = ${numberAt("/weights/alpha", "fine")}, β = ${numberAt("/weights/beta", "fine")}, γ = ${numberAt("/weights/gamma", "fine")}, fitted on ${numberAt("/n", "whole")} decisions.`
      : sentence`Method: ${methodName(method)}${best}, ${method === "raw" ? "" : sentence`fitted on ${numberAt("/n", "whole")} decisions and `}measured on ${measuredOn(calibration)}.`;
  const loss =
    weights && log_loss !== null
      ? sentence` Log-loss ${numberAt("/log_loss", "fine")} nats${comparedWith(calibration)}.`
      : [];
  const by = target
    ? sentence` Reference labels: ${printable(targetName(target), 80)} (${numberAt("/target/n", "whole")} decisions, ${numberAt("/target/indefensible", "whole")} indefensible).${target.kind === "self" ? " This is circular: it measures whether the auditor agrees with itself, not whether it is right." : ""}`
    : [];
  return sentence`${how}${loss}${by}`;
}

/** Losses to compare with. */
function comparedWith({ baselines, evaluation }: DetailedCalibration): Sentence {
  if (!baselines && !evaluation) return [];
  const parts = [
    ...(baselines
      ? [sentence`${numberAt("/baselines/p_defensible/log_loss/value", "fine")} of the auditor's own probability`]
      : []),
    ...(evaluation ? [sentence`${numberAt("/evaluation/log_loss/base_rate", "fine")} of the base rate`] : []),
  ];
  return sentence`, against ${parts.flatMap((part, i) => (i === 0 ? part : [" and ", ...part]))}`;
}

function measuredOn({ evaluated_on: on, choice, holdout, method }: DetailedCalibration): Sentence {
  if (on?.kind === "other") return [printable(on.label, 80)];
  if (on?.kind === "holdout")
    return holdout == null ? ["held-out decisions"] : sentence`the ${numberAt("/holdout", "limit")} held out`;
  // Nothing was fitted, so there are no unseen decisions to mention.
  if (method === "raw") return sentence`${numberAt("/n", "whole")} decisions`;
  if (!choice) return ["decisions that the model had not seen"];
  const parts = choice.folds.by === "community" ? "whole communities" : "single decisions";
  return sentence`decisions that the model had not seen (cross-validation in ${numberAt("/choice/folds/count", "whole")} parts of ${parts})`;
}

/** The score and the two baselines that it has to beat, on the same rows. */
function scoreTable({ evaluation, baselines, method }: DetailedCalibration): Block[] {
  if (!evaluation || !baselines || evaluation.n === 0) return [];
  const row = (name: string, at: string): Text[] => [
    name,
    numberAt(`${at}/n`, "whole"),
    numberAt(`${at}/log_loss/value`, "finer"),
    numberAt(`${at}/brier/value`, "finer"),
    estAt(`${at}/auroc`, "fine"),
    numberAt(`${at}/ece/equal_frequency/value`, "finer"),
    numberAt(`${at}/ece/equal_frequency/null_95`, "finer"),
  ];
  return [
    table(
      ["score", ">n", ">log-loss", ">Brier", ">AUROC", ">ECE", ">by chance"],
      [
        ...(method === "paper" ? [] : [row("P(defensible)", "/evaluation")]),
        row("1 − p(L3)", "/baselines/p_defensible"),
        row("S", "/baselines/pds"),
      ],
      "The score and its baselines on the same decisions; lower log-loss, Brier score and ECE are better. By chance: 95% of perfectly calibrated scores have a lower ECE",
    ),
  ];
}

/** Every method on rows it was not fitted on, best first, and the contribution of each feature. */
function methodBlocks({ choice, method }: DetailedCalibration): Block[] {
  if (!choice) return [];
  const all = choice.candidates.map((one, place) => ({ ...one, at: `/choice/candidates/${place}` }));
  const scored = all.filter((one) => one.log_loss !== null).sort((a, b) => a.log_loss! - b.log_loss!);
  const left = [
    ...all.filter((one) => one.log_loss === null).map((one) => `${methodName(one.method)} (${one.reason})`),
    ...choice.features.dropped.map(({ feature, reason }) => `feature ${feature} (${reason})`),
  ];
  return [
    { kind: "heading", text: "Methods" },
    table(
      ["method", ">log-loss", ">± se", ">Brier", ">AUROC", ">log-loss against 1 − p(L3)"],
      scored.map((one): Text[] => [
        `${methodName(one.method)}${one.method === method ? " (chosen)" : ""}`,
        numberAt(`${one.at}/log_loss`, "finer"),
        numberAt(`${one.at}/log_loss_se`, "finer"),
        numberAt(`${one.at}/brier`, "finer"),
        estAt(`${one.at}/auroc`, "fine", "value"),
        one.against.raw ? estAt(`${one.at}/against/raw`, "finer") : "–",
      ]),
      "Each row is scored by a model that has not seen it. Below 0 is better than the auditor's own probability",
    ),
    ...(left.length > 0 ? [{ kind: "text" as const, text: `Left out: ${left.join("; ")}.` }] : []),
    ...worthBlocks(choice.features.worth),
  ];
}

function worthBlocks(worth: FeatureWorths | undefined): Block[] {
  if (!worth) return [];
  const sample = worth.n < worth.of ? ` Refitted on a random ${whole(worth.n)} of ${whole(worth.of)} rows.` : "";
  const at = (i: number) => `/choice/features/worth/drop_one/${i}`;
  return [
    { kind: "heading", text: "What each feature is worth" },
    { kind: "text", text: entropyText(worth) },
    table(
      ["multinomial model without", ">log-loss of the three levels", ">log-loss of defensible or not"],
      worth.drop_one.map((one, i): Text[] => [
        FEATURE_GROUP_WORDS[one.group] ?? one.group,
        estAt(`${at(i)}/level_log_loss`, "finer"),
        estAt(`${at(i)}/log_loss`, "finer"),
      ]),
      "Change of the log-loss in communities that were not fitted, nats per case. Above 0, the feature helps",
    ),
    ...(sample ? [{ kind: "text" as const, text: sample.trim() }] : []),
  ];
}

/** Whether entropy helps: both entropies together, or the only one; of three levels, or of two classes if the labels have only two. */
function entropyText({ drop_one }: FeatureWorths): string {
  const one = (["entropy", "h_weight", "h_citation"] as const)
    .map((group) => drop_one.find((entry) => entry.group === group))
    .find((entry) => entry && entry.log_loss.estimate !== null);
  if (!one) {
    const both = drop_one.find(({ group }) => group === "entropy")?.log_loss;
    return `Whether entropy helps is unknown: ${both?.estimate === null ? both.reason : "the audits have none that varies"}.`;
  }
  const ofLevels = one.level_log_loss.estimate !== null;
  const change = ofLevels ? one.level_log_loss : one.log_loss;
  if (change.estimate === null) return "";
  const task = ofLevels ? "to tell the three levels apart" : "to tell defensible from indefensible";
  const numbers = `without ${one.group === "entropy" ? "H[w] and H[κ]" : FEATURE_GROUP_WORDS[one.group]} the log-loss changes by ${signed(change.estimate, 4)} (${signed(change.lower, 4)} to ${signed(change.upper, 4)})`;
  if (change.lower > 0) return `Entropy helps ${task}: ${numbers}.`;
  if (change.upper < 0) return `Entropy does not help ${task}, the model is better without it: ${numbers}.`;
  return `These data do not show that entropy helps ${task}: ${numbers}.`;
}

/** Every calibration error next to the level expected by chance, and the bins behind it. */
function errorBlocks({ evaluation, classwise }: DetailedCalibration): Block[] {
  if (!evaluation || evaluation.n === 0) return [];
  const { spiegelhalter: z, left_out } = evaluation;
  const row = (name: string, at: string): Text[] => [
    name,
    ...["value", "null_mean", "null_95"].map((field) => numberAt(`${at}/${field}`, "finer")),
    numberAt(`${at}/p`, "probability"),
  ];
  const ece = (field: string) => `/evaluation/ece/${field}`;
  const names = binNames(evaluation.reliability);
  return [
    { kind: "heading", text: "Calibration errors" },
    table(
      ["error", ">value", ">by chance", ">95% limit", ">p"],
      [
        row("Equal-frequency bins (the paper's)", ece("equal_frequency")),
        row("The same, equal scores averaged", ece("tie_averaged")),
        row("Equal-width bins", ece("equal_width")),
        row("Root mean square, debiased", ece("debiased_rms")),
        row("Smooth, without bins", ece("smooth")),
        ...(classwise?.raw
          ? [row("Not this score: three levels, as the auditor gives them", "/classwise/raw/mean")]
          : []),
        ...(classwise?.calibrated ? [row("Three levels, calibrated", "/classwise/calibrated/mean")] : []),
      ],
    ),
    ...(limitBelowMean(evaluation.ece.debiased_rms)
      ? [
          {
            kind: "text" as const,
            text: "A limit below what chance leaves on average: in at least 95% of the simulated outcomes chance leaves nothing.",
          },
        ]
      : []),
    {
      kind: "text",
      text: sentence`Brier score ${numberAt("/evaluation/brier/value", "finer")}: unreliability ${numberAt("/evaluation/brier/reliability", "finer")}, resolution ${numberAt("/evaluation/brier/resolution", "finer")}, uncertainty ${numberAt("/evaluation/brier/uncertainty", "finer")}. Spiegelhalter's test: ${z.z === null ? `undefined, ${z.reason ?? "no variance"}` : `z = ${decimal(z.z, 2)}, ${pText(z.p)}`}.`,
    },
    ...(left_out.no_score + left_out.no_target > 0
      ? [
          {
            kind: "text" as const,
            text: `Left out: ${[
              left_out.no_score > 0 ? `${plural(left_out.no_score, "verdict")} without a score or not drawn` : "",
              left_out.no_target > 0 ? `${plural(left_out.no_target, "verdict")} without a label` : "",
            ]
              .filter(Boolean)
              .join(", ")}.`,
          },
        ]
      : []),
    {
      kind: "bars",
      rows: evaluation.reliability.map((bin, i) => ({
        label: names[i]!,
        share: bin.rate.estimate ?? 0,
        mark: bin.mean_score,
        text: `predicted ${percent(bin.mean_score)}, observed ${bin.rate.estimate === null ? "–" : percent(bin.rate.estimate)} of ${whole(bin.n)}${bin.outside ? " ✗ outside the band of a perfect score" : ""}`,
      })),
    },
  ];
}

function limitBelowMean({ null_mean, null_95 }: { null_mean: number | null; null_95: number | null }): boolean {
  return null_mean !== null && null_95 !== null && null_95 < null_mean;
}

/** Ranges of scores with enough digits to distinguish them; one number for a bin with one score. */
function binNames(bins: readonly { from: number; to: number }[]): string[] {
  const named = [2, 3, 4, 5, 6].map((digits) =>
    bins.map(({ from, to }) => [...new Set([decimal(from, digits), decimal(to, digits)])].join("–")),
  );
  const whole = (names: readonly string[]) => new Set(names).size === names.length;
  return (
    named.find((names) => whole(names) && names.every((name, i) => isOne(bins[i]!) || name.includes("–"))) ??
    named.at(-1)!
  );
}

const isOne = ({ from, to }: { from: number; to: number }) => to - from < 1e-6;

/** The weights of S by both entropies and both methods, and the contribution of each component. */
function weightBlocks({ paper, component, mean_pds, method }: DetailedCalibration): Block[] {
  if (!paper) return [];
  const fits = (["h_w", "h_kappa"] as const).filter((name) => paper[name]);
  const number = (at: string, as: NumberForm = "finer") => numberAt(at, as);
  const rows = fits.flatMap((name) =>
    paper[name].methods.map((one, i): Text[] => {
      const at = `/paper/${name}/methods/${i}`;
      return [
        COMPONENT_WORDS[name].name,
        wordOr(FITTER_WORDS, one.method),
        ...["alpha", "beta", "gamma"].map((weight) => number(`${at}/weights/${weight}`)),
        number(`${at}/loss`),
        one.method === "closed-simplex" ? paper[name].active_constraints.join(", ") : "",
      ];
    }),
  );
  const at = `/paper/${component}/contributions`;
  const parts = paper[component]?.contributions ?? [];
  return [
    { kind: "heading", text: "Weights of S = exp(−(α·(−λ) + β·H + γ·σ(ρ)))" },
    { kind: "figure", id: "calibration-weights" },
    ...(rows.length > 0 ? [table(["entropy", "method", ">α", ">β", ">γ", ">loss", "at the border"], rows)] : []),
    ...fits.flatMap((name): Block[] =>
      paper[name].reason
        ? [{ kind: "text", text: `${COMPONENT_WORDS[name].name}: equal weights, because ${paper[name].reason}.` }]
        : [],
    ),
    ...(parts.length > 0
      ? [
          table(
            ["part", ">weight", ">weight × spread", ">loss if removed", ">loss at its mean"],
            parts.map(({ part }, i): Text[] => [
              partName(part, component),
              ...["weight", "weight_times_sd", "loss_increase_without", "loss_increase_at_mean"].map((field) =>
                number(`${at}/${i}/${field}`),
              ),
            ]),
            "What each part does; weights alone mislead, since they must sum to 1",
          ),
        ]
      : []),
    ...(mean_pds.all === null
      ? []
      : [
          {
            kind: "text" as const,
            text: sentence`Mean S: ${number("/mean_pds/all", "fine")}; ${number("/mean_pds/defensible", "fine")} of defensible decisions, ${number("/mean_pds/indefensible", "fine")} of indefensible ones. S is not a probability${method === "paper" ? "; `--method auto` fits one" : ""}.`,
          },
        ]),
  ];
}

/** A shift in the mix of levels since the calibration was fitted, before and after correction. */
function priorShiftBlocks({ prior_shift: shift, evaluated_on }: DetailedCalibration): Block[] {
  if (!shift) return [];
  const last = shift.fitted.length - 1;
  const row = (name: string, at: string): Text[] => [
    name,
    numberAt(`${at}/log_loss/value`, "finer"),
    numberAt(`${at}/brier/value`, "finer"),
    numberAt(`${at}/ece/equal_frequency/value`, "finer"),
    numberAt(`${at}/ece/equal_frequency/null_95`, "finer"),
  ];
  const how = shift.method === "estimated" ? "estimated from the scores, without labels" : "by the labels";
  return [
    { kind: "heading", text: "Another mix of levels" },
    {
      kind: "text",
      text: sentence`Level 3 is ${numberAt(`/prior_shift/fitted/${last}`)} where it was fitted and ${numberAt(`/prior_shift/deployed/${last}`)} in ${printable(evaluated_on?.label ?? "the other audits", 60)} (${how}). The correction is ${shift.kept ? "kept: it lowers the log-loss" : "not used"}.`,
    },
    table(
      ["", ">log-loss", ">Brier", ">ECE", ">by chance"],
      [row("Before the correction", "/prior_shift/before"), row("After it", "/prior_shift/after")],
    ),
  ];
}

function temperatureBlocks({ temperatures = [] }: DetailedCalibration): Block[] {
  if (temperatures.length === 0) return [];
  const own = temperatures.some((row) => row.calibrated);
  return [
    { kind: "heading", text: "By temperature" },
    table(
      [
        ">T",
        ">n",
        ">skipped",
        ">extracted",
        ">ECE of S",
        ">by chance",
        ">mean S",
        ">S̄ def",
        ">S̄ indef",
        ">def",
        ...(own ? [">ECE of p"] : []),
      ],
      temperatures.map(({ temperature, arm }, i): Text[] => {
        const at = `/temperatures/${i}`;
        return [
          temperature === null ? printable(arm || "main", 12) : `${temperature}`,
          numberAt(`${at}/n`, "whole"),
          numberAt(`${at}/skipped`, "whole"),
          numberAt(`${at}/extraction_rate`),
          numberAt(`${at}/ece`, "finer"),
          numberAt(`${at}/ece_null_95`, "finer"),
          ...["all", "defensible", "indefensible"].map((of) => numberAt(`${at}/mean_pds/${of}`, "fine")),
          numberAt(`${at}/defensible_rate`),
          ...(own ? [numberAt(`${at}/calibrated/ece`, "finer")] : []),
        ];
      }),
    ),
  ];
}

/** How many verdicts have what S needs, and whether those that do not resemble the others. */
function extractionBlocks({ extraction }: DetailedCalibration): Block[] {
  if (!extraction || extraction.n === 0) return [];
  const { component, skipped, levels, test, level3_difference: difference, statement } = extraction;
  const missing = SKIP_REASONS.filter((reason) => skipped[reason] > 0);
  const others = missing.map((reason) => `${whole(skipped[reason])} ${SKIP_WORDS[reason]}`);
  const row = (name: string, of: "extracted" | "skipped"): Text[] => [
    name,
    ...levels[of].map((_, i) => numberAt(`/extraction/levels/${of}/${i}`, "whole")),
  ];
  return [
    { kind: "heading", text: "Signals found" },
    {
      kind: "text",
      text: sentence`${estAt("/extraction/extracted", "percent", "all")} of the verdicts have all parts of S with ${COMPONENT_WORDS[component].name}${others.length > 0 ? `; the others: ${others.join(", ")}` : ""}. ${statement}`,
    },
    ...(test.p === null || difference.estimate === null
      ? []
      : [
          table(
            ["verdicts", ">level 1", ">level 2", ">level 3"],
            [row("With S", "extracted"), row("Without", "skipped")],
            `Independence of skipping and level: ${pText(test.p)} (${test.method === "exact" ? "exact" : "chi-square"})`,
          ),
        ]),
  ];
}
