export function RulesView() {
  return <h1>Rules</h1>;
}
