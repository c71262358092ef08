import type { LlamaModel, LlamaText, Token } from "node-llama-cpp";
import type { Library } from "./load-library.js";
import { TokenType } from "./token-pieces.js";

/**
 * Turns text with marks into tokens so that no text becomes a mark. The engine itself keeps control tokens out of plain text, but not the
 * words that a vocabulary calls user-defined, and some models have marks of turns among those.
 */
export class PlainTokenizer {
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
