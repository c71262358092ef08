import { PrecedentShelves } from "../../audit/frames.js";
import { RuleBook } from "../../audit/rules-in-force.js";
import { InputError } from "../../core/errors.js";
import { type Actions, oppositeAction } from "../../core/records/actions.js";
import { contentParts } from "../../core/records/content.js";
import type { Decision } from "../../core/records/decision.js";
import type { Precedent } from "../../core/records/precedent.js";
import { type RuleSet, ruleText, type Tier } from "../../core/records/rule-set.js";
import type { RatingKey } from "../../core/results/humans.js";
import { readDecisions, readPrecedents } from "../../store/files/records.js";
import { loadRuleSets } from "../../store/files/rule-files.js";
import type { Workspace } from "../../store/files/workspace.js";
import type { Scrub, Scrubbing } from "../../text/scrub/scrub.js";

/** An earlier decision of the community, as auditors see it. */
export interface SheetPrecedent {
  id: string;
  text: string;
  decision: string;
  rule: string | null;
  reason: string | null;
}

/** What a rater sees of a case: content, rules, precedents and the decision. Nothing of the auditor, the decider or anybody's label. */
export interface SheetCase {
  case: string;
  community: string;
  decision: string;
  opposite: string;
  /** The decision is the restricting action, which needs a rule; the other needs none. */
  restricts: boolean;
  title: string;
  content: string;
  context: string[];
  /** There is a picture, a film or a sound that the sheet does not show. */
  media: boolean;
  rules: { scope: "platform" | "community"; id: string; title: string; text: string }[];
  /** All of the community; cases of a community share one list. */
  precedents: readonly SheetPrecedent[];
}

export interface SheetOptions {
  /** Of the run: which of them restricts decides what raters are asked. */
  actions: Actions;
  /** Of the run: how much of each rule the auditor was shown. */
  tier: Tier;
  scrub: Scrub | null;
}

/** The cases of a key, in its order. */
export async function sheetCases(
  workspace: Workspace,
  key: RatingKey,
  { actions, tier, scrub }: SheetOptions,
): Promise<SheetCase[]> {
  const book = new RuleBook(loadRuleSets(workspace).map(({ set }) => set));
  const shelves = await sheetShelves(workspace, scrub);
  const wanted = new Map(key.cases.map((one) => [one.decision_id, one.case]));
  const found = new Map<string, SheetCase>();
  for await (const batch of readDecisions(workspace)) {
    for (const decision of batch) {
      const name = wanted.get(decision.id);
      if (name === undefined) continue;
      const { precedents, hide } = shelves(decision.community);
      found.set(name, {
        case: name,
        ...shownDecision(decision, book, tier, hide?.fork() ?? null),
        opposite: oppositeAction(actions, decision.decision),
        restricts: decision.decision === actions.positive,
        precedents,
      });
    }
    if (found.size === wanted.size) break;
  }
  return key.cases.map((one) => {
    const sheet = found.get(one.case);
    if (sheet) return sheet;
    throw new InputError(
      "no_decision",
      `decision ${one.decision_id}: the run has it, the workspace's decisions do not`,
      "Draw the sheet where the run was made.",
    );
  });
}

interface SheetShelf {
  precedents: readonly SheetPrecedent[];
  /** Numbering of what is hidden, which that of each case goes on from. */
  hide: Scrubbing | null;
}

/** The precedents of each community, prepared once. */
async function sheetShelves(workspace: Workspace, scrub: Scrub | null): Promise<(community: string) => SheetShelf> {
  const all: Precedent[] = [];
  for await (const batch of readPrecedents(workspace)) for (const one of batch) all.push(one);
  const shelves = new PrecedentShelves(all);
  const known = new Map<string, SheetShelf>();
  return (community) => {
    let shelf = known.get(community);
    if (!shelf) {
      const hide = scrub?.begin() ?? null;
      const shown = (text: string) => (hide ? hide.text(text) : text);
      const precedents = shelves.of(community).precedents.map(({ id, text, decision, ruleId, rationale }) => ({
        id,
        text: shown(text),
        decision,
        rule: ruleId,
        reason: rationale === null ? null : shown(rationale),
      }));
      shelf = { precedents, hide };
      known.set(community, shelf);
    }
    return shelf;
  };
}

type ShownDecision = Omit<SheetCase, "case" | "opposite" | "restricts" | "precedents">;

function shownDecision(decision: Decision, book: RuleBook, tier: Tier, hide: Scrubbing | null): ShownDecision {
  const { title, body, context, hasMedia } = contentParts(decision.content);
  const { community, platform } = book.inForce(decision);
  const shown = (text: string) => (hide ? hide.text(text) : text);
  return {
    community: decision.community,
    decision: decision.decision,
    title: shown(title),
    content: shown(body),
    context: context.map(shown),
    media: hasMedia,
    rules: [...rulesOf(community, tier, shown), ...rulesOf(platform, tier, shown)],
  };
}

function rulesOf(set: RuleSet | null, tier: Tier, shown: (text: string) => string): SheetCase["rules"] {
  if (!set) return [];
  return set.rules.map((rule) => ({
    scope: set.scope,
    id: rule.id,
    title: shown(rule.title),
    text: shown(ruleText(rule, tier).slice(rule.title.length).trim()),
  }));
}
