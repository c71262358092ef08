import type { Decision } from "../core/records/decision.js";
import { type Adapter, Collector } from "./adapter.js";
import { actionOf, known, objectOf, objectsOf, textOf } from "./values.js";
import { CALL_KINDS, callsIn, hasMedia, messageText } from "./verdicts.js";

/** The texts that a request asked about. A list of parts is one input; a list of texts is several. */
function inputsOf(input: unknown): { body: string | null; media: boolean }[] {
  const isParts = Array.isArray(input) && input.some((one) => typeof one === "object");
  if (Array.isArray(input) && !isParts) return input.map((one) => ({ body: textOf(one), media: false }));
  return [{ body: messageText(input), media: hasMedia(input) }];
}

export const openaiModeration: Adapter = {
  name: "openai-moderation",
  title: "OpenAI moderation",
  kinds: CALL_KINDS,
  absent: {
    toRuleSets: "The categories are OpenAI's and not your policy. Import the rules that your decisions are made under.",
    toOutcomes: "A log of calls has no reviews.",
    toReviewItems: "Every call has an answer; what waits for a person is not in the log.",
  },

  toDecisions(found, options) {
    const out = new Collector<Decision>();
    for (const { source, id, request, response } of callsIn(found, (...reject) => out.reject(...reject))) {
      const results = objectsOf(response.results);
      const inputs = inputsOf(request.input);
      if (results.length === 0 || results.length !== inputs.length) {
        out.reject(source, "response.results", `${results.length} results for ${inputs.length} inputs`);
        continue;
      }
      results.forEach(({ flagged, categories, category_scores }, i) => {
        const { body, media } = inputs[i]!;
        const decision = actionOf([String(flagged)], { true: "restrict", false: "allow" }, options);
        if (decision === null) out.leave("other_action", `flagged: ${flagged}`, source);
        else if (body === null && !media) out.reject(source, "request.input", "the input has no text");
        else {
          const scores = objectOf(category_scores);
          const found = Object.entries(objectOf(categories)).filter(([, is]) => is === true);
          const rationale = found.map(([name]) => `${name} ${textOf(scores[name]) ?? ""}`.trim()).join(", ");
          out.add(
            {
              ...{
                id: results.length === 1 ? id : `${id}-${i + 1}`,
                community: options.community ?? "openai-moderation",
              },
              content: { body: body ?? "", ...(media ? { media: [{ type: "image" }] } : {}) },
              decision,
              decider: { kind: "model", ...known({ id: textOf(response.model) }) },
              ...known({ rationale }),
            },
            source,
          );
        }
      });
    }
    return out.result();
  },
};
