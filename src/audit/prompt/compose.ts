import type { OutputFormat, Prompt, TokenCounter } from "../../auditors/output-format.js";
import { InputError } from "../../core/errors.js";
import { actionNames } from "../../core/records/actions.js";
import type { Flag } from "../../core/records/audit.js";
import type { CaseFrame, CasePrecedent } from "../../core/records/case.js";
import type { ContentParts } from "../../core/records/decision.js";
import { type Ranking, rankByGrams, rankByWords } from "../../text/ranking.js";
import type { Scrub, Scrubbing } from "../../text/scrub/scrub.js";
import { contentLines, shortContentLines } from "./encode.js";
import { fenceNonce, type PromptFrame, preparePromptFrame } from "./prompt-frame.js";

/** Kept free for what a chat template adds. */
const TURN_TOKENS = 24;
/** Share of the budget that is used where tokens are only estimated. */
const ESTIMATE_SHARE = 0.9;
/** Tokens of the lines around content and precedents that are the same for every case. */
const FRAME_TOKENS = 180;
/** How often an action is named in these lines, at most. */
const ACTION_NAMES = 2;

export interface ComposerOptions {
  system: string;
  version: string;
  rendering: Rendering;
  counter: TokenCounter;
  /** Tokens that the whole prompt may have. */
  budget: number;
  scrub: Scrub | null;
}

/** One question about one content. */
export interface Question {
  frame: CaseFrame;
  content: ContentParts;
  format: OutputFormat;
  /** What is said before the content, and after it. The last words are ours. An opening that holds a stranger's text hides in it what is hidden. */
  opening: string | ((hide: (text: string) => string) => string);
  closing: string;
}

/** Puts prompts together: instructions, what the frame shares, and what belongs to one case, with the content between two fence lines. */
export function createComposer(options: ComposerOptions): (question: Question) => Prompt {
  const { system, version, rendering, counter, scrub } = options;
  const usable = Math.floor(counter.exact ? options.budget : options.budget * ESTIMATE_SHARE) - TURN_TOKENS;
  const instructions = counter.count(system) + FRAME_TOKENS;
  const frames = new WeakMap<CaseFrame, PromptFrame | InputError>();
  const frameOf = (frame: CaseFrame): PromptFrame => {
    let prepared = frames.get(frame);
    if (!prepared) {
      const names = actionNames(frame.actions).reduce((sum, name) => sum + counter.count(name), 0);
      const fixed = instructions + ACTION_NAMES * names;
      prepared = preparePromptFrame(frame, { rendering, counter, scrub, budget: usable - fixed, instructions: fixed });
      frames.set(frame, prepared);
    }
    if (prepared instanceof InputError) throw prepared;
    return prepared;
  };
  return ({ frame, content, format, opening, closing }) => {
    const { shared, folded, room, contentRoom, shelf, scrubbing, scrubbed } = frameOf(frame);
    const numbering = scrubbing?.fork() ?? null;
    const visible = numbering ? scrubParts(content, numbering) : content;
    // Where precedents are chosen, what the content leaves to them has to be counted.
    const shown =
      (shelf ? null : shortContentLines(visible, contentRoom)) ?? contentLines(visible, contentRoom, counter);
    const chosen = shelf?.choose(`${content.title}\n${content.body}`, room - shown.tokens) ?? null;
    const leftOut = shelf && chosen ? shelf.lines.length - chosen.length : 0;
    const before = [
      ...(shelf && chosen ? precedentSection(shelf, chosen) : []),
      typeof opening === "string" ? opening : opening((text) => numbering?.text(text) ?? text),
      ...(content.hasMedia ? [MEDIA] : []),
      "The content, between two lines with the same code:",
    ];
    const parts = [...before, ...shown.lines, closing];
    // Upper case is no other code: a reader might not tell them apart.
    const nonce = fenceNonce(
      parts,
      (code) => folded.includes(code) || parts.some((part) => part.toLowerCase().includes(code)),
    );
    const own = [...before, `BEGIN CONTENT ${nonce}`, ...shown.lines, `END CONTENT ${nonce}`, closing].join("\n");
    const flags: Flag[] = [];
    if (leftOut > 0) flags.push("precedents_cut");
    if (shown.cut > 0) flags.push("content_cut");
    return {
      system,
      shared,
      own,
      format,
      version,
      notes: {
        flags,
        precedents_used: shelf && chosen ? chosen.map((index) => shelf.idOf(index)) : null,
        precedents_left_out: leftOut,
        content_cut: shown.cut,
        scrubbed: numbering ? { ...scrubbed, ...numbering.occurring(own) } : null,
      },
    };
  };
}

const MEDIA = "The content has pictures, video or sound that you cannot see. Do not guess what they show.";

function scrubParts(content: ContentParts, numbering: Scrubbing): ContentParts {
  const scrubbed = (text: string | null) => (text === null ? null : numbering.text(text));
  return {
    kind: scrubbed(content.kind),
    language: scrubbed(content.language),
    url: scrubbed(content.url),
    context: content.context.map((text) => numbering.text(text)),
    title: numbering.text(content.title),
    body: numbering.text(content.body),
    hasMedia: content.hasMedia,
  };
}

function precedentSection({ lines }: PrecedentShelf, chosen: readonly number[]): string[] {
  if (chosen.length === 0) return [`Precedents: none of the ${lines.length} fits here.`, ""];
  const heading = `Precedents nearest to the content, ${chosen.length} of ${lines.length}, nearest first:`;
  return [heading, ...chosen.map((index) => lines[index]!), ""];
}

/**
 * Counts tokens as the named tokenizer does. The vocabularies of `o200k` and `cl100k` are loaded when they are asked for: 30 MB on disk and more in
 * memory. Any other name gives an estimate.
 */
export async function createTokenCounter(name: string): Promise<TokenCounter> {
  if (name !== "o200k" && name !== "cl100k") return ESTIMATED;
  const { countTokens } =
    name === "o200k"
      ? await import("gpt-tokenizer/encoding/o200k_base")
      : await import("gpt-tokenizer/encoding/cl100k_base");
  // Otherwise `<|endoftext|>` in a text is an error. As text it is what it is: some characters.
  const asText = { disallowedSpecial: new Set<string>() };
  return { name, exact: true, count: (text) => countInSlices(text, (slice) => countTokens(slice, asText)) };
}

const ESTIMATED: TokenCounter = {
  name: "estimated",
  exact: false,
  count: (text) => Math.ceil(Buffer.byteLength(text) / 4),
};

/**
 * Characters of one word (or one gap between words) that are merged at a time. The tokenizer's time grows with the square of a word's length:
 * 16,000 times one letter take it 190 ms, 100,000 take seconds. Words up to this length, that is all real ones, are counted exactly;
 * a longer one within one token for each slice.
 */
const LONGEST_WORD = 256;
const LONG_RUN = new RegExp(`\\S{${LONGEST_WORD + 1},}|\\s{${LONGEST_WORD + 1},}`, "g");

function countInSlices(text: string, count: (slice: string) => number): number {
  let total = 0;
  let from = 0;
  for (const run of text.matchAll(LONG_RUN)) {
    if (run.index > from) total += count(text.slice(from, run.index));
    from = run.index + run[0].length;
    for (let start = run.index; start < from; ) {
      let end = Math.min(start + LONGEST_WORD, from);
      if (end < from && isHighSurrogate(text.charCodeAt(end - 1))) end--;
      total += count(text.slice(start, end));
      start = end;
    }
  }
  return from === 0 ? count(text) : total + count(text.slice(from));
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/**
 * How a case is rendered: part of every prompt's version. A change is a new number. Older numbers are kept, so that an older version of a prompt asks
 * what it asked. 1: precedents are ordered by the words they share with the content; 2: by n-grams of characters.
 */
export type Rendering = 1 | 2;

/** By which likeness precedents are chosen that do not all fit. */
const RANKINGS: Readonly<Record<Rendering, (texts: readonly string[]) => Ranking>> = {
  1: rankByWords,
  2: rankByGrams,
};

/** After so many precedents that did not fit the room is taken to be full. */
const MOST_MISSES = 20;

/** The precedents of a frame as lines of a prompt. Each is counted once, when it is first asked for. */
export class PrecedentShelf {
  private readonly counts: (number | undefined)[] = [];
  private ranking: Ranking | null = null;

  constructor(
    private readonly precedents: readonly CasePrecedent[],
    readonly lines: readonly string[],
    private readonly rendering: Rendering,
    private readonly counter: TokenCounter,
  ) {}

  /** Tokens of all lines together, or `limit` if that is less. Counts no more lines than it takes to know. */
  totalWithin(limit: number): number {
    let total = 0;
    for (let i = 0; i < this.lines.length && total < limit; i++) total += this.tokens(i);
    return Math.min(total, limit);
  }

  /** Those most like the text that fit, most like it first. One that is too long does not keep shorter ones out. */
  choose(text: string, room: number): number[] {
    this.ranking ??= RANKINGS[this.rendering](this.precedents.map((precedent) => precedent.text));
    const chosen: number[] = [];
    let left = room;
    let misses = 0;
    for (const index of this.ranking(text)) {
      const tokens = this.tokens(index);
      if (tokens <= left) {
        chosen.push(index);
        left -= tokens;
      } else if (++misses === MOST_MISSES) break;
    }
    return chosen;
  }

  idOf(index: number): string {
    return this.precedents[index]!.id;
  }

  private tokens(index: number): number {
    // One more for the line break.
    this.counts[index] ??= this.counter.count(this.lines[index]!) + 1;
    return this.counts[index];
  }
}
