import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { InputError } from "../../core/errors.js";
import { tempWorkspace } from "./in-temp-folder.suite.js";
import { redactionKey } from "./workspace.js";

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
