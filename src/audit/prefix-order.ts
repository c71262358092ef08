import type { Decision } from "../core/records/decision.js";
import type { RuleBook } from "./rules-in-force.js";

/** A stream of decisions that can be begun again and again. */
export type DecisionSource = () => AsyncGenerator<Decision[]>;

/** Content held in memory at once while decisions are put in order, in characters. */
const HELD = 5_000_000;

/** Sizes of the communities in a stream of decisions, and whether each already stands together. */
export class CommunitySizes {
  readonly sizes = new Map<string, number>();
  private last: string | null = null;
  private changes = 0;

  add(decision: Decision): void {
    const { community, content } = decision;
    if (community !== this.last) this.changes++;
    this.last = community;
    const length = typeof content === "string" ? content.length : content.body.length + (content.title?.length ?? 0);
    this.sizes.set(community, (this.sizes.get(community) ?? 0) + length + 500);
  }

  get together(): boolean {
    return this.changes <= this.sizes.size;
  }
}

/**
 * Decisions in an order in which those that share rules and precedents follow one another, so that a provider's prefix cache, or the model's own,
 * serves them. The file is read once for each 5 MB of content: memory stays bounded, and reading is nothing beside asking a model.
 */
export async function* inPrefixOrder(
  decisions: DecisionSource,
  communities: CommunitySizes,
  rules: RuleBook,
): AsyncGenerator<Decision[]> {
  if (communities.together) {
    yield* decisions();
    return;
  }
  for (const bucket of buckets(communities.sizes)) {
    const held: Decision[] = [];
    for await (const batch of decisions()) {
      const own = batch.filter(({ community }) => bucket.has(community));
      // A community that fills a bucket alone needs no sorting, and may be larger than memory.
      if (bucket.size === 1) {
        if (own.length > 0) yield own;
      } else held.push(...own);
    }
    if (held.length > 0) yield sorted(held, rules);
  }
}

function* buckets(sizes: ReadonlyMap<string, number>): Generator<ReadonlySet<string>> {
  let open = new Set<string>();
  let filled = 0;
  for (const [community, size] of [...sizes].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (size >= HELD) {
      yield new Set([community]);
      continue;
    }
    if (filled + size > HELD) {
      yield open;
      open = new Set();
      filled = 0;
    }
    open.add(community);
    filled += size;
  }
  if (open.size > 0) yield open;
}

/** By community, then by the rules in force; the order of the file inside. */
function sorted(decisions: Decision[], rules: RuleBook): Decision[] {
  return decisions
    .map((decision) => ({ decision, prefix: `${decision.community}\u0000${rules.inForce(decision).version}` }))
    .sort((a, b) => (a.prefix < b.prefix ? -1 : a.prefix > b.prefix ? 1 : 0))
    .map(({ decision }) => decision);
}
