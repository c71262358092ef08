export function SummaryView() {
  return <h1>Summary</h1>;
}
