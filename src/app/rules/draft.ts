import { InputError } from "../../core/errors.js";
import type { RulesDraft } from "../../core/results/lint.js";
import { type RuleFileOptions, readRuleFile } from "../../store/formats/rule-file.js";
import { draftYaml, ruleFileName } from "../../store/formats/rule-yaml.js";

/** Drafts rule sets from a page of rules as people have it. Nothing is written. `source`: how the page is called. */
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

/** Words, or in scripts without spaces runs between signs. */
function countWords(text: string | null | undefined): number {
  return text?.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_-]*/gu)?.length ?? 0;
}

/** A draft as one YAML file, a document for each set. */
export function draftText({ sets, source, not_placed }: RulesDraft): string {
  return draftYaml(sets, source, not_placed);
}

/** A draft as the files of a rules folder, one for each set. What is in no rule is listed in the first. */
export function draftFiles({ sets, source, not_placed }: RulesDraft): { name: string; text: string }[] {
  const names = new Set<string>();
  return sets.map((set, i) => {
    let n = 1;
    while (names.has(ruleFileName(set, n))) n++;
    names.add(ruleFileName(set, n));
    return { name: ruleFileName(set, n), text: draftYaml([set], source, i === 0 ? not_placed : []) };
  });
}
