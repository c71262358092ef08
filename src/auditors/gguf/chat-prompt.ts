import type { LlamaModel, Token } from "node-llama-cpp";
import type { Prompt } from "../prompt.js";
import type { Library } from "./load-library.js";
import { PlainTokenizer } from "./plain-tokenizer.js";

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
