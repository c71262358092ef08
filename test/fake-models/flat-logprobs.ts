import type { Json } from "./question.js";
import type { WireToken } from "./render-tokens.js";

/** The old form: lists side by side, and candidates as maps by text, so that those that print alike are one. */
export function flatLogprobs(tokens: readonly WireToken[], dialect: "together" | "fireworks", top: number): Json {
  const flat: Json = {
    tokens: tokens.map(({ text }) => text),
    token_logprobs: tokens.map(({ logprob }) => logprob),
    token_ids: tokens.map(({ id }) => id),
    top_logprobs:
      top > 0 ? tokens.map((token) => new Map(token.top.map(({ text, logprob }) => [text, logprob]))) : null,
  };
  if (dialect === "together") return flat;
  let at = 0;
  const offsets = tokens.map(({ text }) => {
    const start = at;
    at += text.length;
    return start;
  });
  return { ...flat, text_offset: offsets };
}
