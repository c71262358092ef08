export interface KneePoint {
  coverage: number;
  risk: number;
}

/**
 * The knee of a coverage–risk frontier: where covering more begins to cost more risk than it did.
 *
 * Formula: both axes scaled to [0, 1] between the ends of the frontier (least and greatest coverage); the point with the
 * largest distance below the chord between the ends. Ties go to the greater coverage.
 * Range: a position in the list, whose points must be in ascending order of coverage.
 * Undefined when: fewer than three points, ends of equal coverage or risk, or no point below the chord: null.
 * Differs from the paper: the paper calls its Standard setting the knee without a rule; this one is Kneedle's.
 * @see Satopää, Albrecht, Irwin and Raghavan (2011), ICDCS Workshops, 166-171
 * @example
 * kneeIndex([{ coverage: 0, risk: 0 }, { coverage: 0.8, risk: 0.1 }, { coverage: 1, risk: 1 }]) // => 1
 */
export function kneeIndex(points: readonly KneePoint[]): number | null {
  const first = points[0];
  const last = points[points.length - 1];
  if (points.length < 3 || !first || !last) return null;
  const width = last.coverage - first.coverage;
  const height = last.risk - first.risk;
  if (!(width > 0 && height > 0)) return null;
  let best: number | null = null;
  let greatest = 1e-12;
  points.forEach((point, index) => {
    const gain = (point.coverage - first.coverage) / width - (point.risk - first.risk) / height;
    if (gain > greatest - 1e-12 && gain > 1e-12) {
      best = index;
      greatest = Math.max(greatest, gain);
    }
  });
  return best;
}
