import { appendFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { auditKey, drawKey } from "../domain/audit.js";
import { EnvironmentError, InputError } from "../errors.js";
import { answerOf, COMPACT } from "../signals/answer.suite.js";
import { anyGeneration } from "../signals/generation.suite.js";
import { tempFolder } from "../workspace/in-temp-folder.suite.js";
import { decodeGeneration } from "./generation-codec.js";
import { RawLog } from "./raw-log.js";
import { RawReader, readRawLog } from "./raw-reader.js";

const RUN = { promptVersion: "audit-1#abc" };
const AUDITOR = { name: "openai:gpt", version: "1" };
const HEADER = '{"format":"defensible-raw","version":1}\n';
const first = answerOf(COMPACT, { model: "first" });
const second = answerOf(COMPACT, { model: "second" });

const newPath = () => join(tempFolder(), "raw.jsonl");
const openLog = (path: string) => new RawLog(path, RUN, AUDITOR);

/** A log of two answers, under keys `a` and `b`. */
async function twoAnswers(path = newPath()): Promise<string> {
  const log = openLog(path);
  await log.append("a", first);
  await log.append("b", second);
  await log.close();
  return path;
}

async function readAll(path: string): Promise<(string | null)[]> {
  const keys: (string | null)[] = [];
  for await (const rows of readRawLog(path)) for (const { answer } of rows) keys.push(answer?.key ?? null);
  return keys;
}

describe("the raw log", () => {
  it("gives back every answer as it was, whatever it holds", async () => {
    const path = newPath();
    const log = openLog(path);
    const generations = fc.sample(anyGeneration, { numRuns: 150, seed: 7 });
    const key = (i: number) => auditKey(`d ${i}\n"🙂`, "t=0.7", i);
    await Promise.all(generations.map((generation, i) => log.append(key(i), generation)));
    await log.close();
    const reader = await RawReader.open(path);
    for (const [i, generation] of generations.entries()) expect(await reader.get(key(i))).toStrictEqual(generation);
    expect(reader).toMatchObject({ size: 150, damaged: 0, makers: ["openai:gpt@1"] });
    await reader.close();
  });

  it("is a header and one line an answer that other tools can unpack", async () => {
    const [header, line] = readFileSync(await twoAnswers(), "utf8").split("\n");
    expect(`${header}\n`).toBe(HEADER);
    const { z, ...maker } = JSON.parse(line!);
    expect(maker).toEqual({
      key: "a",
      auditor: "openai:gpt",
      auditor_version: "1",
      prompt_version: RUN.promptVersion,
    });
    expect(decodeGeneration(gunzipSync(Buffer.from(z, "base64")).toString())).toEqual(first);
  });

  it("keeps draws of one audit apart, and lets a later answer of a key win", async () => {
    const path = newPath();
    const key = auditKey("d", "", 0);
    expect(drawKey(key, 0)).toBe(key);
    for (const generation of [first, second]) {
      const log = openLog(path);
      await log.append(drawKey(key, 1), first);
      await log.append(key, generation);
      await log.close();
    }
    const reader = await RawReader.open(path);
    expect([...reader.keys()]).toEqual([drawKey(key, 1), key]);
    expect((await reader.get(key))?.model).toBe("second");
    expect((await reader.get(drawKey(key, 1)))?.model).toBe("first");
    expect(await reader.get(drawKey(key, 2))).toBeNull();
    await reader.close();
  });

  it("has written an answer when its append returns, with many at once", async () => {
    const path = newPath();
    const log = openLog(path);
    const keys = Array.from({ length: 60 }, (_, i) => `k${i}`);
    await Promise.all(
      keys.map(async (key) => {
        await log.append(key, first);
        expect(readFileSync(path, "utf8")).toContain(`"key":"${key}"`);
      }),
    );
    await log.close();
    expect((await readAll(path)).sort()).toEqual(keys.sort());
  });

  it("cuts off what a crash tore, wherever it tore, and goes on", async () => {
    const whole = readFileSync(await twoAnswers());
    const lastLine = whole.lastIndexOf("\n", whole.length - 2) + 1;
    const cuts = [
      0,
      1,
      20,
      HEADER.length - 1,
      HEADER.length,
      HEADER.length + 9,
      lastLine,
      lastLine + 1,
      whole.length - 1,
    ];
    for (const cut of cuts) {
      const path = newPath();
      writeFileSync(path, whole.subarray(0, cut));
      if (cut > HEADER.length) expect(await readAll(path)).toEqual(cut < lastLine ? [] : ["a"]);
      const log = openLog(path);
      await log.append("c", second);
      await log.close();
      expect(await readAll(path)).toEqual(cut < lastLine ? ["c"] : ["a", "c"]);
    }
  });

  it("does not touch a file that is something else", async () => {
    for (const text of [
      "precious",
      "precious\n",
      '{"decision_id":"d1"}\n',
      '{"format":"defensible-raw","version":2}\n',
    ]) {
      const path = newPath();
      writeFileSync(path, text);
      expect(() => openLog(path)).toThrow(InputError);
      expect(readFileSync(path, "utf8")).toBe(text);
    }
    const folder = newPath();
    mkdirSync(folder);
    expect(() => openLog(folder)).toThrow(EnvironmentError);
  });

  it("reports a failed write to the audit whose answer it was, and frees its place", async () => {
    const path = newPath();
    const log = openLog(path);
    const broken = { ...first, usage: null as never };
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => log.append("x", broken)));
    expect(outcomes.every((outcome) => outcome.status === "rejected")).toBe(true);
    await log.append("y", first);
    await log.close();
    expect(await readAll(path)).toEqual(["y"]);
  });
});

describe("reading a raw log", () => {
  it("tells a file that is not there, is empty, holds no answer or is something else", async () => {
    const path = newPath();
    await expect(RawReader.open(path)).rejects.toThrow(EnvironmentError);
    for (const text of ["", "\n\n", HEADER, `${HEADER}{"key":"a","audi`]) {
      writeFileSync(path, text);
      await expect(RawReader.open(path)).rejects.toMatchObject({ code: "no_raw_answers" });
    }
    for (const text of ["key,z\n1,2\n", '{"decision_id":"d1"}\n', "null\n", "\u0000\u0001\n"]) {
      writeFileSync(path, text);
      await expect(RawReader.open(path)).rejects.toMatchObject({ code: "not_raw" });
    }
    writeFileSync(path, '{"format":"defensible-raw","version":9}\n');
    await expect(RawReader.open(path)).rejects.toMatchObject({ code: "raw_version" });
  });

  it("passes over lines in the middle that are no answers, and counts them", async () => {
    const path = await twoAnswers();
    const junk = [Buffer.alloc(40), Buffer.from("{"), Buffer.from('{"key":7}'), Buffer.from([0xff, 0xfe])];
    for (const bytes of junk) appendFileSync(path, Buffer.concat([bytes, Buffer.from("\n")]));
    const log = openLog(path);
    await log.append("c", first);
    await log.close();
    const reader = await RawReader.open(path);
    expect([...reader.keys()]).toEqual(["a", "b", "c"]);
    expect(reader.damaged).toBe(4);
    await reader.close();
  });

  it("finds a damaged answer when it is asked for, and only that one", async () => {
    const path = await twoAnswers();
    const text = readFileSync(path, "utf8");
    const at = text.indexOf('"z":"') + 60;
    writeFileSync(path, `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`);
    const reader = await RawReader.open(path);
    await expect(reader.get("a")).rejects.toThrow(InputError);
    expect(await reader.get("b")).toEqual(second);
    truncateSync(path, 100);
    await expect(reader.get("b")).rejects.toThrow(InputError);
    await reader.close();
  });

  it("has a hash that changes with the answers, and not with a torn end", async () => {
    const path = await twoAnswers();
    const hashOf = async () => {
      const reader = await RawReader.open(path);
      await reader.close();
      return reader.hash;
    };
    const before = await hashOf();
    expect(before).toMatch(/^[0-9a-f]{8}$/);
    appendFileSync(path, '{"key":"c","au');
    expect(await hashOf()).toBe(before);
    await twoAnswers(path);
    expect(await hashOf()).not.toBe(before);
  });
});
