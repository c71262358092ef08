import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");

/** Phrases that a native speaker has to read twice, with what to write instead. */
const BANNED: readonly [RegExp, string][] = [
  [/\b(?:no|some|any|every)body\b/gi, "name the subject, or use the passive voice"],
  [/\b(?:is|are|was|were) none\b/gi, "invalid X; there is no X"],
  [/\bas (?:they )?(?:are )?seen\b/gi, "observed"],
  [/\b(?:goes|go|went) with\b/gi, "predicts; is correlated with; belongs to"],
  [/\bmend(?:s|ed|ing)?\b/gi, "fix"],
  [/\ball the same\b/gi, "still; anyway"],
  [/\b(?:told(?! apart)|tells)\b/gi, "report; say"],
  [/\bstands?\b/gi, "is"],
  [/\bbeside\b/gi, "next to; in addition to"],
  [/\bgates? in force\b|\bwhat-if\b/gi, "active gate; dry run"],
  [/\brules? (?:do not |does not |that )?carr(?:y|ies)\b|\bcarried by\b/gi, "supports; follows from the rules"],
  [/\b(?:un)?like the person\b|\bwhy look\b/gi, "moderator's decision; reason to review"],
  [
    /\bsaid (?:=|and) found\b|\bno number helps\b|\bsure to \d/gi,
    "perfect calibration; more data will not help; 97% confident",
  ],
  [/\bmeanwhile come\b|\bshall be\b|\bwho tests\b/gi, "in the meantime; must be; if you test"],
  [
    /to have it:|worth a look|(?:two|either) alone, too|wavering|up and errs|has not: what|types cannot follow/gi,
    "Run; the most urgent; what is missing",
  ],
  [/\((?:pure )?AI\)|\bpure AI\b(?!")|\bAI (?:rises|falls|is|at most)\b/g, "ambiguity"],
  [/\bin mode (?:paper|shrunk|certified|\$\{)/g, "the cautious gate: `gateName(mode)`"],
  [/\bgold annotations\b(?!")|\b(?<!--)(?:against|by) gold\b/gi, "reference annotations"],
  // In SQL a number follows.
  [/\d %(?! \d)/g, "95%, without a space"],
];

/**
 * How many there may be. Numbers only fall: lower one when a folder has fewer. Those of audit are in prompts, whose every letter is part of
 * what was asked; those of app, auditors and text are in word lists, that of store is the name of an account, that of core a spelling that is understood.
 */
const LIMITS: Record<string, number> = {
  "src/adapters": 0,
  "src/analysis": 0,
  "src/app": 1,
  "src/audit": 7,
  "src/auditors": 2,
  "src/cli": 0,
  "src/core": 1,
  "src/entry": 0,
  "src/evidence": 0,
  // The key `beside` of study results (14), and sentences of attacks, as people write them (4).
  "src/experiments": 18,
  "src/io": 0,
  "src/measures": 0,
  "src/present": 0,
  "src/queue": 0,
  "src/server": 0,
  "src/simulation": 0,
  "src/stats": 0,
  "src/store": 1,
  "src/text": 5,
  web: 0,
  docs: 0,
  "README.md": 0,
  "data/key-terms.json": 0,
  "data/words.json": 0,
};

function filesIn(folder: string): string[] {
  if (/\.(?:md|json)$/.test(folder)) return [folder].filter((path) => existsSync(join(ROOT, path)));
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:tsx?|css|md)$/.test(name) && !/\.(?:test|suite|sim)\.tsx?$/.test(name))
    .map((name) => `${folder}/${name}`)
    .filter((path) => !Object.hasOwn(LIMITS, path));
}

/** Blocks of code and spans of code in a page are not prose. */
const prose = (path: string, text: string) =>
  path.endsWith(".md") ? text.replace(/^(```|~~~)[\s\S]*?^\1/gm, "").replace(/`[^`\n]*`/g, "``") : text;

function banned(path: string, text: string): string[] {
  const own = prose(path, text);
  return BANNED.flatMap(([phrase, instead]) =>
    [...own.matchAll(phrase)].map(([found]) => `${path}: "${found}"; write: ${instead}`),
  );
}

describe("plain words", () => {
  it.each(Object.entries(LIMITS))("%s has at most %i phrases that read twice", (folder, limit) => {
    const found = filesIn(folder).flatMap((path) => banned(path, readFileSync(join(ROOT, path), "utf8")));
    expect(found.length, found.slice(0, 40).join("\n")).toBeLessThanOrEqual(limit);
  });

  it("are asked of every folder of the program", () => {
    const folders = readdirSync(join(ROOT, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of folders) expect(Object.keys(LIMITS)).toContain(`src/${name}`);
  });

  it("would be missed", () => {
    expect(banned("a.ts", "// Nobody is told: there are none, 5 % all the same")).toHaveLength(5);
    expect(banned("a.md", "It stands `beside` the rest.\n```\ntold\n```\n")).toHaveLength(1);
    expect(banned("a.ts", "// The standard tool fixes 5% of these.")).toEqual([]);
  });
});
