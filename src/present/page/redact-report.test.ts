import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { HASHED_SORTS, keyedHash } from "./keyed-hash.js";
import { withoutNames } from "./redact-report.js";

const names = ["film", "jane_doe said so", "level", "12", "😀", "a language that has a rather long name", "c++ (old)"];
const hidden = new Map(names.map((name) => [name, `redacted ${`${name.length}`.padStart(8, "0")}`]));
const without = <Value>(value: Value) => withoutNames(value, hidden);

describe("names that people chose", () => {
  it("are replaced, alone and inside a sentence", () => {
    expect(without("film")).toBe("redacted 00000004");
    expect(without("tags = film: 12% of 8")).toBe("tags = redacted 00000004: 12% of 8");
    expect(without("(Film), film")).toBe("(redacted 00000004), redacted 00000004");
    expect(without("under 😀")).toBe("under redacted 00000002");
    expect(without("by c++ (old), 3")).toBe("by redacted 00000009, 3");
  });

  it("are found in other forms: case, spaces for underscores, cut short", () => {
    expect(without("Most under Jane doe said so, 3 of 4")).toBe("Most under redacted 00000016, 3 of 4");
    expect(without("by a language that has a ra…: 3")).toBe("by redacted 00000038: 3");
  });

  it("are not found inside other words, nor in names that stay", () => {
    expect(withoutNames("film-club and film", hidden, ["film-club"])).toBe("film-club and redacted 00000004");
    expect(without("film-club filmed microfilm old_film")).toBe("film-club filmed microfilm old_film");
  });

  it("are left where the program uses the same word or number itself", () => {
    const own = new Map([
      ["earned_autonomy", "redacted"],
      ["12", "redacted"],
      ["a", "redacted"],
    ]);
    expect(withoutNames("earned_autonomy in 12 of a", own)).toBe("earned_autonomy in 12 of a");
  });

  it("are replaced in lists, and ids stay", () => {
    expect(without({ rows: [{ id: "film", group: "film" }], n: 3, none: null })).toEqual({
      rows: [{ id: "film", group: "redacted 00000004" }],
      n: 3,
      none: null,
    });
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
