import { existsSync, readFileSync } from "node:fs";
import type { CalibrationRequest } from "../../app/calibrate/build-calibration.js";
import { applyCalibration, fitCalibration, keepCalibration } from "../../app/calibrate/fit-calibration.js";
import { compareAuditors } from "../../app/compare/build-compare.js";
import { worded } from "../../app/notices.js";
import type { StoredCalibration } from "../../core/calibration.js";
import { InputError } from "../../core/errors.js";
import { fileError, writeFileAtomic } from "../../io/files.js";
import {
  appliedLines,
  CALIBRATION_WORDS,
  calibrateRefusal,
  calibrationList,
  keptLines,
} from "../../present/calibrate/calibrate-words.js";
import { comparisonDocument } from "../../present/document/compare-document.js";
import { calibrationDocument } from "../../present/report/calibration-document.js";
import { understoodCalibration } from "../../store/calibrations.js";
import type { Context } from "../../store/context.js";
import { printable } from "../../text/printable.js";
import type { CommonOptions } from "../options.js";
import { print, printDocument, printJson, say } from "../output.js";
import { type PageOptions, printPage } from "../page.js";
import { saySmallRun, storesOf } from "../serve/stores.js";
import {
  type AuditsOptions,
  checkFit,
  contextFor,
  dataFile,
  labelsFile,
  namedAudits,
  runOrFile,
  sayStages,
  type TargetOptions,
  targetRequest,
} from "./request.js";

export interface FitOptions extends AuditsOptions, TargetOptions, PageOptions {
  method: CalibrationRequest["method"];
  component: CalibrationRequest["component"];
  fit?: "simplex" | "softmax";
  evaluateOn?: string;
  holdout?: number;
  seed: number;
  draws: number;
  name?: string;
  out?: string;
  dryRun?: boolean;
  force?: boolean;
}

export async function fitAction(options: FitOptions): Promise<void> {
  checkFit(options);
  const context = await contextFor(options);
  if (context && !options.run && !options.audits) await saySmallRun(context);
  const { method, component, seed, draws, out } = options;
  const fitted = await worded(calibrateRefusal, () =>
    fitCalibration(context, {
      ...{ method, component, seed, draws, words: CALIBRATION_WORDS },
      optimiser: options.fit === "softmax" ? "lbfgs-softmax" : "closed-simplex",
      holdout: options.holdout ?? null,
      name: options.name ?? null,
      createdAt: new Date().toISOString(),
      audits: namedAudits(options),
      labels: labelsFile(options),
      target: options.target === undefined ? null : targetRequest(options),
      evaluateOn: options.evaluateOn ? runOrFile(options.evaluateOn) : null,
      force: options.force ?? false,
      onStage: sayStages(draws),
    }),
  );
  const write = (content: object): string => {
    writeFileAtomic(out!, `${JSON.stringify(content, null, 2)}\n`);
    return out!;
  };
  const choice = { dryRun: options.dryRun ?? false, write: out ? write : null };
  const { calibration, kept } = await keepCalibration(context, fitted, choice);
  const taken = printJson(calibration, options);
  printPage(() => calibrationDocument(calibration), options, taken);
  for (const line of kept.flatMap(keptLines)) say(line);
}

export async function listAction(options: CommonOptions): Promise<void> {
  const { calibrations, damaged } = await (await storesOf(options)).calibrations.survey();
  for (const one of damaged) say(`Left out: ${printable(one.damaged, 400)}.`);
  if (printJson([...calibrations, ...damaged], options)) return;
  if (calibrations.length > 0) printDocument(calibrationList(calibrations));
  else if (damaged.length > 0) print("There is no calibration that can be read.");
  else print("There is no calibration yet. `defensible calibrate` makes one.");
}

export async function showAction(id: string, options: CommonOptions & PageOptions): Promise<void> {
  const calibration = await (await storesOf(options)).calibrations.read(id);
  const taken = printJson(calibration, options);
  printPage(() => calibrationDocument(calibration), options, taken);
}

export async function applyAction(
  name: string,
  options: AuditsOptions & { out: string; shiftPrior?: boolean; force?: boolean },
): Promise<void> {
  const context = await contextFor(options);
  const calibration = await findCalibration(context, name);
  const request = {
    calibration,
    audits: namedAudits(options),
    out: dataFile(options.out),
    shiftPrior: options.shiftPrior ?? false,
    force: options.force ?? false,
  };
  const applied = await worded(calibrateRefusal, () => applyCalibration(context, request));
  for (const mismatch of applied.mismatches) say(`Forced, although ${printable(mismatch, 300)}.`);
  const { label, ...result } = applied;
  const shown = { calibration_id: calibration.calibration_id, audits: label, out: options.out, ...result };
  if (printJson(shown, options)) return;
  for (const line of appliedLines(calibration, applied, options.out)) print(line);
}

/** A calibration from a file, or from the workspace by id or name. */
async function findCalibration(context: Context | null, name: string): Promise<StoredCalibration> {
  if (/\.json$/i.test(name) && existsSync(name)) {
    try {
      return understoodCalibration(readFileSync(name, "utf8"), name);
    } catch (cause) {
      throw fileError(cause, name);
    }
  }
  if (context) return context.calibrations.read(name);
  throw new InputError(
    "needs_workspace",
    `calibration: "${name}" is no file, and with --audits alone there is no workspace to look in`,
    "Name a file that `defensible calibrate --out` wrote, or add --workspace DIR.",
  );
}

export async function compareAction(
  a: string,
  b: string,
  options: CommonOptions & TargetOptions & PageOptions & { seed: number; draws: number },
): Promise<void> {
  const settings = { seed: options.seed, draws: options.draws, words: CALIBRATION_WORDS };
  const context = await storesOf(options);
  const request = { target: targetRequest(options), labels: labelsFile(options), ...settings };
  const result = await worded(calibrateRefusal, () => compareAuditors(context, [a, b], request));
  const taken = printJson(result, options);
  printPage(() => comparisonDocument(result), options, taken);
}
