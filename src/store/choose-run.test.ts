import { describe, expect, it } from "vitest";
import type { Manifest } from "../core/records/manifest.js";
import { noRuns, refuseArmsOnly } from "./choose-run.js";

const run = (run_id: string, arms?: string[]) =>
  ({ run_id, ...(arms ? { experiment: { kind: "tiers", arms: arms.map((name) => ({ name })) } } : {}) }) as Manifest;

describe("a run that is asked about as it stands", () => {
  it("is refused where all its audits are under arms, with the command that shows it", () => {
    expect(() => refuseArmsOnly(run("r1", ["tier=title", "tier=wiki"]))).toThrow(/r1: was made for experiment tiers/);
    expect(() => refuseArmsOnly(run("r1", ["", "tier=wiki"]))).not.toThrow();
    expect(() => refuseArmsOnly(run("r1"))).not.toThrow();
  });

  it("is missed, and told whether there are others", () => {
    expect(() => noRuns([])).toThrow("runs: the workspace has none");
    expect(() => noRuns([run("r2", ["tier=title"])])).toThrow(
      /none but those of experiments \(the newest, r2, is of tiers\)/,
    );
  });
});
