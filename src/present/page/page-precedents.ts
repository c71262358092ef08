import type { AuditRow } from "../../analysis/listed-audits.js";
import { contentText } from "../../core/records/content.js";
import type { Precedent } from "../../core/records/precedent.js";
import {
  CITED_BY,
  type CitedBy,
  type DecisionPrecedents,
  type PagePrecedent,
  type PageRuleSet,
} from "../../measures/report-page.js";
import type { PageSubject } from "./page-subject.js";
import { readShelves, type Shelf, type Shelves } from "./precedent-shelves.js";
import type { Writing } from "./writing.js";

/** Characters shown of each. */
const PRECEDENT_CHARACTERS = 2_000;
const RATIONALE_CHARACTERS = 1_000;

/** Shown to the auditor and listed with one decision, beside those that are cited. */
export const MOST_PRECEDENTS = 20;

/** What the audits of a decision tell of precedents. */
export interface PrecedentTrail {
  /** Ids that the auditor was shown; null: all that there were. */
  used: string[] | null;
  left_out: number;
  /** Ids that each audit cites. */
  cited: Partial<Record<CitedBy, readonly string[]>>;
}

export function noTrail(): PrecedentTrail {
  return { used: null, left_out: 0, cited: {} };
}

/** The precedents that an auditor was shown. */
interface ShownPrecedents extends Pick<DecisionPrecedents, "shown" | "left_out" | "gone"> {
  /** The most like the content first, as many as are listed. */
  listed: readonly Precedent[];
}

/** Gathers the precedents that listed decisions refer to, each once, whoever refers to it. */
export class PagePrecedents {
  readonly list: PagePrecedent[] = [];
  private readonly places = new Map<Precedent, number>();
  /** Whether an auditor that was not said to be shown some was shown all of its community. */
  private readonly allShown: boolean;

  static async read(
    { workspace, manifest, changed }: Pick<PageSubject, "workspace" | "manifest" | "changed">,
    communities: ReadonlySet<string>,
    { ruleSets, writing }: { ruleSets: readonly PageRuleSet[]; writing: Writing },
  ): Promise<PagePrecedents> {
    const shelves = workspace ? await readShelves(workspace, communities, ruleSets) : null;
    const asShown = changed !== null && !changed.includes("precedents");
    return new PagePrecedents(shelves, asShown ? (manifest ?? null) : null, writing);
  }

  private constructor(
    private readonly shelves: Shelves | null,
    /** Of a run that was made with the precedents as they are now; null of any other. */
    manifest: PageSubject["manifest"] | null,
    private readonly writing: Writing,
  ) {
    // An arm of an experiment may have been shown other ones, or none.
    const arm = manifest?.experiment?.arms.find(({ name }) => name === "");
    this.allShown = shelves !== null && manifest !== null && arm?.precedents !== false && arm?.book === undefined;
  }

  /** Ids of the precedents that an audit rests on, or what its inverse check does: the one that grounding found, and others it names. */
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

  /** Those that the auditor of a decision was shown. `text`: its content, where it is known. */
  shownTo(community: string, text: string | null, { used, left_out }: PrecedentTrail): ShownPrecedents {
    const shelf = this.shelfOf(community);
    // Without a workspace their texts are not known, nor whether they are still there.
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

  /** What the page says of a decision's precedents. */
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
    decided_at: decided_at ? writing.date(decided_at) : null,
    text: writing.text(contentText(content), PRECEDENT_CHARACTERS, "content"),
    rationale: rationale ? writing.text(rationale, RATIONALE_CHARACTERS, "rationale") : null,
  };
}

/** What the row of a decision's own audit says of what was shown. */
export function shownIn({ prompt }: AuditRow): Pick<PrecedentTrail, "used" | "left_out"> {
  const { precedents_used: used, precedents_left_out: left } = (prompt ?? {}) as Record<string, unknown>;
  return {
    used: Array.isArray(used) ? used.filter((id) => typeof id === "string") : null,
    left_out: typeof left === "number" && left > 0 ? left : 0,
  };
}
