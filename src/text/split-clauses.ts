/** One statement of a rule. `lead` is the heading above it ("Exception", "Allowed", "Removed" …), as written. */
export interface ClauseText {
  text: string;
  lead: string | null;
}

/**
 * Splits a rule's text into statements: at line ends, at the ` // ` between two language versions, at sentence ends and at semicolons, never inside
 * quotation marks or brackets. A heading ("Allowed: a; b. Also c.") applies to its own sentence, across its semicolons.
 */
export function splitClauses(text: string): ClauseText[] {
  const clauses: ClauseText[] = [];
  for (const block of text.split(/\n| \/\/ |^\/\/ /)) {
    for (const sentence of sentences(block.replace(/\s+/g, " ").trim())) addClauses(sentence, clauses);
  }
  return clauses;
}

const LEAD = /^([\p{L} ,/-]{3,48}?):\s+(?=\S)/u;

function addClauses(sentence: string, clauses: ClauseText[]): void {
  const lead = LEAD.exec(sentence)?.[1]?.toLowerCase() ?? null;
  for (const part of cut(sentence, isSemicolon)) clauses.push({ text: part, lead });
}

function sentences(text: string): string[] {
  return cut(text, isSentenceEnd);
}

/**
 * The ranges [start, end) of a text's sentences, split as in `splitClauses`, with the full stop and without a list mark. A quotation is never split.
 * @example sentenceRanges('"A b" is one. C.') // => [[0, 13], [14, 16]]
 */
export function sentenceRanges(text: string): [start: number, end: number][] {
  const ranges: [number, number][] = [];
  for (const { 0: line, index } of text.matchAll(/[^\n]+/g)) {
    let from = 0;
    for (const end of [
      ...endsOf(line, (all, at) => isSentenceEnd(all, at) || /[。！？]/.test(all[at]!)),
      line.length,
    ]) {
      const sentence = line.slice(from, end);
      const mark = /^\s*(?:[-*•–]\s+|\/\/\s*)?/.exec(sentence)![0].length;
      if (mark < sentence.trimEnd().length)
        ranges.push([index + from + mark, index + from + sentence.trimEnd().length]);
      from = end;
    }
  }
  return ranges;
}

/** Splits after each position where `isEnd` holds, outside quotation marks and brackets. */
function cut(text: string, isEnd: IsEnd): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const end of endsOf(text, isEnd)) {
    push(parts, text.slice(start, end));
    start = end;
  }
  push(parts, text.slice(start));
  return parts;
}

type IsEnd = (text: string, at: number) => boolean;

function endsOf(text: string, isEnd: IsEnd): number[] {
  const ends: number[] = [];
  let quoted = false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (character === '"') quoted = !quoted;
    else if (character === "“" || character === "„" || character === "«") quoted = true;
    else if (character === "”" || character === "»") quoted = false;
    else if (character === "(") depth++;
    else if (character === ")") depth = Math.max(0, depth - 1);
    if (!quoted && depth === 0 && isEnd(text, i)) ends.push(i + 1);
  }
  return ends;
}

function push(parts: string[], part: string): void {
  const trimmed = part.replace(/^[\s;]+|[\s;.]+$/g, "");
  if (trimmed !== "") parts.push(trimmed);
}

const ABBREVIATION = /(?:\b(?:e\.g|i\.e|etc|vs|no|st|mr|mrs|dr|ca|St|Mr|Mrs|Dr)|(?:^|[\s(])\p{Lu})$/u;

function isSentenceEnd(text: string, at: number): boolean {
  const character = text[at]!;
  if (character !== "." && character !== "!" && character !== "?") {
    // A closing quotation mark right after the full stop belongs to the sentence.
    if (!/["”»]/.test(character) || !/[.!?]/.test(text[at - 1] ?? "")) return false;
  } else if (character === "." && ABBREVIATION.test(text.slice(Math.max(0, at - 4), at))) return false;
  return at + 1 >= text.length || (text[at + 1] === " " && /[\p{Lu}\p{N}"“„«¿¡([]/u.test(text[at + 2] ?? ""));
}

function isSemicolon(text: string, at: number): boolean {
  return text[at] === ";";
}
