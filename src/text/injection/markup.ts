import { type Form, form } from "./form.js";

const LONGEST_COMMENT = 3000;
const HIDING =
  /<([a-z]{1,12})\b[^<>]{0,300}?(?:display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?0|opacity\s?:\s?0|color\s?:\s?(?:white|#fff|transparent)|(?:left|top|text-indent)\s?:\s?-\d{3}|\shidden\b)[^<>]{0,300}>/g;
const MARKDOWN_COMMENT = /\[\/\/\]:\s?#\s?(?:\([^\n]{0,800}\)|"[^\n]{0,800}"|'[^\n]{0,800}')/g;
const IMAGE = /!\[[^\]\n]{3,300}\]\([^()\n]{0,600}\)/g;
const TITLED_LINK = /(?<!!)\[[^\]\n]{0,100}\]\([^\s()]{1,500}\s{1,3}["'][^\n"']{1,400}["']\)/g;

/** What a page does not show: comments, hidden elements, alternative texts, titles of links. Ordinary unless it speaks to the auditor. */
export function hiddenMarkup(text: string): Form[] {
  const forms = [...comments(text)];
  for (const { 0: tag, 1: name, index } of text.matchAll(HIDING)) {
    const close = `</${name}>`;
    const from = index + tag.length;
    const at = text.slice(from, from + LONGEST_COMMENT).indexOf(close);
    const end = at < 0 ? from : from + at + close.length;
    forms.push(form("hidden_markup", index, end, 0, 2));
  }
  for (const pattern of [MARKDOWN_COMMENT, IMAGE, TITLED_LINK]) {
    for (const { 0: found, index } of text.matchAll(pattern)) {
      forms.push(form("hidden_markup", index, index + found.length, 0, pattern === MARKDOWN_COMMENT ? 2 : 1));
    }
  }
  return forms;
}

function* comments(text: string): Generator<Form> {
  for (let start = text.indexOf("<!--"); start >= 0; ) {
    const close = text.indexOf("-->", start);
    // Once none is closed, none will be: looking on would take quadratic time.
    if (close < 0) return;
    const end = Math.min(close + 3, start + LONGEST_COMMENT);
    yield form("hidden_markup", start, end, 0, 2);
    start = text.indexOf("<!--", end);
  }
}
