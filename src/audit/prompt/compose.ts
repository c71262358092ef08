import type { OutputFormat, Prompt, TokenCounter } from "../../auditors/output-format.js";
import { InputError } from "../../core/errors.js";
import { actionNames } from "../../core/records/actions.js";
import type { Flag } from "../../core/records/audit.js";
import type { CaseFrame } from "../../core/records/case.js";
import type { ContentParts } from "../../core/records/decision.js";
import type { Scrub, Scrubbing } from "../../text/scrub/scrub.js";
import { contentLines, shortContentLines } from "./encode.js";
import { fenceNonce, type PromptFrame, preparePromptFrame } from "./prompt-frame.js";
import type { PrecedentShelf, Rendering } from "./token-counter.js";

/** Tokens reserved for what a chat template adds. */
const TURN_TOKENS = 24;
/** Share of the budget that is used where token counts are estimates. */
const ESTIMATE_SHARE = 0.9;
/** Tokens of the lines around content and precedents that are the same for every case. */
const FRAME_TOKENS = 180;
/** Most mentions of one action in these lines. */
const ACTION_NAMES = 2;

export interface ComposerOptions {
  system: string;
  version: string;
  rendering: Rendering;
  counter: TokenCounter;
  /** Token limit of the whole prompt. */
  budget: number;
  scrub: Scrub | null;
}

export interface Question {
  frame: CaseFrame;
  content: ContentParts;
  format: OutputFormat;
  /** Text before and after the content; the last words of a prompt are ours. An opening that holds untrusted text must scrub it with `hide`. */
  opening: string | ((hide: (text: string) => string) => string);
  closing: string;
}

/** Composes prompts: instructions, the text a frame shares, and the text of one case, with the content between two fence lines. */
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
    // Where precedents are chosen for each case, the content is counted to know the room it leaves them.
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
    // Codes that differ only in case count as equal: a reader might not tell them apart.
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
