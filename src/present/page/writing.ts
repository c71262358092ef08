import type { GateKey } from "../../core/gate.js";
import type { Citation } from "../../core/records/audit.js";
import type { Report } from "../../core/results/report.js";
import { joinKey, splitKey } from "../../measures/gate/route/reasons.js";
import type { PageRuleSet, PageText } from "../../measures/report-page.js";
import { tokenise } from "../../text/words.js";
import { whole as wholeNumber } from "../words/numbers.js";
import { type HashedSort, isCode, type KeyedHash, plainRuleId, redactedName, shownName } from "./pseudonyms.js";

/** How what people and models wrote comes onto a page: as it is, or redacted. */
export interface Writing {
  redacted: boolean;
  /** Content, reasons, notes. `most`: characters shown; `sort`: what it is. */
  text(whole: string, most: number, sort: HashedSort): PageText;
  /** What an auditor cited in a decision of a community: it may be the words of a rule, and may be those of the content. */
  cited(whole: string, most: number, citation: Citation | null, community: string): PageText;
  /** The tokens of a citation. */
  tokens(tokens: [string, number][], citation: Citation | null, community: string): [string | null, number][];
  /** What went wrong, in words that may quote an answer. */
  message(whole: string, most: number): string;
  /** A word that may be one of a fixed vocabulary; null where it is another one that must not be shown. */
  code(text: string, sort: "kind" | "date" | "error" | "model"): string | null;
  /** A name by which the same person, language or version is known again. A version is `<platform>+<community>`, or one rule set's. */
  name(text: string, sort: "person" | "language" | "version"): string;
  /** The id of a rule as a person named it. */
  ruleId(id: string, community: string): string | null;
  /** The id of a rule that an auditor cites. */
  citedRule(id: string, community: string): string;
}

const same = (text: string) => text;

/** Everything as it was written, as far as there is room. */
export const shownWriting: Writing = {
  redacted: false,
  text: (whole, most) => ({ text: cutText(whole, most), length: whole.length }),
  cited: (whole, most) => ({ text: cutText(whole, most), length: whole.length }),
  tokens: (tokens) => tokens,
  message: cutText,
  code: same,
  name: same,
  ruleId: same,
  citedRule: same,
};

/** The beginning of a text, cut between two characters and not inside one. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const before = text.charCodeAt(most - 1);
  const end = before >= 0xd800 && before <= 0xdbff ? most - 1 : most;
  // By way of a buffer: a slice would keep the whole text in memory.
  return Buffer.from(text.slice(0, Math.max(0, end)), "utf16le").toString("utf16le");
}

/** What an auditor says of a rule in addition to its words: "Community rule R3". */
const REFERENCE = ["community", "platform", "rule", "rules"];

/**
 * Nothing that an author, a moderator, a rater or an auditor wrote: only how long it was, and a keyed hash by which the same text is known
 * again. A citation is shown where every word of it is in the rules of the platform or of the community, since rules are public; one that
 * leans on precedents, or on nothing, may quote content.
 */
export function redactedWriting(ruleSets: readonly PageRuleSet[], hashOf: KeyedHash): Writing {
  const words = new RuleWords(ruleSets);
  const redact = (whole: string, sort: HashedSort): PageText => ({
    text: null,
    length: whole.length,
    hash: hashOf(whole, sort),
  });
  return {
    redacted: true,
    text: (whole, _, sort) => redact(whole, sort),
    cited: (whole, most, citation, community) =>
      restsOnRules(citation) && words.cover(whole, community)
        ? { text: cutText(whole, most), length: whole.length }
        : redact(whole, "citation"),
    tokens: (tokens, citation, community) => {
      const shown = restsOnRules(citation) && words.cover(tokens.map(([text]) => text).join(""), community);
      return shown ? tokens : tokens.map(([, bits]) => [null, bits]);
    },
    message: (whole) => `redacted, ${wholeNumber(whole.length)} characters`,
    code: (text, sort) => (isCode(text, sort) ? text : null),
    name: (text, sort) => shownName(text, hashOf, sort),
    ruleId: (id, community) => (words.hasRule(id, community) ? id : null),
    citedRule: (id, community) => (words.hasRule(id, community) ? id : plainRuleId(id, hashOf)),
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
    // A sign that is neither letter, digit nor punctuation is no token, and still says something.
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

/**
 * Names of a gate's cohorts without private words: communities, actions and rules of the workspace are names and stay; a language, or a
 * rule that only audits name, may be a sentence and is then hashed, as everywhere in a redacted report.
 */
export function redactedKeys(
  { communities, rules }: Pick<Report, "communities" | "rules">,
  by: readonly GateKey[],
  hashOf: KeyedHash,
): (key: string) => string {
  const names = communities.map(({ community }) => community);
  // A rule with a title is one of the workspace's. A key by rule alone names it as here.
  const known = new Set(
    rules.flatMap(({ community, rule_id, title }) => (title === null ? [] : [`${community ?? "platform"} ${rule_id}`])),
  );
  const shownRule = (part: string, community: string | undefined): string => {
    if (part === "no rule") return part;
    const owners = ["platform", ...(community === undefined ? names : [])].filter((name) =>
      part.startsWith(`${name} `),
    );
    const owner = owners.sort((a, b) => b.length - a.length)[0];
    const id = owner === undefined ? part : part.slice(owner.length + 1);
    // Cited together with the platform's rule of the same id, it is listed under the community's name.
    const isKnown = [owner, community, "platform"].some((name) => known.has(`${name} ${id}`));
    const shown = isKnown ? id : plainRuleId(id, hashOf);
    return owner === undefined ? shown : `${owner} ${shown}`;
  };
  return (key) => {
    const parts = splitKey(by, key);
    // Of a gate by other keys: a community, or something unknown.
    if (parts === null) return names.includes(key) ? key : redactedName(key, hashOf, "name");
    const community = by.includes("community") ? parts[by.indexOf("community")] : undefined;
    return joinKey(
      parts.map((part, i) => {
        if (by[i] === "language") return shownName(part, hashOf, "language");
        return by[i] === "rule" ? shownRule(part, community) : part;
      }),
    );
  };
}
