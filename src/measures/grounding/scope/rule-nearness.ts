import type { ContentWords } from "./content-words.js";
import { nearness } from "./nearness.js";
import type { ClauseReading, RuleReading, Side } from "./read-frame.js";

/** How near a content comes to one side of a rule, and the clause of it that it comes nearest to; null: there is none. */
export interface Near {
  value: number;
  clause: ClauseReading | null;
}

export interface RuleNearness {
  reading: RuleReading;
  /** To what the rule forbids, demands, allows or excepts, and sends elsewhere. */
  forbids: Near;
  demands: Near;
  allows: Near;
  elsewhere: Near;
  /** To what it forbids, less what it comes near to its exceptions. */
  unexcused: number;
}

/** A content that has the tag or the name in an exception meets it, whatever else it says. */
const NAMED = 1.5;
/** What nearness to an exception takes from nearness to what is forbidden: content that is excepted meets both. */
const EXCUSED = 0.7;

/**
 * How near a content comes to each side of a rule, by the words of all clauses of the side together; exceptions by the words that the forbidden does
 * not share.
 *
 * Formula: n(side) = nearness of the side's words; allows = 1.5 at least where the content has a `[tag]` or Name of an allowing clause;
 * unexcused = n(forbids) − 0.7 max(0, n(allows)).
 * Range: as `nearness`.
 * Undefined when: never; a side without a clause is 0.
 * Differs from the paper: not in the paper.
 * @see docs/scope-verification.md
 */
export function ruleNearness(reading: RuleReading, content: ContentWords): RuleNearness {
  const forbids = nearTo(reading.forbids, content);
  const allows = nearTo(reading.allows, content);
  const named = reading.allows.clauses.find(({ names }) => names.some((name) => content.lower.includes(name)));
  if (named && allows.value < NAMED) Object.assign(allows, { value: NAMED, clause: named });
  return {
    reading,
    forbids,
    demands: nearTo(reading.demands, content),
    allows,
    elsewhere: nearTo(reading.elsewhere, content),
    unexcused: forbids.value - EXCUSED * Math.max(0, allows.value),
  };
}

function nearTo({ clauses, words }: Side, content: ContentWords): Near {
  const value = nearness(content, words);
  let clause: ClauseReading | null = null;
  let most = Number.NEGATIVE_INFINITY;
  // Which clause it is matters only where there is something to tell.
  for (const one of clauses.length > 1 && value > 0 ? clauses : clauses.slice(0, 1)) {
    const near = clauses.length > 1 ? nearness(content, one.words) : 0;
    if (near > most) {
      most = near;
      clause = one;
    }
  }
  return { value, clause };
}
