import type { Generation, Token } from "../../core/records/case.js";

/** A token as text, or as text with the probabilities of the candidates at its place. */
export type Piece = string | readonly [string, Readonly<Record<string, number>>];

/** Tokens of given texts; a candidate list is sorted best first, as providers do. */
export function tokensOf(pieces: readonly Piece[]): Token[] {
  return pieces.map((piece) => {
    if (typeof piece === "string") return { text: piece, logprob: -0.01, top: [] };
    const [text, probs] = piece;
    const top = Object.entries(probs)
      .map(([candidate, p]) => ({ text: candidate, logprob: Math.log(p) }))
      .sort((a, b) => b.logprob - a.logprob);
    return { text, logprob: Math.log(probs[text] ?? 0.5), top };
  });
}

/** A generation whose text is its tokens joined. */
export function answerOf(pieces: readonly Piece[], overrides: Partial<Generation> = {}): Generation {
  const tokens = tokensOf(pieces);
  return {
    text: tokens.map((token) => token.text).join(""),
    tokens,
    finish: "stop",
    space: "raw",
    temperature: 0.2,
    support: "top_k",
    model: "test",
    usage: { input_tokens: null, cached_input_tokens: null, output_tokens: null, cost_usd: null },
    ...overrides,
  };
}

/** The example of providers' tokenisers: compact JSON, delimiters glued to keys and to the end of the citation. */
export const COMPACT: readonly Piece[] = [
  ...['{"', "logic", "_chain", '":"', "The", " post", " links", '.","', "policy", "_c", "itation", '":"'],
  ["R3", { R3: 0.5, R4: 0.5 }],
  [" No", { " No": 0.25, " Do": 0.25, " Never": 0.25, " Avoid": 0.25 }],
  [" links", { " links": 1 }],
  ['.","', { '.","': 0.5, '","': 0.25 }],
  ...["preced", "ent", "_weight", '":"'],
  ["High", { High: 0.5, Medium: 0.25, Low: 0.25 }],
  ...['","', "inverse", "_check", '":"'],
  ["No", { No: 0.75, Yes: 0.25 }],
  ...['","', "def", "ens", "ibility", "_level", '":'],
  ["2", { "1": 0.25, "2": 0.5, "3": 0.25 }],
  "}",
];
