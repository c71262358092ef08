import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/weighted-rows.js";
import { classwiseError } from "./errors/classwise-error.js";
import { fitPaper } from "./paper/fit-paper.js";
import { columnsOf } from "./paper-columns.suite.js";
import { type ScoreColumns, selectRows } from "./score-columns.js";

type Dataset = (typeof reference.datasets)[number];

/** The labels are the target; the auditor's own level is another one, which must not matter. */
function labelled({ rows }: Dataset): ScoreColumns {
  const columns = columnsOf(rows);
  const targetWeight = Float64Array.from(rows.weight);
  return { ...columns, level: new Uint8Array(columns.n).fill(1), targetLevel: columns.level, targetWeight };
}

describe.each(reference.datasets)("labels with weights, against scipy: $name", (dataset) => {
  const { rows, weights_of_s, classwise } = dataset;
  const columns = labelled(dataset);

  it("give the weights of S with the smallest weighted loss", () => {
    const found = fitPaper(columns, { target: "target" });
    const { alpha, beta, gamma } = found.weights;
    [alpha, beta, gamma].forEach((weight, j) => {
      expect(weight).toBeCloseTo(weights_of_s.weights[j]!, 5);
    });
    expect(found.loss).toBeCloseTo(weights_of_s.loss, 9);
    expect(found.base_rate_loss).toBeCloseTo(weights_of_s.base_rate_loss, 12);
    expect(found.n).toBe(rows.level.length);
    expect(found.n_indefensible).toBe(rows.level.filter((level) => level === 3).length);
    const unweighted = fitPaper(
      { ...columns, targetWeight: new Float64Array(columns.n).fill(1) },
      { target: "target" },
    );
    expect(Math.abs(unweighted.weights.gamma - gamma)).toBeGreaterThan(0.01);
  });

  it("give class-wise errors with bins of equal weight", () => {
    const probs = [0, 1, 2].map((l) => Float64Array.from(rows.p, (row) => row[l]!));
    const weights = columns.targetWeight;
    const found = classwiseError(probs as [Float64Array, Float64Array, Float64Array], columns.targetLevel!, {
      seed: 1,
      draws: 50,
      weights,
    });
    found.levels.forEach(({ value }, l) => {
      expect(value).toBeCloseTo(classwise.levels[l]!, 12);
    });
    expect(found.mean.value).toBeCloseTo(classwise.mean, 12);
    expect(found.mean.null_95).toBeGreaterThan(0);
  });
});

describe("whole weights", () => {
  const [dataset] = reference.datasets;
  const plain = labelled(dataset!);
  const copies = Float64Array.from(plain.targetWeight!, (weight) => 4 * weight);
  const rows = [...copies].flatMap((count, i) => Array<number>(count).fill(i));
  const repeated = { ...selectRows(plain, Int32Array.from(rows)), targetWeight: undefined } as unknown as ScoreColumns;

  it.each(["closed-simplex", "lbfgs-softmax"] as const)("are repeated rows to the weights of S, by %s", (method) => {
    const options = { target: "target", method } as const;
    const [got, want] = [fitPaper({ ...plain, targetWeight: copies }, options), fitPaper(repeated, options)];
    expect(got.loss).toBeCloseTo(want.loss!, 10);
    for (const name of ["alpha", "beta", "gamma"] as const)
      expect(got.weights[name]).toBeCloseTo(want.weights[name], 6);
    got.contributions.forEach((part, j) => {
      for (const name of ["mean", "sd", "loss_without", "loss_at_mean"] as const) {
        expect(part[name]).toBeCloseTo(want.contributions[j]![name], 7);
      }
    });
  });

  it("warn where the rows say as much as fewer than 30", () => {
    const targetWeight = copies.map((_, i) => (i < 5 ? 1000 : 1));
    expect(fitPaper({ ...plain, targetWeight }, { target: "target" }).warnings.join()).toMatch(/as much as 5\.\d that/);
  });
});
