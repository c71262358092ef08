import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const PAGES = [
  ...["README.md", "CONTRIBUTING.md"],
  ...["docs", "design"].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => join(folder, name)),
  ),
];

/** Markdown without its blocks and spans of code. */
function prose(markdown: string): string {
  return markdown.replace(/^(```|~~~)[\s\S]*?^\1/gm, "").replace(/`[^`\n]*`/g, "``");
}

/** The anchors of a page, as GitHub makes them of its headings. */
function anchorsOf(page: string): Set<string> {
  const text = readFileSync(join(ROOT, page), "utf8").replace(/^(```|~~~)[\s\S]*?^\1/gm, "");
  const anchors = new Set([...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id]) => id!));
  for (const [, title] of text.matchAll(/^#{1,6} (.+)$/gm)) {
    const own = title!
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, "")
      .replace(/ /g, "-");
    let anchor = own;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${own}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Links of a page that lead nowhere. */
function brokenLinks(page: string): string[] {
  const links = [...prose(readFileSync(join(ROOT, page), "utf8")).matchAll(/\]\(([^)\s]+)(?: "[^"]*")?\)/g)];
  return links
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/i.test(target))
    .filter((target) => {
      const [path, anchor] = target.split("#") as [string, string?];
      const file = path === "" ? page : relative(ROOT, join(ROOT, dirname(page), decodeURIComponent(path)));
      if (!existsSync(join(ROOT, file))) return true;
      return anchor !== undefined && file.endsWith(".md") && !anchorsOf(file).has(anchor);
    });
}

describe("links in the documentation", () => {
  it.each(PAGES)("%s leads somewhere", (page) => expect(brokenLinks(page)).toEqual([]));
});
