import { goldenSection } from "../../../stats/optimise/golden-section.js";
import type { TargetClasses, TemperatureModel } from "../calibration-model.js";
import { logProbMatrix, targetsOf } from "../features.js";
import type { ScoreColumns } from "../score-columns.js";

/** Temperatures looked at: from answers ten times too timid on the log scale to a hundred times too bold. */
export const TEMPERATURE_RANGE = [0.1, 100] as const;

/**
 * Temperature scaling: one number that says how much too sure an auditor is of its level.
 *
 * Formula: T = argmin of the mean −ln q(level), q_l = p_l^{1/T} / Σ p_j^{1/T}, by golden section on ln T. For a binary target the loss is that of
 * q_1 + q_2 against q_3.
 * Range: T in [0.1, 100]; above 1 the auditor was too sure. The order of rows by p is kept within each pair of levels.
 * Undefined when: there are no rows (RangeError). Rows that are all right push T to its lower end.
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
  // Relative to the most probable level, of which two exponentials are left; what the target adds is linear in 1/T and is added up once.
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
