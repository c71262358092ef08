import { expect, TestRunner } from "vitest";
import { isKept, type Row } from "../../scripts/guarantees.mjs";

declare module "vitest" {
  interface TaskMeta {
    rows?: Row[];
  }
}

/**
 * Puts a figure on record for docs/guarantees.md, and fails where it does not do what it promises, up to three standard errors. The
 * reporter writes what the tests of a file recorded once all of them have passed.
 */
export function record(row: Row): void {
  const kept = rounded(row);
  const { meta } = TestRunner.getCurrentTest()!;
  meta.rows = [...(meta.rows ?? []), kept];
  expect(isKept(kept), `does not do what it promises: ${JSON.stringify(kept)}`).toBe(true);
}

/** Five digits: more are noise, and the last ones differ between machines. */
function rounded(row: Row): Row {
  const short = (value: number) => Number(value.toPrecision(5));
  return {
    ...row,
    observed: short(row.observed),
    ...(row.standard_error !== undefined && { standard_error: short(row.standard_error) }),
    ...(row.beside && {
      beside: Object.fromEntries(Object.entries(row.beside).map(([name, value]) => [name, short(value)])),
    }),
  };
}
