// Puts what `defensible replicate --preset paper` found into docs/replicate.md. `node scripts/replicate-page.mjs RESULT.json`, after a build.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PAGE = fileURLToPath(new URL("../docs/replicate.md", import.meta.url));
const STORED = fileURLToPath(new URL("../test/replicate-paper.json", import.meta.url));
const PLACE = /(<!-- replication -->\n)[\s\S]*?(<!-- \/replication -->)/;

export const readPage = () => readFileSync(PAGE, "utf8");
export const readStored = () => JSON.parse(readFileSync(STORED, "utf8"));

/** The page with its tables made anew. `markdownOf` renders a result. */
export function render(page, result, markdownOf) {
  if (!PLACE.test(page)) throw new Error("docs/replicate.md: no place for the replication; add <!-- replication -->");
  // The title is the page's own, and headings stand one below it.
  const body = markdownOf(result)
    .replace(/^# .*\n/, "")
    .replace(/^## /gm, "### ")
    .trim();
  return page.replace(PLACE, (_, start, end) => `${start}${body}\n${end}`);
}

/** What the page needs, in six digits: more are noise, and the last ones differ between machines. */
export function slim({ runs: _, figures: __, ...result }) {
  const steps = result.steps.map((step) => ({ ...step, runs: [] }));
  const kept = { ...result, runs: [], steps, figures: [] };
  return JSON.parse(JSON.stringify(kept, (_, value) => (isFraction(value) ? Number(value.toPrecision(6)) : value)));
}

const isFraction = (value) => typeof value === "number" && !Number.isInteger(value);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { replicateDocument, renderMarkdown } = await import("../dist/entry/reports.js");
  const result = process.argv[2] ? slim(JSON.parse(readFileSync(process.argv[2], "utf8"))) : readStored();
  writeFileSync(STORED, `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(
    PAGE,
    render(readPage(), result, (one) => renderMarkdown(replicateDocument(one))),
  );
}
