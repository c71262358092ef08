export function DecisionView() {
  return <h1>Decisions</h1>;
}
