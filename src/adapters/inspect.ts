import type { Decision } from "../core/records/decision.js";
import { type Adapter, Collector, type Foreign } from "./adapter.js";
import { fields, isObject, known, objectOf, objectsOf, textOf, textsOf, timeOf } from "./values.js";
import { hasMedia, messageText, verdictOf } from "./verdicts.js";

/** The input that the model was asked about: the text, or the last user message. */
function inputOf(input: unknown): { body: string | null; media: boolean } {
  const content = Array.isArray(input) ? objectsOf(input).findLast(({ role }) => role === "user")?.content : input;
  return { body: messageText(content), media: hasMedia(content) };
}

function outputOf(output: Foreign): string | null {
  const [choice] = objectsOf(output.choices);
  return messageText(objectOf(choice?.message).content) ?? textOf(output.completion);
}

export const inspect: Adapter = {
  name: "inspect",
  title: "Inspect AI",
  absent: {
    toRuleSets: "A log has messages and not rules. Import the rules that the task was written from.",
    toOutcomes: "Scores of an evaluation are not reviews of decisions that were routed.",
    toReviewItems: "Every sample has an answer.",
  },
  kinds: {
    log: {
      is: (value) => isObject(value.eval) && "status" in value,
      fields: fields(
        "version status eval plan results stats error invalidated log_updates tags metadata samples reductions location etag",
      ),
      wrongVersion: ({ version }) => (version === 2 ? null : `logs of version ${version} are not known; known: 2`),
      inside: (value) =>
        (Array.isArray(value.samples) ? value.samples : []).map((sample) =>
          isObject(sample) ? { ...sample, "@eval": value.eval } : sample,
        ),
    },
    sample: {
      is: (value) => "epoch" in value && "target" in value,
      fields: fields(
        `@eval id epoch input choices target sandbox files setup messages output scores metadata store events timelines model_usage role_usage
        started_at completed_at total_time working_time uuid invalidation error error_retries attachments events_data limit`,
      ),
    },
  },

  toDecisions(found, options) {
    const out = new Collector<Decision>();
    for (const source of found.of("sample")) {
      const { value } = source;
      const spec = objectOf(value["@eval"]);
      const { body, media } = inputOf(value.input);
      const { decision, answer, rationale } = verdictOf(outputOf(objectOf(value.output)), options);
      const targets = Array.isArray(value.target) ? textsOf(value.target) : [value.target];
      const label = targets.length === 1 ? verdictOf(targets[0], options).decision : null;
      if (value.error) out.leave("not_a_decision", "error", source);
      else if (value.invalidation) out.leave("not_a_decision", "invalidated sample", source);
      else if (decision === null) out.leave("other_action", answer === "" ? "empty answer" : answer, source);
      else if (body === null) out.reject(source, "input", "the input has no text");
      else
        out.add(
          {
            id: textOf(value.uuid) ?? [spec.run_id ?? "inspect", value.id, value.epoch].join("-"),
            community: options.community ?? textOf(spec.task) ?? "inspect",
            content: { body, ...(media ? { media: [{ type: "image" }] } : {}) },
            decision,
            ...known({ human_label: label }),
            decider: { kind: "model", ...known({ id: textOf(spec.model) }) },
            ...known({ rationale, decided_at: timeOf(value.completed_at) ?? timeOf(spec.created) }),
            // Epochs repeat a sample.
            thread_id: `sample-${value.id}`,
          },
          source,
        );
    }
    return out.result();
  },
};
