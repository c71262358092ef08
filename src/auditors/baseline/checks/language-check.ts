import { detectLanguage } from "../../../domain/language.js";
import { type Check, type CheckCompiler, NO_CHECKS } from "../clause.js";
import type { ContentView } from "../content-view.js";

const LANGUAGES: Readonly<Record<string, string>> = {
  english: "en",
  inglés: "en",
  ingles: "en",
  spanish: "es",
  español: "es",
  espanol: "es",
  castellano: "es",
  french: "fr",
  français: "fr",
  german: "de",
  deutsch: "de",
  italian: "it",
  portuguese: "pt",
  catalan: "ca",
  català: "ca",
  arabic: "ar",
  russian: "ru",
  chinese: "zh",
  japanese: "ja",
  korean: "ko",
  greek: "el",
  hebrew: "he",
  hindi: "hi",
};
const NAMES = new RegExp(String.raw`(?<![\p{L}])(${Object.keys(LANGUAGES).join("|")})(?![\p{L}])`, "gu");
const DEMAND = /\b(?:write|written|in|language|posts? and comments? are|escribe|idioma)\b/;
const EDUCATED = /second-language|learners? of|native/;

/** "Write in English or Spanish": the language of the content against those a clause names. */
export const compileLanguageChecks: CheckCompiler = (clause, rule) => {
  if (
    clause.role === "exemption" ||
    clause.role === "insufficient" ||
    !DEMAND.test(clause.lower) ||
    EDUCATED.test(clause.lower)
  )
    return NO_CHECKS;
  const allowed = [...new Set([...clause.lower.matchAll(NAMES)].map((match) => LANGUAGES[match[1]!]!))];
  if (allowed.length === 0) return NO_CHECKS;
  const titleOnly = /\btitles?\b|t[ií]tulo/.test(clause.lower);
  const both = allowed.length > 1 && /\b(?:and in|both|y en)\b/.test(clause.lower);
  const translatable = /translation|traducci[oó]n|version/.test(rule.lower);
  const check: Check = {
    property: "language",
    judge: (view, bearing) => {
      if (both) return titleOnly && view.headline !== "" ? bothLanguages(view.headline, allowed) * bearing.rule : 0;
      return allowedLanguage(view, allowed, titleOnly, translatable);
    },
    tell: (view) =>
      `is written in ${languagesOf(view, titleOnly).join(" and ") || "no language that can be told"}, where the clause names ${allowed.join(" and ")}`,
  };
  return [check];
};

function allowedLanguage(
  view: ContentView,
  allowed: readonly string[],
  titleOnly: boolean,
  translatable: boolean,
): number {
  if (titleOnly && view.headline === "") return 0;
  const found = languagesOf(view, titleOnly);
  if (found.length === 0) return 0;
  const foreign = found.filter((language) => !allowed.includes(language));
  if (foreign.length === 0) return -0.3;
  const translated = foreign.length < found.length;
  if (translated) return translatable ? -0.1 : 0.3;
  return 0.95;
}

/** Languages of the paragraphs, by what the content declares and what its words show. */
function languagesOf(view: ContentView, titleOnly: boolean): readonly string[] {
  if (!titleOnly) {
    view.languages ??= languagesOfText(view);
    return view.languages;
  }
  const language = detectLanguage(view.headline) ?? (view.language && view.language !== "en" ? view.language : null);
  return language ? [language] : [];
}

function languagesOfText(view: ContentView): string[] {
  const found = new Set<string>();
  if (view.language) found.add(view.language);
  for (const paragraph of view.text.slice(0, 4000).split(PARAGRAPH, 12)) {
    // A formula or a name is no language.
    const language = paragraph.length >= 25 ? detectLanguage(paragraph) : null;
    if (language) found.add(language);
  }
  return [...found];
}

const PARAGRAPH = /\n+| \/\/ /;

/** A title in two languages has two halves, each in its own. */
function bothLanguages(headline: string, wanted: readonly string[]): number {
  const halves = headline.split(/ [/|–—-] | \/\/ |\/|\n/);
  if (halves.length < 2) return 0.8;
  const found = new Set(halves.map((half) => detectLanguage(half)).filter((language) => language !== null));
  return wanted.every((language) => found.has(language)) || found.size !== 1 ? -0.5 : 0.3;
}
