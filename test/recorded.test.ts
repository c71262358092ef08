import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { cohenKappa } from "../src/stats/ranks/raters.js";
import { cliOk, temporaryFolder } from "./support/cli.js";

const ROOT = join(import.meta.dirname, "..");
const SAMPLE = join(ROOT, "examples", "commons");

interface Prompt {
  key: string;
  decision_id: string;
  arm: string;
  messages: { content: string }[];
}

interface Answer {
  key: string;
  draw: number;
  model: string;
  text: string;
}

interface Decision {
  id: string;
  gold: { note: string; level: number; inverse: boolean };
}

const jsonLines = <T>(text: string): T[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);

const answersOf = (...path: string[]) =>
  jsonLines<Answer>(gunzipSync(readFileSync(join(ROOT, "examples", ...path))).toString("utf8"));

const decisionsOf = (example: string) =>
  jsonLines<Decision>(readFileSync(join(ROOT, "examples", example, "decisions.jsonl"), "utf8"));

/** What would be asked of an example today. */
function promptsOf(example: string, ...flags: string[]): Prompt[] {
  const folder = temporaryFolder();
  const workspace = join(folder, example);
  cliOk(["init", workspace, "--example", example]);
  const out = join(folder, "prompts.jsonl");
  cliOk(["prompts", "--workspace", workspace, "--signal", "none", ...flags, "--out", out]);
  return jsonLines<Prompt>(readFileSync(out, "utf8"));
}

/** The answers of a language model that are shipped with the sample, against the prompts that would be asked today. */
describe("the recorded answers of the sample", () => {
  const answers = answersOf("commons", "answers.jsonl.gz");
  let prompts: Prompt[] = [];

  beforeAll(() => {
    prompts = [
      ...promptsOf("commons", "--flip", "100"),
      ...promptsOf(
        "commons",
        "--flip",
        "0",
        "--communities",
        "indie-games",
        "--rules",
        join(SAMPLE, "rewrites", "indie-games.yaml"),
      ),
    ];
  });

  it("answer prompts of today", () => {
    const known = new Set(prompts.map(({ key }) => key));
    expect(answers.filter(({ key }) => !known.has(key))).toEqual([]);
    expect(new Set(answers.map(({ key, draw }) => `${key} ${draw}`)).size).toBe(answers.length);
    expect(new Set(answers.map(({ model }) => model)).size).toBe(1);
    const plain = new Set(prompts.filter(({ arm }) => arm === "").map(({ key }) => key));
    const opposite = new Set(prompts.filter(({ arm }) => arm === "opposite").map(({ key }) => key));
    for (const draw of [1, 2, 3]) {
      const drawn = answers.filter((answer) => answer.draw === draw);
      expect(drawn.filter(({ key }) => plain.has(key)).length, `draw ${draw}`).toBe(892);
      expect(drawn.filter(({ key }) => opposite.has(key)).length, `opposites, draw ${draw}`).toBe(100);
    }
  });

  it("were given without sight of annotations and reasons", () => {
    const notes = new Map(decisionsOf("commons").map(({ id, gold }) => [id, gold.note]));
    expect(
      prompts.filter((prompt) =>
        prompt.messages.some(({ content }) => content.includes(notes.get(prompt.decision_id)!)),
      ),
    ).toEqual([]);
    const own = (prompt: Prompt) => prompt.messages[1]!.content.split("\nThe decision to audit: ")[1]!;
    for (const prompt of prompts) {
      expect(own(prompt), prompt.decision_id).not.toMatch(/human_label|"gold"|rationale/);
    }
  });

  it("share no logic chain", () => {
    const chains = answers.map(({ text }) => (JSON.parse(text) as { logic_chain: string }).logic_chain);
    expect(new Set(chains).size).toBe(chains.length);
  });
});

type Verdicts = Map<string, { level: number; inverse: boolean }>;

function verdictsOf(answers: readonly Answer[], prompts: readonly Prompt[], draw: number): Verdicts {
  const byKey = new Map(prompts.filter(({ arm }) => arm === "").map(({ key, decision_id }) => [key, decision_id]));
  const found: Verdicts = new Map();
  for (const answer of answers) {
    const id = byKey.get(answer.key);
    if (answer.draw !== draw || id === undefined) continue;
    const trace = JSON.parse(answer.text) as { defensibility_level: number; inverse_check: string };
    found.set(id, { level: trace.defensibility_level, inverse: trace.inverse_check === "Yes" });
  }
  return found;
}

const goldOf = (example: string): Verdicts => new Map(decisionsOf(example).map(({ id, gold }) => [id, gold]));

/** `97 of 100 (κ 0.94)`. */
function agreement<T>(a: Verdicts, b: Verdicts, value: (verdict: { level: number; inverse: boolean }) => T): string {
  const ids = [...a.keys()].filter((id) => b.has(id));
  const values = [...new Set(ids.flatMap((id) => [value(a.get(id)!), value(b.get(id)!)]))];
  const counts = values.map((one) =>
    values.map((other) => ids.filter((id) => value(a.get(id)!) === one && value(b.get(id)!) === other).length),
  );
  const equal = ids.filter((id) => value(a.get(id)!) === value(b.get(id)!)).length;
  return `${equal} of ${ids.length} (κ ${cohenKappa(counts).estimate!.toFixed(2)})`;
}

describe("docs/recorded.md", () => {
  it("has the agreement that the recorded answers show", () => {
    const hundred = ["--flip", "0", "--sample", "100", "--seed", "7"];
    const commons = answersOf("commons", "answers.jsonl.gz");
    const paper = answersOf("commons", "answers-paper.jsonl.gz");
    const hard = answersOf("commons-hard", "answers.jsonl.gz");
    const asked = {
      all: promptsOf("commons", "--flip", "0"),
      guided: promptsOf("commons", ...hundred),
      paper: promptsOf("commons", ...hundred, "--template", "paper"),
      hardGuided: promptsOf("commons-hard", ...hundred),
      hardPaper: promptsOf("commons-hard", ...hundred, "--template", "paper"),
    };
    const draws = [1, 2, 3].map((draw) => verdictsOf(commons, asked.all, draw));
    const guided = [1, 2].map((draw) => verdictsOf(commons, asked.guided, draw));
    const old = [1, 2].map((draw) => verdictsOf(paper, asked.paper, draw));
    const hardGuided = [1, 2].map((draw) => verdictsOf(hard, asked.hardGuided, draw));
    const hardPaper = [1, 2].map((draw) => verdictsOf(hard, asked.hardPaper, draw));
    const pairs: [string, Verdicts, Verdicts][] = [
      ["Commons, `guided`: draw 1, draw 2", draws[0]!, draws[1]!],
      ["Commons, `guided`: draw 1, draw 3", draws[0]!, draws[2]!],
      ["Commons, `guided`: draw 2, draw 3", draws[1]!, draws[2]!],
      ["Commons, `guided`: draw 1, annotations", draws[0]!, goldOf("commons")],
      ["100 of Commons, `guided`: draw 1, draw 2", guided[0]!, guided[1]!],
      ["100 of Commons, `paper`: draw 1, draw 2", old[0]!, old[1]!],
      ["100 of Commons, `guided`: draw 1, annotations", guided[0]!, goldOf("commons")],
      ["100 of Commons, `paper`: draw 1, annotations", old[0]!, goldOf("commons")],
      ["100 difficult, `guided`: draw 1, draw 2", hardGuided[0]!, hardGuided[1]!],
      ["100 difficult, `paper`: draw 1, draw 2", hardPaper[0]!, hardPaper[1]!],
      ["100 difficult, `guided`: draw 1, annotations", hardGuided[0]!, goldOf("commons-hard")],
      ["100 difficult, `guided`: draw 2, annotations", hardGuided[1]!, goldOf("commons-hard")],
      ["100 difficult, `paper`: draw 1, annotations", hardPaper[0]!, goldOf("commons-hard")],
      ["100 difficult, `paper`: draw 2, annotations", hardPaper[1]!, goldOf("commons-hard")],
    ];
    const rows = pairs.map(
      ([name, a, b]) =>
        `| ${name} | ${agreement(a, b, ({ level }) => level)} | ${agreement(a, b, ({ inverse }) => inverse)} |`,
    );
    const page = readFileSync(join(ROOT, "docs", "recorded.md"), "utf8");
    const shown = page.split("<!-- agreement -->\n")[1]!.split("\n<!-- /agreement -->")[0];
    expect(shown).toBe(["| compared | level | inverse |", "|---|---|---|", ...rows].join("\n"));
  });
});
