import { describe, expect, it } from "vitest";
import { InputError } from "../core/errors.js";
import { createAuditor } from "./create-auditor.js";

describe("createAuditor", () => {
  it("makes the baseline", async () => {
    expect(await createAuditor("baseline")).toMatchObject({ name: "baseline", inProcess: true });
  });

  it("says which names exist when asked for another", async () => {
    for (const name of ["oracle", "", "constructor", "Baseline"]) {
      const attempt = createAuditor(name);
      await expect(attempt).rejects.toBeInstanceOf(InputError);
      await expect(attempt).rejects.toThrow(`got "${name}", expected one of: baseline`);
    }
  });
});
