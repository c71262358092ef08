import type { LlamaModel, LlamaText, Token } from "node-llama-cpp";
import { encodeUtf8 } from "../../text/printable.js";
import type { Prompt } from "../output-format.js";
import type { Library } from "./engine.js";

/** A vocabulary as stored in the model's file. */
export interface Vocabulary {
  tokens: readonly string[];
  /** Numbers defined by the format: see `TokenType`. */
  types: readonly number[];
  /** True: bytes are written as letters (GPT-2: `Ġ` is a space); false: a space is `▁` (SentencePiece). */
  byteLevel: boolean;
}

export const TokenType = { normal: 1, unknown: 2, control: 3, userDefined: 4, unused: 5, byte: 6 } as const;

/** A token's text, and its true bytes where the text does not determine them. */
export interface Piece {
  text: string;
  bytes: Uint8Array;
  /** The text's UTF-8 differs from the token's bytes, or could be mistaken for something else: half a character, a spelled `\xe9`. */
  lossy: boolean;
}

/**
 * The text of each token. The engine's own `detokenize` returns strings, which lose half a character, and drops a leading space,
 * so the pieces are read from the vocabulary as llama.cpp reads them. Each is built on demand.
 */
export class TokenPieces {
  private readonly pieces: (Piece | undefined)[] = [];

  constructor(private readonly vocabulary: Vocabulary) {}

  piece(id: number): Piece {
    const known = this.pieces[id];
    if (known !== undefined) return known;
    const { tokens, types, byteLevel } = this.vocabulary;
    const bytes = pieceBytes(tokens[id] ?? "", types[id] ?? TokenType.normal, byteLevel);
    const text = decoder.decode(bytes);
    const lossy = text.includes("\uFFFD") || text.includes("\\x");
    const piece = { text, bytes, lossy };
    this.pieces[id] = piece;
    return piece;
  }

  join(ids: readonly number[]): { bytes: Uint8Array; ends: Int32Array } {
    const ends = new Int32Array(ids.length);
    let length = 0;
    for (let i = 0; i < ids.length; i++) {
      length += this.piece(ids[i]!).bytes.length;
      ends[i] = length;
    }
    const bytes = new Uint8Array(length);
    for (let i = 0; i < ids.length; i++) bytes.set(this.piece(ids[i]!).bytes, i === 0 ? 0 : ends[i - 1]);
    return { bytes, ends };
  }
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

function pieceBytes(token: string, type: number, byteLevel: boolean): Uint8Array {
  if (type === TokenType.byte) {
    const hex = /^<0x([0-9a-f]{2})>$/i.exec(token);
    if (hex) return Uint8Array.of(Number.parseInt(hex[1]!, 16));
  }
  // Control tokens and added words are stored literally in the vocabulary; the grammar of llama.cpp reads them so too.
  if (type === TokenType.control || type === TokenType.unknown || type === TokenType.userDefined) {
    return encodeUtf8(token);
  }
  return byteLevel ? byteLevelBytes(token) : encodeUtf8(token.replaceAll("▁", " "));
}

function byteLevelBytes(token: string): Uint8Array {
  const bytes: number[] = [];
  for (const letter of token) {
    const byte = BYTE_OF_LETTER.get(letter);
    if (byte !== undefined) bytes.push(byte);
    else bytes.push(...encodeUtf8(letter === "▁" ? " " : letter));
  }
  return Uint8Array.from(bytes);
}

/** GPT-2's letters for bytes: visible Latin-1 characters represent themselves, the other 68 bytes are U+0100 and up, in order. */
const BYTE_OF_LETTER: ReadonlyMap<string, number> = (() => {
  const letters = new Map<string, number>();
  let next = 0x100;
  for (let byte = 0; byte < 256; byte++) {
    const visible = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    letters.set(String.fromCodePoint(visible ? byte : next++), byte);
  }
  return letters;
})();

/**
 * Tokenizes text with marks so that plain text never becomes a mark. The engine keeps control tokens out of plain text, but not
 * the words that a vocabulary calls user-defined, and in some models those include turn marks.
 */
class PlainTokenizer {
  private readonly marks: ReadonlySet<number>;

  constructor(private readonly model: LlamaModel) {
    this.marks = findMarks(model);
  }

  tokenize(text: LlamaText, { SpecialToken, SpecialTokensText }: Library): Token[] {
    const { tokenizer } = this.model;
    const tokens: Token[] = [];
    let plain = "";
    const flush = () => {
      for (const token of this.plainTokens(plain, tokens.length > 0)) tokens.push(token);
      plain = "";
    };
    for (const value of text.values) {
      if (typeof value === "string") {
        plain += value;
        continue;
      }
      flush();
      if (value instanceof SpecialToken) tokens.push(...value.tokenize(tokenizer));
      else if (value instanceof SpecialTokensText) tokens.push(...value.tokenize(tokenizer, tokens.length > 0));
    }
    flush();
    return tokens;
  }

  private plainTokens(text: string, continued: boolean): Token[] {
    const tokens = this.model.tokenize(text, false, continued ? "trimLeadingSpace" : undefined);
    if (!tokens.some((token) => this.marks.has(token))) return tokens;
    // Every mark begins with a bracket and continues after it: splitting after the brackets leaves no mark whole.
    const pieces = text.split(/(?<=[<[])/);
    return pieces.flatMap((piece, i) =>
      this.model.tokenize(piece, false, continued || i > 0 ? "trimLeadingSpace" : undefined),
    );
  }
}

function findMarks(model: LlamaModel): Set<number> {
  const marks = new Set<number>();
  const { tokens = [], token_type: types = [] } = model.fileInfo.metadata.tokenizer.ggml;
  for (let id = 0; id < tokens.length; id++) {
    const type: number = types[id] ?? TokenType.normal;
    if (type === TokenType.control || (type === TokenType.userDefined && /^[<[]./.test(tokens[id]!))) marks.add(id);
  }
  return marks;
}

export interface PromptTokens {
  tokens: readonly Token[];
  /** Number of leading tokens that are the same for all decisions of a frame. */
  shared: number;
}

type Wrapper = ReturnType<Library["resolveChatWrapper"]>;

/**
 * Renders a prompt with the model's own chat template, as tokens. Only the template's own marks become special tokens; all text
 * from us, rules and content alike, is plain text even where it looks like a mark.
 */
export class ChatPrompt {
  private readonly wrapper: Wrapper | null;
  /** The form in use, in words. */
  readonly form: string;
  private readonly plain: PlainTokenizer;
  private last: { system: string; shared: string; tokens: readonly Token[] } | null = null;

  constructor(
    private readonly engine: Library,
    model: LlamaModel,
  ) {
    ({ wrapper: this.wrapper, form: this.form } = chatWrapper(engine, model));
    this.plain = new PlainTokenizer(model);
  }

  render({ system, shared, own }: Pick<Prompt, "system" | "shared" | "own">): PromptTokens {
    const tokens = this.tokensOf(system, shared + own);
    if (this.last?.system !== system || this.last.shared !== shared) {
      this.last = { system, shared, tokens: this.tokensOf(system, shared) };
    }
    return { tokens, shared: commonPrefix(tokens, this.last.tokens) };
  }

  private tokensOf(system: string, user: string): Token[] {
    const { LlamaText, SpecialToken } = this.engine;
    if (!this.wrapper) {
      const text = `${system}\n\n### Input\n${user}\n\n### Answer\n`;
      return this.plain.tokenize(LlamaText(new SpecialToken("BOS"), text), this.engine);
    }
    const state = this.wrapper.generateContextState({
      chatHistory: [
        { type: "system", text: system },
        { type: "user", text: user },
        { type: "model", response: [""] },
      ],
    });
    // Some templates have channels: an answer without visible thoughts begins with the mark of the last channel.
    const opening = state.noPrefixTrigger?.type === "response" ? state.noPrefixTrigger.inject : LlamaText();
    return this.plain.tokenize(LlamaText(state.contextText, opening), this.engine);
  }
}

export function commonPrefix(a: readonly number[], b: readonly number[]): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a[at] === b[at]) at++;
  return at;
}

/** Thinking is off, and no template is given the date: the same question has the same text tomorrow. */
function chatWrapper(engine: Library, model: LlamaModel): { wrapper: Wrapper | null; form: string } {
  const template = model.fileInfo.metadata.tokenizer.chat_template;
  if (typeof template !== "string" || template.trim() === "") {
    return { wrapper: null, form: "plain text, for the model has no chat template" };
  }
  const settings = {
    warningLogs: false,
    customWrapperSettings: {
      "llama3.1": { todayDate: null },
      "llama3.2-lightweight": { todayDate: null },
      harmony: { todayDate: null, reasoningEffort: "low" as const },
      muse: { todayDate: null, reasoningStrength: "low" as const },
      qwen: { thoughts: "discourage" as const },
      gemma4: { reasoning: false },
      seed: { thinkingBudget: 0 },
      jinjaTemplate: { reasoning: false, additionalRenderParameters: { date_string: "26 Jul 2024" } },
    },
  };
  try {
    const wrapper = engine.resolveChatWrapper(model, { ...settings, fallbackToOtherWrappersOnJinjaError: false });
    return { wrapper, form: `the model's own chat template (${wrapper.wrapperName})` };
  } catch {
    const wrapper = engine.resolveChatWrapper(model, { ...settings, noJinja: true });
    return { wrapper, form: `${wrapper.wrapperName}, a guess: the model's own chat template cannot be read` };
  }
}
