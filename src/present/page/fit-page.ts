import type { PageAudit, PageDecision, PagePrecedent, PageText, ReportPage } from "../../measures/report-page.js";
import { whole } from "../words/numbers.js";
import { pageData } from "./html-file.js";
import { BODY_CHARACTERS, CHAIN_CHARACTERS, CONTEXT_CHARACTERS } from "./page-decision.js";
import { MOST_PRECEDENTS } from "./page-precedents.js";
import { cutText } from "./writing.js";

/** Most bytes of the whole file: small enough to mail. */
const PAGE_BYTES = 3_000_000;

/** Reserved for decisions however large the rest is: an empty list would be useless. */
const LEAST_FOR_DECISIONS = 400_000;

/** Characters shown of each context, other text by people and reasoning; uncited precedents per decision; and the share of the decisions. */
interface Room {
  context: number;
  precedents: number;
  body: number;
  chain: number;
  share: number;
}

const WHOLE: Room = {
  context: CONTEXT_CHARACTERS,
  precedents: MOST_PRECEDENTS,
  body: BODY_CHARACTERS,
  chain: CHAIN_CHARACTERS,
  share: 1,
};
const LEAST: Room = { context: 0, precedents: 0, body: 280, chain: 200, share: 1 };

/**
 * From most room to least. Cut in order: contexts; uncited precedents little like the content; contents and the texts of precedents; the remaining
 * uncited precedents; reasoning; decisions.
 */
const ROOMS: readonly Room[] = [
  WHOLE,
  ...[400, 150, 0].map((context) => ({ ...WHOLE, context })),
  ...[BODY_CHARACTERS, 2_000, 1_000, 500, 280].map((body) => ({ ...WHOLE, context: 0, precedents: 5, body })),
  ...[CHAIN_CHARACTERS, 2_000, 1_000, 500, 200].map((chain) => ({ ...LEAST, chain })),
  ...[0.75, 0.5, 0.35, 0.25, 0.15, 0.1, 0.05].map((share) => ({ ...LEAST, share })),
];

/** Shortens the listed texts until the file has at most `most` bytes, and notes that. `besides`: bytes of everything that is not data. */
export function fitPage(page: ReportPage, besides: number, most = PAGE_BYTES): ReportPage {
  if (page.decisions.length === 0) return page;
  const fixed = besides + pageData({ ...page, decisions: [], precedents: [] }).length;
  const room = Math.max(LEAST_FOR_DECISIONS, most - fixed);
  const inTurn = takeTurns(page.decisions);
  const shortened = (index: number) => shorten(page, ROOMS[index]!, inTurn);
  // Sizes decrease, so the first that fits is found by binary search.
  let [low, high] = [0, ROOMS.length - 1];
  while (low < high) {
    const middle = low === 0 && high === ROOMS.length - 1 ? 0 : (low + high) >> 1;
    if (pageData(shortened(middle)).length <= room) high = middle;
    else low = middle + 1;
  }
  if (low === 0) return page;
  const { decisions, precedents } = shortened(low);
  const notes = [...page.notes, sentence(ROOMS[low]!, most, page.precedents.length > 0)];
  return { ...page, precedents, decisions, notes };
}

type Listed = Pick<ReportPage, "decisions" | "precedents">;

/** Decisions in round-robin order over communities: every community's first, every community's second, … */
function takeTurns(decisions: readonly PageDecision[]): PageDecision[] {
  const seen = new Map<string, number>();
  const turns = decisions.map((decision) => {
    const turn = seen.get(decision.community) ?? 0;
    seen.set(decision.community, turn + 1);
    return { decision, turn };
  });
  return turns.sort((a, b) => a.turn - b.turn).map(({ decision }) => decision);
}

function shorten(page: ReportPage, room: Room, inTurn: readonly PageDecision[]): Listed {
  const kept = new Set(inTurn.slice(0, Math.max(1, Math.floor(inTurn.length * room.share))));
  const decisions = page.decisions
    .filter((decision) => kept.has(decision))
    .map((decision) => shortenDecision(decision, room));
  const { listed, precedents } = keepReferred(decisions, page.precedents, room.precedents);
  return {
    decisions: listed,
    precedents: precedents.map((one) => ({
      ...one,
      text: shortenText(one.text, room.body),
      rationale: shortenText(one.rationale, room.body),
    })),
  };
}

function shortenDecision(decision: PageDecision, room: Room): PageDecision {
  const text = <T extends PageText | null>(one: T) => shortenText(one, room.body);
  return {
    ...decision,
    title: text(decision.title),
    body: text(decision.body),
    context: room.context === 0 ? [] : decision.context.map((one) => shortenText(one, room.context)),
    url: text(decision.url),
    rationale: text(decision.rationale),
    appeal: decision.appeal && { ...decision.appeal, text: text(decision.appeal.text) },
    gold: decision.gold && { ...decision.gold, note: text(decision.gold.note) },
    audit: shortenAudit(decision.audit, room.chain),
    human_audit: decision.human_audit && shortenAudit(decision.human_audit, room.chain),
    opposite_audit: decision.opposite_audit && shortenAudit(decision.opposite_audit, room.chain),
  };
}

/** A token has about five characters. */
export function shortenAudit(audit: PageAudit, most: number): PageAudit {
  return {
    ...audit,
    logic_chain: shortenText(audit.logic_chain, most),
    policy_citation: shortenText(audit.policy_citation, most),
    inverse_citation_text: shortenText(audit.inverse_citation_text, most),
    spans: audit.spans.slice(0, Math.ceil(most / 5)),
  };
}

function shortenText<T extends PageText | null>(text: T, most: number): T {
  return text?.text && text.text.length > most ? { ...text, text: cutText(text.text, most) } : text;
}

function sentence(room: Room, most: number, hasPrecedents: boolean): string {
  const cut = (name: string) => `${name} are shown up to ${whole(room.body)} characters`;
  const parts = [
    room.context === 0 ? "contexts are left out" : `contexts are shown up to ${whole(room.context)} characters`,
    ...(hasPrecedents && room.precedents < WHOLE.precedents ? [precedentWords(room.precedents)] : []),
    ...(room.body < WHOLE.body ? [cut(hasPrecedents ? "contents and precedents" : "contents")] : []),
    ...(room.chain < WHOLE.chain ? [`reasoning is shown up to ${whole(room.chain)} characters`] : []),
    ...(room.share < 1 ? ["fewer decisions are listed than were asked for"] : []),
  ];
  return `To keep this file under ${most / 1e6} MB: ${parts.join("; ")}.`;
}

function precedentWords(most: number): string {
  const shown = most === 0 ? "" : ` and the ${whole(most)} most like the content`;
  return `of the precedents only those that are cited${shown} are there`;
}

/** Decisions with at most `most` precedents each in addition to the cited ones, and the precedents still referred to, each once and in order. */
function keepReferred(
  decisions: readonly PageDecision[],
  precedents: readonly PagePrecedent[],
  most: number,
): { listed: PageDecision[]; precedents: PagePrecedent[] } {
  const kept = decisions.map(({ precedents: { places, cited } }) => {
    const isCited = new Set(cited.map(({ place }) => place));
    let others = 0;
    return places.filter((place) => isCited.has(place) || others++ < most);
  });
  const referred = new Set(
    decisions.flatMap((one, i) => [...kept[i]!, ...one.precedents.cited.map(({ place }) => place)]),
  );
  const places = new Map<number, number>();
  for (const place of precedents.keys()) if (referred.has(place)) places.set(place, places.size);
  return {
    precedents: precedents.filter((_, place) => places.has(place)),
    listed: decisions.map((decision, i) => ({
      ...decision,
      precedents: {
        ...decision.precedents,
        places: kept[i]!.map((place) => places.get(place)!),
        cited: decision.precedents.cited.map((one) => ({
          ...one,
          place: one.place === null ? null : places.get(one.place)!,
        })),
      },
    })),
  };
}
