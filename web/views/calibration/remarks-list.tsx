import type { DetailedCalibration } from "../../../src/measures/calibration/candidate-result.js";
import { Remarks } from "../../parts/text/prose.tsx";

/** What must be known before the numbers are believed. */
export function RemarksList({ calibration }: { calibration: DetailedCalibration }) {
  // The lead says already what it means that the auditor is held against itself.
  const circle = calibration.target?.kind === "self" ? /^the target is the level that the same answer gave/ : /^$/;
  const warnings = [...(calibration.warnings ?? []), ...(calibration.evaluation?.warnings ?? [])];
  return <Remarks of={warnings.filter((text) => !circle.test(text))} />;
}
