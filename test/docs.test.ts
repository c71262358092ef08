import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { SCHEMAS, type SchemaName } from "../src/entry/schemas.js";

const ROOT = join(import.meta.dirname, "..");

/** A fenced block whose info string names a language and a schema, such as `json decision`. */
const EXAMPLE = /^```(json|yaml) (\w+)[^\S\n]*\n([\s\S]*?)^```[^\S\n]*$/gm;

interface Example {
  place: string;
  language: "json" | "yaml";
  schema: string;
  text: string;
}

function pages(): string[] {
  const docs = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md"));
  return ["README.md", ...docs.map((name) => `docs/${name}`)].filter((path) => existsSync(join(ROOT, path)));
}

function examplesIn(page: string, markdown: string): Example[] {
  return [...markdown.matchAll(EXAMPLE)].map((match) => ({
    place: `${page}, line ${markdown.slice(0, match.index).split("\n").length}`,
    language: match[1] as Example["language"],
    schema: match[2]!,
    text: match[3]!,
  }));
}

/** What is wrong with an example, in words. Formats take further keys, so a misspelt one is looked for here. */
function faults({ language, schema: name, text }: Example): string[] {
  if (!Object.hasOwn(SCHEMAS, name)) return [`there is no format "${name}"`];
  const schema = SCHEMAS[name as SchemaName];
  const value: unknown = language === "yaml" ? parse(text) : JSON.parse(text);
  const result = schema.safeParse(value);
  if (!result.success) return result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  if (!("shape" in schema)) return [];
  return Object.keys(value as object)
    .filter((key) => !Object.hasOwn(schema.shape, key))
    .map((key) => `"${key}" is not a field of ${name}`);
}

describe("examples in the documentation", () => {
  const examples = pages().flatMap((page) => examplesIn(page, readFileSync(join(ROOT, page), "utf8")));

  for (const example of examples) {
    it(`are valid: ${example.schema} (${example.place})`, () => expect(faults(example)).toEqual([]));
  }

  it("are found, at least eight of them", () => expect(examples.length).toBeGreaterThanOrEqual(8));

  it("would be caught if they were wrong", () => {
    const wrong = (info: string, text: string) =>
      examplesIn("page", `\`\`\`${info}\n${text}\n\`\`\`\n`).flatMap(faults);
    const label = { decision_id: "d1", level: 1, source: "human" };
    expect(wrong("json label", JSON.stringify(label))).toEqual([]);
    expect(wrong("json label", JSON.stringify({ ...label, level: 4 }))).toHaveLength(1);
    expect(wrong("json label", JSON.stringify({ ...label, raters: "ann" }))).toEqual([
      '"raters" is not a field of label',
    ]);
    expect(wrong("yaml ruleset", "scope: community\nversion: '1'\nrules: []")).toHaveLength(1);
    expect(wrong("json decisions", "{}")).toEqual(['there is no format "decisions"']);
  });
});

describe("the index of the documentation", () => {
  const index = readFileSync(join(ROOT, "docs", "README.md"), "utf8");
  const sections = new Map(
    index
      .split(/^## /m)
      .map((part) => [part.split("\n", 1)[0]!, [...part.matchAll(/^\| \[[^\]]+\]\(([\w-]+\.md)\)/gm)]]),
  );

  it("names every page once", () => {
    const named = [...sections.values()].flat().map(([, file]) => file!);
    const files = readdirSync(join(ROOT, "docs")).filter((name) => name.endsWith(".md") && name !== "README.md");
    expect(named.sort()).toEqual(files.sort());
  });

  it("keeps how-to and concepts short", () => {
    expect(sections.get("How-to")).toHaveLength(8);
    expect(sections.get("Concepts")).toHaveLength(3);
  });
});
