import { parseHTML } from "linkedom";
import type { RulesDraft } from "../../src/core/results/lint.js";

/** Elements that end a sentence. */
const BLOCKS =
  /^(?:address|article|aside|blockquote|body|br|caption|dd|details|div|dl|dt|figcaption|footer|form|h[1-6]|header|hr|legend|li|main|nav|ol|option|p|pre|section|summary|table|td|th|title|tr|ul|button)$/i;

/** The sentences of a page, found without the reader: by a DOM for HTML, by marks of Markdown taken off otherwise. */
export function sentencesOf(text: string, file: string): string[] {
  const plain = /\.x?html?$/.test(file) ? htmlText(text) : /\.json$/.test(file) ? jsonText(text) : markdownText(text);
  return plain
    .split(/\n\s*\n|(?<=[.!?:;…]["”)]?)\s+|\s[–—|-]\s/)
    .map(letters)
    .filter((sentence) => sentence.length >= 3);
}

interface TreeNode {
  nodeType: number;
  nodeName: string;
  textContent: string | null;
  childNodes: Iterable<TreeNode>;
}

function htmlText(html: string): string {
  const { document } = parseHTML(html);
  for (const element of document.querySelectorAll("script, style, template, svg")) element.remove();
  const parts: string[] = [];
  const walk = (node: TreeNode) => {
    if (node.nodeType === 3) parts.push(node.textContent ?? "");
    if (node.nodeType !== 1 && node.nodeType !== 9) return;
    const isBlock = BLOCKS.test(node.nodeName);
    if (isBlock) parts.push("\n\n");
    for (const child of node.childNodes) walk(child);
    if (isBlock) parts.push("\n\n");
  };
  walk(document as unknown as TreeNode);
  // A sign that links a heading to itself is no text.
  return parts.join("").replaceAll("¶", "");
}

function markdownText(text: string): string {
  return text
    .replace(/\r\n/g, "\n")
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/^[=\-*_~]{3,}$/gm, "\n")
    .replace(/^\s*(?:#{1,6}|>)\s+(.*)$/gm, "\n$1\n")
    .replace(/^\s*(?:\*\*)?(?:rule|regel)\s*#?\s*\d+\s*[.:–—-]?/gim, "\n\n")
    .replace(/^\s*(?:\*\*)?(?:[-*+•]|\(?(?:\d+(?:\.\d+)*|[a-z])[.)]|\d+(?:\.\d+)+)\s+/gim, "\n\n")
    .replace(/^\s*(?:\d\uFE0F?\u20E3|\d{1,3} {2,}|➤|🔸)\s*/gmu, "\n\n")
    .replace(/^(?:forum|community|board|subreddit|channel):/gim, "\n\n")
    .replace(/\*\*(.+?)\*\*/g, "$1")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\|/g, "\n\n");
}

function jsonText(text: string): string {
  const texts: string[] = [];
  const walk = (value: unknown, key: string) => {
    if (typeof value === "string" && !/_html$|^kind$|^id$|Header$/.test(key)) texts.push(value);
    else if (typeof value === "object" && value !== null)
      for (const [name, one] of Object.entries(value)) walk(one, name);
  };
  walk(JSON.parse(text), "");
  return texts.join("\n\n").replaceAll("&amp;", "&").replaceAll("&lt;", "<").replaceAll("&gt;", ">");
}

/** Letters and digits alone: signs and spaces may change, words may not. */
function letters(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/** Sentences of a page that are neither in a rule nor among what was not placed. */
export function lostSentences(
  sentences: readonly string[],
  draft: Pick<RulesDraft, "title" | "sets" | "not_placed">,
): string[] {
  const texts = [
    draft.title ?? "",
    ...draft.sets.flatMap(({ rules, community, x_heading }) => [
      String(community ?? ""),
      String(x_heading ?? ""),
      ...rules.flatMap((rule) => [
        rule.title,
        `${rule.title}. ${rule.description ?? ""}`,
        rule.description ?? "",
        rule.detail ?? "",
        String(rule.x_section ?? ""),
        String(rule.x_violation_reason ?? ""),
      ]),
    ]),
    ...draft.not_placed.map(({ text }) => text),
  ];
  const all = texts.map((text) => letters(text.replace(/\]\([^)]*\)/g, ""))).join("¦");
  return sentences.filter((sentence) => !all.includes(sentence));
}
