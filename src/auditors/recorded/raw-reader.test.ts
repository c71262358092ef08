import { appendFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { EnvironmentError, InputError } from "../../core/errors.js";
import { auditKey, drawKey } from "../../core/records/audit.js";
import { BARE_HEADER, first, HEADER, newPath, openLog, second, settingsOf, twoAnswers } from "./raw-log.suite.js";
import { RawReader } from "./raw-reader.js";

describe("reading a raw log", () => {
  it("tells a file that is not there, is empty, holds no answer or is something else", async () => {
    const path = newPath();
    await expect(RawReader.open(path)).rejects.toThrow(EnvironmentError);
    for (const text of ["", "\n\n", HEADER, BARE_HEADER, `${HEADER}{"key":"a","audi`]) {
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

  it("refuses settings it cannot read instead of guessing, and passes over members it does not know", async () => {
    const rows = readFileSync(await twoAnswers(), "utf8").slice(HEADER.length);
    const path = newPath();
    const write = (settings: unknown) =>
      writeFileSync(path, `${JSON.stringify({ format: "defensible-raw", version: 1, settings })}\n${rows}`);
    for (const [settings, where] of [
      [null, "settings"],
      ["wiki", "settings"],
      [{ tier: "all" }, "settings.tier"],
      [{ template: 1 }, "settings.template"],
      [{ temperature: -1 }, "settings.temperature"],
      [{ temperature: "0.2" }, "settings.temperature"],
      [{ signal: null }, "settings.signal"],
      [{ samples: 0 }, "settings.samples"],
      [{ prompt_version: {} }, "settings.prompt_version"],
    ]) {
      write(settings);
      const message = `${path}: ${where} in its first line cannot be read`;
      await expect(RawReader.open(path)).rejects.toMatchObject({ code: "raw_settings", message });
    }
    write({ tier: "title", later: true });
    expect(await settingsOf(path)).toEqual({ tier: "title" });
  });

  it("knows the decisions that have an answer, in any arm, replicate or draw", async () => {
    const path = newPath();
    const log = openLog(path);
    const keys = [
      auditKey("d1", "", 0),
      drawKey(auditKey("d2", "", 0), 3),
      auditKey("d3", "human", 12),
      drawKey(auditKey("d\u00004", "t=0.7", 1), 10),
    ];
    for (const key of keys) await log.append(key, first);
    await log.close();
    const reader = await RawReader.open(path);
    for (const id of ["d1", "d2", "d3", "d\u00004"]) expect(reader.hasDecision(id)).toBe(true);
    for (const id of ["", "d", "d4", "D1", "d1\u0000", keys[0]!, "__proto__"])
      expect(reader.hasDecision(id)).toBe(false);
    await reader.close();
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
