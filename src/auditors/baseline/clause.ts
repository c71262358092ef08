import type { ClauseRole } from "../../grounding/clause-role.js";
import type { ContentView } from "./content-view.js";

/** How far words of the content meet words of the clause, and of its whole rule: 0 … 1. */
export interface Bearing {
  clause: number;
  rule: number;
}

/** A property of content that a clause speaks of and that can be verified without understanding. */
export interface Check {
  property: string;
  /** Facts (see `facts.ts`) of which the content must show one for the check to bear on it; left out where it always may. */
  needs?: number;
  /**
   * Above 0: the content is what the clause forbids, or lacks what it demands. Below 0: it has what the clause demands, or is what
   * it exempts. The size is the certainty, 0 means that the check does not bear on this content.
   */
  judge(view: ContentView, bearing: Bearing): number;
  /** The content comes so close to the line that it can be read either way: 0 … 1. */
  borderline?(view: ContentView): number;
  /** It sees that something is missing, or counts by signs, and so is often wrong: a breach it finds weighs half. */
  indirect?: boolean;
  /** What the clause demands, by the names that prohibitions have for it: two rules may pull apart over it. */
  demands?: readonly string[];
  /** What was found, as the end of a sentence that begins "the content …". */
  tell(view: ContentView): string;
}

/** A statement of a rule as the auditor reads it. */
export interface Clause {
  /** Its place among all clauses of the frame. */
  index: number;
  text: string;
  lower: string;
  role: ClauseRole;
  isTitle: boolean;
  /** Passages in quotation marks. */
  quotes: readonly string[];
  checks: readonly Check[];
  voice: Voice;
}

/** What it means for the content to meet the words of a clause. */
export type Voice = "against" | "for" | "demanding" | "elsewhere" | "silent";

/** What a check is compiled from. */
export type ClauseDraft = Omit<Clause, "checks" | "voice">;

/** Compiles the checks of one kind that a clause calls for. `ruleText` is the whole rule, lower case. */
export type CheckCompiler = (clause: ClauseDraft, rule: RuleDraft) => readonly Check[];

export interface RuleDraft {
  lower: string;
  kind: string | null;
  clauses: readonly ClauseDraft[];
}

export const NO_CHECKS: readonly Check[] = [];

/** What a rule of these kinds speaks of is not what it forbids. */
const HARMLESS_KINDS: ReadonlySet<string> = new Set(["requirement", "procedure", "permission"]);

/** A clause that tells what breaks its rule speaks against the content, an exception for it. */
export function voiceOf(role: ClauseRole, kind: string | null): Voice {
  if (role === "exemption") return "for";
  if (role === "procedure") return "elsewhere";
  if (role === "requirement") return "demanding";
  if (role === "prohibition" || role === "insufficient") return "against";
  return role === "definition" && !HARMLESS_KINDS.has(kind ?? "") ? "against" : "silent";
}

/** Whether a clause says what breaks the rule rather than what satisfies it. */
export function speaksAgainst(role: ClauseRole): boolean {
  return role === "prohibition" || role === "insufficient" || role === "definition";
}
