import { describe, expect, it } from "vitest";
import { figureSchema } from "../../core/figure.js";
import { analyseStability } from "../../measures/stability/analyse-stability.js";
import { plantedCohort } from "../../measures/stability/planted.suite.js";
import { levels, makeReplicates } from "../../measures/stability/replicates.suite.js";
import { createRng } from "../../stats/random/create-rng.js";
import { stabilityFigures } from "./stability-figures.js";

type Cohort = ReturnType<typeof plantedCohort>;

function figuresOf({ replicates, groups }: Cohort) {
  const { analysed, analysis } = analyseStability(replicates, groups, {
    ...{ mode: "fixed", alpha: 0.05, evidence: "labels", stop: "boundary", cap: 300, draws: 50, rng: createRng(1) },
  });
  const figures = stabilityFigures(analysed, analysis);
  return { analysis, figures, figure: (id: string) => figures.find((one) => one.id === id)! };
}

const planted = figuresOf(plantedCohort({ cases: 14, replicates: 40, temperatures: [0.1, 1], seed: 2 }));

describe("stabilityFigures", () => {
  it("are figures, each with an id of its own and a title that says something", () => {
    for (const figure of planted.figures) {
      expect(figureSchema.parse(JSON.parse(JSON.stringify(figure)))).toEqual(JSON.parse(JSON.stringify(figure)));
      expect(figure.title, figure.id).not.toMatch(/NaN|undefined|null|_mean/);
    }
    expect(new Set(planted.figures.map(({ id }) => id)).size).toBe(planted.figures.length);
  });

  it("draw every axis, series, panel and choice from a column that the rows have", () => {
    for (const { id, x, y, series, facet, choose = [], name, rows } of planted.figures) {
      for (const field of [x.field, y.field, series, facet, name, ...choose]) {
        if (field !== undefined) expect(rows[0], id).toHaveProperty(field);
      }
    }
  });

  it("mark where cases pass 10 and 90% of level 3, between two bars", () => {
    const cohort = makeReplicates(
      [[levels(40, 0, 0)], [levels(36, 0, 4)], [levels(20, 0, 20)], [levels(0, 0, 40)]],
      [0.7],
    );
    const { figure } = figuresOf({ replicates: cohort, groups: [null, null, null, null] });
    const { references, rows, title } = figure("stability-levels");
    expect(references?.map(({ value }) => value)).toEqual([2.5, 3.5]);
    expect(rows.filter(({ level }) => level === "3").map(({ share }) => share)).toEqual([0, 0.1, 0.5, 1]);
    expect(title).toContain("2 are stably defensible, 1 boundary-unstable and 1 stably indefensible");
  });

  it("lay the smoothed curve over the points, in the same columns and within their range", () => {
    const { curve, rows, facet } = planted.figure("stability-pds-consistency");
    const most = Math.max(...rows.map(({ sd_pds }) => Number(sd_pds)));
    expect(facet).toBe("temperature");
    expect(new Set(curve!.rows.map(({ temperature }) => temperature))).toEqual(new Set([0.1, 1]));
    for (const row of curve!.rows) {
      expect(Object.keys(row).sort()).toEqual(["dominant_share", "sd_pds", "temperature"]);
      expect(Number(row.sd_pds)).toBeLessThanOrEqual(most);
    }
  });

  it("say in the title what the correlation on disjoint replicates says", () => {
    const { correlations } = planted.analysis;
    const found = correlations.signals.find(
      ({ x, y, temperature }) => x === "pds" && y === "sd_pds" && temperature === 0.1,
    )!;
    const { title, rows } = planted.figure("stability-single-spread");
    expect(title).toContain(`ρ = ${found.disjoint.estimate!.toFixed(2).replace("-", "−")}`);
    expect(rows.filter(({ temperature }) => temperature === 0.1)).toHaveLength(14);
  });

  it("show first what the title tells, where the reader can choose", () => {
    const { rows, caption } = planted.figure("stability-temperature-sweep");
    expect(rows[0]).toMatchObject({ quantity: "ratio of means", score: "p_defensible" });
    expect(caption).toContain("the ratio of means for P(defensible)");
    for (const { id, choose, title, title_of_all } of planted.figures) {
      if (choose?.includes("temperature")) expect(title, id).toContain("at T\u00a0=\u00a00.1");
      else if (choose && id !== "stability-temperature-sweep") expect(title_of_all, id).toBe(true);
    }
  });

  it("count the cases behind a mean of each class", () => {
    const { title, rows } = planted.figure("stability-classes");
    const own = rows.filter((row) => row.temperature === 0.1 && row.class === "rock_solid");
    const mean = own.reduce((sum, row) => sum + Number(row.sd_p_defensible), 0) / own.length;
    expect(title).toContain(`${mean.toFixed(3)} in ${own.length} rock solid`);
  });

  it("call no signal the best where chance alone could explain it", () => {
    const { replicates, groups } = plantedCohort({ cases: 14, replicates: 40, temperatures: [0.1], seed: 2 });
    const { analysed, analysis } = analyseStability(replicates, groups, {
      ...{ mode: "fixed", alpha: 0.05, evidence: "labels", stop: "boundary", cap: 300, draws: 50, rng: createRng(1) },
    });
    const title = (p: number) => {
      const signals = analysis.correlations.signals.map((row) => ({ ...row, adjusted_p: p }));
      const changed = { ...analysis, correlations: { ...analysis.correlations, signals } };
      return stabilityFigures(analysed, changed).find(({ id }) => id === "stability-signal-correlations")!.title;
    };
    expect(title(0.2)).toMatch(
      /^No signal predicts the spread of P\(defensible\) beyond chance at T\s=\s0\.1; nearest comes/u,
    );
    expect(title(0.01)).toMatch(/ predicts the spread of P\(defensible\) best at T\s=\s0\.1: ρ = /u);
  });

  it("compare nothing where nobody flipped", () => {
    const { replicates } = plantedCohort({ cases: 6, replicates: 40, temperatures: [0.5], seed: 3 });
    const { figure } = figuresOf({ replicates, groups: Array(6).fill("stable") });
    expect(figure("stability-flipper-spread").title).toBe(
      "Nothing to compare in the sd of S: there are no Flippers that have it",
    );
  });

  it("leave out groups, and what compares them, where no pilot formed any", () => {
    const { replicates } = plantedCohort({ cases: 6, replicates: 40, temperatures: [0.5], seed: 3 });
    const { figures, figure } = figuresOf({ replicates, groups: Array(6).fill(null) });
    expect(figures.filter(({ id }) => id.includes("flipper"))).toEqual([]);
    expect(figure("stability-single-spread")).not.toHaveProperty("series");
  });
});
