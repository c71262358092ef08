import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeAudit, makeManifest } from "../../../test/support/make-audit.js";
import { memoryContext } from "./stores.js";

describe("a context in memory", () => {
  it("leaves no file behind when it is closed", async () => {
    const context = memoryContext();
    const writer = await context.runs.create(makeManifest());
    await writer.append([makeAudit()]);
    await writer.seal("2026-01-01T01:00:00.000Z");
    const { path } = await context.runs.snapshot(writer.manifest.run_id);
    expect(existsSync(path)).toBe(true);
    context.close();
    expect(existsSync(path)).toBe(false);
  });

  it("has the rules, settings and time that it was given", async () => {
    const rules = [{ scope: "platform" as const, version: "1", rules: [{ id: "P1", title: "Be kind" }] }];
    const now = new Date("2026-01-02T03:04:05Z");
    const context = memoryContext({ rules, now: () => now });
    expect((await context.records.rules()).map(({ set }) => set)).toEqual(rules);
    expect(context.now()).toBe(now);
    expect(context.newId(now)).toMatch(/^20260102T030405Z-[0-9a-f]{4}$/);
    expect(context.config.actions.positive).toBe("remove");
  });
});
