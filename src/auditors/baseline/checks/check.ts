import type { Force } from "../../../measures/grounding/scope/clause-scope.js";
import type { ContentView, Field } from "../content-view.js";

/** A property of content that a clause speaks of and that can be verified without understanding. */
export interface Check {
  /**
   * Above 0: the content is what the clause forbids or sends elsewhere, or lacks what it demands. Below 0: it has what the clause demands, or is what the
   * clause allows. The size is the certainty; 0 means that the check does not apply. `concern` is how far the clause concerns the content, 0 … 1.
   */
  judge(view: ContentView, concern: number): number;
  /** What was found, as the end of a sentence that begins with "The content". */
  tell(view: ContentView): string;
}

/** What a check is made from: a clause in lower case, what it does, and whether its rule is about titles. */
export interface CheckSource {
  clause: string;
  force: Force;
  /** Title of the rule, in lower case. */
  title: string;
  /** The rule's title and description speak of titles and not of bodies. */
  isAboutTitles: boolean;
}

export type CheckCompiler = (source: CheckSource) => Check[];

/** Absence is a weaker sign than presence: what is demanded may be there in other words. */
export const ABSENCE = 0.5;

const TITLE = /\b(?:titles?|headlines?|títulos?)\b/;
const BODY = /\b(?:body|text|description|comments?|answers?)\b/;

/** The field a clause speaks of: the one it names, else the one its rule is about, else the body. */
export function fieldName({ clause, isAboutTitles }: CheckSource): "title" | "body" {
  if (TITLE.test(clause)) return "title";
  return isAboutTitles && !BODY.test(clause) ? "title" : "body";
}

/** That field of a content; null where it has none, so that a rule about titles is never applied to a body. */
export function fieldOf(view: ContentView, name: "title" | "body"): Field | null {
  return name === "title" ? headline(view) : view.body;
}

const LONGEST_HEADLINE = 300;

/** The title, or a single line that came without one and is not known to be a comment. */
function headline({ title, body, kind }: ContentView): Field | null {
  if (title !== null || kind === "comment") return title;
  return body.text.length < LONGEST_HEADLINE && !body.text.trim().includes("\n") ? body : null;
}

/** Whether a rule's title and description, in lower case, are about titles. */
export function isAboutTitles(head: string): boolean {
  return TITLE.test(head) && !/\bbody\b/.test(head);
}
