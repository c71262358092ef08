import type { Decision } from "../core/records/decision.js";
import type { Rule, RuleSet } from "../core/records/rule-set.js";
import { cleanText } from "../text/guidelines/draft.js";
import { type Adapter, Collector } from "./adapter.js";
import { known, objectOf, objectsOf, ruleSetOf, textOf, timeOf, versionOf } from "./values.js";
import { CALL_KINDS, callsIn, hasMedia, type ModelCall, messageText, verdictOf } from "./verdicts.js";

/** Matches `SP2.c: No links to shops`, `- **H1** No slurs`. */
const LABELLED = /^[\s>*#-]*\**([A-Z]{1,5}\d{1,3}(?:\.[A-Za-z0-9]{1,3})*)\**\s*[:.)–—-]?\s+\**(\S.*)$/;

const messageOf = ({ request }: ModelCall, roles: readonly string[]) =>
  objectsOf(request.messages).filter(({ role }) => roles.includes(String(role)));

const policyOf = (call: ModelCall) =>
  messageOf(call, ["system", "developer"])
    .flatMap(({ content }) => messageText(content) ?? [])
    .join("\n\n");

/** The rules of a policy prompt: the whole text, and each line that has a label such as `SP2.c`. */
function rulesOf(policy: string): Rule[] {
  const lines = cleanText(policy).split("\n");
  const title = lines.find((line) => line.trim() !== "")!.replace(/^[#*\s]+|[*\s]+$/g, "");
  const labelled = lines.flatMap((line) => {
    const [, id, text] = LABELLED.exec(line) ?? [];
    return id && text ? [{ id, title: text.replace(/\*+/g, "").trim() }] : [];
  });
  return [{ id: "policy", title: title.slice(0, 200) || "policy", description: policy.trim() }, ...labelled];
}

const communityOf = (policy: string) => versionOf("policy", [{ id: "policy", title: policy }]);

export const safeguard: Adapter = {
  name: "safeguard",
  title: "gpt-oss-safeguard",
  kinds: CALL_KINDS,
  absent: {
    toOutcomes: "A log of calls has no reviews.",
    toReviewItems: "Every call has an answer; what waits for a person is not in the log.",
  },

  toDecisions(found, options) {
    const out = new Collector<Decision>();
    for (const call of callsIn(found, (...reject) => out.reject(...reject))) {
      const { source, id, response } = call;
      const policy = policyOf(call);
      const users = messageOf(call, ["user"]);
      const body = users.flatMap(({ content }) => messageText(content) ?? []).join("\n\n");
      const output = objectOf(objectsOf(response.choices)[0]?.message).content;
      const { decision, answer, rationale, rules } = verdictOf(output, options);
      if (policy === "") out.reject(source, "request.messages", "no system message, so there is no policy");
      else if (body === "") out.reject(source, "request.messages", "no user message with text, so there is no content");
      else if (decision === null) out.leave("other_action", answer === "" ? "empty answer" : answer, source);
      else {
        if (rules.length > 1) out.leave("several_rules", `${rules.length} rule ids`, source);
        const media = users.some(({ content }) => hasMedia(content)) ? { media: [{ type: "image" }] } : {};
        out.add(
          {
            ...{ id, community: options.community ?? communityOf(policy), content: { body, ...media }, decision },
            decider: { kind: "model", ...known({ id: textOf(response.model) ?? textOf(call.request.model) }) },
            ...known({
              rationale,
              cited_rule: rules.length === 1 ? rules[0] : null,
              decided_at: timeOf(response.created),
            }),
          },
          source,
        );
      }
    }
    return out.result();
  },

  toRuleSets(found, options) {
    const out = new Collector<RuleSet>();
    const seen = new Set<string>();
    for (const call of callsIn(found, () => {})) {
      const policy = policyOf(call);
      if (policy === "" || seen.has(policy)) continue;
      seen.add(policy);
      out.add(ruleSetOf("policy", options.community ?? communityOf(policy), rulesOf(policy)), call.source);
    }
    return out.result();
  },
};
