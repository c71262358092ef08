import type { RuleSet } from "../../core/records/rule-set.js";
import { draftedSets } from "../../store/formats/rule-file.js";
import type { UnreadText } from "../../text/guidelines/draft.js";
import { readGuidelines } from "../../text/guidelines/read-guidelines.js";
import { bad, checkKeys } from "./options.js";

export type { UnreadReason, UnreadText } from "../../text/guidelines/draft.js";

export interface MarkdownOptions {
  /** The community of the rules that are under none in the text. Default: they are the platform's. */
  community?: string;
  /** Default: `md-` and a hash of the text and its communities. */
  version?: string;
}

export interface MarkdownRules {
  /** The first of `sets`. */
  set: RuleSet;
  /** The platform's rules, then those of each community that the text names. */
  sets: RuleSet[];
  /** What could not be read as a rule. Empty: everything was. */
  unread: UnreadText[];
}

/**
 * Rules written as Markdown. Each numbered item is a rule: its bold beginning or first sentence is the title, the rest of the paragraph the
 * description, sub-items and further paragraphs the detail. A heading without numbered items and without further headings below it is a rule
 * too. Where headings have numbers (`Rule 3: No spam`), they are the rules. A heading such as `Forum: Boats` begins the rules of a community.
 * A rule's id is its number, or its title in plain letters, so that it stays the same when other rules come or go.
 */
export function rulesFromMarkdown(text: string, options: MarkdownOptions = {}): MarkdownRules {
  if (typeof text !== "string") {
    throw bad(`rulesFromMarkdown: got ${typeof text}, expected text`, "Pass the Markdown.");
  }
  checkKeys("rulesFromMarkdown", options);
  const { community, version } = options;
  const draft = readGuidelines(text, { name: ".md", ...(community === undefined ? {} : { community }) });
  const sets = draftedSets(draft, text, version === undefined ? {} : { version });
  return { set: sets[0]!, sets, unread: draft.unread };
}
