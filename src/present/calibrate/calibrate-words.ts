import type {
  CalibrationNote,
  CalibrationStage,
  CalibrationWords,
  ScoredRows,
} from "../../app/calibrate/build-calibration.js";
import type { Applied, CalibrateRefusal, Kept } from "../../app/calibrate/fit-calibration.js";
import type { NamedAudits } from "../../app/find-audits.js";
import type { TargetRequest } from "../../app/report/choose-target.js";
import type { CalibrationTarget, StoredCalibration } from "../../core/calibration.js";
import { InputError } from "../../core/errors.js";
import { TARGET_NAMES } from "../../core/names.js";
import { failsCheck } from "../../measures/calibration/candidate-result.js";
import { FIRST_LABELS, labelNotes } from "../../measures/metrics/label-sample.js";
import { printable } from "../../text/printable.js";
import { type Document, table } from "../document/document.js";
import { decimal, percent, plural, whole } from "../words/numbers.js";
import { targetName } from "../words/vocabulary.js";

const MEASURED = {
  pds: "S",
  p_defensible: "1 − p(L3)",
  p_calibrated: "P(defensible)",
  levels_and_temperatures: "levels and temperatures",
} as const;

/** The words stored with a calibration. */
export const CALIBRATION_WORDS: CalibrationWords = { note: noteText, scored: scoredText };

function noteText(note: CalibrationNote): string {
  switch (note.code) {
    case "none_usable":
      return `${TARGET_NAMES[note.target.kind]}: passed over, ${withoutUse(note.target)}`;
    case "too_few":
      return `${TARGET_NAMES[note.target.kind]}: passed over, ${note.target.n} verdicts have one, ${note.target.indefensible} of them level 3; a calibration needs ${note.rows}, with ${note.ofClass} of each class`;
    case "chosen":
      return `target chosen automatically: ${targetName(note.target)}`;
    case "drawn":
      return note.text;
    case "contradicted":
      return `${note.decisions === 1 ? "1 decision has" : `${note.decisions} decisions have`} different labels of one rater; the last one counts`;
    case "foreign_evaluation":
      return `measured on audits of another kind (foreign_calibration): ${note.mismatches.join("; ")}`;
    case "other_setting":
      return `another ${note.name}: fitted at ${note.fitted ?? "unknown"}, measured at ${note.measured ?? "unknown"}`;
    case "overlap": {
      const what = `${note.verdicts} of the ${note.of} verdicts measured are on decisions that were fitted on too`;
      if (note.by === null) return `${what}: the weights of S have seen their labels`;
      return `${what}: each of these is scored by a model fitted without ${note.by === "community" ? "its community" : "it"}`;
    }
    case "equal_weights":
      return `equal weights, because ${note.reason}`;
    default:
      return PLAIN_NOTES[note.code];
  }
}

const PLAIN_NOTES = {
  own_target:
    "the target is the level that the same answer gave, as in the paper: this measures the auditor's agreement with itself, not whether it is right",
  target_of_same_family: "the target is of an auditor of the same family: where both err alike, nothing shows it",
  weighted: "labels are weighted as they were drawn",
  two_classes: "without level_probs only methods on 1 − p(L3) can be tried",
} as const;

function scoredText({ score, on, label }: ScoredRows): string {
  if (on === "holdout") return `${score} of the rows held out`;
  if (on === "other") return `${score} of ${label}`;
  return score === "p_calibrated"
    ? `${score} of each row by a model that was not fitted on it`
    : `${score} of the rows its weights were fitted on`;
}

/** Why no verdict has a target although there are labels. */
function withoutUse({ given, sample }: CalibrationTarget): string {
  return sample?.weighted === null && sample.designs.some(({ labels }) => labels > 0)
    ? labelNotes(sample).join("; ")
    : `${given} ${given === 1 ? "decision has" : "decisions have"} one, but none of them is among these verdicts`;
}

/** The current stage, in a few words. */
export function stageText(stage: CalibrationStage): string {
  if (stage.code === "fit_weights") return "Fitting the weights of S";
  if (stage.code === "measure") return `Measuring ${MEASURED[stage.what]}`;
  const { methods } = stage;
  return `Cross-validating ${methods.length === 1 ? methods[0] : `${methods.length} methods`}`;
}

/** What was kept of a calibration, one fact per line. */
export function keptLines(kept: Kept): string[] {
  switch (kept.code) {
    case "dry_run":
      return ["Nothing was kept (--dry-run)."];
    case "nothing_fitted":
      return [
        "Nothing was kept, because nothing could be fitted. Audits without pds_weights.json use equal weights and say so.",
      ];
    case "no_workspace":
      return ["Nothing was kept: with --audits alone there is no workspace. --out FILE writes it to a file."];
    case "written":
      return [`Wrote the ${kept.what} to ${printable(kept.place)}.`];
    case "weights_in_use":
      return [
        `Wrote ${printable(kept.place)}. Later audits of ${printable(kept.auditor ?? "any auditor")} compute S with these weights; audits that are there keep theirs.`,
      ];
    case "stored":
      return storedLines(kept);
  }
}

function storedLines({ calibration, place, namesakes }: Extract<Kept, { code: "stored" }>): string[] {
  const { calibration_id, name, model } = calibration;
  const others = namesakes === 1 ? "Another calibration has" : `${namesakes} others have`;
  return [
    `Kept as ${calibration_id} (${printable(place)}).`,
    ...(namesakes > 0 ? [`${others} the name ${printable(name!, 60)}: from now on it means this one.`] : []),
    ...(!model
      ? []
      : failsCheck(calibration.ece)
        ? ["Next: label more decisions (defensible humans sample), then defensible calibrate again."]
        : [`Next: defensible calibrate apply ${calibration_id} --out FILE, or defensible gate.`]),
  ];
}

export function appliedLines({ calibration_id }: StoredCalibration, applied: Applied, out: string): string[] {
  const { label, rows, calibrated, prior } = applied;
  return [
    ...(prior
      ? [
          `Corrected for the mix of levels in ${printable(label)}: level 3 is ${percent(prior.deployed.at(-1)!)} there, ${percent(prior.fitted.at(-1)!)} where the calibration was fitted.`,
        ]
      : []),
    `Wrote ${plural(rows, "audit")} of ${printable(label)} to ${printable(out)}, ${whole(calibrated)} with p_calibrated from ${printable(calibration_id)}.`,
    ...(calibrated < rows
      ? [`${plural(rows - calibrated, "audit")} had no verdict or lacked a signal the calibration needs.`]
      : []),
  ];
}

export function calibrationList(calibrations: readonly StoredCalibration[]): Document {
  return {
    title: "Calibrations",
    subtitle: "newest first; log-loss (nats) and ECE as measured then",
    blocks: [
      table(
        ["calibration", "name", "method", "auditor", "target", ">n", ">log-loss", ">ECE"],
        calibrations.map((one) => [
          printable(one.calibration_id, 40),
          printable(one.name ?? "", 30),
          printable(one.method, 20),
          printable(one.evidence.auditor ?? "unknown", 30),
          printable(targetName(one.target), 60),
          whole(one.n),
          decimal(one.log_loss, 3),
          decimal(one.ece.equal_frequency, 3),
        ]),
      ),
    ],
  };
}

/** A refusal in the terms of `defensible calibrate`. */
export function calibrateRefusal(why: CalibrateRefusal): InputError {
  const [code, message, remedy] = refusalWords(why);
  return new InputError(code, message, remedy);
}

function refusalWords(why: CalibrateRefusal): [code: string, message: string, remedy?: string] {
  switch (why.code) {
    case "no_verdicts": {
      const { label, attempted, unscored, errors } = why;
      const message = `calibrate: ${label} has no verdict; ${attempted} audits, ${unscored} unscored, ${errors} errors`;
      return [why.code, message, "A calibration needs audits with a level."];
    }
    case "cannot_calibrate": {
      const { label, target, reason } = why;
      if (!target) return [why.code, `${label} cannot be calibrated: ${reason}`, "More labels would help."];
      const message = `calibrate: ${label} cannot be calibrated to ${targetName(target)}: ${reason}`;
      return [why.code, message, /no row with a target has/.test(reason) ? NO_SIGNAL : FEW_LABELS];
    }
    case "no_target":
      return [
        why.code,
        `--target ${targetFlag(why.asked)}: ${missingTarget(why)}`,
        why.found?.target.sample?.flags.includes("inclusion_missing") ? NO_CHANCES : NO_LABELS,
      ];
    case "no_target_elsewhere":
      return [
        "no_target",
        `--evaluate-on ${audits(why.evaluateOn)}: none of its verdicts has a target (${targetName(why.target)})`,
        "Label some of its decisions, or name another --target.",
      ];
    case "no_target_of_run":
      return [
        "no_target",
        `run ${why.run}: no verdict has ${why.target ? targetName(why.target) : "a label of defensibility"}`,
        "Two auditors are compared on decisions with labels from another source: see --target and --labels.",
      ];
    case "same_rows":
      return [
        why.code,
        `--evaluate-on ${audits(why.evaluateOn)}: is what it is fitted on`,
        "Leave the flag out: every row is then measured by a model that was not fitted on it. Or hold some out: --holdout 0.3.",
      ];
    case "same_run":
      return [why.code, `--target ${targetFlag(why.asked)}: is ${why.label} itself`, "Name a run of another auditor."];
    case "same_twice":
      return [why.code, `calibrate compare: both are ${why.run}`, "Name two different ones."];
    case "not_shared":
      return [
        why.code,
        `--target ${why.asked}: ${why.asked === why.kind ? "" : "found only "}${targetName(why)}, which each run has of its own; two auditors are compared on labels that neither made`,
        "Use --target human, gold, or auditor:RUN with a third run; --labels FILE names labels.",
      ];
    case "no_run":
      return [
        why.code,
        `calibration ${why.calibration_id}: ${why.run ? `its run ${why.run} is gone` : "it was fitted on a file, not on a run"}`,
        "Name a run of the workspace.",
      ];
    case "foreign_evaluation":
      return [
        "foreign_calibration",
        `--evaluate-on ${audits(why.evaluateOn)}: audits of another kind: ${why.mismatches.join("; ")}`,
        "A calibration of one auditor says nothing of another's. --force still measures it, and says so.",
      ];
    case "foreign_calibration":
      return [
        why.code,
        `calibration ${why.calibration_id} does not fit ${why.label}: ${why.mismatches.join("; ")}`,
        "Calibrate on audits like these. --force still applies it and flags every audit `foreign_calibration`.",
      ];
    case "no_model":
      return [
        why.code,
        `calibration ${why.calibration_id}: method ${why.method} fits the weights of S, which is no probability; there is nothing to apply`,
        "New audits use the weights in pds_weights.json. For a probability: `defensible calibrate --method auto`.",
      ];
    case "no_prior":
      return [why.code, "--shift-prior: this calibration does not say which mix it was fitted on", "Calibrate again."];
    case "no_signal":
      return [why.code, "--shift-prior: no audit has the signals to estimate the mix of levels from"];
  }
}

/** A target as typed on the command line. */
function targetFlag(asked: TargetRequest): string {
  if (asked.kind !== "auditor") return asked.kind;
  const { run, file } = asked;
  return run || file ? `auditor:${run ?? file!.path}` : asked.kind;
}

function audits({ run, file }: NamedAudits): string {
  return run ?? file!.path;
}

function missingTarget({ asked, found }: Extract<CalibrateRefusal, { code: "no_target" }>): string {
  const given = found?.target.given;
  if (!found || (asked.kind === "auto" && !given)) return "no label says which of these decisions are defensible";
  const why = given ? withoutUse(found.target) : "no labels were found";
  return `no verdict of ${found.label} has ${targetName(found.target)} that can be used; ${why}`;
}

const NO_SIGNAL =
  "Audit with --signal logprobs (or sampling): without probabilities there is nothing to calibrate. A file needs a column level_probs.";

const FEW_LABELS =
  "More labels, or another --target, would help; `--method paper` fits the weights of S to the auditor's own levels.";

const NO_LABELS = `${FIRST_LABELS} Other targets: labels of your own (--labels FILE), a second auditor's run (--target auditor:RUN), replicates (\`defensible audit --replicates\`), or the auditor's own levels (--method paper). A decision's human_label is the moderator's action, not a label of defensibility.`;

const NO_CHANCES =
  "Add `inclusion`, the chance that each decision had of being drawn (above 0, at most 1), to these labels in labels.jsonl, or name a file that has it with --labels (docs/formats.md, Label).";
