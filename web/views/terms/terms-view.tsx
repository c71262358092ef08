export function TermsView() {
  return <h1>Terms</h1>;
}
