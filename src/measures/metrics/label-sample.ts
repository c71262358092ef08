import type { LabelDraw, LabelFlag } from "../../core/names.js";
import type { LabelSample } from "../../core/records/label.js";

/** What each flag says, in a few words. */
export const FLAG_WORDS: Readonly<Record<LabelFlag, string>> = {
  design_unknown: "unknown design",
  other_frame: "another population",
  no_design: "no sample",
  inclusion_missing: "unknown chances",
};

/** Flags as the end of a sentence about labels. */
export function flagsInWords(flags: readonly LabelFlag[]): string {
  return flags.map((flag) => FLAG_WORDS[flag]).join(", ");
}

/** Labels drawn in one way from one population. */
export interface LabelGroup {
  /** Null: not recorded on the labels. */
  drawn: LabelDraw | null;
  frame: string | null;
  /** Labelled verdicts of the run. */
  labels: number;
  /** How many of them record their inclusion probability. */
  chances: number;
  /** How many of them have a stratum that is the run's own verdict. */
  own_verdict: number;
  /** Number of distinct pairs of probability and stratum. */
  cells: number;
  /** Number of distinct probabilities; an unrecorded one counts as one. */
  inclusions: number;
}

/**
 * Which labels are valid for a run's verdicts, and how they are weighted. Labels drawn from this run come first, then those of the other population
 * with the most labels, then labels of unknown design. The rest is left out: designs of one frame are crossed, but frames are never mixed. A random
 * draw with unequal probabilities is weighted by them and not crossed with others.
 *
 * Undefined when: there are only appeals, convenience labels, or draws with unknown probabilities: `weighted` is null, with flag `no_design`, and
 * `inclusion_missing` if labels were drawn at random from several strata without recording the probability.
 * @param runId null: the audits come from a file; a frame whose strata are the file's own verdicts is then treated as this run
 */
export function chooseLabels(groups: readonly LabelGroup[], runId: string | null): LabelSample {
  const { used, weighted, frame, flags } = choose(
    groups.filter(({ labels }) => labels > 0),
    runId,
  );
  return {
    weighted,
    frame,
    designs: groups.map((group) => ({
      drawn: group.drawn ?? "unknown",
      frame: group.frame,
      labels: group.labels,
      used: used.includes(group),
    })),
    flags,
  };
}

type Choice = Pick<LabelSample, "weighted" | "frame" | "flags"> & { used: readonly LabelGroup[] };

function choose(groups: readonly LabelGroup[], runId: string | null): Choice {
  const own = groups.filter((group) => isOwn(group, runId));
  const alike = own.filter(({ drawn, inclusions }) => drawn === "sheet" || inclusions === 1);
  if (alike.length > 0) {
    const byVerdict = alike.some(({ drawn }) => drawn === "sheet");
    return { used: alike, weighted: byVerdict ? "by_verdict" : "random", frame: null, flags: [] };
  }
  const [unequal] = largestFirst(own);
  if (unequal) return { used: [unequal], weighted: "by_stratum", frame: null, flags: [] };
  const [other] = largestFirst(groups.filter((group) => isDrawn(group) && group.frame !== null));
  if (other) {
    const weighted = other.cells > 1 ? "by_stratum" : "random";
    return { used: [other], weighted, frame: other.frame, flags: ["other_frame"] };
  }
  const unknown = groups.filter(({ drawn }) => drawn === null);
  if (unknown.length > 0) return { used: unknown, weighted: "random", frame: null, flags: ["design_unknown"] };
  const missing = groups.some((group) => group.drawn === "random" && !isDrawn(group));
  return { used: [], weighted: null, frame: null, flags: missing ? ["no_design", "inclusion_missing"] : ["no_design"] };
}

function largestFirst(groups: readonly LabelGroup[]): LabelGroup[] {
  return [...groups].sort((a, b) => b.labels - a.labels || ((a.frame ?? "") < (b.frame ?? "") ? -1 : 1));
}

function isOwn(group: LabelGroup, runId: string | null): boolean {
  const { drawn, frame, labels, own_verdict } = group;
  if (drawn === "random") return isDrawn(group) && (frame === null || frame === runId);
  if (drawn !== "sheet") return false;
  return runId === null ? own_verdict === labels : frame === runId;
}

/** Whether the inclusion probability of every label in the group is known. */
function isDrawn({ drawn, labels, chances, cells }: LabelGroup): boolean {
  if (drawn === "random" && cells === 1) return true;
  return drawn !== null && drawn !== "appeal" && drawn !== "convenience" && chances === labels;
}

/** The first step for everything that needs labels, if no labels exist. */
export const FIRST_LABELS =
  "Labels by people come first: `defensible humans sample --random 60 --out sheet` draws 60 decisions to rate, `defensible humans import` brings the ratings back.";

const WORDS: Record<LabelSample["designs"][number]["drawn"], string> = {
  random: "drawn at random",
  sheet: "of a stratified sheet",
  review: "of random reviews",
  queue: "of a review queue",
  appeal: "of appeals",
  convenience: "without a chance mechanism",
  unknown: "of unknown design",
};

function population(frame: string): string {
  if (frame === "automated") return "the automated decisions";
  return isRunId(frame) ? `run ${frame}` : frame;
}

function isRunId(frame: string): boolean {
  return /^\d{8}T\d{6}Z-[0-9a-f]+$/.test(frame);
}

/** The newest run that any of the labels was drawn from; null if absent. */
export function runOfLabels(
  { designs }: Pick<LabelSample, "designs">,
  known: (runId: string) => boolean,
): string | null {
  const frames = designs.flatMap(({ frame }) => (frame !== null && isRunId(frame) && known(frame) ? [frame] : []));
  return frames.sort().at(-1) ?? null;
}

/**
 * Notes about the labels behind an estimate, one sentence each.
 * @param command that analyses a run, named together with the run that the labels belong to
 */
export function labelNotes({ weighted, frame, designs, flags }: LabelSample, command?: string): string[] {
  const list = (used: boolean) =>
    designs
      .filter((one) => one.used === used && one.labels > 0)
      .map(
        ({ labels, drawn, frame: from }) =>
          `${labels} ${WORDS[drawn]}${from === null || (used && frame === null) ? "" : ` (from ${population(from)})`}`,
      )
      .join(", ");
  const notes: string[] = [];
  if (weighted === null) {
    const which = `the labels (${list(false)})`;
    notes.push(
      flags.includes("inclusion_missing")
        ? `${FLAG_WORDS.inclusion_missing}: ${which} come from several strata and cannot be weighted without the chance of each, so nothing is estimated from them; add \`inclusion\` to them`
        : `${FLAG_WORDS.no_design}: ${which} are no sample of any population, so nothing is estimated from them; \`defensible humans sample\` draws one`,
    );
    return notes;
  }
  const how = {
    random: "each counts the same",
    by_verdict: "each represents the decisions with its audited level and inverse",
    by_stratum: "each represents the decisions of its stratum",
  }[weighted];
  notes.push(`labels used: ${list(true)}; ${how}`);
  if (flags.includes("design_unknown")) {
    notes.push(
      `${FLAG_WORDS.design_unknown}: the labels do not say how they were drawn. They are taken for a random sample and certify nothing; add \`drawn\` to them if they are one`,
    );
  }
  if (flags.includes("other_frame")) {
    notes.push(
      `${FLAG_WORDS.other_frame}: the labels were drawn from ${population(frame!)}, and estimates are of that population, not of this run${isRunId(frame!) ? `; \`${command === undefined ? "" : `${command} `}--run ${frame}\` is about that run` : ""}`,
    );
  }
  const rest = list(false);
  if (rest !== "") notes.push(`left out, because they are no part of that sample: ${rest}`);
  return notes;
}
