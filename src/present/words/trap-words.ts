import { countOf } from "../../core/estimate.js";
import { isModeration } from "../../core/records/actions.js";
import type { Report } from "../../core/results/report.js";
import { whole } from "./numbers.js";
import { numberAt, type Sentence, sentence } from "./sentence.js";
import type { TrapKind } from "./trap-examples.js";

interface TrapWords {
  /** Pointer into the report to how many there are. */
  at: string;
  /** In a list of counts. */
  many: string;
  /** Next to one decision, and to several. */
  card: readonly [one: string, many: string];
  none: string;
}

/** The three ways in which labels and rules differ, as terminal and page name them. */
export const TRAP_WORDS: Record<TrapKind, TrapWords> = {
  error_supported: {
    at: "/trap/disagreements_defensible/k",
    many: "errors that the rules support",
    card: ["counted as an error, yet the rules support it", "counted as errors, yet the rules support them"],
    none: "No decision that differs from its label follows from the rules.",
  },
  success_unsupported: {
    at: "/trap/accurate_but_indefensible/joint/k",
    many: "successes that no rule supports",
    card: ["counted as a success, yet no rule supports it", "counted as successes, yet no rule supports them"],
    none: "No decision that agrees with its label lacks a supporting rule.",
  },
  both_allowed: {
    at: "/ambiguity/pure/k",
    many: "cases where the rules allow both",
    card: ["where the rules allow both", "where the rules allow both"],
    none: "There is no decision for which the rules allow both.",
  },
};

export const NO_LABELS = "No decision has a human label, so nothing can agree or disagree with one.";

/**
 * How many decisions agreement misjudges; null where it miscounts none. `at`: pointer to the report.
 * `counted`: with the number of errors and of successes among them.
 */
export function misjudgedSentence(report: Report, at: string, { counted }: { counted: boolean }): Sentence | null {
  const { trap, run, counts } = report;
  const { joint } = trap.accurate_but_indefensible;
  const misjudged = countOf(trap.disagreements_defensible) + countOf(joint);
  if (misjudged === 0) return null;
  const labelled = joint.n < counts.verdicts ? " that have a label" : "";
  const kind = (name: TrapKind) =>
    sentence`${numberAt(`${at}${TRAP_WORDS[name].at}`, "whole")} ${TRAP_WORDS[name].many}`;
  const parts = counted ? sentence`: ${kind("error_supported")}, ${kind("success_unsupported")}` : [];
  return sentence`Agreement with ${isModeration(run.actions) ? "moderators" : "human labels"} misjudges ${whole(misjudged)} of the ${numberAt(`${at}/trap/accurate_but_indefensible/joint/n`, "whole")}${labelled}${parts}.`;
}
