import { type TokenPair, tokenAgreement } from "../../analysis/token-agreement.js";
import { decisionCount } from "../../analysis/verdict-rows.js";
import { runCircularity } from "../../experiments/circularity/run-circularity.js";
import { validateOf } from "../commands/validate.js";
import { drawing, keepStep, type StepContext, withRun } from "./context.js";

export async function validate(context: StepContext): Promise<void> {
  const { runs, seed } = context;
  const { manifest } = await runs.get("random");
  const result = await validateOf(runs.workspace, {
    run: manifest!.run_id,
    worlds: runs.sizes.worlds,
    communities: 40,
    decisions: 2400,
    labels: 200,
    temperature: manifest!.temperature,
    seed,
  });
  context.results.validate = keepStep(context, result);
}

export async function circularity(context: StepContext): Promise<void> {
  const { runs } = context;
  const place = await runs.get("random");
  const { workspace } = runs;
  const result = await runCircularity({ place, workspace, margin: 0.05, ...drawing(context) });
  context.results.circularity = keepStep(context, result);
}

export async function tokens(context: StepContext): Promise<void> {
  const { runs } = context;
  const pairs: TokenPair[] = [];
  let of = 0;
  for (const [columns, tokens] of TOKEN_PAIRS) {
    const whole = await runs.get(columns);
    of += await withRun(whole, decisionCount);
    pairs.push({ columns: whole.source, tokens: (await runs.get(tokens)).source });
  }
  const found = await tokenAgreement(pairs, of);
  context.results.tokens = found;
  if (!found.agrees) context.warnings.push("audits by tokens do not agree with the same audits as columns");
}

export const TOKEN_PAIRS = [
  ["random", "tokens_random"],
  ["balanced", "tokens_balanced"],
  ["fleet", "tokens_fleet"],
] as const;
