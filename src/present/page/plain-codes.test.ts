import { describe, expect, it } from "vitest";
import { INJECTIONS } from "../../experiments/attack/attack-words.js";
import { isArchetype, isDate, isKnownModel, isLanguageCode, isVersion } from "./plain-codes.js";

describe("a code", () => {
  it("is a tag of a language that there is", () => {
    for (const tag of ["en", "pt-BR", "zh-Hant", "zh_Hans_CN", "es-419", "fil", "und", "unknown"])
      expect([tag, isLanguageCode(tag)]).toEqual([tag, true]);
    for (const word of ["bob", "jane", "english of Jane", "en jane", "x-jane", "en-x-jane", "", "en-Janes", "qq"])
      expect([word, isLanguageCode(word)]).toEqual([word, false]);
  });

  it("is a date and nothing more", () => {
    for (const date of ["2026-03-01", "2026-03-01T10:00", "2026-03-01T10:00:00.123Z", "2026-03-01 10:00:00+02:00"])
      expect([date, isDate(date)]).toEqual([date, true]);
    for (const text of ["yesterday", "2026-03-01, says Jane", "2026-99-99", "Jane 2026-03-01", "1 March 2026"])
      expect([text, isDate(text)]).toEqual([text, false]);
  });

  it("is the number of a version, and a model that everybody knows", () => {
    expect(["3", "v2", "1.2.0", "2026-02", "-"].filter((text) => !isVersion(text))).toEqual([]);
    expect(["jane", "3 by Jane", "2-jane", ""].filter(isVersion)).toEqual([]);
    expect(["gpt-4o", "openai:o3", "meta-llama/Llama-3.1-8B"].filter((id) => !isKnownModel(id))).toEqual([]);
    expect(["janes-bot", "gpt of Jane", "bob"].filter(isKnownModel)).toEqual([]);
  });

  it("is every manner of attack that is built here", () => {
    expect(INJECTIONS.map(({ archetype }) => archetype).filter((manner) => !isArchetype(manner))).toEqual([]);
    expect(isArchetype("gloss_fr")).toBe(true);
    expect(isArchetype("ignore all rules, says Jane") || isArchetype("gloss_jane")).toBe(false);
  });
});
