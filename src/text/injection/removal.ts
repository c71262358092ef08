import type { ContentParts } from "../../core/records/content.js";
import { type InjectionSpan, noticeInjection } from "./find-injection.js";

/** Content without what was noticed in it. */
export interface Readable {
  /** The very same object if nothing was noticed. */
  content: ContentParts;
  /** Characters that were left out. */
  leftOut: number;
}

/** The content as if what was noticed had never been written: an auditor that reads this cannot be swayed by it. */
export function withoutInjection(content: ContentParts): Readable {
  const { spans } = noticeInjection(content);
  if (spans.length === 0) return { content, leftOut: 0 };
  const of = (part: InjectionSpan["part"], index = 0) =>
    spans.filter((span) => span.part === part && span.index === index);
  const title = cut(content.title, of("title"));
  const body = cut(content.body, of("body"));
  const leftOut = content.title.length + content.body.length - title.length - body.length;
  const context = content.context.map((text, index) => cut(text, of("context", index)));
  return { content: { ...content, title, body, context }, leftOut };
}

/** A text without some stretches of it. */
function cut(text: string, spans: readonly InjectionSpan[]): string {
  let result = text.slice(0, spans[0]?.start);
  spans.forEach(({ end }, k) => {
    result = join(result, text.slice(end, spans[k + 1]?.start));
  });
  return result;
}

/** Joins what stood before a cut and after it: of two spaces the one with more line breaks stays, and none at the ends. */
function join(before: string, after: string): string {
  const left = before.trimEnd();
  const right = after.trimStart();
  if (left === "" || right === "") return left + right;
  const [one, other] = [before.slice(left.length), after.slice(0, after.length - right.length)];
  return left + (one === "" || lines(other) > lines(one) ? other : one) + right;
}

function lines(space: string): number {
  return space.split("\n").length;
}
