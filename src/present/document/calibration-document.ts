import type { CalibrationResult } from "../../core/calibration.js";
import { type DetailedCalibration, detailed } from "../../measures/calibration/candidate-result.js";
import { printable } from "../../text/printable.js";
import {
  candidatesSection,
  extractionSection,
  priorShiftSection,
  temperaturesSection,
} from "../report/calibration-candidates.js";
import { baselinesSection, errorsSection, reliabilitySection } from "../report/calibration-errors.js";
import { calibrationHeadline, paperSection } from "../report/calibration-headline.js";
import { targetName } from "../words/calibration-words.js";
import { plural } from "../words/numbers.js";
import type { Block, Document } from "./document.js";

/** A calibration in words: what was found, how far it can be trusted, and on what it rests. */
export function calibrationDocument(calibration: CalibrationResult): Document {
  const details = harmless(detailed(calibration));
  const own = calibration.method !== "paper";
  return {
    title: own ? "Calibrated defensibility" : "Calibration of S, as in the paper",
    subtitle: subtitle(details),
    blocks: [
      ...calibrationHeadline(details),
      ...remarks(details),
      ...(own ? candidatesSection(details) : paperSection(details)),
      ...baselinesSection(details),
      ...errorsSection(details),
      ...reliabilitySection(details),
      ...(own ? paperSection(details) : []),
      ...priorShiftSection(details),
      ...temperaturesSection(details),
      ...extractionSection(details),
    ],
  };
}

/** A calibration is a file that anybody may have edited: none of its text reaches a terminal as it is. */
function harmless<T>(value: T): T {
  if (typeof value === "string") return printable(value, 2000) as T;
  if (Array.isArray(value)) return value.map(harmless) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, harmless(part)])) as T;
}

function subtitle({ calibration_id, name, evidence, target, source, n }: DetailedCalibration): string {
  const parts: string[] = [];
  if (calibration_id) parts.push(`calibration ${printable(calibration_id, 40)}`);
  if (name) parts.push(printable(name, 40));
  if (source) parts.push(printable(source, 60));
  if (evidence?.auditor) parts.push(`auditor ${printable(evidence.auditor, 40)}`);
  if (target) parts.push(`target: ${printable(targetName(target), 80)}`);
  parts.push(plural(n, "row"));
  return parts.join(" · ");
}

function remarks({ notes = [], warnings = [] }: DetailedCalibration): Block[] {
  return [...notes, ...warnings].map((text) => ({ kind: "text", text: `Note: ${printable(text, 400)}.` }));
}
