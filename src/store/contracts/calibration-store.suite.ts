import { describe, expect, it } from "vitest";
import type { NewCalibration } from "../../core/calibration.js";
import type { CalibrationStore } from "../ports.js";

/** A calibration that can be kept. */
export function makeCalibration(changes: Partial<NewCalibration> = {}): NewCalibration {
  return {
    component: "h_w",
    method: "platt",
    weights: { alpha: 0.6, beta: 0, gamma: 0.4 },
    loss: 0.3,
    n: 40,
    active_constraints: ["beta = 0"],
    ece: { equal_frequency: 0.1, tie_averaged: 0.1, equal_width: 0.1, debiased_rms: 0.1, smooth: 0.1, null_95: 0.2 },
    brier: 0.1,
    log_loss: 0.3,
    auroc: 0.9,
    mean_pds: { all: 0.8, defensible: 0.9, indefensible: 0.7 },
    created_at: "2026-01-02T03:04:05.678Z",
    evidence: {
      run_id: "r",
      auditor: "baseline",
      auditor_version: "1",
      prompt_version: "p",
      template: "paper",
      signal: "logprobs",
      tier: "wiki",
      temperature: 0.2,
    },
    target: { kind: "gold", source: null, n: 40, indefensible: 8 },
    score: "p_calibrated",
    seed: 1,
    model: { kind: "platt", slope: 1, intercept: 0 },
    ...changes,
  };
}

/** What every store of calibrations must do. `create` gives a fresh, empty one. */
export function calibrationStoreContract(name: string, create: () => CalibrationStore): void {
  describe(`${name} keeps the contract of a store of calibrations`, () => {
    it("keeps each under an id of its time and content, the newest first", async () => {
      const store = create();
      expect(await store.list()).toEqual([]);
      const first = await store.keep(makeCalibration({ name: "mine" }));
      expect(first.calibration_id).toMatch(/^20260102T030405Z-[0-9a-f]{4}$/);
      const later = await store.keep(makeCalibration({ name: "mine", created_at: "2026-01-03T03:04:05.678Z" }));
      expect(await store.list()).toEqual([later, first]);
      expect(await store.survey()).toEqual({ calibrations: [later, first], damaged: [] });
    });

    it("says where a calibration is kept", async () => {
      const store = create();
      const kept = await store.keep(makeCalibration());
      expect(store.placeOf(kept)).toContain(kept.calibration_id);
    });

    it("gives back the newest weights of S", async () => {
      const store = create();
      expect(await store.weights()).toBeNull();
      const weights = { alpha: 0.6, beta: 0, gamma: 0.4, component: "h_w" };
      await store.keepWeights({ ...weights, alpha: 1 });
      const place = await store.keepWeights(weights);
      const kept = await store.weights();
      expect(JSON.parse(kept!.text)).toEqual(weights);
      expect(kept!.place).toBe(place);
    });

    it("tells two of one second and one content apart", async () => {
      const store = create();
      const ids = [await store.keep(makeCalibration()), await store.keep(makeCalibration())].map(
        (one) => one.calibration_id,
      );
      expect(ids[1]!.startsWith(ids[0]!)).toBe(true);
      expect(new Set(ids).size).toBe(2);
      expect((await store.read(ids[0]!)).calibration_id).toBe(ids[0]);
    });

    it("finds one by id, by the beginning of an id and by name", async () => {
      const store = create();
      const first = await store.keep(makeCalibration({ name: "mine" }));
      const later = await store.keep(makeCalibration({ name: "mine", created_at: "2026-01-03T03:04:05.678Z" }));
      expect(await store.read(first.calibration_id)).toEqual(first);
      expect(await store.read("20260103")).toEqual(later);
      expect(await store.read("mine")).toEqual(later);
      await expect(store.read("2026")).rejects.toThrow(/2 ids begin with "2026"/);
      for (const unknown of ["other", ""]) await expect(store.read(unknown)).rejects.toThrow(/there is no/);
    });
  });
}
