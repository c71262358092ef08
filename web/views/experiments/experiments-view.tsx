export function ExperimentsView() {
  return <h1>Other experiments</h1>;
}
