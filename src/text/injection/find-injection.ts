import type { ContentParts } from "../../core/records/content.js";
import { type InjectionKind, kindsIn } from "./kinds.js";
import { lookCarefully } from "./look.js";
import { mayHoldInjection } from "./quick.js";
import { unreadRanges } from "./spans.js";

/** A stretch of one part of the content that addresses the auditor or forges something. */
export interface InjectionSpan {
  part: "title" | "body" | "context";
  /** Which text of the context; 0 for title and body. */
  index: number;
  start: number;
  end: number;
}

/** What was noticed. No kinds: nothing was, which is no proof that nothing is there. */
export interface InjectionNotice {
  kinds: readonly InjectionKind[];
  /** In the order of the parts, apart from each other. */
  spans: readonly InjectionSpan[];
}

const NOTHING: InjectionNotice = Object.freeze({ kinds: [], spans: [] });
/** Content is asked about twice in an audit: for the flag, and by an auditor that leaves unread what was noticed. */
const notices = new WeakMap<ContentParts, InjectionNotice>();
/** The last content without any: a weak map of all content would cost more than looking again. */
let clean: ContentParts | null = null;

/**
 * Notices text that speaks to the auditor instead of the community: orders, forged frames, turns, traces, rules and precedents, hidden and
 * disguised characters. A quick look clears most content; the careful one sees through disguises and judges whole sentences. Time grows
 * linearly with the length of the text.
 */
export function noticeInjection(content: ContentParts): InjectionNotice {
  if (content === clean) return NOTHING;
  const known = notices.get(content);
  if (known !== undefined) return known;
  const texts = [content.title, content.body, ...content.context];
  const notice = mayHoldInjection(texts) ? notify(texts) : NOTHING;
  if (notice === NOTHING) clean = content;
  else notices.set(content, notice);
  return notice;
}

function notify(texts: readonly string[]): InjectionNotice {
  const { parts, kinds } = lookCarefully(texts);
  if (kinds === 0) return NOTHING;
  const spans: InjectionSpan[] = [];
  parts.forEach((reading, k) => {
    const part = k === 0 ? "title" : k === 1 ? "body" : "context";
    for (const { start, end } of unreadRanges(reading)) spans.push({ part, index: Math.max(0, k - 2), start, end });
  });
  return { kinds: kindsIn(kinds), spans };
}
