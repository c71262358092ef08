import { detectLanguage } from "../../../core/language.js";
import type { ContentView } from "../content-view.js";
import {
  ABSENCE,
  type Check,
  type CheckCompiler,
  type CheckSource,
  compileCountChecks,
  compilePresenceChecks,
  fieldName,
  fieldOf,
  once,
  tagsIn,
} from "./count-checks.js";

const CAPITALS = /\ball[- ]caps\b|\bcapitals\b|\bcapital letters\b|\bupper ?case\b|\bshouting\b|\bmay[uú]sculas\b/;
const ROW = /more than (\d+|two|three|four|five) words in a row/;
const SMALL_NUMBERS: Readonly<Record<string, number>> = { two: 2, three: 3, four: 4, five: 5 };

/** "No ALL CAPS", "more than 3 words in a row in capitals". */
const compileCapitals: CheckCompiler = (source) => {
  if (!CAPITALS.test(source.clause) || source.force === "allows") return [];
  const row = ROW.exec(source.clause)?.[1];
  const most = row === undefined ? 2 : (SMALL_NUMBERS[row] ?? Number(row));
  const name = fieldName(source);
  // A clause about shouting that names no field means both.
  const longest = (view: ContentView) =>
    Math.max(fieldOf(view, name)?.capitalsRun ?? 0, name === "body" ? (view.title?.capitalsRun ?? 0) : 0);
  return [
    {
      judge: (view) => (longest(view) > most ? 0.9 : -0.2),
      tell: (view) => `has ${longest(view)} words in a row in capitals`,
    },
  ];
};

const ENDS_AS_QUESTION = /[?？؟](?:["'”’)\s]|\p{Extended_Pictographic}|\ufe0f)*$/u;
const YES_NO =
  /^(?:is|are|was|were|do|does|did|have|has|had|can|could|should|would|will|am|may)\b(?!.*\b(?:why|how|what|which|who|where|when)\b)/i;

/** A title that has to be a question, or must not be answerable by yes or no. */
const compileQuestions: CheckCompiler = ({ clause, force }) => {
  const wantsQuestion = force === "demands" && /\btitles?\b.*\bquestions?\b|\bquestions?\b.*\btitles?\b/.test(clause);
  if (!wantsQuestion && !(force === "forbids" && /\byes(?:\/| or | and )no\b/.test(clause))) return [];
  const breaks = (title: string) =>
    wantsQuestion ? !ENDS_AS_QUESTION.test(title) : ENDS_AS_QUESTION.test(title) && YES_NO.test(title);
  const titled = (view: ContentView) => fieldOf(view, "title")?.text.trim() ?? "";
  return [
    {
      judge: (view) => (titled(view) === "" ? 0 : breaks(titled(view)) ? 0.9 : -0.3),
      tell: (view) => `has the title '${titled(view)}'`,
    },
  ];
};

/** Here the tag says which posts are meant ("a post tagged [Review] has …") and is not itself demanded. */
const AS_CONDITION = /\btagged \[|(?<!\b(?:starts?|begins?|title) )\bwith an? \[/;

/** "The title starts with [OC]": tags that are demanded, that exempt, or that send a post elsewhere. */
const compileTags: CheckCompiler = ({ clause, force }) => {
  const tags = tagsIn(clause);
  if (tags.length === 0 || (force === "demands" && AS_CONDITION.test(clause))) return [];
  const found = (view: ContentView) => tags.find((tag) => view.leadingTags.includes(tag));
  return [
    {
      judge: (view, concern) => {
        const isTagged = found(view) !== undefined;
        if (force === "elsewhere" || force === "forbids") return isTagged ? 0.9 : 0;
        if (isTagged) return -0.8;
        return force === "demands" ? ABSENCE * concern : 0;
      },
      tell: (view) => {
        const tag = found(view);
        return tag === undefined ? `does not begin with the tag [${tags[0]}]` : `begins with the tag [${tag}]`;
      },
    },
  ];
};

const LANGUAGES: Readonly<Record<string, string>> = Object.fromEntries(
  "english en, inglés en, spanish es, español es, castellano es, french fr, german de, italian it, portuguese pt, catalan ca, arabic ar, russian ru, chinese zh, japanese ja, korean ko, greek el, hebrew he, hindi hi"
    .split(", ")
    .map((entry) => entry.split(" ")),
);
const LANGUAGE_NAMES = new RegExp(String.raw`(?<!\p{L})(${Object.keys(LANGUAGES).join("|")})(?!\p{L})`, "gu");
const WRITTEN = /\b(?:write|written|in|language|escribe|idioma)\b/;

const languageIn = (name: "title" | "body") =>
  once((view) => {
    const text = fieldOf(view, name)?.text ?? "";
    return text.length < SHORTEST_TEXT ? null : (view.language ?? detectLanguage(text));
  });
const LANGUAGE_OF = { title: languageIn("title"), body: languageIn("body") };

/** "Write in English or Spanish": compares the content's language with those the clause names. */
const compileLanguage: CheckCompiler = (source) => {
  const { clause, force } = source;
  const allowed = Array.from(clause.matchAll(LANGUAGE_NAMES), (match) => LANGUAGES[match[1]!]!);
  if (allowed.length === 0 || !WRITTEN.test(clause) || force === "allows" || force === "elsewhere") return [];
  // A title in two languages at once cannot be recognised by its letters.
  if (/\b(?:both|and in|y en)\b/.test(clause)) return [];
  const languageOf = LANGUAGE_OF[fieldName(source)];
  return [
    {
      judge: (view) => {
        const language = languageOf(view);
        return language === null ? 0 : allowed.includes(language) ? -0.3 : 0.9;
      },
      tell: (view) => `is written in ${languageOf(view)}; the clause names ${allowed.join(" and ")}`,
    },
  ];
};

/** A name or a formula is too short to have a recognisable language. */
const SHORTEST_TEXT = 25;

const CONDUCT =
  /\binsult|\bdemean|\bsneer|\bmock|\bpersonal attack|\battack(?:ing)? (?:other )?(?:people|members|users)|\bharass|\bbelittl|\bdegrading|\brespect|\brude|\bhostil|\bname-calling|\bbe (?:kind|civil|nice)/;
const DEGRADING =
  /\b(?:idiots?|morons?|stupid|pathetic|clowns?|losers?|fools?|imbeciles?|jerks?|worthless|brainless|liars?|cowards?|clueless|disgusting|trash|garbage|payas[oa]s?|idiotas?|imb[eé]cil(?:es)?|in[uú]til(?:es)?|est[uú]pid[oa]s?|shut up|grow up|shame on you|people like you|nobody (?:asked|cares|wants you))\b/i;
const SENTENCES = /[^.!?\n]+/g;
const ADDRESSED = /\b(?:you|your|you're|yourself|u|ur|tú|usted|eres)\b/i;
const OF_ONESELF = /\b(?:i|i'm|me|my|myself|yo|soy)\b/i;

const degradation = once(({ text }) => {
  if (!DEGRADING.test(text)) return 0;
  const sentences = (text.match(SENTENCES) ?? []).filter((sentence) => DEGRADING.test(sentence));
  if (sentences.some((sentence) => ADDRESSED.test(sentence))) return 0.8;
  return sentences.every((sentence) => OF_ONESELF.test(sentence)) ? -0.3 : 0.4;
});

/** Degrading words, and whether they target the reader, no one in particular, or the writer. */
const compileConduct: CheckCompiler = ({ clause, force }) => {
  if (!CONDUCT.test(clause) || force === "allows" || force === "elsewhere") return [];
  return [
    {
      judge: (view) => degradation(view),
      tell: ({ text }) => `says '${DEGRADING.exec(text)?.[0]}'`,
    },
  ];
};

const BARENESS =
  /\bnothing else\b|\bone-line|\bone-word\b|\bbare\b|\blow[- ]effort\b|\btoo little\b|-only\b|\b(?:links?|pictures?|photos?|emojis?|scores?) (?:alone|only)\b/;

/** Content of a few words, under a clause that wants more. */
const compileBareness: CheckCompiler = ({ clause, force }) => {
  if (!BARENESS.test(clause) || (force !== "forbids" && force !== "open")) return [];
  const words = (view: ContentView) => view.body.words + (view.title?.words ?? 0);
  return [
    {
      judge: (view) => (words(view) <= 5 ? 0.5 : words(view) <= 12 ? 0.25 : words(view) > 40 ? -0.3 : 0),
      tell: (view) => `consists of ${words(view)} words`,
    },
  ];
};

const COMPILERS: readonly CheckCompiler[] = [
  compilePresenceChecks,
  compileCountChecks,
  compileCapitals,
  compileQuestions,
  compileTags,
  compileLanguage,
  compileBareness,
  compileConduct,
];

export function compileChecks(source: CheckSource): Check[] {
  return COMPILERS.flatMap((compile) => compile(source));
}
