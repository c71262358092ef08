import { goldenSection, lbfgs } from "../../../stats/optimise/minimise.js";
import type { TargetClasses, TemperatureModel, VectorModel } from "../calibration-model.js";
import { logProbMatrix, targetsOf } from "../features.js";
import type { ScoreColumns } from "../score-columns.js";
import { FINITE_OPTIMUM_L2 } from "./platt.js";
import { GRADIENT_TOLERANCE, standardise } from "./ridge.js";

/** Temperatures searched: from answers ten times underconfident on the log scale to a hundred times overconfident. */
export const TEMPERATURE_RANGE = [0.1, 100] as const;

/**
 * Temperature scaling: one number for how overconfident an auditor is of its level.
 *
 * Formula: T = argmin of the mean −ln q(level), q_l = p_l^{1/T} / Σ p_j^{1/T}, by golden section on ln T. For a binary target the loss is that of
 * q_1 + q_2 against q_3.
 * Range: T in [0.1, 100]; above 1 the auditor was overconfident. The order of rows by p is kept within each pair of levels.
 * Undefined when: there are no rows (RangeError). If all rows are right, T goes to its lower end.
 * Differs from the paper: not in the paper.
 * @see Guo, Pleiss, Sun and Weinberger (2017), ICML, section 4
 */
export function fitTemperature(
  columns: ScoreColumns,
  rows: Int32Array,
  target: TargetClasses = "levels",
): TemperatureModel {
  if (rows.length === 0) throw new RangeError("rows: none; expected at least one of each class");
  const logs = logProbMatrix(columns, rows);
  const { level, weight } = targetsOf(columns, rows);
  const n = rows.length;
  const total = weight ? weight.reduce((sum, one) => sum + one, 0) : n;
  // Relative to the most probable level, which leaves two exponentials. The target's term is linear in 1/T and is summed once.
  const gaps = new Float64Array(2 * n);
  const within = new Float64Array(n);
  let linear = 0;
  for (let i = 0; i < n; i += 1) {
    const l1 = logs[3 * i]!;
    const l2 = logs[3 * i + 1]!;
    const l3 = logs[3 * i + 2]!;
    const most = Math.max(l1, l2, l3);
    gaps[2 * i] = Math.min(l1, l2, l3) - most;
    gaps[2 * i + 1] = l1 + l2 + l3 - 2 * most - Math.min(l1, l2, l3);
    const merged = target === "binary" && level[i] !== 3;
    linear +=
      (weight ? weight[i]! : 1) * (most - (merged ? Math.max(l1, l2) : level[i] === 1 ? l1 : level[i] === 2 ? l2 : l3));
    within[i] = merged ? -Math.abs(l1 - l2) : Number.NEGATIVE_INFINITY;
  }
  const loss = (logTemperature: number): number => {
    const inverse = Math.exp(-logTemperature);
    let sum = linear * inverse;
    for (let i = 0; i < n; i += 1) {
      const w = weight ? weight[i]! : 1;
      sum += w * Math.log(1 + Math.exp(gaps[2 * i]! * inverse) + Math.exp(gaps[2 * i + 1]! * inverse));
      if (target === "binary") sum -= w * Math.log1p(Math.exp(within[i]! * inverse));
    }
    return sum / total;
  };
  const [low, high] = TEMPERATURE_RANGE;
  const { x } = goldenSection(loss, Math.log(low), Math.log(high), { tolerance: 1e-7, scan: 9 });
  return { kind: "temperature", target, temperature: Math.min(high, Math.max(low, Math.exp(x))) };
}

/**
 * Vector scaling: a temperature and an offset for each level.
 *
 * Formula: softmax(v_l ln p_l + b_l), argmin of the mean −ln q(level) + 10⁻⁶/2 Σ (v_l − 1)² Var(ln p_l); offsets have sum 0, since only their
 * differences matter. The ridge towards "unchanged" only keeps the optimum finite where levels do not overlap.
 * Range: v may be negative, for a level whose probability points the wrong way.
 * Undefined when: a level is missing (its offset diverges; callers refuse first).
 * Differs from the paper: not in the paper.
 * @see Guo, Pleiss, Sun and Weinberger (2017), ICML, section 4.2
 */
export function fitVectorScaling(columns: ScoreColumns, rows: Int32Array): VectorModel {
  const logs = logProbMatrix(columns, rows);
  const { level, weight } = targetsOf(columns, rows);
  const n = weight ? weight.reduce((sum, one) => sum + one, 0) : rows.length;
  // The search moves v · sd(ln p) and b + v · mean(ln p): steps of equal size then have comparable effects, and it converges in a few steps.
  const { mean, sd } = standardise(logs, 3, weight);
  const objective = (at: Float64Array, gradient: Float64Array): number => {
    gradient.fill(0);
    let loss = 0;
    let part = 0;
    for (let i = 0; i < logs.length; i += 3) {
      const l1 = logs[i]!;
      const l2 = logs[i + 1]!;
      const l3 = logs[i + 2]!;
      const z1 = at[0]! * l1 + at[3]!;
      const z2 = at[1]! * l2 + at[4]!;
      const z3 = at[2]! * l3 + at[5]!;
      const most = z1 > z2 ? (z1 > z3 ? z1 : z3) : z2 > z3 ? z2 : z3;
      const e1 = Math.exp(z1 - most);
      const e2 = Math.exp(z2 - most);
      const e3 = Math.exp(z3 - most);
      const total = e1 + e2 + e3;
      const target = level[i / 3]!;
      const w = weight ? weight[i / 3]! : 1;
      part += w * (Math.log(total) + most - (target === 1 ? z1 : target === 2 ? z2 : z3));
      // Summed in parts: over 100,000 rows a single sum loses two more digits.
      if (i % 1536 === 1533) {
        loss += part;
        part = 0;
      }
      const r1 = w * (e1 / total - (target === 1 ? 1 : 0));
      const r2 = w * (e2 / total - (target === 2 ? 1 : 0));
      const r3 = w * (e3 / total - (target === 3 ? 1 : 0));
      gradient[0]! += r1 * l1;
      gradient[1]! += r2 * l2;
      gradient[2]! += r3 * l3;
      gradient[3]! += r1;
      gradient[4]! += r2;
      gradient[5]! += r3;
    }
    let penalty = 0;
    for (let j = 0; j < 6; j += 1) gradient[j]! /= n;
    for (let j = 0; j < 3; j += 1) {
      penalty += (at[j]! - sd[j]!) ** 2;
      gradient[j]! += FINITE_OPTIMUM_L2 * (at[j]! - sd[j]!);
    }
    return (loss + part) / n + (FINITE_OPTIMUM_L2 / 2) * penalty;
  };
  const { x } = lbfgs(objective, [...sd, ...mean], { tolerance: GRADIENT_TOLERANCE });
  // A level whose probability never changes has no slope to fit, so its scale stays 1.
  const scale = sd.map((spread, k) => (spread === 0 ? 1 : x[k]! / spread));
  const offsets = mean.map((centre, k) => x[3 + k]! - scale[k]! * centre);
  const middle = (offsets[0]! + offsets[1]! + offsets[2]!) / 3;
  return {
    kind: "vector",
    scale: [scale[0]!, scale[1]!, scale[2]!],
    bias: [offsets[0]! - middle, offsets[1]! - middle, offsets[2]! - middle],
  };
}
