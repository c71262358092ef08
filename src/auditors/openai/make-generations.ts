import type { Generation, Token } from "../../core/records/generation.js";
import type { Price } from "../auditor.js";
import { withoutSecrets } from "../http/blot-secrets.js";
import { costOf } from "../prices.js";
import type { ScannedBody } from "./scan-body.js";
import type { ScannedChoice } from "./scan-choice.js";

export interface GenerationContext {
  /** As we named it, where the server does not. */
  model: string;
  space: Generation["space"];
  temperature: number;
  price: Price | null;
  /** Keys that no answer may carry on. */
  secrets?: readonly string[];
}

/**
 * The answers of a body in the form of every provider. The prompt was read once for all of them, so the first answer carries its tokens and
 * the others none; what was written is shared out by each answer's number of tokens, or evenly where that is not known.
 */
export function makeGenerations(body: ScannedBody, context: GenerationContext): Generation[] {
  const { choices, usage } = body;
  const outputs = shareOut(usage?.output ?? null, choices);
  const generations = choices.map((choice, i): Generation => {
    const input = usage === null || usage.input === null ? null : i === 0 ? usage.input : 0;
    const cached = usage === null || usage.cached === null ? null : i === 0 ? usage.cached : 0;
    const output = outputs[i]!;
    const charged = usage === null || usage.cost === null ? null : i === 0 ? usage.cost : 0;
    return {
      text: choice.text,
      tokens: choice.tokens,
      joined: choice.tokens !== null && spellOut(choice.tokens, choice.text),
      finish: choice.finish,
      space: context.space,
      temperature: context.temperature,
      support: "top_k",
      model: body.model ?? context.model,
      usage: {
        input_tokens: input,
        cached_input_tokens: cached,
        output_tokens: output,
        cost_usd: costOf(context.price, { input, cached, output }) ?? charged,
      },
    };
  });
  return generations.map((generation) => withoutSecrets(generation, context.secrets ?? []));
}

/** True where the tokens' texts joined are the text. */
function spellOut(tokens: readonly Token[], text: string): boolean {
  let at = 0;
  for (const token of tokens) {
    if (!text.startsWith(token.text, at)) return false;
    at += token.text.length;
  }
  return at === text.length;
}

/** A total in whole parts, by the choices' numbers of tokens; parts add up to the total. */
function shareOut(total: number | null, choices: readonly ScannedChoice[]): (number | null)[] {
  if (total === null) return choices.map(() => null);
  const known = choices.every((choice) => choice.tokens !== null);
  const weights = choices.map((choice) => (known ? choice.tokens!.length : 1));
  const sum = weights.reduce((a, b) => a + b, 0);
  let passed = 0;
  let given = 0;
  return weights.map((weight) => {
    passed += weight;
    const upTo = Math.round((total * passed) / sum);
    const part = upTo - given;
    given = upTo;
    return part;
  });
}
