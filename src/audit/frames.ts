import { detectLanguage } from "../core/language.js";
import type { Actions } from "../core/records/actions.js";
import type { CaseFrame, CasePrecedent, CaseRule } from "../core/records/case.js";
import { contentText, type Precedent } from "../core/records/decision.js";
import { type RuleSet, ruleText, type Tier } from "../core/records/rule-set.js";
import { heapLimit } from "../io/machine.js";
import type { RulesInForce } from "./rules-in-force.js";

export interface FrameEntry {
  frame: CaseFrame;
  /** Languages of the community's precedents, where known. */
  precedentLanguages: ReadonlySet<string>;
}

/** The precedents of one community as auditors see them. */
interface Shelf {
  precedents: readonly CasePrecedent[];
  languages: ReadonlySet<string>;
}

/** Precedents by community, shared by the frames of several tiers. */
export class PrecedentShelves {
  private readonly byCommunity = new Map<string, Precedent[]>();
  private readonly shelves = new Map<string, Shelf>();
  /** Precedents of every community. */
  readonly all: readonly CasePrecedent[];

  constructor(precedents: readonly Precedent[]) {
    this.all = precedents.map(casePrecedent);
    for (const precedent of precedents) {
      const known = this.byCommunity.get(precedent.community);
      if (known) known.push(precedent);
      else this.byCommunity.set(precedent.community, [precedent]);
    }
  }

  of(community: string): Shelf {
    let shelf = this.shelves.get(community);
    if (!shelf) {
      shelf = shelfOf(this.byCommunity.get(community) ?? []);
      this.shelves.set(community, shelf);
    }
    return shelf;
  }
}

function shelfOf(precedents: readonly Precedent[]): Shelf {
  const languages = new Set<string>();
  for (const precedent of precedents) {
    const own = typeof precedent.content === "string" ? null : precedent.content.language;
    const language = precedent.language ?? own ?? detectLanguage(contentText(precedent.content));
    if (language) languages.add(language);
  }
  return {
    languages,
    precedents: precedents.map(casePrecedent),
  };
}

function casePrecedent(precedent: Precedent): CasePrecedent {
  return {
    id: precedent.id,
    text: contentText(precedent.content),
    decision: precedent.decision,
    ruleId: precedent.rule_id ?? null,
    rationale: precedent.rationale ?? null,
  };
}

/** Frames kept at once; the least recently used goes first. What auditors prepare for one takes 100 kB or more, so a small heap keeps fewer. */
const MOST_FRAMES = Math.max(32, Math.min(1024, Math.floor(heapLimit() / (2 << 20))));

/** One frame for all decisions of a community under the same rule versions, so that auditors prepare it once. */
export class Frames {
  private readonly entries = new Map<string, FrameEntry>();
  private lastKey: string | null = null;
  private last: FrameEntry | null = null;
  private readonly shelves: PrecedentShelves;

  constructor(
    precedents: readonly Precedent[] | PrecedentShelves,
    private readonly tier: Tier,
    private readonly actions: Actions,
  ) {
    this.shelves = precedents instanceof PrecedentShelves ? precedents : new PrecedentShelves(precedents);
  }

  of(community: string, rules: RulesInForce): FrameEntry {
    const key = `${community}\u0000${rules.version}\u0000${rules.only ?? ""}`;
    if (key === this.lastKey) return this.last!;
    let entry = this.entries.get(key);
    if (entry) this.entries.delete(key);
    else {
      entry = this.build(community, rules);
      if (this.entries.size >= MOST_FRAMES) this.forgetOldest();
    }
    // Moves it to the end of the map: most recently used.
    this.entries.set(key, entry);
    this.lastKey = key;
    this.last = entry;
    return entry;
  }

  private forgetOldest(): void {
    const [oldest] = this.entries.keys();
    this.entries.delete(oldest!);
  }

  private build(community: string, rules: RulesInForce): FrameEntry {
    const { precedents, languages } = this.shelves.of(community);
    const shown = [...this.caseRules(rules.community), ...this.caseRules(rules.platform)];
    const isShown = ({ ruleId }: CasePrecedent) => shown.some(({ id }) => id === ruleId);
    return {
      precedentLanguages: languages,
      frame: {
        community,
        rulesetVersion: rules.version,
        tier: this.tier,
        rules: shown,
        // Where some rules are withheld, so are the precedents that rest on them.
        ...(rules.only === undefined
          ? { precedents, allPrecedents: this.shelves.all }
          : { precedents: precedents.filter(isShown) }),
        actions: this.actions,
      },
    };
  }

  private caseRules(set: RuleSet | null): CaseRule[] {
    if (!set) return [];
    return set.rules.map((rule) => ({
      scope: set.scope,
      id: rule.id,
      title: rule.title,
      text: ruleText(rule, this.tier),
      kind: rule.kind ?? null,
    }));
  }
}
