import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/cli.js";
import { EQUAL_WEIGHTS } from "../../measures/signals/components.js";
import { PAPER_WEIGHTS, PAPER_WEIGHTS_FILE } from "../../measures/signals/weights.js";
import { fileStores } from "../../store/files/stores.js";
import type { Workspace } from "../../store/files/workspace.js";
import type { CalibrationStore } from "../../store/ports.js";
import { weightsFor } from "./run-tools.js";

const AUDITS = { auditor: "a", auditor_version: "1", prompt_version: "p", template: "paper", signal: "logprobs" };

function storeWith(write: (path: string) => void): CalibrationStore {
  const path = join(temporaryFolder(), "pds_weights.json");
  write(path);
  return fileStores({ paths: { weights: path, gate: path, chain: path } } as Workspace).calibrations;
}

describe("weights of S", () => {
  const fitted = storeWith((path) =>
    writeFileSync(path, JSON.stringify({ ...PAPER_WEIGHTS_FILE, fitted_on: { ...AUDITS, missing: "floor" } })),
  );

  it("belong to the auditor whose audits they were fitted on", async () => {
    const { weights, notice } = await weightsFor(fitted, AUDITS);
    expect(weights).toMatchObject({ alpha: PAPER_WEIGHTS.alpha, calibrated: true, provenance: "fitted" });
    expect(notice).toBeNull();
  });

  it.each([
    ["auditor", "b"],
    ["auditor_version", "2"],
    ["prompt_version", "q"],
    ["signal", "sampling"],
    ["missing", "paper"],
  ])("are not those of audits with another %s, which get equal ones", async (field, value) => {
    const { weights, notice } = await weightsFor(fitted, { ...AUDITS, [field]: value });
    expect(weights).toBe(EQUAL_WEIGHTS);
    expect(notice).toMatchObject({ code: "weights_of_other_audits" });
  });

  it("without provenance are used and called uncalibrated", async () => {
    const paper = storeWith((path) => writeFileSync(path, JSON.stringify(PAPER_WEIGHTS_FILE)));
    const { weights, notice } = await weightsFor(paper, AUDITS);
    expect(weights).toMatchObject({ gamma: PAPER_WEIGHTS.gamma, calibrated: false, provenance: "unknown" });
    expect(notice).toEqual({ code: "weights_of_unknown_audits" });
  });

  it("are equal where there is no file, and an error where it cannot be read", async () => {
    expect(
      await weightsFor(
        storeWith(() => {}),
        AUDITS,
      ),
    ).toEqual({ weights: EQUAL_WEIGHTS, notice: null });
    await expect(
      weightsFor(
        storeWith((path) => mkdirSync(path)),
        AUDITS,
      ),
    ).rejects.toThrow(/cannot be read/);
    await expect(
      weightsFor(
        storeWith((path) => writeFileSync(path, "{")),
        AUDITS,
      ),
    ).rejects.toThrow(/not JSON/);
  });
});
