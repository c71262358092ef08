export function SpecificityView() {
  return <h1>Rule specificity</h1>;
}
