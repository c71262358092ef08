/** What a number of the paper is to a simulation that is fed with the paper's rates. */
export type PaperRole = "input" | "derived" | "output";

/** One printed number. Shares are fractions, gaps too; `digits` is how many decimals of the fraction were printed. */
export interface PaperValue {
  /** `table.row.column`. */
  id: string;
  /** Label of the table or figure in the paper, or the section. */
  place: string;
  what: string;
  value: number;
  unit: "share" | "points" | "number" | "count";
  digits: number;
  role: PaperRole;
  /** Why the printed number does not mean what it seems to. */
  caveat?: string;
}

export type PaperRow = readonly [
  id: string,
  what: string,
  value: number,
  unit: PaperValue["unit"],
  digits: number,
  role?: PaperRole,
  caveat?: string,
];

export function at(place: string, rows: readonly PaperRow[]): PaperValue[] {
  return rows.map(([id, what, value, unit, digits, role = "output", caveat]) => ({
    id,
    place,
    what,
    value,
    unit,
    digits,
    role,
    ...(caveat === undefined ? {} : { caveat }),
  }));
}

const TEMPERATURES = [0.1, 0.3, 0.7, 1] as const;

/** One row of numbers for the four temperatures; their roles may differ. */
export function sweep(
  prefix: string,
  field: string,
  what: string,
  values: readonly number[],
  unit: PaperValue["unit"],
  digits: number,
  role?: PaperRole | readonly PaperRole[],
  caveat?: string,
): PaperRow[] {
  return values.map((value, i) => [
    `${prefix}.${TEMPERATURES[i]}.${field}`,
    `T = ${TEMPERATURES[i]}: ${what}`,
    value,
    unit,
    digits,
    typeof role === "object" ? role[i] : role,
    caveat,
  ]);
}
