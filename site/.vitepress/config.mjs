// The documentation as a static site. Its sections are those of docs/README.md, which is also its first page.
import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";

const docs = new URL("../../docs/", import.meta.url);

/** Headings of the index and, below each, the pages that its table links. */
function sections() {
  const found = [];
  for (const line of readFileSync(new URL("README.md", docs), "utf8").split("\n")) {
    const heading = /^## (.+)$/.exec(line);
    if (heading) found.push({ text: heading[1], items: [] });
    const page = /^\| \[([^\]]+)\]\(([\w-]+)\.md\)/.exec(line);
    if (page) found.at(-1).items.push({ text: page[1], link: `/${page[2]}` });
  }
  return found.filter(({ items }) => items.length > 0);
}

export default defineConfig({
  title: "defensible",
  description: "Can this decision be derived from the rules?",
  srcDir: "pages",
  outDir: "../build/docs",
  rewrites: { "README.md": "index.md" },
  cleanUrls: true,
  // Braces in formulas are text, not attributes.
  markdown: { attrs: { disable: true } },
  themeConfig: {
    sidebar: sections(),
    search: { provider: "local" },
    outline: [2, 3],
  },
});
