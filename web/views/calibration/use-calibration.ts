import { type DetailedCalibration, detailed } from "../../../src/measures/calibration/candidate-result.js";
import { usePage } from "../../data/page-context.ts";

/** Where the calibration stands in the page's data. */
export const CALIBRATION = "/report/calibration";

/** The calibration that fits this run, with its details; null where there is none. */
export function useCalibration(): DetailedCalibration | null {
  const { calibration } = usePage().report;
  return calibration ? detailed(calibration) : null;
}
