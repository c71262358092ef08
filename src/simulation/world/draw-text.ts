import type { Content } from "../../core/records/decision.js";
import type { WorldSettings } from "../../core/results/simulation.js";
import type { Rng } from "../../stats/random/create-rng.js";
import type { Phrases } from "../books/book.js";
import { pickPhrase } from "../books/fill.js";
import type { Community } from "./community.js";
import type { ContentPlan } from "./draw-content.js";

/** Puts content into words, in the community's second language if it is to be and the book has the words. */
export function drawText(
  plan: ContentPlan,
  community: Community,
  foreign: boolean,
  rng: Rng,
): Exclude<Content, string> {
  const { wording, secondLanguage } = community;
  const { book } = wording;
  const other = foreign && secondLanguage ? textsOf(plan, community, secondLanguage) : undefined;
  const language = other ? secondLanguage! : "en";
  const talk = language === "en" ? book : book.foreign[language];
  const parts = [pickPhrase(other ?? textsOf(plan, community, null)!, wording, rng)];
  if (rng.next() < 0.5) parts.unshift(pickPhrase(talk.openers, wording, rng));
  if (rng.next() < 0.5) parts.push(pickPhrase(talk.closers, wording, rng));
  const post = language === "en" && rng.next() < 0.5;
  return {
    ...(post ? { title: pickPhrase(book.titles, wording, rng) } : {}),
    body: parts.join(" "),
    kind: post ? "post" : "comment",
    language,
  };
}

function textsOf(
  plan: ContentPlan,
  { wording: { book } }: Community,
  language: Community["secondLanguage"],
): Phrases | undefined {
  const { relation, rule } = plan;
  if (relation === "forbidden" || relation === "protected") return language ? undefined : book[relation].texts;
  if (relation === "neutral" || relation === "unwelcome")
    return language ? book.foreign[language][relation] : book[relation];
  return language ? rule!.source.foreign?.[language]?.[relation] : rule!.source.cases[relation];
}

/** Whether the next content of a community is in its second language. */
export function drawForeign({ secondLanguage }: Community, { languages }: WorldSettings, rng: Rng): boolean {
  return rng.next() < languages.foreign && secondLanguage !== null;
}
