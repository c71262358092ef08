import { InputError } from "../../core/errors.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import type { RulesDraft } from "../../core/results/lint.js";
import {
  draftedSets,
  draftYaml,
  type RuleFileOptions,
  readRuleFile,
  ruleFileName,
} from "../../store/formats/rule-file.js";
import type { UnreadText } from "../../text/guidelines/draft.js";
import { readGuidelines } from "../../text/guidelines/read-guidelines.js";
import { bad, checkKeys } from "./options.js";

/** Drafts rule sets from an existing page of rules. Writes nothing. `source`: name of the page. */
export function draftRules(text: string, source: string, options: RuleFileOptions = {}): RulesDraft {
  const { draft, sets } = readRuleFile(text, source, options);
  if (draft === null) {
    throw new InputError(
      "is_a_rule_set",
      `${source}: is a rule set already, and needs no draft`,
      "Import it as it is, or check it with `defensible rules lint`.",
    );
  }
  const counted = draft.format !== "reddit" && draft.format !== "mastodon";
  return {
    format: 1,
    source,
    read_as: draft.format,
    title: draft.title,
    version: sets[0]!.set.version,
    sets: sets.map(({ set }) => set),
    rules: draft.books.flatMap(({ community, rules }) =>
      rules.map(({ line, rule }) => ({
        scope: community === null ? ("platform" as const) : ("community" as const),
        community,
        id: rule.id,
        title: rule.title,
        line: counted ? line : null,
        description_words: countWords(rule.description),
        detail_words: countWords(rule.detail),
      })),
    ),
    not_placed: draft.unread,
    written: [],
  };
}

/** Counts words; in scripts without spaces, runs between punctuation. */
function countWords(text: string | null | undefined): number {
  return text?.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_-]*/gu)?.length ?? 0;
}

/** A draft as one YAML file, one document per set. */
export function draftText({ sets, source, not_placed }: RulesDraft): string {
  return draftYaml(sets, source, not_placed);
}

/** A draft as files of a rules folder, one per set. The first lists passages that are in no rule. */
export function draftFiles({ sets, source, not_placed }: RulesDraft): { name: string; text: string }[] {
  const names = new Set<string>();
  return sets.map((set, i) => {
    let n = 1;
    while (names.has(ruleFileName(set, n))) n++;
    names.add(ruleFileName(set, n));
    return { name: ruleFileName(set, n), text: draftYaml([set], source, i === 0 ? not_placed : []) };
  });
}

export type { UnreadReason, UnreadText } from "../../text/guidelines/draft.js";

export interface MarkdownOptions {
  /** Community of rules that the text places under no community. Default: the platform. */
  community?: string;
  /** Default: `md-` and a hash of the text and its communities. */
  version?: string;
}

export interface MarkdownRules {
  /** The first of `sets`. */
  set: RuleSet;
  /** The platform's rules, then those of each community that the text names. */
  sets: RuleSet[];
  /** Text that could not be read as a rule. Empty: everything was read. */
  unread: UnreadText[];
}

/**
 * Rules written as Markdown. Each numbered item is a rule: its bold beginning or first sentence is the title, the rest of the paragraph the
 * description, sub-items and further paragraphs the detail. A heading with neither numbered items nor subheadings is a rule, too. Numbered
 * headings (`Rule 3: No spam`) are the rules themselves. A heading such as `Forum: Boats` begins the rules of a community.
 * A rule's id is its number, or its title in plain letters, so that it stays the same when other rules are added or removed.
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
