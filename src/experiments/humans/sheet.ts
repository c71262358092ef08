import instructions from "../../../data/instructions.json" with { type: "json" };
import { hashText } from "../../audit/arms.js";
import { PrecedentShelves } from "../../audit/frames.js";
import { RuleBook } from "../../audit/rules-in-force.js";
import { InputError } from "../../core/errors.js";
import { type Actions, isRestricting, oppositeAction } from "../../core/records/actions.js";
import { contentParts, type Decision, type Precedent } from "../../core/records/decision.js";
import { type RuleSet, ruleText, type Tier } from "../../core/records/rule-set.js";
import type { RecordStore } from "../../store/ports.js";
import type { Scrub, Scrubbing } from "../../text/scrub/scrub.js";
import type { RatingKey } from "./result.js";

/**
 * What raters are asked, in the words of the auditors' instructions (data/instructions.json): a correlation of their answers is meaningful
 * only if both answer the same question. A restricting decision needs a rule, the other does not, so the levels are worded differently.
 */
const { how, ...levels } = instructions.raters;
export const LEVEL_WORDS = levels;
export const HOW_TO_RATE = how;

export function levelText(restricts: boolean): string {
  const words = restricts ? LEVEL_WORDS.restricts : LEVEL_WORDS.allows;
  return words.map((text, i) => `${i + 1} = ${text}`).join("\n");
}

export function contentCell({ content, media }: Pick<SheetCase, "content" | "media">): string {
  return plainCell(media ? `${content}\n[with media that is not shown]` : content);
}

/** Text without control characters: NUL ends a cell or file in spreadsheets, and some reject the others. */
export function plainCell(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, "");
}

/** Identifies a content even after a spreadsheet has changed its line breaks, spaces and quotes or truncated it. */
export function contentMark(text: string): string {
  const letters = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
  return hashText(letters.slice(0, 500));
}

/** An earlier decision of the community, as auditors see it. */
export interface SheetPrecedent {
  id: string;
  text: string;
  decision: string;
  rule: string | null;
  reason: string | null;
}

/** What a rater sees of a case: content, rules, precedents and the decision. Nothing of the auditor, the decider or any label. */
export interface SheetCase {
  case: string;
  community: string;
  decision: string;
  opposite: string;
  /** The decision is the restricting action, which needs a rule; the other does not. */
  restricts: boolean;
  title: string;
  content: string;
  context: string[];
  /** There is a picture, video or sound that the sheet does not show. */
  media: boolean;
  rules: { scope: "platform" | "community"; id: string; title: string; text: string }[];
  /** All precedents of the community; its cases share one list. */
  precedents: readonly SheetPrecedent[];
}

interface SheetOptions {
  /** The run's actions: which one restricts decides the questions to raters. */
  actions: Actions;
  /** The run's tier: how much of each rule the auditor was shown. */
  tier: Tier;
  scrub: Scrub | null;
}

export async function sheetCases(
  records: RecordStore,
  key: RatingKey,
  { actions, tier, scrub }: SheetOptions,
): Promise<SheetCase[]> {
  const book = new RuleBook((await records.rules()).map(({ set }) => set));
  const shelves = await sheetShelves(records, scrub);
  const wanted = new Map(key.cases.map((one) => [one.decision_id, one.case]));
  const found = new Map<string, SheetCase>();
  for await (const batch of records.decisions()) {
    for (const decision of batch) {
      const name = wanted.get(decision.id);
      if (name === undefined) continue;
      const { precedents, hide } = shelves(decision.community);
      found.set(name, {
        case: name,
        ...shownDecision(decision, book, tier, hide?.fork() ?? null),
        opposite: oppositeAction(actions, decision.decision),
        restricts: isRestricting(actions, decision.decision),
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
  /** Placeholder numbers of hidden text, which each case continues. */
  hide: Scrubbing | null;
}

/** Prepares the precedents of each community once. */
async function sheetShelves(records: RecordStore, scrub: Scrub | null): Promise<(community: string) => SheetShelf> {
  const all: Precedent[] = [];
  for await (const batch of records.precedents()) for (const one of batch) all.push(one);
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
