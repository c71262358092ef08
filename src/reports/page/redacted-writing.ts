import type { Citation } from "../../domain/audit.js";
import { whole as wholeNumber } from "../../figures/numbers.js";
import type { PageRuleSet, PageText } from "../../figures/report-page.js";
import { tokenise } from "../../grounding/words.js";
import { cutText } from "./cut-text.js";
import type { Writing } from "./writing.js";

/** What an auditor says of a rule beside its words: "Community rule R3". */
const REFERENCE = ["community", "platform", "rule", "rules"];

/** A word of ours or of a platform, not a sentence. */
export function isPlainWord(word: string): boolean {
  return /^[\w.:/-]{1,60}$/.test(word);
}

/** The id of a rule that only audits name: it may be in somebody's own words. The same rule stays one rule. */
export function plainRuleId(id: string, hashOf: (text: string) => string): string {
  return isPlainWord(id) ? id : `rule ${hashOf(id).slice(0, 8)}`;
}

/**
 * Nothing that an author, a moderator, a rater or an auditor wrote: only how long it was, and a keyed hash by which the same text is known
 * again. A citation is shown where every word of it stands in the rules of the platform or of the community, since rules are public; one that
 * leans on precedents, or on nothing, may quote content.
 */
export function redactedWriting(ruleSets: readonly PageRuleSet[], hashOf: (text: string) => string): Writing {
  const words = new RuleWords(ruleSets);
  const redact = (whole: string): PageText => ({ text: null, length: whole.length, hash: hashOf(whole) });
  return {
    redacted: true,
    text: redact,
    cited: (whole, most, citation, community) =>
      restsOnRules(citation) && words.cover(whole, community)
        ? { text: cutText(whole, most), length: whole.length }
        : redact(whole),
    tokens: (tokens, citation, community) => {
      const shown = restsOnRules(citation) && words.cover(tokens.map(([text]) => text).join(""), community);
      return shown ? tokens : tokens.map(([, bits]) => [null, bits]);
    },
    message: (whole) => `redacted, ${wholeNumber(whole.length)} characters`,
    word: (word) => (isPlainWord(word) ? word : null),
    ruleId: (id, community) => (words.hasRule(id, community) ? id : null),
    citedRule: (id, community) => (words.hasRule(id, community) ? id : plainRuleId(id, hashOf)),
    person: (id) => `person ${hashOf(id).slice(0, 8)}`,
  };
}

function restsOnRules(citation: Citation | null): boolean {
  return (
    citation?.grounded === true && citation.overlap === 1 && ["platform", "community", "mixed"].includes(citation.scope)
  );
}

/** The words and ids of the rules that a community's decisions fall under. */
class RuleWords {
  private readonly known = new Map<string, { words: ReadonlySet<string>; ids: ReadonlySet<string> }>();

  constructor(private readonly sets: readonly PageRuleSet[]) {}

  cover(text: string, community: string): boolean {
    const { words } = this.of(community);
    // A sign that is neither letter, digit nor punctuation is no token, and tells something all the same.
    return !/[^\p{L}\p{N}\p{M}\p{P}\s]/u.test(text) && tokenise(text).every((word) => words.has(word));
  }

  hasRule(id: string, community: string): boolean {
    return this.of(community).ids.has(id);
  }

  private of(community: string) {
    const known = this.known.get(community);
    if (known) return known;
    const rules = this.sets
      .filter((set) => set.community === null || set.community === community)
      .flatMap((set) => set.rules);
    const texts = rules.flatMap((rule) => [rule.id, rule.title, rule.description ?? "", rule.detail ?? ""]);
    const made = {
      words: new Set([...REFERENCE, ...texts.flatMap(tokenise)]),
      ids: new Set(rules.map((rule) => rule.id)),
    };
    this.known.set(community, made);
    return made;
  }
}
