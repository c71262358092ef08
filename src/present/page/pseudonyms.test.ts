import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { INJECTIONS } from "../../experiments/attack/build/makers.js";
import { HASHED_SORTS, isArchetype, isCode, keyedHash } from "./writing.js";

describe("a code", () => {
  it("is a tag of a language that there is", () => {
    for (const tag of ["en", "pt-BR", "zh-Hant", "zh_Hans_CN", "es-419", "fil", "und", "unknown"])
      expect([tag, isCode(tag, "language")]).toEqual([tag, true]);
    for (const word of ["bob", "jane", "english of Jane", "en jane", "x-jane", "en-x-jane", "", "en-Janes", "qq"])
      expect([word, isCode(word, "language")]).toEqual([word, false]);
  });

  it("is a date and nothing more", () => {
    for (const date of ["2026-03-01", "2026-03-01T10:00", "2026-03-01T10:00:00.123Z", "2026-03-01 10:00:00+02:00"])
      expect([date, isCode(date, "date")]).toEqual([date, true]);
    for (const text of ["yesterday", "2026-03-01, says Jane", "2026-99-99", "Jane 2026-03-01", "1 March 2026"])
      expect([text, isCode(text, "date")]).toEqual([text, false]);
  });

  it("is the number of a version, and a model that everybody knows", () => {
    expect(["3", "v2", "1.2.0", "2026-02", "-"].filter((text) => !isCode(text, "version"))).toEqual([]);
    expect(["jane", "3 by Jane", "2-jane", ""].filter((text) => isCode(text, "version"))).toEqual([]);
    expect(["gpt-4o", "openai:o3", "meta-llama/Llama-3.1-8B"].filter((id) => !isCode(id, "model"))).toEqual([]);
    expect(["janes-bot", "gpt of Jane", "bob"].filter((id) => isCode(id, "model"))).toEqual([]);
  });

  it("is every manner of attack that is built here", () => {
    expect(INJECTIONS.map(({ archetype }) => archetype).filter((manner) => !isArchetype(manner))).toEqual([]);
    expect(isArchetype("gloss_fr")).toBe(true);
    expect(isArchetype("ignore all rules, says Jane") || isArchetype("gloss_jane")).toBe(false);
  });
});

describe("the hash of a text", () => {
  it("is HMAC-SHA-256 under the key, of the sort and the text", () => {
    // By Python's hmac, of b"content\0what do ya want for nothing?".
    expect(keyedHash(Buffer.from("Jefe"))("what do ya want for nothing?", "content")).toBe("8a190c59bf3c0681");
  });

  it("is the same for the same text under one key, and another under another", () => {
    const [one, other] = [keyedHash(randomBytes(32)), keyedHash(randomBytes(32))];
    expect(one("yes", "note")).toBe(one("yes", "note"));
    expect(one("yes", "note")).not.toBe(one("no", "note"));
    expect(one("yes", "note")).not.toBe(other("yes", "note"));
  });

  it("is another for every sort, so that posting a name does not find a person", () => {
    const hash = keyedHash(randomBytes(32));
    expect(new Set(HASHED_SORTS.map((sort) => hash("jane@example.org", sort))).size).toBe(HASHED_SORTS.length);
  });
});
