import { InputError } from "../../core/errors.js";
import { cleanText, type Draft, type DraftOptions, type GuidelineFormat, textLines, type UnreadText } from "./draft.js";
import { htmlLines } from "./html-lines.js";
import { placeRules } from "./place.js";
import { serviceDraft, serviceOf } from "./services.js";

/**
 * Reads the rules of a page in the forms people have: Markdown, plain text, HTML, or the output of Reddit and Mastodon. Every
 * sentence ends up in a rule, in the title or among the unread texts.
 */
export function readGuidelines(text: string, options: DraftOptions = {}): Draft {
  const json = jsonOf(text);
  if (json !== undefined) return readService(json, options);
  if (cleanText(text).trim() === "") throw noRules("the text is empty", "Check that the page was saved completely.");
  const format = formatOf(text, options.name ?? "");
  const { lines, unread, title } = format === "html" ? htmlPage(text) : textPage(text);
  if (format === "html" && lines.length === 0) {
    throw noRules(
      "the page has no text of its own",
      "Save it from a browser once it is shown, or copy its text into a file.",
    );
  }
  const page = placeRules(lines, options);
  if (page.books.length === 0) {
    throw noRules(
      "no rule was found; expected headings with text, or numbered items",
      "Write each rule as a numbered item (`1. No spam.`) or under a heading of its own.",
    );
  }
  const own = page.title ?? title;
  const unused = title !== null && own !== title ? [{ line: 1, text: title, reason: "page_furniture" as const }] : [];
  return {
    format,
    title: own,
    books: page.books,
    headings: page.headings,
    unread: [...unused, ...unread, ...page.unread].sort((a, b) => a.line - b.line),
  };
}

function textPage(text: string) {
  const { lines, frontMatter } = textLines(text);
  return { lines, unread: frontMatter ? [frontMatter] : ([] as UnreadText[]), title: null };
}

function htmlPage(text: string) {
  const { lines, aside, title } = htmlLines(text);
  return { lines, unread: aside, title };
}

function readService(json: unknown, options: DraftOptions): Draft {
  const service = serviceOf(json);
  if (service === null) {
    throw new InputError(
      "unknown_json",
      "rules: is JSON, but neither a rule set nor the rules that Reddit or Mastodon give",
      "`defensible schema ruleset` prints the format of a rule set.",
    );
  }
  const draft = serviceDraft(json, service, options);
  if (draft === null) {
    throw new InputError(
      "community_missing",
      "rules: Reddit's list does not name its community",
      "Name it as the decisions do, or say that the rules are the platform's.",
    );
  }
  if (draft.books.length === 0)
    throw noRules("the list has no rule with a text", "Check that it was saved completely.");
  return draft;
}

/** undefined: the text is not JSON. */
function jsonOf(text: string): unknown {
  if (!/^\uFEFF?\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

/** The format of a text, from its beginning, or from its name if the beginning leaves it open. */
function formatOf(text: string, name: string): Exclude<GuidelineFormat, "reddit" | "mastodon"> {
  if (isHtml(text, name)) return "html";
  if (/\.(?:md|markdown|mdown|mkd)$/i.test(name)) return "markdown";
  return /^ {0,3}#{1,6}\s+\S|^[^\n]+\n(?:=+|-{3,})[ \r]*$|\*\*[^*\n]+\*\*|^\d+\.\s+\S/m.test(text.slice(0, 100_000)) &&
    !/\.txt$/i.test(name)
    ? "markdown"
    : "text";
}

export function isHtml(text: string, name: string): boolean {
  if (/\.x?html?$/i.test(name)) return true;
  if (/\.(?:md|markdown|mdown|mkd|txt)$/i.test(name)) return /^\uFEFF?\s*(?:<!doctype html|<html[\s>])/i.test(text);
  return /^\uFEFF?\s*(?:<!--[^>]{0,500}-->\s*)?<(?:!doctype html|html|head|body|main|article|section|div|h[1-6]|[uo]l|p)[\s>]/i.test(
    text,
  );
}

function noRules(what: string, remedy: string): InputError {
  return new InputError("no_rules", `rules: ${what}`, remedy);
}
