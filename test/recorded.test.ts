import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { cliOk, temporaryFolder } from "./support/cli.js";

const SAMPLE = join(import.meta.dirname, "..", "examples", "commons");

interface Prompt {
  key: string;
  decision_id: string;
  messages: { content: string }[];
}

const jsonLines = <T>(text: string): T[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);

/** The answers of a language model that are shipped with the sample, against the prompts that would be asked today. */
describe("the recorded answers of the sample", () => {
  const answers = jsonLines<{ key: string; draw: number; model: string; text: string }>(
    gunzipSync(readFileSync(join(SAMPLE, "answers.jsonl.gz"))).toString("utf8"),
  );
  const decisions = jsonLines<{ id: string; rationale?: string; gold: { note: string } }>(
    readFileSync(join(SAMPLE, "decisions.jsonl"), "utf8"),
  );
  let prompts: Prompt[] = [];

  beforeAll(() => {
    const folder = temporaryFolder();
    const workspace = join(folder, "commons");
    cliOk(["init", workspace, "--example"]);
    const asked = (...flags: string[]) => {
      const out = join(folder, `prompts-${flags.length}.jsonl`);
      cliOk(["prompts", "--workspace", workspace, "--signal", "none", ...flags, "--out", out]);
      return jsonLines<Prompt>(readFileSync(out, "utf8"));
    };
    prompts = [
      ...asked("--flip", "100"),
      ...asked("--flip", "0", "--communities", "indie-games", "--rules", join(SAMPLE, "rewrites", "indie-games.yaml")),
    ];
  });

  it("answer prompts of today", () => {
    const known = new Set(prompts.map(({ key }) => key));
    expect(answers.length).toBeGreaterThanOrEqual(1_052);
    expect(answers.filter(({ key }) => !known.has(key))).toEqual([]);
    expect(new Set(answers.map(({ key, draw }) => `${key} ${draw}`)).size).toBe(answers.length);
    expect(new Set(answers.map(({ model }) => model)).size).toBe(1);
  });

  it("were given without sight of annotations and reasons", () => {
    const notes = new Map(decisions.map(({ id, gold }) => [id, gold.note]));
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
