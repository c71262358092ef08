import type { Price } from "./auditor.js";

/** Providers whose prices are known by model. */
export type PricedKind = "openai" | "gemini";

type Row = readonly [model: string, input: number, cachedInput: number, output: number, asOf: string];

/**
 * USD per million tokens at the ordinary service tier, each as it was published on its date. What is not here is unknown, and said to be.
 * Left out of account: surcharges for prompts above 200,000 tokens, and OpenAI's for writing into the prefix cache (gpt-5.6 and later).
 *
 * Sources: OpenAI's page developers.openai.com/api/docs/pricing and Google's ai.google.dev/gemini-api/docs/pricing as quoted, with date, in
 * public price tables (github/docs data/tables/copilot/models-and-pricing.yml and others that agree with it).
 */
const OPENAI: readonly Row[] = [
  ["gpt-6.1-sol", 2, 0.1, 10, "2026-10-09"],
  ["gpt-6-astra", 10, 1, 50, "2026-10-09"],
  ["gpt-6-sol", 2, 0.2, 10, "2026-09-27"],
  ["gpt-6-luna", 0.1, 0.01, 0.5, "2026-10-09"],
  ["gpt-5.6-terra", 2, 0.2, 12, "2026-09-27"],
  ["gpt-5.6-luna", 0.2, 0.02, 1.2, "2026-09-27"],
  ["gpt-5.5", 5, 0.5, 30, "2026-09-11"],
  ["gpt-5.4", 2.5, 0.25, 15, "2026-09-27"],
  ["gpt-5.4-mini", 0.75, 0.075, 4.5, "2026-09-27"],
  ["gpt-5.4-nano", 0.2, 0.02, 1.25, "2026-06-01"],
  ["gpt-5.2", 1.75, 0.175, 14, "2026-06-01"],
  ["gpt-5.1", 1.25, 0.125, 10, "2026-01-01"],
  ["gpt-5-mini", 0.25, 0.025, 2, "2026-06-01"],
  ["gpt-4.1", 2, 0.5, 8, "2026-06-01"],
  ["gpt-4.1-mini", 0.4, 0.1, 1.6, "2026-09-11"],
  ["gpt-4o", 2.5, 1.25, 10, "2026-01-01"],
  ["gpt-4o-mini", 0.15, 0.075, 0.6, "2026-09-27"],
];

const GEMINI: readonly Row[] = [
  ["gemini-3.5-flash", 1.5, 0.15, 9, "2026-07-30"],
  ["gemini-3.5-flash-lite", 0.3, 0.03, 2.5, "2026-07-30"],
  ["gemini-3.1-pro-preview", 2, 0.2, 12, "2026-07-26"],
  ["gemini-3.1-flash-lite", 0.25, 0.025, 1.5, "2026-07-30"],
  ["gemini-3-flash-preview", 0.5, 0.05, 3, "2026-07-30"],
  ["gemini-2.5-pro", 1.25, 0.125, 10, "2026-02-01"],
  ["gemini-2.5-flash", 0.3, 0.03, 2.5, "2026-07-30"],
  ["gemini-2.5-flash-lite", 0.1, 0.01, 0.4, "2026-02-01"],
];

/** Both providers take half the price for a batch. */
const BATCH_SHARE = 0.5;

const TABLES: Readonly<Record<PricedKind, ReadonlyMap<string, Price>>> = {
  openai: tableOf(OPENAI),
  gemini: tableOf(GEMINI),
};

function tableOf(rows: readonly Row[]): ReadonlyMap<string, Price> {
  return new Map(
    rows.map(([model, input, cached_input, output, as_of]) => [
      model,
      { input, cached_input, output, batch: BATCH_SHARE, as_of },
    ]),
  );
}

/** The published price of a model; null: unknown. A dated snapshot (`gpt-4.1-mini-2025-04-14`) costs what its model costs. */
export function priceOf(kind: PricedKind, model: string): Price | null {
  const table = TABLES[kind];
  return table.get(model) ?? table.get(model.replace(/-\d{4}-\d{2}-\d{2}$/, "")) ?? null;
}

/** USD for the tokens of a call; null where the price or a count is unknown. `cached` are among `input`. */
export function costOf(
  price: Price | null,
  tokens: { input: number | null; cached: number | null; output: number | null },
): number | null {
  if (price === null || tokens.input === null || tokens.output === null) return null;
  const cached = Math.min(tokens.cached ?? 0, tokens.input);
  const input = (tokens.input - cached) * price.input + cached * (price.cached_input ?? price.input);
  return (input + tokens.output * price.output) / 1_000_000;
}
