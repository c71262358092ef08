export function CalibrationView() {
  return <h1>Calibration</h1>;
}
