/** Why the world and the auditor that are made from the paper's rates give other numbers than it prints; the first that fits an id. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^gap\..*accurate/, "the world follows the printed counts, which give 6.1 % for the Balanced Sample"],
  [/^gap\./, "communities are few and differ: the fit holds on average over worlds"],
  [/^levels\./, "the lowest and the highest of four sampled means lie farther out than what was planted"],
  [
    /^sigma\.expert\./,
    "the auditor has the σ(ρ) of the levels in the Random Sample, the paper's experts' set another (0.474 and 0.304 for Yes and No)",
  ],
  [/^sigma\..*\.ai$/, "the world is made with the 18.3 % of T = 0.2, and no auditor of one kind gives both"],
  [/^sigma\./, "fewer cases of level 2 than an AI of 22 % would need: σ(ρ) of No is lower and ranks agree better"],
  [
    /^weights\..*\.beta$/,
    "the best weight of entropy is 0 in this world, and both searches, over the simplex and over a softmax, find it; the paper's is the optimum of other data",
  ],
  [
    /^weights\./,
    "σ(ρ) tells the levels apart better here than a loss of 0.313 allows, whatever its spread: γ is larger",
  ],
  [/^heldout\..*\.(ece|s_)/, "with a larger γ S falls farther where the inverse check says Yes"],
  [/^heldout\./, "the auditor's wavering between levels"],
  [/^signal\./, "half of the disagreements are about unwritten norms, and these sit on clear cases here"],
  [
    /^states\./,
    "states are fitted as they are seen, but no world of this kind has all of the printed numbers: see docs/paper.md",
  ],
  [
    /^gate\./,
    "states and the standard gate's coverage are fitted; the rest of the gate table follows from sizes and scatter that are assumed",
  ],
  [/^tiers\./, "fitted on average over worlds; this is one"],
  [
    /^stability\..*(stable|flip_|rock_solid|moderate|unstable|ratio|instability|consistency)/,
    "ten pilot audits at one level leave few unstable cases among the Stable; how the paper chose its own is not printed",
  ],
  [/^stability\./, "how contested cases are, and how traces stray, is assumed"],
  [
    /^attack\./,
    "the simulated auditor reads no text: an attack is noticed because its decision is wrong in truth, not by its words",
  ],
  [/^humans\./, "the raters are simulated, with assumed errors"],
  [/^datasets\./, "audits that gave no verdict"],
];

export function simulatedReason(id: string): string | null {
  return REASONS.find(([pattern]) => pattern.test(id))?.[1] ?? null;
}
