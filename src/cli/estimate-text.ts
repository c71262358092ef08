import type { RunEstimate } from "../app/audit/estimate.js";
import { dollars } from "../audit/calls/budget.js";
import { plural, whole } from "../present/words/numbers.js";

/** What a run will take, in one or two lines. */
export function estimateText(estimate: RunEstimate, maxCost: number | null = null): string {
  const { calls, answers, input_tokens, cached_input_tokens, output_tokens, price } = estimate;
  const cached = input_tokens > 0 ? Math.round((100 * cached_input_tokens) / input_tokens) : 0;
  const how = estimate.exact ? `counted with ${estimate.tokenizer}` : "estimated from the length";
  const lines = [
    `${plural(calls, "call")}${answers > calls ? ` for ${plural(answers, "answer")}` : ""}: about ${tokens(input_tokens)} tokens in (${how} on a sample of ${estimate.sampled}; ${cached > 0 ? `up to ${cached} % from a prefix cache; ` : ""}answers in the response cache cost nothing), about ${tokens(output_tokens)} out (assumed).`,
  ];
  lines.push(
    `The prompt and its answer may have ${whole(estimate.context_tokens)} tokens together; --context sets another limit.`,
  );
  if (estimate.cost_usd === null) {
    lines.push(
      "Cost: the price of this model is not known; give it in defensible.yaml under `prices`, by the model's name.",
    );
  } else if (estimate.cost_usd > 0) {
    const source = price!.as_of === "override" ? "your own prices" : `prices as of ${price!.as_of}`;
    const limit =
      maxCost !== null && estimate.cost_usd > maxCost
        ? ` More than the limit of ${dollars(maxCost)}: it will stop before the end.`
        : "";
    lines.push(`Cost: about ${dollars(estimate.cost_usd)} (${source}).${limit}`);
  }
  return lines.join("\n");
}

/** 1.2 k, 3.4 M. */
export function tokens(count: number): string {
  if (count < 1000) return String(Math.round(count));
  if (count < 1e6) return `${(count / 1000).toPrecision(3)} k`;
  return `${(count / 1e6).toPrecision(3)} M`;
}
