export function HumansView() {
  return <h1>Humans</h1>;
}
