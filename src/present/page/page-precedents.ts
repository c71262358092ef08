import type { AuditRow } from "../../analysis/listed-decisions.js";
import type { CaseFrame } from "../../core/records/case.js";
import { contentText, type Precedent } from "../../core/records/decision.js";
import { findReferences } from "../../measures/grounding/find-references.js";
import { frameIndex } from "../../measures/grounding/frame-index.js";
import {
  CITED_BY,
  type CitedBy,
  type DecisionPrecedents,
  type PagePrecedent,
  type PageRuleSet,
} from "../../measures/report-page.js";
import type { RecordStore } from "../../store/ports.js";
import { type Ranking, rankByGrams } from "../../text/ranking.js";
import { foldText } from "../../text/words.js";
import type { PageSubject } from "./build-page.js";
import type { Writing } from "./writing.js";

/** The precedents of one community. Expensive parts are prepared on first use. */
class Shelf {
  private readonly byId = new Map<string, Precedent>();
  private ranking: Ranking | null = null;
  private frame: CaseFrame | null = null;

  constructor(
    readonly precedents: readonly Precedent[],
    private readonly rules: readonly PageRuleSet[],
  ) {
    for (const one of precedents) if (!this.byId.has(one.id)) this.byId.set(one.id, one);
  }

  find(id: string): Precedent | null {
    return this.byId.get(id) ?? null;
  }

  /** All precedents, the most similar to a text first. */
  byLikeness(text: string): Precedent[] {
    if (this.precedents.length < 2) return [...this.precedents];
    this.ranking ??= rankByGrams(this.precedents.map(({ content }) => contentText(content)));
    return this.ranking(text).map((index) => this.precedents[index]!);
  }

  /** Ids of precedents that a citation names, matched as in grounding: an id shared with a rule means the rule unless the citation says otherwise. */
  namedIn(citation: string): string[] {
    this.frame ??= namesOnly(this.precedents, this.rules);
    const index = frameIndex(this.frame);
    return findReferences(foldText(citation), index)
      .map(({ sources }) => sources.map((source) => index.sources[source]!))
      .filter((sources) => sources.every(({ scope }) => scope === "precedent"))
      .flatMap((sources) => sources.map(({ id }) => id));
  }
}

/** Only names are looked up, so texts may be empty. */
function namesOnly(precedents: readonly Precedent[], sets: readonly PageRuleSet[]): CaseFrame {
  const nothing = { title: "", text: "", kind: null };
  return {
    community: precedents[0]?.community ?? "",
    rulesetVersion: "",
    tier: "title",
    rules: sets.flatMap(({ scope, rules }) => rules.map(({ id }) => ({ scope, id, ...nothing }))),
    precedents: precedents.map(({ id, decision }) => ({ id, text: "", decision, ruleId: null, rationale: null })),
    actions: { positive: "", negative: "" },
  };
}

/** Precedents by community. */
type Shelves = ReadonlyMap<string, Shelf>;

async function readShelves(
  records: RecordStore,
  communities: ReadonlySet<string>,
  ruleSets: readonly PageRuleSet[],
): Promise<Shelves> {
  const lists = new Map<string, Precedent[]>();
  for await (const batch of records.precedents()) {
    for (const precedent of batch) {
      if (!communities.has(precedent.community)) continue;
      const list = lists.get(precedent.community);
      if (list) list.push(precedent);
      else lists.set(precedent.community, [precedent]);
    }
  }
  const rulesOf = (community: string) =>
    ruleSets.filter((set) => set.community === null || set.community === community);
  return new Map([...lists].map(([community, list]) => [community, new Shelf(list, rulesOf(community))]));
}

/** Most characters shown of each. */
const PRECEDENT_CHARACTERS = 2_000;
const RATIONALE_CHARACTERS = 1_000;

/** Most uncited precedents that were shown to the auditor and are listed with one decision. */
export const MOST_PRECEDENTS = 20;

/** What the audits of a decision say about precedents. */
export interface PrecedentTrail {
  /** Ids that the auditor was shown; null: all that existed. */
  used: string[] | null;
  left_out: number;
  cited: Partial<Record<CitedBy, readonly string[]>>;
}

export function noTrail(): PrecedentTrail {
  return { used: null, left_out: 0, cited: {} };
}

/** The precedents that an auditor was shown. */
interface ShownPrecedents extends Pick<DecisionPrecedents, "shown" | "left_out" | "gone"> {
  /** The most similar to the content first, up to the listed number. */
  listed: readonly Precedent[];
}

/** Collects the precedents that listed decisions refer to, each once. */
export class PagePrecedents {
  readonly list: PagePrecedent[] = [];
  private readonly places = new Map<Precedent, number>();
  /** Whether an audit that does not list its precedents was shown all those of its community. */
  private readonly allShown: boolean;

  static async read(
    { context, manifest, changed }: Pick<PageSubject, "context" | "manifest" | "changed">,
    communities: ReadonlySet<string>,
    { ruleSets, writing }: { ruleSets: readonly PageRuleSet[]; writing: Writing },
  ): Promise<PagePrecedents> {
    const shelves = context ? await readShelves(context.records, communities, ruleSets) : null;
    const asShown = changed !== null && !changed.includes("precedents");
    return new PagePrecedents(shelves, asShown ? (manifest ?? null) : null, writing);
  }

  private constructor(
    private readonly shelves: Shelves | null,
    /** The manifest if the run used the precedents as they are now, else null. */
    manifest: PageSubject["manifest"] | null,
    private readonly writing: Writing,
  ) {
    // An arm of an experiment may have been shown other precedents, or none.
    const arm = manifest?.experiment?.arms.find(({ name }) => name === "");
    this.allShown = shelves !== null && manifest !== null && arm?.precedents !== false && arm?.book === undefined;
  }

  /** Ids of the precedents that an audit (or its inverse check) rests on: the one that grounding found, and others it names. */
  citedIn(row: AuditRow, inverse = false): string[] {
    const citation = row[inverse ? "inverse_citation" : "citation"] as Record<string, unknown> | null | undefined;
    const trace = row.trace as Record<string, unknown> | null | undefined;
    const text = trace?.[inverse ? "inverse_citation" : "policy_citation"];
    const ids = new Set<string>();
    if (citation?.scope === "precedent" && typeof citation.rule_id === "string") ids.add(citation.rule_id);
    const shelf = this.shelfOf(String(row.community ?? ""));
    if (shelf && typeof text === "string") for (const id of shelf.namedIn(text)) ids.add(id);
    return [...ids];
  }

  /** Precedents shown to the auditor of a decision. `text`: its content, if known. */
  shownTo(community: string, text: string | null, { used, left_out }: PrecedentTrail): ShownPrecedents {
    const shelf = this.shelfOf(community);
    // Without a workspace, neither their texts nor their existence is known.
    const named = used && this.shelves ? new Set(used) : null;
    const inOrder = shelf ? (text === null ? shelf.precedents : shelf.byLikeness(text)) : [];
    const there = inOrder.filter(({ id }) => (named ? named.has(id) : this.allShown));
    return {
      shown: named ? named.size : this.allShown ? there.length : null,
      left_out,
      gone: [...(named ?? [])].filter((id) => !shelf?.find(id)).length,
      listed: there.slice(0, MOST_PRECEDENTS),
    };
  }

  /** What the page shows of a decision's precedents. */
  of(community: string, { listed, ...counts }: ShownPrecedents, cited: PrecedentTrail["cited"]): DecisionPrecedents {
    const shelf = this.shelfOf(community);
    const ids = new Map<string, CitedBy[]>();
    for (const by of CITED_BY) for (const id of cited[by] ?? []) ids.set(id, [...(ids.get(id) ?? []), by]);
    return {
      ...counts,
      places: listed.map((one) => this.placeOf(one)),
      cited: [...ids].map(([id, by]) => {
        const found = shelf?.find(id);
        return { id: this.writing.citedRule(id, community), place: found ? this.placeOf(found) : null, by };
      }),
    };
  }

  private shelfOf(community: string): Shelf | null {
    return this.shelves?.get(community) ?? null;
  }

  private placeOf(precedent: Precedent): number {
    const known = this.places.get(precedent);
    if (known !== undefined) return known;
    const place = this.list.push(pagePrecedent(precedent, this.writing)) - 1;
    this.places.set(precedent, place);
    return place;
  }
}

function pagePrecedent(precedent: Precedent, writing: Writing): PagePrecedent {
  const { id, community, content, decision, rule_id, rationale, decided_at } = precedent;
  return {
    id: writing.citedRule(id, community),
    community,
    decision,
    rule_id: rule_id ? writing.ruleId(rule_id, community) : null,
    decided_at: decided_at ? writing.code(decided_at, "date") : null,
    text: writing.text(contentText(content), PRECEDENT_CHARACTERS, "content"),
    rationale: rationale ? writing.text(rationale, RATIONALE_CHARACTERS, "rationale") : null,
  };
}

/** The precedents shown, according to the decision's own audit. */
export function shownIn({ prompt }: AuditRow): Pick<PrecedentTrail, "used" | "left_out"> {
  const { precedents_used: used, precedents_left_out: left } = (prompt ?? {}) as Record<string, unknown>;
  return {
    used: Array.isArray(used) ? used.filter((id) => typeof id === "string") : null,
    left_out: typeof left === "number" && left > 0 ? left : 0,
  };
}
