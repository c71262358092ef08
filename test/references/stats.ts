import reference from "./stats.json" with { type: "json" };

/** Values that `stats.py` computed outside the project. */
export { reference };

/** |got − want| / |want|; the absolute error where the true value is 0. */
export function relativeError(got: number, want: number): number {
  return want === 0 ? Math.abs(got) : Math.abs(got - want) / Math.abs(want);
}
