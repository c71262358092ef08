import type { DetailedCalibration } from "../../../src/calibration/detailed-calibration.js";
import { Prose } from "../../parts/prose.tsx";

/** What must be known before the numbers are believed. */
export function RemarksList({ calibration }: { calibration: DetailedCalibration }) {
  // The lead says already what it means that the auditor is held against itself.
  const circle = calibration.target?.kind === "self" ? /^the target is the level that the same answer gave/ : /^$/;
  const warnings = [...(calibration.warnings ?? []), ...(calibration.evaluation?.warnings ?? [])];
  const remarks = warnings.filter((text) => !circle.test(text));
  if (remarks.length === 0) return null;
  return (
    <ul className="remarks" aria-label="To keep in mind">
      {[...new Set(remarks)].map((text) => (
        <li key={text}>
          <Prose text={sentenceOf(text)} />
        </li>
      ))}
    </ul>
  );
}

function sentenceOf(text: string): string {
  const first = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
