import type { Decision } from "../core/records/decision.js";
import type { RuleSet } from "../core/records/rule-set.js";
import { isTime } from "../core/text-checks.js";

export interface RulesInForce {
  platform: RuleSet | null;
  community: RuleSet | null;
  /** `<platform>+<community>`; a side without rules is `-`. */
  version: string;
  /** A rule set in force is newer than the decision. */
  retroactive: boolean;
  /** The community has rules that are not shown. */
  withheld?: boolean;
  /** Names which rules of these versions are shown, if not all of them. */
  only?: string;
}

interface Dated {
  community: string;
  ruleset_version?: string | null | undefined;
  decided_at?: string | null | undefined;
}

/** Rule sets by scope and community, so that finding those of a decision does not scan all communities. */
export class RuleBook {
  private readonly platform: RuleSet[] = [];
  private readonly byCommunity = new Map<string, RuleSet[]>();

  constructor(sets: readonly RuleSet[]) {
    for (const set of sets) {
      if (set.scope === "platform") this.platform.push(set);
      else {
        const community = set.community!;
        const known = this.byCommunity.get(community);
        if (known) known.push(set);
        else this.byCommunity.set(community, [set]);
      }
    }
  }

  /** Whether all decisions of a community are audited under the same rules, since there is only one version. */
  isFixed(community: string): boolean {
    return this.platform.length <= 1 && (this.byCommunity.get(community)?.length ?? 0) <= 1;
  }

  /**
   * The rules a decision is audited under. For each scope: the version it names (`version`, or `platform+community`), else the
   * newest one in effect when it was made, else the newest.
   */
  inForce(decision: Dated): RulesInForce {
    const named = decision.ruleset_version ?? null;
    const [namedPlatform, namedCommunity] = named?.includes("+") ? splitVersion(named) : [named, named];
    const platform = choose(this.platform, namedPlatform, decision.decided_at);
    const community = choose(this.byCommunity.get(decision.community) ?? [], namedCommunity, decision.decided_at);
    return {
      platform,
      community,
      version: versionOf(platform, community),
      retroactive: isYounger(platform, decision.decided_at) || isYounger(community, decision.decided_at),
    };
  }
}

export function countRules({ platform, community }: Pick<RulesInForce, "platform" | "community">): number {
  return (platform?.rules.length ?? 0) + (community?.rules.length ?? 0);
}

/** The rules of one scope alone. `retroactive` considers only the rules shown. */
export function onlyScope(
  rules: RulesInForce,
  scope: "platform" | "community",
  decidedAt?: string | null,
): RulesInForce {
  const platform = scope === "platform" ? rules.platform : null;
  const community = scope === "community" ? rules.community : null;
  return {
    platform,
    community,
    version: versionOf(platform, community),
    retroactive: isYounger(platform, decidedAt) || isYounger(community, decidedAt),
    withheld: rules.community !== null && community === null,
  };
}

/** Some of the rules in force. The versions stay: they say where the rules come from. */
export function onlyRules(rules: RulesInForce, shown: readonly { scope: string; id: string }[]): RulesInForce {
  const some = (set: RuleSet | null) =>
    set && {
      ...set,
      rules: set.rules.filter(({ id }) => shown.some((one) => one.scope === set.scope && one.id === id)),
    };
  const only = JSON.stringify(shown.map(({ scope, id }) => [scope, id]));
  return { ...rules, platform: some(rules.platform), community: some(rules.community), only };
}

function versionOf(platform: RuleSet | null, community: RuleSet | null): string {
  return `${platform?.version ?? "-"}+${community?.version ?? "-"}`;
}

function splitVersion(version: string): [string, string] {
  const plus = version.indexOf("+");
  return [version.slice(0, plus), version.slice(plus + 1)];
}

function choose(sets: readonly RuleSet[], named: string | null, decidedAt: string | null | undefined): RuleSet | null {
  if (sets.length <= 1) return sets[0] ?? null;
  const exact = named ? sets.find((set) => set.version === named) : undefined;
  if (exact) return exact;
  const newestFirst = [...sets].sort((a, b) => begin(b) - begin(a) || 0);
  const decided = timeOf(decidedAt);
  if (decided === null) return newestFirst[0]!;
  return newestFirst.find((set) => begin(set) <= decided) ?? newestFirst[0]!;
}

function isYounger(set: RuleSet | null, decidedAt: string | null | undefined): boolean {
  const decided = timeOf(decidedAt);
  return set !== null && decided !== null && begin(set) > decided;
}

/** Undated rules count as always in effect. */
function begin({ effective_from }: RuleSet): number {
  return timeOf(effective_from) ?? Number.NEGATIVE_INFINITY;
}

/**
 * null: no valid time. Only ISO 8601 counts, as everywhere: `02/10/2026` is October to some and February to others. A time
 * without a zone is UTC, so that a run has the same result on every machine.
 */
function timeOf(date: string | null | undefined): number | null {
  if (!isTime(date)) return null;
  const hasZone = date.length === 10 || /(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(date.slice(16));
  const parsed = Date.parse(hasZone ? date : `${date.replace(" ", "T")}Z`);
  return Number.isNaN(parsed) ? null : parsed;
}

/** A stream of decisions that can be restarted any number of times. */
export type DecisionSource = () => AsyncGenerator<Decision[]>;

/** Characters of content held in memory at once while decisions are sorted. */
const HELD = 5_000_000;

/** Sizes of the communities in a stream of decisions, and whether each is already contiguous. */
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
 * Orders decisions so that those with the same rules and precedents follow one another and can be served by a prefix cache, the provider's or the
 * model's own. The file is read once per 5 MB of content: memory stays bounded, and reading costs nothing compared with asking a model.
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
      // A community that fills a bucket alone needs no sorting, and may exceed memory.
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

/** By community, then by the rules in force, then in file order. */
function sorted(decisions: Decision[], rules: RuleBook): Decision[] {
  return decisions
    .map((decision) => ({ decision, prefix: `${decision.community}\u0000${rules.inForce(decision).version}` }))
    .sort((a, b) => (a.prefix < b.prefix ? -1 : a.prefix > b.prefix ? 1 : 0))
    .map(({ decision }) => decision);
}
