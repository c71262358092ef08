import { describe, expect, it } from "vitest";
import { defensibilityMinusF1, meanOver } from "../../measures/metrics/gap.js";
import { clusterToShow, fewClusters } from "../../measures/metrics/indices.js";
import { makeReport } from "../../measures/report.suite.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { f1Estimate } from "../../stats/ranks/detection.js";
import { isClusterWider, isSilent, wideInterval } from "./numbers.js";

const cluster = { method: "linearized, t", clusters: 5, design_effect: null };

describe("the interval to show", () => {
  it("is the wider one, also where both begin at the same place", () => {
    const none = { ...f1Estimate(0, 1, 0), cluster: { ...cluster, lower: 0, upper: 0 } };
    expect(isClusterWider(none)).toBe(false);
    expect(wideInterval(none)!.upper).toBeGreaterThan(0.8);
    const all = { ...f1Estimate(9, 1, 0), cluster: { ...cluster, lower: 0.1, upper: 1 } };
    expect(isClusterWider(all)).toBe(true);
    expect(wideInterval(all)).toEqual({ lower: 0.1, upper: 1 });
  });

  it("is that of these communities where they are few, and no interval without width counts", () => {
    const all = { ...f1Estimate(9, 1, 0), cluster: { ...cluster, clusters: 4, lower: 0.1, upper: 1 } };
    expect([isClusterWider(all), clusterToShow(all), fewClusters(all)]).toEqual([false, null, 4]);
    expect(wideInterval(all)).toEqual(wideInterval(f1Estimate(9, 1, 0)));
    const alike = { ...all, cluster: { ...cluster, lower: 0.9, upper: 0.9 } };
    expect([clusterToShow(alike), fewClusters(alike)]).toEqual([null, null]);
    const enough = { ...all, cluster: { ...cluster, lower: 0.1, upper: 1 } };
    expect([clusterToShow(enough), fewClusters(enough)]).toEqual([enough.cluster, null]);
  });

  it("says nothing where the cases are all alike and a variance makes its width zero", () => {
    const two = meanOver([{ cluster: "a", n: 2, mean: 0.5, squaredDeviations: 0 }], [0, 1], "none");
    // Two equal values are no certainty: their mean keeps a width.
    expect(two).toMatchObject({ estimate: 0.5, lower: expect.closeTo(0.1118, 4), upper: expect.closeTo(0.8882, 4) });
    expect(isSilent(two)).toBe(false);
    expect(isSilent({ ...two, lower: 0.5, upper: 0.5 } as never)).toBe(true);
    const gap = makeReport([
      { n: 1, positive: true, humanPositive: false },
      { n: 1, positive: false, humanPositive: false, community: "film-club" },
    ]).gap.di_minus_f1;
    expect(gap).toMatchObject({ estimate: 1, upper: 1 });
    expect(isSilent(gap)).toBe(false);
    expect(isSilent(proportion(2, 2))).toBe(false);
    expect(isSilent({ ...proportion(2, 2), lower: 1, upper: 1, method: "by construction" } as never)).toBe(false);
    expect(isSilent(defensibilityMinusF1([]))).toBe(false);
  });
});
