export function AdversarialView() {
  return <h1>Adversarial</h1>;
}
