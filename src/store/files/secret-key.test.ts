import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { InputError } from "../../core/errors.js";
import { tempWorkspace } from "./in-temp-folder.suite.js";
import { HASHED_SORTS, keyedHash, newKey, redactionKey } from "./secret-key.js";

describe("the key of redacted reports", () => {
  it("is made when it is first needed, for its owner's eyes alone, and stays", () => {
    const place = tempWorkspace();
    const key = redactionKey(place);
    expect(key).toHaveLength(32);
    expect(redactionKey(place)).toEqual(key);
    expect(readdirSync(place.root).filter((name) => name.startsWith("redaction"))).toEqual(["redaction.key"]);
    if (process.platform !== "win32") expect(statSync(place.paths.redactionKey).mode & 0o777).toBe(0o600);
    expect(readFileSync(place.paths.redactionKey, "utf8")).toBe(`${key.toString("hex")}\n`);
  });

  it("differs from workspace to workspace", () => {
    expect(redactionKey(tempWorkspace())).not.toEqual(redactionKey(tempWorkspace()));
  });

  it("is refused where the file holds something else", () => {
    const place = tempWorkspace();
    writeFileSync(place.paths.redactionKey, "");
    expect(() => redactionKey(place)).toThrow(InputError);
  });
});

describe("the hash of a text", () => {
  it("is HMAC-SHA-256 under the key, of the sort and the text", () => {
    // By Python's hmac, of b"content\0what do ya want for nothing?".
    expect(keyedHash(Buffer.from("Jefe"))("what do ya want for nothing?", "content")).toBe("8a190c59bf3c0681");
  });

  it("is the same for the same text under one key, and another under another", () => {
    const [one, other] = [keyedHash(newKey()), keyedHash(newKey())];
    expect(one("yes", "note")).toBe(one("yes", "note"));
    expect(one("yes", "note")).not.toBe(one("no", "note"));
    expect(one("yes", "note")).not.toBe(other("yes", "note"));
  });

  it("is another for every sort, so that nobody finds a person by posting the name", () => {
    const hash = keyedHash(newKey());
    expect(new Set(HASHED_SORTS.map((sort) => hash("jane@example.org", sort))).size).toBe(HASHED_SORTS.length);
  });
});
