import { describe, expect, it } from "vitest";
import { vaultOf } from "./secrets.js";

const [OLD, NEW] = ["the old secret of the service", "the new secret of the service"];
const text = Buffer.from("whsec_abc");

describe("the vault", () => {
  it("gives back what it sealed, differently each time and never in clear", () => {
    const vault = vaultOf(OLD);
    const [one, two] = [vault.seal(text), vault.seal(text)];
    expect(one.equals(two)).toBe(false);
    expect(one.includes("abc")).toBe(false);
    expect(vault.open(one)).toEqual(text);
  });

  it("refuses a changed value and another key, in words without the value", () => {
    const sealed = vaultOf(OLD).seal(text);
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      expect(() => vaultOf(OLD).open(changed)).toThrow("cannot be read with DEFENSIBLE_SECRET");
    }
    expect(() => vaultOf(NEW).open(sealed)).toThrow("cannot be read");
    expect(() => vaultOf(OLD).open(Buffer.alloc(3))).toThrow("cannot be read");
  });

  it("reads old values with the old secret second, and seals under the first", () => {
    const both = vaultOf(`${NEW},${OLD}`);
    const old = vaultOf(OLD).seal(text);
    expect(both.open(old)).toEqual(text);
    expect([both.isCurrent(old), both.isCurrent(both.seal(text))]).toEqual([false, true]);
    expect(vaultOf(NEW).open(both.seal(both.open(old)))).toEqual(text);
  });

  it("refuses a secret that could be guessed", () => {
    expect(() => vaultOf("")).toThrow("not set");
    expect(() => vaultOf("short")).toThrow("16 characters");
  });
});
