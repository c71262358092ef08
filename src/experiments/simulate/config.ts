/** `defensible.yaml` of a simulated workspace. */
export function simulationConfig(seed: number): string {
  return `# A simulated workspace, made by \`defensible simulate\`: no real community, member or decision. Flags override these settings.
version: 1
actions:
  positive: remove
  negative: approve

# The simulated auditor reads the truth and distorts it by the stated errors of simulation.json. Any other auditor can be named: it sees none of it.
auditor: "simulated:columns"
tier: wiki
template: paper
temperature: 0.2
seed: ${seed}
`;
}
