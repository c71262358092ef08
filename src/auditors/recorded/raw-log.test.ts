import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EnvironmentError, InputError } from "../../core/errors.js";
import { auditKey, drawKey } from "../../core/records/audit.js";
import { anyGeneration } from "../../measures/signals/generation.suite.js";
import { decodeGeneration } from "./generation-codec.js";
import {
  BARE_HEADER,
  first,
  HEADER,
  newPath,
  openLog,
  RUN,
  readAll,
  SETTINGS,
  second,
  settingsOf,
  twoAnswers,
} from "./raw-log.suite.js";
import { RawReader } from "./raw-reader.js";

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
      BARE_HEADER.length - 2,
      BARE_HEADER.length - 1,
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
      expect(await settingsOf(path)).toEqual(JSON.parse(SETTINGS));
    }
  });

  it("says under which settings its answers were given, the number of draws only where there were some", async () => {
    expect(await settingsOf(await twoAnswers())).toEqual(JSON.parse(SETTINGS));
    const path = newPath();
    const log = openLog(path, { ...RUN, signal: "sampling", tier: "title", template: "extended", temperature: 0 });
    await log.append("a", first);
    await log.close();
    expect(await settingsOf(path)).toEqual({
      ...{ template: "extended", tier: "title", temperature: 0, signal: "sampling", samples: 10 },
      prompt_version: RUN.promptVersion,
    });
  });

  it("keeps the header of a file it appends to, with settings or without", async () => {
    const rows = readFileSync(await twoAnswers(), "utf8").slice(HEADER.length);
    for (const [header, settings] of [
      [HEADER, JSON.parse(SETTINGS)],
      [BARE_HEADER, null],
    ]) {
      const path = newPath();
      writeFileSync(path, header + rows);
      const log = openLog(path, { ...RUN, promptVersion: "other" });
      await log.append("c", first);
      await log.close();
      expect(readFileSync(path, "utf8").startsWith(header + rows)).toBe(true);
      expect(await readAll(path)).toEqual(["a", "b", "c"]);
      expect(await settingsOf(path)).toEqual(settings);
    }
  });

  it("continues a bare header that a crash tore as its own", async () => {
    for (const cut of [10, BARE_HEADER.length - 1]) {
      const path = newPath();
      writeFileSync(path, BARE_HEADER.slice(0, cut));
      await twoAnswers(path);
      expect(readFileSync(path, "utf8").startsWith(`${HEADER}{"key":"a"`)).toBe(true);
    }
  });

  it("opens a file again whose header is long", async () => {
    const path = newPath();
    for (const key of ["a", "b"]) {
      const log = openLog(path, { ...RUN, promptVersion: "é".repeat(9_000) });
      await log.append(key, first);
      await log.close();
    }
    expect(await readAll(path)).toEqual(["a", "b"]);
    expect((await settingsOf(path))?.prompt_version).toHaveLength(9_000);
  });

  it("does not touch a file that is something else", async () => {
    for (const text of [
      "precious",
      "precious\n",
      '{"decision_id":"d1"}\n',
      '{"format":"defensible-raw","version":2}\n',
      '{"format":"defensible-raw","version":12',
      '{"format":"defensible-raw","version":1} and more',
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
