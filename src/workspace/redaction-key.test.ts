import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { InputError } from "../errors.js";
import { keyedHash, newRedactionKey, redactionKey, redactionKeyFile } from "./redaction-key.js";

const workspace = () => ({ root: mkdtempSync(join(tmpdir(), "redaction-")) });

describe("the key of redacted reports", () => {
  it("is made when it is first needed, for its owner's eyes alone, and stays", () => {
    const place = workspace();
    const key = redactionKey(place);
    expect(key).toHaveLength(32);
    expect(redactionKey(place)).toEqual(key);
    expect(readdirSync(place.root)).toEqual(["redaction.key"]);
    if (process.platform !== "win32") expect(statSync(redactionKeyFile(place)).mode & 0o777).toBe(0o600);
    expect(readFileSync(redactionKeyFile(place), "utf8")).toBe(`${key.toString("hex")}\n`);
  });

  it("differs from workspace to workspace", () => {
    expect(redactionKey(workspace())).not.toEqual(redactionKey(workspace()));
  });

  it("is refused where the file holds something else", () => {
    const place = workspace();
    writeFileSync(redactionKeyFile(place), "");
    expect(() => redactionKey(place)).toThrow(InputError);
  });
});

describe("the hash of a text", () => {
  it("is HMAC-SHA-256 under the key", () => {
    // RFC 4231, test case 2.
    expect(keyedHash(Buffer.from("Jefe"))("what do ya want for nothing?")).toBe("5bdcc146bf60754e");
  });

  it("is the same for the same text under one key, and another under another", () => {
    const [one, other] = [keyedHash(newRedactionKey()), keyedHash(newRedactionKey())];
    expect(one("yes")).toBe(one("yes"));
    expect(one("yes")).not.toBe(one("no"));
    expect(one("yes")).not.toBe(other("yes"));
  });
});
