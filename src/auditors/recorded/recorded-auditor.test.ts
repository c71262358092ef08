import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { InputError } from "../../core/errors.js";
import { auditKey, drawKey } from "../../core/records/audit.js";
import type { Generation } from "../../core/records/case.js";
import { answerOf, COMPACT } from "../../measures/signals/answer.suite.js";
import { extractSignals } from "../../measures/signals/extract-signals.js";
import { PAPER_WEIGHTS } from "../../measures/signals/weights.js";
import { tempFolder } from "../../store/files/in-temp-folder.suite.js";
import { type Ask, CallError } from "../auditor.js";
import { createAuditor } from "../create-auditor.js";
import { RawLog, type RawRun } from "./raw-log.js";
import { createReplayAuditor } from "./raw-reader.js";

const KEY = auditKey("plants-1", "", 0);
const RUN: RawRun = {
  ...{ promptVersion: "paper-1#7e0c7cba", template: "extended", tier: "title" },
  ...{ temperature: 0.7, signal: "logprobs", samples: 10 },
};
const answer = answerOf(COMPACT, { usage: { input_tokens: 9, cached_input_tokens: 1, output_tokens: 2, cost_usd: 3 } });

const asking = (...keys: string[]): Ask => ({
  ...{ case: null, prompt: null, temperature: 0.2, logprobs: true },
  wanted: keys.map((key) => ({ key, seed: "s" })),
});

async function kept(answers: Record<string, Generation>, auditor = "openai:gpt", run = RUN): Promise<string> {
  const folder = tempFolder();
  const log = new RawLog(join(folder, "raw.jsonl"), run, { name: auditor, version: "1" });
  for (const [key, generation] of Object.entries(answers)) await log.append(key, generation);
  await log.close();
  return folder;
}

describe("the replay auditor", () => {
  it("gives the same signals as the answer that was kept, and asks for nothing", async () => {
    const file = join(await kept({ [KEY]: answer }), "raw.jsonl");
    const auditor = await createReplayAuditor(`replay:${file}`, file);
    const { generations } = await auditor.ask(asking(KEY));
    const weights = PAPER_WEIGHTS;
    expect(extractSignals(generations[0]!, { weights })).toEqual(extractSignals(answer, { weights }));
    expect(generations[0]!.usage).toEqual({
      ...{ input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, cost_usd: 0 },
    });
    expect(auditor).toMatchObject({ name: `replay:${file}`, inProcess: true, readsPrompt: null, answersPerCall: 1 });
    expect(auditor.signals).toEqual(["logprobs", "sampling", "none"]);
    await auditor.close?.();
  });

  it("says under which settings its answers were given", async () => {
    const auditor = await createAuditor(`replay:${await kept({ [KEY]: answer })}`);
    const { samples, ...given } = RUN;
    expect(auditor.given).toStrictEqual(given);
    const sampled = await createAuditor(`replay:${await kept({ [KEY]: answer }, "a", { ...RUN, signal: "sampling" })}`);
    expect(sampled.given).toStrictEqual({ ...given, signal: "sampling", samples });
    for (const made of [auditor, sampled]) await made.close?.();
  });

  it("says nothing of settings that a file does not tell", async () => {
    const path = join(await kept({ [KEY]: answer }), "raw.jsonl");
    const text = readFileSync(path, "utf8");
    const rows = text.slice(text.indexOf("\n") + 1);
    for (const [settings, given] of [
      ["", undefined],
      [',"settings":{"tier":"wiki"}', { tier: "wiki" }],
    ] as const) {
      writeFileSync(path, `{"format":"defensible-raw","version":1${settings}}\n${rows}`);
      const auditor = await createAuditor(`replay:${path}`);
      expect(auditor.given).toStrictEqual(given);
      expect((await auditor.ask(asking(KEY))).generations).toHaveLength(1);
      await auditor.close?.();
    }
  });

  it("knows the decisions it has an answer for", async () => {
    const draw = drawKey(auditKey("plants-2", "human", 1), 1);
    const auditor = await createAuditor(`replay:${await kept({ [KEY]: answer, [draw]: answer })}`);
    expect(["plants-1", "plants-2", "plants-3", "plants"].map((id) => auditor.knows!(id))).toEqual([
      ...[true, true, false, false],
    ]);
    await auditor.close?.();
  });

  it("is made by its name, from a file or from a run's folder, and its version tells the file", async () => {
    const folder = await kept({ [KEY]: answer });
    const byFolder = await createAuditor(`replay:${folder}`);
    const byFile = await createAuditor(`replay:${join(folder, "raw.jsonl")}`);
    expect(byFolder.version).toMatch(/^openai:gpt@1#[0-9a-f]{8}$/);
    expect(byFile.version).toBe(byFolder.version);
    const other = await createAuditor(`replay:${await kept({ [KEY]: { ...answer, model: "other" } })}`);
    expect(other.version).not.toBe(byFolder.version);
    for (const auditor of [byFolder, byFile, other]) await auditor.close?.();
  });

  it("answers draws and replicates by their own keys, in the order wanted", async () => {
    const named = (model: string) => ({ ...answer, model });
    const draw = drawKey(KEY, 1);
    const replicate = auditKey("plants-1", "", 1);
    const auditor = await createAuditor(
      `replay:${await kept({ [KEY]: named("0"), [draw]: named("1"), [replicate]: named("r") })}`,
    );
    const { generations } = await auditor.ask(asking(replicate, draw, KEY));
    expect(generations.map((generation) => generation.model)).toEqual(["r", "1", "0"]);
    await auditor.close?.();
  });

  it("refuses what it does not have, naming the decision and the file", async () => {
    const folder = await kept({ [KEY]: answer });
    const auditor = await createAuditor(`replay:${folder}`);
    const missing = drawKey(auditKey("plants-2", "t=0.7", 3), 4);
    const refusal = auditor.ask(asking(missing)) as Promise<never>;
    await expect(refusal).rejects.toBeInstanceOf(CallError);
    await expect(refusal).rejects.toMatchObject({
      fault: "bad_request",
      message: `replay: decision "plants-2", arm t=0.7, replicate 3, draw 4 is not in ${join(folder, "raw.jsonl")}`,
    });
    await auditor.close?.();
  });

  it("fails for the one key whose answer is damaged, and says when lines were lost", async () => {
    const other = auditKey("plants-2", "", 0);
    const path = join(await kept({ [KEY]: answer, [other]: answer }), "raw.jsonl");
    const text = readFileSync(path, "utf8");
    const at = text.indexOf('"z":"') + 80;
    writeFileSync(path, `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`);
    appendFileSync(path, 'broken\n{"key":"torn');
    const auditor = await createAuditor(`replay:${path}`);
    await expect(auditor.ask(asking(KEY))).rejects.toMatchObject({
      fault: "bad_request",
      message: expect.stringContaining("is damaged"),
    });
    await expect(auditor.ask(asking("lost"))).rejects.toMatchObject({
      message: expect.stringContaining("1 of its lines cannot be read"),
    });
    expect((await auditor.ask(asking(other))).generations).toHaveLength(1);
    await auditor.close?.();
  });

  it("says plainly what is wrong with a file", async () => {
    const folder = tempFolder();
    const absent = join(folder, "no.jsonl");
    await expect(createAuditor(`replay:${absent}`)).rejects.toMatchObject({
      code: "no_raw_file",
      message: `replay: there is no ${absent}`,
      remedy: expect.stringContaining("kept its answers"),
    });
    await expect(createAuditor(`replay:${folder}`)).rejects.toMatchObject({
      message: `replay: ${folder} holds no raw.jsonl`,
    });
    mkdirSync(join(folder, "run"));
    const path = join(folder, "run", "raw.jsonl");
    writeFileSync(path, "");
    await expect(createAuditor(`replay:${join(folder, "run")}`)).rejects.toMatchObject({ code: "no_raw_answers" });
    writeFileSync(path, "decision_id,level\n");
    await expect(createAuditor(`replay:${path}`)).rejects.toBeInstanceOf(InputError);
  });

  it("finds out whether the answers came with probabilities", async () => {
    const refusal = { ...answer, tokens: null };
    const some = await createAuditor(`replay:${await kept({ a: refusal, b: answer })}`);
    expect(await some.probe!()).toMatchObject({ logprobs: true, topLogprobs: 4, space: "raw", costUsd: 0 });
    const none = await createAuditor(`replay:${await kept({ a: refusal })}`);
    expect(await none.probe!()).toMatchObject({ logprobs: false, topLogprobs: 0 });
    for (const auditor of [some, none]) await auditor.close?.();
  });

  it("calls answers of more than one auditor several", async () => {
    const folder = await kept({ a: answer }, "openai:one");
    const log = new RawLog(join(folder, "raw.jsonl"), RUN, { name: "openai:two", version: "1" });
    await log.append("b", answer);
    await log.close();
    const auditor = await createAuditor(`replay:${folder}`);
    expect(auditor.version).toMatch(/^several#[0-9a-f]{8}$/);
    await auditor.close?.();
  });
});
