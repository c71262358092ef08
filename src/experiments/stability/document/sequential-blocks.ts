import type { Stability } from "../../../core/results/stability.js";
import { identicalReplicates } from "../../../measures/stability/identical-replicates.js";
import type { Block } from "../../../present/document/document.js";
import { percent, plural, whole } from "../../../present/words/numbers.js";

type Savings = NonNullable<Stability["sequential"]["labels"]>;

/** What stopping early saves. */
export function sequentialBlocks({ sequential, settings }: Stability): Block[] {
  const { labels, probabilities } = sequential;
  const used = (settings.evidence === "probabilities" ? probabilities : labels) ?? labels ?? probabilities;
  if (!used || used.cells === 0) return [];
  const share = (value: number | null) => (value === null ? "–" : percent(value, 0));
  const first =
    settings.mode === "sequential"
      ? `${whole(used.replicates)} replicates were asked for in ${plural(used.cells, "cell")} (a case under a condition): ${share(used.saved_against_cap)} fewer than the ${whole(settings.cap)} allowed for each, ${share(used.saved_against_paper)} fewer than the paper's 1,000.`
      : `${whole(used.replicates)} replicates were asked for in ${plural(used.cells, "cell")} (a case under a condition), a fixed number for each.`;
  const told = [
    labels && atBest(labels, "Counting levels", settings),
    probabilities && atBest(probabilities, "Counting probabilities instead (Rao–Blackwell)", settings),
  ].filter(Boolean);
  return [
    { kind: "heading", text: "How many replicates it takes" },
    {
      kind: "text",
      text: `${first} ${told.join(" ")} ${identical(settings)} What is settled is wrong with probability at most ${settings.alpha} for each case, however often one looked.`,
    },
  ];
}

function identical({ alpha, stop }: Stability["settings"]): string {
  const both = stop === "class" ? `, ${identicalReplicates(alpha, "class")} its class too` : "";
  return `At α = ${alpha}, ${identicalReplicates(alpha, "boundary")} audits with the same level settle the boundary state of a case${both}; fewer settle none that is stable.`;
}

function atBest(
  { cells, replicates, settled, at_best }: Savings,
  counting: string,
  { stop, cap }: Stability["settings"],
): string {
  const what = stop === "boundary" ? "the boundary state is" : "boundary state and class are";
  const saved =
    at_best.saved_against_paper === null || replicates === 0
      ? ""
      : ` (${percent(1 - at_best.replicates / replicates, 0)} fewer than were asked for, ${percent(at_best.saved_against_paper, 0)} fewer than 1,000 each)`;
  return `${counting}, ${what} settled in ${whole(settled)} of ${plural(cells, "cell")}; stopping at the very replicate that settles it, or at ${whole(cap)}, takes ${whole(at_best.replicates)} replicates${saved} and settles ${whole(at_best.settled)}.`;
}
