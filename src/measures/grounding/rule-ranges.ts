import { type FoldedText, foldText } from "../../text/words.js";
import type { FrameIndex } from "./frame-index.js";

/** Ids from one to another, `R1–R10`: it may mean each rule between them. */
export interface RuleRange {
  /** Where its first id is, in the text without the range. */
  start: number;
  sources: number[];
}

/** A folded text in which each range is the id of one of its rules, and the ranges. */
export interface WithoutRanges {
  folded: FoldedText;
  ranges: RuleRange[];
}

const ID = "(\\p{L}{0,8}[-_. ]?)((?:\\d{1,6}\\.){0,3})0*(\\d{1,9})";
const WORDS =
  "(?:up\\s{1,2})?to(?:\\s{1,2}and\\s{1,2}including)?|through|thru|till|until|bis(?:\\s{1,2}einschließlich)?|à|a|al|até|hasta|do|по|до";
const RANGE = new RegExp(
  `(?<![\\p{L}\\p{N}.,_-])(\\p{L}{0,8}[-_.]?)((?:\\d{1,6}\\.){0,3})0*(\\d{1,9})(?:(\\s{0,3})(?:[-‐-―−~→]|\\.\\.{1,3}|[至到])\\s{0,3}|\\s{1,3}(?:${WORDS})\\s{1,3})(?:(?:rule|regel|no\\.?|nr\\.?)\\s{0,2})?(\\p{L}{0,8}[-_.]?)((?:\\d{1,6}\\.){0,3})0*(\\d{1,9})(?![\\p{L}\\p{N}]|[.-]\\p{N})`,
  "gu",
);
const WHOLE_ID = new RegExp(`^${ID}$`, "u");
/** A bare number is an id only where it is called one. */
const CALLED = /(?:(?<!\p{L})rules?\s{0,3}|#)$/u;

/** Ranges whose ends have the same letters, and of whose rules at least one exists. Where the ends alone were read, a rule between them would not be stated. */
export function withoutRanges(original: string, index: FrameIndex): WithoutRanges {
  const { text } = foldText(original);
  const ranges: RuleRange[] = [];
  let kept = "";
  let from = 0;
  for (const match of text.matchAll(RANGE)) {
    const [whole, letters, base, first, space, lastLetters, lastBase, last] = match;
    const at = match.index;
    const isBare = letters === "" && !CALLED.test(text.slice(Math.max(0, at - 12), at));
    const isOtherKind = lastLetters !== "" && lastLetters !== letters;
    // `R3 - 10 links`: not a range.
    const isApart = Boolean(space) && lastLetters === "" && letters !== "";
    if (isBare || isOtherKind || isApart || (lastBase !== "" && lastBase !== base)) continue;
    const [low, high] = [Number(first), Number(last)].sort((a, b) => a - b) as [number, number];
    const sources = between(index, `${key(letters!)}${base}`, low, high);
    if (sources.length === 0) continue;
    kept += text.slice(from, at);
    ranges.push({ start: kept.length, sources });
    kept += index.sources[sources[0]!]!.foldedId;
    from = at + whole.length;
  }
  return { folded: ranges.length > 0 ? foldText(kept + text.slice(from)) : foldText(original), ranges };
}

const key = (letters: string) => letters.replace(/[-_. ]$/, "");

function between({ sources }: FrameIndex, prefix: string, low: number, high: number): number[] {
  return sources.flatMap(({ foldedId }, source) => {
    const [, letters, base, number] = WHOLE_ID.exec(foldedId) ?? [];
    const isInside = number !== undefined && `${key(letters!)}${base}` === prefix;
    return isInside && Number(number) >= low && Number(number) <= high ? [source] : [];
  });
}
