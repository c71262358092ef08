export function StabilityView() {
  return <h1>Stability</h1>;
}
