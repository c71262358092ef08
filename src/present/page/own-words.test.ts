import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { HASHED_SORTS, keyedHash, OwnWords } from "./own-words.js";

const words = new OwnWords(
  (text) => `${text.length}`.padStart(8, "0"),
  ["film-club", "Jane's corner"],
  new Set(["model", "level"]),
);
words.add("film", "tag");
words.add("jane_doe said so", "kind");
words.add("level", "tag");
words.add("12", "tag");
words.add("film-club", "tag");
words.add("😀", "tag");
words.add("a language that has a rather long name", "language");

describe("words that people chose", () => {
  it("are replaced by what stands for them, alone and inside a sentence", () => {
    expect(words.without("film")).toBe("redacted 00000004");
    expect(words.without("tags = film: 12 % of 8")).toBe("tags = redacted 00000004: 12 % of 8");
    expect(words.without("(Film), film")).toBe("(redacted 00000004), redacted 00000004");
    expect(words.without("under 😀")).toBe("under redacted 00000002");
  });

  it("are found in other forms: case, spaces for underscores, cut short", () => {
    expect(words.without("Most under Jane doe said so, 3 of 4")).toBe("Most under redacted 00000016, 3 of 4");
    expect(words.without("by a language that has a ra…: 3")).toBe("by redacted 00000038: 3");
  });

  it("are not found in names that stay, nor inside other words", () => {
    expect(words.without("film-club")).toBe("film-club");
    expect(words.without("film-club and film")).toBe("film-club and redacted 00000004");
    expect(words.without("filmed microfilm old_film")).toBe("filmed microfilm old_film");
  });

  it("are left where the program uses the same word or number itself", () => {
    expect(words.without("level 3 in 12 of 20")).toBe("level 3 in 12 of 20");
  });

  it("are replaced in keys and lists, and ids stay", () => {
    expect(words.withoutIn({ film: [{ id: "film", group: "film" }], n: 3, none: null })).toEqual({
      "redacted 00000004": [{ id: "film", group: "redacted 00000004" }],
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
