import { groupBy } from "../../../core/text-checks.js";
import { boundsOf, platformConflict } from "./conflicts.js";
import {
  type Clause,
  finding,
  outright,
  type PlacedRule,
  type RuleFinding,
  referenceTo,
  sharedShare,
  topicStems,
} from "./finding.js";

/** Smallest share of common words at which two rules say the same, and at which two clauses have the same topic. */
const SAME_RULE = 0.6;
const SAME_TOPIC = 0.75;
/** Rules with fewer words are too short to be compared by their words. */
const FEWEST_WORDS = 3;

/** Most rules compared for each of a rule's rarest words, and most findings per rule: more copies of one text add nothing. */
const MOST_COMPARED = 64;
const MOST_FINDINGS = 16;

/**
 * Pairs of rules that apply at the same time (of one community or the platform, and each community's with the platform's) and may be related. They
 * are found by shared words that few other rules have, so ten thousand rules do not need fifty million comparisons.
 */
function* pairsInForce(rules: readonly Prepared[]): Generator<readonly [Prepared, Prepared]> {
  const platform = rules.filter(({ placed }) => placed.set.scope === "platform");
  const communities = groupBy(
    rules.filter(({ placed }) => placed.set.scope === "community"),
    ({ placed }) => placed.set.community!,
  );
  const keysOf = pairKeys(rules);
  const above = new PairIndex();
  for (const [place, one] of platform.entries()) {
    const keys = keysOf(one);
    for (const other of above.matches(keys)) yield [one, platform[other]!];
    above.add(keys, place);
  }
  for (const own of communities.values()) {
    const index = new PairIndex();
    const crossing: [Prepared, number[]][] = [];
    for (const [place, one] of own.entries()) {
      const keys = keysOf(one);
      for (const other of index.matches(keys)) yield [one, own[other]!];
      index.add(keys, place);
      crossing.push([one, above.matches(keys)]);
    }
    for (const [one, others] of crossing) for (const other of others) yield [one, platform[other]!];
  }
}

/** Indices of rules by the keys that similar rules share. */
class PairIndex {
  private readonly places = new Map<string, number[]>();

  add({ held }: PairKeys, place: number): void {
    for (const key of held) {
      const known = this.places.get(key);
      if (!known) this.places.set(key, [place]);
      else if (known.length < MOST_COMPARED) known.push(place);
    }
  }

  matches({ sought }: PairKeys): number[] {
    const found = new Set<number>();
    for (const key of sought) for (const place of this.places.get(key) ?? []) found.add(place);
    return [...found].sort((a, b) => a - b);
  }
}

interface PairKeys {
  /** Keys under which it is found. */
  held: readonly string[];
  /** Keys that it looks up. */
  sought: readonly string[];
}

/**
 * Two sets whose shared share reaches t have one of the |A| − ⌈t |A|⌉ + 1 rarest members of A in common, and likewise for B (prefix filter). A
 * forbidden item reappears in a granted one only with all its stems, so also with its rarest.
 */
function pairKeys(rules: readonly Prepared[]): (one: Prepared) => PairKeys {
  const counts = new Map<string, number>();
  const stemsOf = ({ words, bounds }: Prepared) => [
    words,
    ...bounds.clauses.map(({ topic }) => topic),
    ...[...bounds.forbidden, ...bounds.granted].map(({ stems }) => stems),
  ];
  for (const one of rules) {
    for (const stems of stemsOf(one)) for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  const rarest = (stems: ReadonlySet<string>) =>
    [...stems].sort((a, b) => counts.get(a)! - counts.get(b)! || (a < b ? -1 : 1));
  const prefix = (stems: ReadonlySet<string>, share: number) =>
    rarest(stems).slice(0, stems.size - Math.ceil(share * stems.size - 1e-9) + 1);
  return ({ title, words, bounds }) => {
    const alike = new Set([`title ${title}`]);
    if (words.size >= FEWEST_WORDS) for (const stem of prefix(words, SAME_RULE)) alike.add(`word ${stem}`);
    for (const { topic } of bounds.clauses) for (const stem of prefix(topic, SAME_TOPIC)) alike.add(`topic ${stem}`);
    const forbidden = bounds.forbidden.map(({ stems }) => `item ${rarest(stems)[0]}`);
    const granted = bounds.granted.flatMap(({ stems }) => [...stems].map((stem) => `item ${stem}`));
    return { held: [...alike, ...new Set(forbidden)], sought: [...alike, ...new Set(granted)] };
  };
}

/** Rules that say the same, and pairs of rules in which one forbids outright what the other allows. */
export function pairFindings(rules: readonly PlacedRule[]): RuleFinding[] {
  const found: RuleFinding[] = [];
  const counts = new Map<PlacedRule, number>();
  for (const [one, other] of pairsInForce(rules.map(prepare))) {
    const [a, b] = [one.placed, other.placed];
    const before = found.length;
    if ((counts.get(a) ?? 0) >= MOST_FINDINGS) continue;
    const contradiction = contradictory(one.outright, other.outright);
    const overPlatform = a.set.scope === "community" && b.set.scope === "platform";
    const conflict = contradiction || !overPlatform ? null : platformConflict(a, one.bounds, b, other.bounds);
    if (contradiction) {
      const [own, theirs] = contradiction;
      const precedence = a.set.scope !== b.set.scope ? ", and the platform's rule goes before" : "";
      found.push(
        finding(a, {
          check: "contradiction",
          severity: "error",
          part: own.part,
          quote: own.text,
          message: `${own.forbids ? "forbids" : "allows"} what rule ${b.rule.id} ${theirs.forbids ? "forbids" : "allows"}${precedence}: "${theirs.text}"`,
          remedy: "Change one of them, or say which goes before.",
          other: referenceTo(b),
        }),
      );
    } else if (conflict) {
      found.push(conflict);
    } else if (one.title === other.title || sameWords(one.words, other.words)) {
      found.push(
        finding(a, {
          check: "duplicate",
          severity: "warning",
          part: one.title === other.title ? "title" : null,
          quote: a.rule.title,
          message: `says what rule ${b.rule.id} ("${b.rule.title}") says: a decision can cite either`,
          remedy: "Keep one of them.",
          other: referenceTo(b),
        }),
      );
    }
    if (found.length > before) counts.set(a, (counts.get(a) ?? 0) + 1);
  }
  return found;
}

/** A rule with its comparison keys. */
type Prepared = ReturnType<typeof prepare>;

function prepare({ rule, set }: PlacedRule) {
  const bounds = boundsOf({ rule, set });
  return {
    placed: { rule, set },
    title: rule.title.trim().toLowerCase(),
    words: topicStems(`${rule.title} ${rule.description ?? ""}`),
    bounds,
    outright: outright(bounds.clauses),
  };
}

function sameWords(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size >= FEWEST_WORDS && b.size >= FEWEST_WORDS && sharedShare(a, b) >= SAME_RULE;
}

function contradictory(a: readonly Clause[], b: readonly Clause[]): [Clause, Clause] | null {
  for (const own of a) {
    for (const theirs of b) {
      if (own.forbids !== theirs.forbids && sharedShare(own.topic, theirs.topic) >= SAME_TOPIC) return [own, theirs];
    }
  }
  return null;
}
