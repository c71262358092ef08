import { describe, expect, it } from "vitest";
import type { Config } from "../../core/config.js";
import type { Manifest } from "../../core/records/manifest.js";
import { auditedLike, chooseRun } from "./gate-runs.js";

const SETTINGS = { auditor: "m", tier: "wiki", template: "paper", temperature: 0, signal: "logprobs" } as const;
const run = (run_id: string, more: Partial<Manifest> = {}) =>
  ({ ...SETTINGS, run_id, status: "sealed", selection: {}, ...more }) as Manifest;
const config = SETTINGS as unknown as Config;
const experiment = run("r3", { experiment: { kind: "dual", arms: [{ name: "" }] } });

describe("the run of a gate", () => {
  it("is the newest that is no experiment's", () => {
    const chosen = chooseRun([experiment, run("r2"), run("r1")], config, null, undefined);
    expect(chosen).toMatchObject({ manifest: { run_id: "r2" }, obstacles: [] });
    expect(() => chooseRun([experiment], config, null, undefined)).toThrow(/the workspace has none/);
  });

  it("can be an experiment's if it is named, but does not come into force by itself", () => {
    const { manifest, obstacles } = chooseRun([experiment, run("r2")], config, null, "r3");
    expect(manifest.run_id).toBe("r3");
    expect(obstacles).toContainEqual({ code: "experiment", kind: "dual" });
  });

  it("is not watched in an experiment's audits", () => {
    expect(auditedLike(run("r1"), SETTINGS as never)).toBe(true);
    expect(auditedLike(experiment, SETTINGS as never)).toBe(false);
  });
});
