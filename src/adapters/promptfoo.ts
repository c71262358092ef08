import type { Decision } from "../core/records/decision.js";
import { type Adapter, Collector, type Foreign } from "./adapter.js";
import { fields, isObject, known, objectOf, objectsOf, textOf, timeOf } from "./values.js";
import { verdictOf } from "./verdicts.js";

/** Variables that may contain the content, the most likely first. */
const CONTENT = ["content", "text", "post", "comment", "message", "body", "input", "query", "question"];

/** The only variable, or the one whose name indicates content; null: it cannot be determined. */
function contentOf(vars: Foreign): string | null {
  const texts = Object.entries(vars).flatMap(([name, value]) =>
    textOf(value) === null ? [] : [[name, textOf(value)!] as const],
  );
  if (texts.length === 1) return texts[0]![1];
  return CONTENT.flatMap((name) => texts.find(([own]) => own.toLowerCase() === name)?.[1] ?? [])[0] ?? null;
}

/** Each result with the parts of its summary that are needed. */
function resultsOf({ results, timestamp }: Foreign, evalId: string | null): unknown[] {
  const all = Array.isArray(results) ? results : [];
  return all.map((one) => (isObject(one) ? { ...one, "@evalId": evalId, "@timestamp": timestamp } : one));
}

const isSummary = (value: unknown): value is Foreign =>
  isObject(value) && Array.isArray(value.results) && "stats" in value;

const wrong = ({ version }: Foreign) =>
  version === 2 || version === 3 ? null : `results of version ${version} are not known; known: 2, 3`;

export const promptfoo: Adapter = {
  name: "promptfoo",
  title: "promptfoo",
  absent: {
    toRuleSets: "A prompt is a template and not a list of rules. Import the rules that the prompt was written from.",
    toOutcomes: "Results of an evaluation are not reviews of decisions that were routed.",
    toReviewItems: "Every result has an answer.",
  },
  kinds: {
    file: {
      is: (value) => isSummary(value.results),
      fields: {
        ...fields("evalId config shareableUrl metadata author runtimeOptions vars traces"),
        results: fields("version timestamp results prompts stats table"),
      },
      wrongVersion: (value) => wrong(value.results as Foreign),
      inside: (value) => resultsOf(value.results as Foreign, textOf(value.evalId)),
    },
    summary: {
      is: isSummary,
      fields: fields("version timestamp results prompts stats table"),
      wrongVersion: wrong,
      inside: (value) => resultsOf(value, null),
    },
    result: {
      is: (value) => isObject(value.vars) && "provider" in value,
      fields: fields(
        `@evalId @timestamp id description promptIdx testIdx testCase promptId provider prompt vars response error failureReason success
        score latencyMs gradingResult namedScores cost metadata tokenUsage`,
      ),
    },
  },

  toDecisions(found, options) {
    const out = new Collector<Decision>();
    for (const source of found.of("result")) {
      const { value } = source;
      const { output, error } = objectOf(value.response);
      const { decision, answer, rationale } = verdictOf(output, options);
      const body = contentOf(objectOf(value.vars));
      const provider = textOf(value.provider) ?? textOf(objectOf(value.provider).id);
      const expected = objectsOf(objectOf(value.testCase).assert).find(({ type }) => type === "equals");
      const label = expected ? verdictOf(expected.value, options).decision : null;
      if (textOf(error ?? (output === undefined ? value.error : null)) !== null)
        out.leave("not_a_decision", "error", source);
      else if (decision === null) out.leave("other_action", answer === "" ? "empty answer" : answer, source);
      else if (body === null)
        out.reject(source, "vars", `no variable is the content; expected one of ${CONTENT.join(", ")}`);
      else
        out.add(
          {
            id:
              textOf(value.id) ?? [value["@evalId"] ?? "promptfoo", value.testIdx, value.promptIdx, provider].join("-"),
            community: options.community ?? "promptfoo",
            content: body,
            decision,
            ...known({ human_label: label }),
            decider: { kind: "model", ...known({ id: provider }) },
            ...known({ rationale, decided_at: timeOf(value["@timestamp"]) }),
          },
          source,
        );
    }
    return out.result();
  },
};
