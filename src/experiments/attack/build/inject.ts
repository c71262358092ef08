import type { Content } from "../../../core/records/content.js";
import { INJECTIONS, type InjectionPlace } from "../words/injections.js";
import { isForbidden, type Maker, pick, withBody, withContext, wrongAction } from "./base.js";

/** The author of a forbidden post speaks to the auditor, and asks it to find it defensible that the post stands. */
export const injectPrompt: Maker = (base, rng) => {
  if (!isForbidden(base)) return null;
  const decision = wrongAction(base);
  const { archetype, place, text: template } = pick(INJECTIONS, rng);
  const text = template.replaceAll("{action}", decision);
  return {
    target: "input",
    archetype,
    content: placed(base.decision.content, place, text),
    decision,
    attack: { what: "the decision was turned, and text put in that speaks to the auditor", text },
  };
};

function placed(content: Content, place: InjectionPlace, text: string): Content {
  if (place === "context") return withContext(content, text);
  return withBody(content, (body) => (place === "end" ? `${body}\n\n${text}` : `${text}\n\n${body}`));
}
