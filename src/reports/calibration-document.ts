import { type DetailedCalibration, detailed } from "../calibration/detailed-calibration.js";
import type { CalibrationResult } from "../domain/calibration.js";
import { targetName } from "../figures/calibration-words.js";
import { plural } from "../figures/numbers.js";
import { printable } from "../figures/printable.js";
import type { Block, Document } from "./document.js";
import { candidatesSection } from "./sections/calibration-candidates.js";
import { extractionSection, priorShiftSection, temperaturesSection } from "./sections/calibration-elsewhere.js";
import { baselinesSection, errorsSection, reliabilitySection } from "./sections/calibration-errors.js";
import { calibrationHeadline } from "./sections/calibration-headline.js";
import { paperSection } from "./sections/calibration-paper.js";

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
