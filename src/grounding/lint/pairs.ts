import { type Clause, outright } from "./clauses.js";
import { boundsOf, platformConflict } from "./conflicts.js";
import { finding, type PlacedRule, type RuleFinding, referenceTo } from "./finding.js";
import { sharedShare, topicStems } from "./sentences.js";

/** Share of common words from which two rules say the same, and from which two clauses speak of the same thing. */
const SAME_RULE = 0.6;
const SAME_TOPIC = 0.75;
/** Rules of fewer words are too short to be compared by their words. */
const FEWEST_WORDS = 3;

/** Pairs of rules that hold at once: of one community (or the platform), and each community's with the platform's. */
function* pairsInForce(rules: readonly PlacedRule[]): Generator<readonly [PlacedRule, PlacedRule]> {
  const platform = rules.filter(({ set }) => set.scope === "platform");
  const communities = new Map<string, PlacedRule[]>();
  for (const placed of rules) {
    if (placed.set.scope !== "community") continue;
    const own = communities.get(placed.set.community!);
    if (own) own.push(placed);
    else communities.set(placed.set.community!, [placed]);
  }
  yield* pairsWithin(platform);
  for (const own of communities.values()) {
    yield* pairsWithin(own);
    for (const a of own) for (const b of platform) yield [a, b];
  }
}

function* pairsWithin(rules: readonly PlacedRule[]): Generator<readonly [PlacedRule, PlacedRule]> {
  for (let i = 0; i < rules.length; i++) for (let j = 0; j < i; j++) yield [rules[i]!, rules[j]!];
}

/** Rules that say the same, and rules of which one forbids outright what the other allows. */
export function pairFindings(rules: readonly PlacedRule[]): RuleFinding[] {
  const prepared = new Map(rules.map((placed) => [placed, prepare(placed)]));
  const found: RuleFinding[] = [];
  for (const [a, b] of pairsInForce(rules)) {
    const [one, other] = [prepared.get(a)!, prepared.get(b)!];
    const contradiction = contradictory(outright(one.bounds.clauses), outright(other.bounds.clauses));
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
  }
  return found;
}

function prepare({ rule, set }: PlacedRule) {
  return {
    title: rule.title.trim().toLowerCase(),
    words: topicStems(`${rule.title} ${rule.description ?? ""}`),
    bounds: boundsOf({ rule, set }),
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
