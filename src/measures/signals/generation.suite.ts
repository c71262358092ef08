import fc from "fast-check";
import type { Alternative, Generation, Token } from "../../core/records/case.js";

const NASTY_LOGPROBS = [0, -0, -9999, -999, -3.4028235e38, -1.2676506e30, -Infinity, Infinity, Number.NaN, 0.0003];
const PIECES = ["1", " 2", '"3"', "High", "Med", "L", "Yes", "N", "true", "R1", '","', "", "\ufffd", "\ud83d", "雨"];

const logprobs = fc.oneof(
  { weight: 4, arbitrary: fc.double({ min: -40, max: 0, noNaN: true }) },
  fc.constantFrom(...NASTY_LOGPROBS),
);
const anyBytes = fc.option(fc.uint8Array({ maxLength: 5 }), { nil: null });
const texts = fc.oneof(
  fc.constantFrom(...PIECES),
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary", maxLength: 4 }),
);

const candidates: fc.Arbitrary<Alternative> = fc
  .tuple(texts, logprobs, fc.option(anyBytes, { nil: undefined, freq: 3 }))
  .map(([text, logprob, bytes]) => (bytes === undefined ? { text, logprob } : { text, bytes, logprob }));

const words = fc.oneof(
  fc.constantFrom(
    "The post links.",
    'It says \\"no\\".',
    "雨 and 👍🏽",
    "R3 No links",
    "",
    "a\\u00e9\\ud83d",
    "\ud83d half",
  ),
  fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => JSON.stringify(text).slice(1, -1)),
);

/** Members of a trace as a model may write them: mostly right, sometimes odd. */
const members = fc
  .record({
    logic_chain: words.map((text) => `"${text}"`),
    policy_citation: fc.oneof({ weight: 8, arbitrary: words.map((text) => `"${text}"`) }, fc.constantFrom("null", "3")),
    precedent_weight: fc.constantFrom('"High"', '"Medium"', '"Low"', '" low "', '"Huge"'),
    inverse_check: fc.constantFrom('"Yes"', '"No"', "true", "false", '"maybe"'),
    defensibility_level: fc.constantFrom("1", "2", "3", '"2"', "2.0", '"Level 3"', "4"),
  })
  .chain((all) => {
    const whole = Object.entries(all);
    return fc.oneof(
      { weight: 5, arbitrary: fc.constant(whole) },
      fc.shuffledSubarray(whole, { minLength: 0 }),
      fc.constant([...whole, ...whole.slice(0, 2)]),
    );
  });

const answers = fc
  .tuple(
    members,
    fc.constantFrom(["", ":", ","], ["\n  ", ": ", ","], [" ", " : ", " ,\n"]),
    fc.constantFrom(["", ""], ["```json\n", "\n```"], ["Sure! {x} ", ' "policy_citation": "echo"'], ["\ufeff", "\n"]),
    fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, fc.double({ min: 0, max: 1, noNaN: true })),
  )
  .map(([list, [gap, colon, comma], [before, after], cut]) => {
    const inside = list.map(([key, value]) => `${gap}"${key}"${colon}${value}`).join(comma);
    const text = `${before}{${inside}${gap}}${after}`;
    return cut === null ? text : text.slice(0, Math.floor(cut * text.length));
  });

/** How a provider prints a token whose bytes are no whole characters. */
type Print = "bytes" | "lossy" | "empty" | "spelled" | "text";

function tokenise(text: string, lengths: readonly number[], print: Print): Pick<Token, "text" | "bytes">[] {
  const whole = print === "text" ? text : new TextEncoder().encode(text);
  const out: Pick<Token, "text" | "bytes">[] = [];
  for (let at = 0, i = 0; at < whole.length; i++) {
    const length = lengths[i % lengths.length]!;
    const part = whole.slice(at, at + length);
    at += length;
    if (typeof part === "string") {
      out.push({ text: part });
      continue;
    }
    const decoded = new TextDecoder("utf-8", { ignoreBOM: true }).decode(part);
    const broken = decoded.includes("\ufffd");
    if (print === "bytes") out.push({ text: decoded, bytes: part });
    else if (!broken || print === "lossy") out.push(i % 5 === 0 ? { text: decoded, bytes: null } : { text: decoded });
    else if (print === "empty") out.push({ text: "" });
    else out.push({ text: [...part].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("") });
  }
  return out;
}

/**
 * Generations as providers may send them: any tokenisation (also inside characters), any way to lose bytes, texts that are broken, cut or
 * no answer at all, tokens too many or too few, candidates with sentinels.
 */
export const anyGeneration: fc.Arbitrary<Generation> = fc
  .tuple(
    fc.oneof({ weight: 8, arbitrary: answers }, fc.string({ unit: "binary" })),
    fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }),
    fc.constantFrom<Print>("bytes", "lossy", "empty", "spelled", "text"),
    fc.array(fc.array(candidates, { maxLength: 4 }), { minLength: 1, maxLength: 12 }),
    fc.array(logprobs, { minLength: 1, maxLength: 12 }),
    fc.constantFrom("none", "none", "none", "thought", "end", "lost", "no tokens", "empty"),
    fc.record({
      finish: fc.constantFrom("stop", "stop", "stop", "length", "refusal", "filter", "too_long"),
      space: fc.constantFrom("raw", "tempered", "unknown"),
      temperature: fc.constantFrom(0, -0, 0.2, 1, 2),
      support: fc.constantFrom("top_k", "vocab"),
      model: fc.string(),
      usage: fc
        .tuple(fc.option(fc.nat()), fc.option(fc.nat()), fc.option(fc.nat()), fc.option(fc.double()))
        .map(([input_tokens, cached_input_tokens, output_tokens, cost_usd]) => {
          return { input_tokens, cached_input_tokens, output_tokens, cost_usd };
        }),
    } as const),
    fc.option(fc.boolean(), { nil: undefined }),
  )
  .map(([text, lengths, print, tops, probs, change, rest, joined]) => {
    const tokens: Token[] = tokenise(text, lengths, print).map((token, i) => {
      const logprob = probs[i % probs.length]!;
      const top = tops[i % tops.length]!;
      return { ...token, logprob, top: i % 3 === 0 ? [...top, { ...token, logprob }] : top };
    });
    const extra: Token = { text: "<|x|>", logprob: -1, top: tops[0]! };
    if (change === "thought") tokens.unshift(extra, extra);
    if (change === "end") tokens.push(extra);
    if (change === "lost") tokens.splice(Math.floor(tokens.length / 2), 1);
    const kept = change === "no tokens" ? null : change === "empty" ? [] : tokens;
    return { text, tokens: kept, ...rest, ...(joined !== undefined && { joined }) };
  });
