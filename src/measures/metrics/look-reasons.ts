import type { LookReason } from "../report-page.js";

/** Between these probabilities of being defensible a verdict could as well have been another. */
export const UNSURE_BAND = [0.25, 0.75] as const;

/** What of an audit says whether its decision is worth a look. */
export interface LookedAt {
  outcome: string;
  decision: string;
  human_label: string | null;
  level: number | null;
  level_map: number | null;
  inverse: boolean | null;
  p_defensible: number | null;
  /** Whether the citation was found in rules or precedents; null where nothing was cited or nobody looked. */
  grounded: boolean | null;
  flags: readonly string[];
}

/**
 * Why a decision is worth a look, the most pressing reason first; every decision has at least one.
 *
 * `injection_suspected`: the content seems to address the auditor, whatever the verdict.
 * `disagreement_indefensible`, `agreed_but_indefensible`, `indefensible`: level 3, where the person decided otherwise, where they decided
 * the same (the agreement trap), and where nobody did.
 * `not_scored`: no verdict. `ungrounded_citation`: what it cites stands nowhere in rules and precedents.
 * `disagreement_defensible`: level 1 or 2, and the person decided otherwise. `open_both_ways`: level 1 or 2, and the opposite could be
 * derived too. `unsure`: the level written is not the most probable one, or P(defensible) lies within `UNSURE_BAND`.
 * `settled`: a verdict, and none of these.
 *
 * @example lookReasons({ outcome: "verdict", decision: "remove", human_label: "remove", level: 3, level_map: 3, inverse: false, p_defensible: 0.1, grounded: true, flags: [] }).join() // => "agreed_but_indefensible"
 */
export function lookReasons(audit: LookedAt): LookReason[] {
  const { level, human_label, p_defensible, level_map } = audit;
  const verdict = audit.outcome === "verdict" && level !== null;
  const disagrees = human_label !== null && human_label !== audit.decision;
  const [low, high] = UNSURE_BAND;
  const held: [LookReason, boolean][] = [
    ["injection_suspected", audit.flags.includes("injection_suspected")],
    ["disagreement_indefensible", verdict && level === 3 && disagrees],
    ["agreed_but_indefensible", verdict && level === 3 && human_label !== null && !disagrees],
    ["indefensible", verdict && level === 3 && human_label === null],
    ["not_scored", !verdict],
    ["ungrounded_citation", verdict && audit.grounded === false],
    ["disagreement_defensible", verdict && level < 3 && disagrees],
    ["open_both_ways", verdict && level < 3 && audit.inverse === true],
    [
      "unsure",
      verdict &&
        ((level_map !== null && level_map !== level) ||
          (p_defensible !== null && p_defensible >= low && p_defensible <= high)),
    ],
  ];
  const reasons = held.filter(([, holds]) => holds).map(([reason]) => reason);
  return reasons.length > 0 ? reasons : ["settled"];
}
