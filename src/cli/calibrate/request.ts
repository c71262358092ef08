import { existsSync } from "node:fs";
import type { CalibrationStage } from "../../app/calibrate/build-calibration.js";
import { auditFormat, type NamedAudits } from "../../app/find-audits.js";
import type { DataFile, TargetRequest } from "../../app/report/choose-target.js";
import { InputError } from "../../core/errors.js";
import type { Actions } from "../../core/records/actions.js";
import { stageText } from "../../present/calibrate/calibrate-words.js";
import { whole } from "../../present/words/numbers.js";
import type { Context } from "../../store/context.js";
import type { CommonOptions } from "../options.js";
import { say } from "../output.js";
import { storesOf } from "../serve/stores.js";
import type { FitOptions } from "./actions.js";

export interface AuditsOptions extends CommonOptions {
  run?: string;
  audits?: string;
  actions?: Actions;
}

export interface TargetOptions {
  target?: string;
  labels?: string;
}

export function dataFile(path: string): DataFile {
  return { path, format: auditFormat(path) };
}

/** The workspace; null if only a file was named. */
export async function contextFor(options: AuditsOptions): Promise<Context | null> {
  if (options.audits && options.run) {
    throw new InputError("two_sources", "--run and --audits: got both, expected one", "Leave out one of them.");
  }
  if (options.actions && !options.audits) {
    throw new InputError(
      "needs_audits",
      "--actions: requires --audits",
      "A run knows its own actions; leave out the flag.",
    );
  }
  return options.audits && !options.workspace && !options.database ? null : storesOf(options);
}

export function namedAudits({ run, audits, actions }: AuditsOptions): NamedAudits {
  return { run, file: audits ? dataFile(audits) : undefined, actions };
}

/** A run's id, or a file recognised by its extension. */
export function runOrFile(text: string): { run?: string; file?: DataFile } {
  return /\.(jsonl|ndjson|csv|parquet)$/i.test(text) || text.includes("/") ? { file: dataFile(text) } : { run: text };
}

const KINDS = ["auto", "human", "gold", "auditor", "replicates", "self"] as const;

export function targetRequest({ target = "auto" }: TargetOptions): TargetRequest {
  if (target.startsWith("auditor:")) {
    const named = target.slice("auditor:".length);
    if (named) return { kind: "auditor", ...runOrFile(named) };
  }
  const kind = KINDS.find((one) => one === target);
  if (kind) return { kind };
  throw new InputError(
    "unknown_target",
    `--target: got "${target}"`,
    `Use one of ${KINDS.join(", ")}, auditor:RUN or auditor:FILE.`,
  );
}

export function labelsFile({ labels }: TargetOptions): DataFile | null {
  if (labels === undefined) return null;
  if (!existsSync(labels)) throw new InputError("no_labels", `--labels: no file ${labels}`, "Check the path.");
  return dataFile(labels);
}

/** Rows × draws above which a stage takes some seconds. */
const LONG_WORK = 3_000_000;
const LONG_MS = 2000;

/** Reports stages on stderr if they will take long, or the work already has; quick work stays silent. */
export function sayStages(draws: number): (stage: CalibrationStage, rows: number) => void {
  let started: number | null = null;
  return (stage, rows) => {
    started ??= performance.now();
    if (rows * draws < LONG_WORK && performance.now() - started < LONG_MS) return;
    say(`${stageText(stage)} … (${whole(rows)} rows, ${whole(draws)} draws)`);
  };
}

/** Checks which flags of a fit require or exclude each other. */
export function checkFit({ evaluateOn, holdout, fit, method, name }: FitOptions): void {
  if (evaluateOn && holdout !== undefined) {
    throw new InputError(
      "two_measures",
      "--evaluate-on and --holdout: got both, expected one",
      "Leave out one of them.",
    );
  }
  if (fit !== undefined && method !== "paper") {
    throw new InputError(
      "fit_without_paper",
      `--fit ${fit}: belongs to --method paper`,
      "Add --method paper, or leave out --fit.",
    );
  }
  if (name !== undefined && name.trim() === "") {
    throw new InputError("no_name", "--name: is empty", "Give a name, or leave the flag out.");
  }
}
