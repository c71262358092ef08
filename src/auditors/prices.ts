import prices from "../../data/prices.json" with { type: "json" };
import type { Price } from "./auditor.js";

/** Providers whose prices are known by model. */
export type PricedKind = "openai" | "gemini";

/** Both providers take half the price for a batch. */
const BATCH_SHARE = 0.5;

/**
 * USD per million tokens at the ordinary service tier (input, cached input, output), each as it was published on its date. What is not here is unknown, and said to be.
 * Left out of account: surcharges for prompts above 200,000 tokens, and OpenAI's for writing into the prefix cache (gpt-5.6 and later).
 *
 * Sources: OpenAI's page developers.openai.com/api/docs/pricing and Google's ai.google.dev/gemini-api/docs/pricing as quoted, with date, in
 * public price tables (github/docs data/tables/copilot/models-and-pricing.yml and others that agree with it).
 */
const TABLES: Readonly<Record<PricedKind, ReadonlyMap<string, Price>>> = {
  openai: tableOf(prices.openai),
  gemini: tableOf(prices.gemini),
};

function tableOf(rows: object): ReadonlyMap<string, Price> {
  const all = Object.entries(rows as Record<string, [number, number, number, string]>);
  return new Map(
    all.map(([model, [input, cached_input, output, as_of]]) => [
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
