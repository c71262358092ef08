import { lastComment } from "./draft.js";

/** A piece of an HTML page. Scripts, styles and comments are left out. */
export type HtmlToken =
  | { kind: "text"; text: string; line: number }
  /** `after`: position in the page after the tag. */
  | { kind: "open"; name: string; attributes: string; line: number; after: number }
  | { kind: "close"; name: string; line: number };

/** Elements whose content is not on the page, or is not part of its text. */
const SKIPPED = new Set([
  "script",
  "style",
  "template",
  "svg",
  "math",
  "iframe",
  "object",
  "noembed",
  "canvas",
  "audio",
  "video",
]);
/** Most characters of a tag that are examined. */
const LONGEST_TAG = 4_000;
/** Most `>` characters in the quoted values of one tag. */
const MOST_SIGNS = 10;

/** Splits a page into tokens tolerantly: tags need not be closed, and a `<` that begins no tag is text. */
export function* htmlTokens(html: string): Generator<HtmlToken> {
  const lower = html.toLowerCase();
  let at = 0;
  let line = 1;
  let counted = 0;
  /** Comments that begin before this have no end of their own. */
  let endless = 0;
  const lineAt = (position: number) => {
    for (; counted < position; counted++) if (html.charCodeAt(counted) === 10) line++;
    return line;
  };
  while (at < html.length) {
    const start = nextTag(html, at);
    if (start > at) yield { kind: "text", text: decodeEntities(html.slice(at, start)), line: lineAt(at) };
    if (start >= html.length) return;
    if (html.startsWith("<!--", start)) {
      // A comment that does not end, or not before the next begins, hides nothing.
      const end: number = start < endless ? -1 : html.indexOf("-->", start + 4);
      if (start >= endless) endless = end < 0 ? Number.POSITIVE_INFINITY : lastComment(html, start, end);
      at = end < 0 || start < endless ? start + 4 : end + 3;
      continue;
    }
    const end = tagEnd(html, start);
    if (end < 0) {
      yield { kind: "text", text: decodeEntities(html.slice(start)), line: lineAt(start) };
      return;
    }
    at = end + 1;
    const name = /^<\/?([a-z][a-z0-9:-]{0,40})/.exec(lower.slice(start, start + 44))?.[1];
    if (name === undefined) continue;
    if (html[start + 1] === "/") yield { kind: "close", name, line: lineAt(start) };
    else if (!SKIPPED.has(name)) {
      const from = start + 1 + name.length;
      const attributes = html.slice(from, Math.min(end, from + LONGEST_TAG));
      yield { kind: "open", name, attributes, line: lineAt(start), after: at };
    } else if (html[end - 1] !== "/") {
      const close = lower.indexOf(`</${name}`, at);
      at = close < 0 ? html.length : Math.max(at, lower.indexOf(">", close) + 1);
    }
  }
}

function nextTag(html: string, from: number): number {
  for (let at = html.indexOf("<", from); at >= 0; at = html.indexOf("<", at + 1)) {
    if (/[a-z/!?]/i.test(html[at + 1] ?? "")) return at;
  }
  return html.length;
}

/** Where a tag ends; a `>` inside a quoted value does not end it. */
function tagEnd(html: string, start: number): number {
  let end = html.indexOf(">", start);
  for (let signs = 0; end >= 0 && signs < MOST_SIGNS; signs++) {
    if (end - start > LONGEST_TAG) break;
    const inside = html.slice(start, end);
    const quotes = /=\s*(["'])(?:(?!\1)[\s\S])*$/.exec(inside.replace(/=\s*(?:"[^"]*"|'[^']*')/g, ""));
    if (!quotes) break;
    const next = html.indexOf(">", end + 1);
    if (next < 0) break;
    end = next;
  }
  return end;
}

const ATTRIBUTES = new Map<string, RegExp>();

/** The value of an attribute; null: it is absent. */
export function attribute(attributes: string, name: string): string | null {
  if (attributes === "") return null;
  let pattern = ATTRIBUTES.get(name);
  if (!pattern) {
    pattern = new RegExp(`(?:^|\\s)${name}(?:\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+)))?(?=[\\s/>]|$)`, "i");
    ATTRIBUTES.set(name, pattern);
  }
  const found = pattern.exec(attributes);
  return found ? decodeEntities(found[1] ?? found[2] ?? found[3] ?? "") : null;
}

/** Names and characters alternately. Characters that are invisible, or would end this literal, are listed after it. */
const SIGNS = `
  amp & lt < gt > ndash – mdash — hellip … lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ laquo « raquo » lsaquo ‹
  rsaquo › bull • middot · copy © reg ® trade ™ sect § para ¶ deg ° plusmn ± times × divide ÷ minus − frac12 ½ frac14 ¼
  frac34 ¾ sup1 ¹ sup2 ² sup3 ³ euro € pound £ yen ¥ cent ¢ iexcl ¡ iquest ¿ larr ← uarr ↑ rarr → darr ↓ harr ↔ check ✓
  cross ✗ star ☆ starf ★ hearts ♥ infin ∞ ne ≠ le ≤ ge ≥ asymp ≈ micro µ ordm º ordf ª not ¬ agrave à aacute á acirc â
  atilde ã auml ä aring å aelig æ ccedil ç egrave è eacute é ecirc ê euml ë igrave ì iacute í icirc î iuml ï ntilde ñ
  ograve ò oacute ó ocirc ô otilde õ ouml ö oslash ø oelig œ ugrave ù uacute ú ucirc û uuml ü yacute ý szlig ß Agrave À
  Aacute Á Acirc Â Auml Ä Aring Å AElig Æ Ccedil Ç Egrave È Eacute É Ecirc Ê Iacute Í Ntilde Ñ Oacute Ó Ocirc Ô Ouml Ö
  Oslash Ø Uacute Ú Uuml Ü colon : comma , period . excl ! quest ? num # lpar ( rpar ) lsqb [ rsqb ] lbrack [ rbrack ]
  sol / lowbar _ ast * plus + equals = percnt % dollar $ commat @ vert |
`;
const NAMED: ReadonlyMap<string, string> = new Map([
  ...Array.from(SIGNS.matchAll(/(\w+) (\S)/gu), ([, name, sign]): [string, string] => [name!, sign!]),
  ...["nbsp", "ensp", "emsp", "thinsp"].map((name): [string, string] => [name, " "]),
  ...["shy", "lrm", "rlm"].map((name): [string, string] => [name, ""]),
  ["quot", '"'],
  ["apos", "'"],
  ["bsol", "\\"],
  ["zwj", "\u200d"],
  ["zwnj", "\u200c"],
  ["NewLine", "\n"],
  ["Tab", "\t"],
]);
/** Windows-1252 characters for the code points that Unicode uses for control characters: old pages mean these. */
const WINDOWS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

/** Replaces entities by their characters. An unknown entity stays as it is. */
export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z][a-z0-9]{1,31}));?/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED.get(name) ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    if (code >= 0x80 && code <= 0x9f) return WINDOWS[code - 0x80]!;
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return "\ufffd";
    return code < 32 && code !== 9 && code !== 10 ? "" : String.fromCodePoint(code);
  });
}
