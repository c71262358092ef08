import type { Simulation } from "../../core/results/simulation.js";
import type { WrittenWorld } from "./write-world.js";

/** The README of a simulated workspace: what it is, what is in it, and that nothing of it is real. */
export function simulationReadme({ preset, seed, world }: Simulation, written: WrittenWorld): string {
  const rows = Object.entries(written.cohorts).map(
    ([name, rates]) =>
      `| ${name} | ${rates.communities} | ${rates.decisions} | ${percent(rates.defensibility_index)} | ${percent(rates.ambiguity_index)} | ${percent(rates.void)} |`,
  );
  const drawn = Object.entries(written.drawn).map(([name, size]) => `\`${name}\` (${size})`);
  return `# A simulated platform

Everything in this folder was made up by \`defensible simulate --preset ${preset} --seed ${seed}\` from the phrase book \`${world.book}\`: communities, rules, posts, precedents,
decisions and human labels. No person, platform or decision in it is real, and no figure computed from it says anything about a real one.

It is an ordinary workspace (\`defensible audit\`, \`report\`, \`gate\`, …) with two files more: \`simulation.json\`, the settings that it was made with, and
\`truth/truth.jsonl\`, what is true of each decision by construction. Auditors are not given the truth, save the simulated one, which distorts it by stated errors.

True rates, counted over all decisions of a cohort:

| cohort | communities | decisions | DI | AI | void |
|---|--:|--:|--:|--:|--:|
${rows.join("\n")}
${drawn.length > 0 ? `\nDrawn from these: ${drawn.join(", ")}.\n` : ""}
Each cohort has its name for \`--cohort\`. \`docs/simulation.md\` of the package explains the model.
`;
}

function percent(rate: number | null): string {
  return rate === null ? "undefined" : `${(100 * rate).toFixed(1)} %`;
}
