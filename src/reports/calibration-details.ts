export { type CalibrationDetails, type DetailedCalibration, detailed } from "../calibration/detailed-calibration.js";
