import { createRanking } from "../../audit/prompt/similarity.js";
import type { CaseFrame } from "../../core/records/case.js";
import { contentText } from "../../core/records/content.js";
import type { Precedent } from "../../core/records/precedent.js";
import { findReferences } from "../../measures/grounding/find-references.js";
import { frameIndex } from "../../measures/grounding/frame-index.js";
import type { PageRuleSet } from "../../measures/report-page.js";
import { readPrecedents } from "../../store/files/records.js";
import type { Workspace } from "../../store/files/workspace.js";
import { foldText } from "../../text/words.js";

/** The precedents of one community. What takes time is prepared when it is first asked for. */
export class Shelf {
  private readonly byId = new Map<string, Precedent>();
  private ranking: ((text: string) => number[]) | null = null;
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

  /** All of them, the most like a text first, as prompts choose them. */
  byLikeness(text: string): Precedent[] {
    if (this.precedents.length < 2) return [...this.precedents];
    this.ranking ??= createRanking(this.precedents.map(({ content }) => contentText(content)));
    return this.ranking(text).map((index) => this.precedents[index]!);
  }

  /** Ids of precedents that a citation names, as grounding reads names: of an id that a rule has too, the rule is meant unless it says otherwise. */
  namedIn(citation: string): string[] {
    this.frame ??= namesOnly(this.precedents, this.rules);
    const index = frameIndex(this.frame);
    return findReferences(foldText(citation), index)
      .map(({ sources }) => sources.map((source) => index.sources[source]!))
      .filter((sources) => sources.every(({ scope }) => scope === "precedent"))
      .flatMap((sources) => sources.map(({ id }) => id));
  }
}

/** Names are all that is looked up, so texts need not be there. */
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

/** The precedents of communities, by their names. */
export type Shelves = ReadonlyMap<string, Shelf>;

/** The precedents of some communities. */
export async function readShelves(
  workspace: Workspace,
  communities: ReadonlySet<string>,
  ruleSets: readonly PageRuleSet[],
): Promise<Shelves> {
  const lists = new Map<string, Precedent[]>();
  for await (const batch of readPrecedents(workspace)) {
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
