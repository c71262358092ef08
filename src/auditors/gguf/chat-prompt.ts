import type { LlamaModel, LlamaText, Token } from "node-llama-cpp";
import type { Prompt } from "../output-format.js";
import type { Library } from "./engine.js";
import { TokenType } from "./token-pieces.js";

/**
 * Turns text with marks into tokens so that no text becomes a mark. The engine itself keeps control tokens out of plain text, but not the
 * words that a vocabulary calls user-defined, and some models have marks of turns among those.
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
    // Every mark begins with a bracket and goes on after it: cut behind the brackets, none is left whole.
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
  /** How many of them are the same for all decisions of a frame. */
  shared: number;
}

type Wrapper = ReturnType<Library["resolveChatWrapper"]>;

/**
 * Writes a prompt as the model's own chat template wants it, as tokens. Only the template's own marks become special tokens; whatever comes
 * from us, rules and content alike, is plain text even where it looks like a mark.
 */
export class ChatPrompt {
  private readonly wrapper: Wrapper | null;
  /** Which form is used, in words. */
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
    // Some templates have channels; an answer that is not thought aloud begins with the mark of the last one.
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

/** Thinking is off, and no template gets to know the date: the same question has the same text tomorrow. */
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
