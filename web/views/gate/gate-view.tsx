export function GateView() {
  return <h1>Gate</h1>;
}
