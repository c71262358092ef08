/** What a number of the paper is to a simulation that is fed with the paper's rates. */
type PaperRole = "input" | "derived" | "output";

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

const SD_CAVEAT = "hardly attainable for S, natural for P(not L3)";

export const STABILITY = at("Table temp_sweep", [
  ...sweep("stability", "sd_all", "mean sd, all", [0.1827, 0.1993, 0.2141, 0.2195], "number", 4, "output", SD_CAVEAT),
  ...sweep(
    "stability",
    "sd_stable",
    "mean sd, Stable",
    [0.1391, 0.1509, 0.1663, 0.1742],
    "number",
    4,
    "output",
    SD_CAVEAT,
  ),
  ...sweep(
    "stability",
    "sd_flippers",
    "mean sd, Flippers",
    [0.2263, 0.2476, 0.2618, 0.2649],
    "number",
    4,
    "output",
    SD_CAVEAT,
  ),
  ...sweep(
    "stability",
    "ratio",
    "ratio Flippers/Stable",
    [1.63, 1.64, 1.57, 1.52],
    "number",
    2,
    "output",
    "called flat; it moves towards 1",
  ),
  ...sweep("stability", "flip_flippers", "boundary-unstable, Flippers", [0.62, 0.68, 0.74, 0.78], "share", 2),
  ...sweep("stability", "flip_stable", "boundary-unstable, Stable", [0.26, 0.3, 0.28, 0.36], "share", 2),
  ...sweep(
    "stability",
    "h_kappa_rank",
    "rank correlation of H[κ] with T = 0.1",
    [1, 0.963, 0.901, 0.878],
    "number",
    3,
    ["output", "output", "output", "input"],
  ),
  ...sweep(
    "stability",
    "di",
    "DI",
    [0.711, 0.713, 0.722, 0.73],
    "share",
    3,
    "output",
    "called invariant; it rises with every step",
  ),
  ...sweep(
    "stability",
    "sd_consistency",
    "Spearman of sd and dominant share",
    [-0.641, -0.651, -0.681, -0.632],
    "number",
    3,
    "output",
    "computed on the same draws: coupled by arithmetic",
  ),
  ["stability.0.1.rock_solid", "T = 0.1: Rock Solid", 0.27, "share", 2],
  ["stability.0.1.mostly_stable", "T = 0.1: Mostly Stable", 0.23, "share", 2],
  ["stability.0.1.moderate", "T = 0.1: Moderate", 0.27, "share", 2],
  ["stability.0.1.highly_unstable", "T = 0.1: Highly Unstable", 0.23, "share", 2],
  ["stability.0.1.stably_defensible", "T = 0.1: stably defensible", 0.48, "share", 2],
  ["stability.0.1.boundary_unstable", "T = 0.1: boundary-unstable", 0.44, "share", 2],
  ["stability.0.1.stably_indefensible", "T = 0.1: stably indefensible", 0.08, "share", 2],
  ["stability.0.1.lambda_instability", "T = 0.1: |Spearman| of λ and instability", 0.503, "number", 3],
  ["stability.0.1.h_w_instability", "T = 0.1: |Spearman| of H[w] and instability", 0.163, "number", 3],
]);

export const ATTACK = at("Table adversarial", [
  ["attack.action_flip.detected", "action flips detected", 115 / 123, "share", 3],
  [
    "attack.hallucinated.detected",
    "hallucinated groundings detected",
    54 / 77,
    "share",
    3,
    "output",
    "the table beside it says 38 of 77",
  ],
  ["attack.escaped.h_kappa", "escaped: H[κ], bits", 0.129, "number", 3],
  ["attack.caught.h_kappa", "caught: H[κ], bits", 0.021, "number", 3],
  ["attack.clean.h_kappa", "clean: H[κ], bits", 0.078, "number", 3, "input"],
  ["attack.escaped.confidence", "escaped: confidence", 0.971, "number", 3],
  ["attack.caught.confidence", "caught: confidence", 0.997, "number", 3],
  ["attack.clean.confidence", "clean: confidence", 0.979, "number", 3],
  [
    "attack.escaped.p_defensible",
    "escaped: PDS",
    0.795,
    "number",
    3,
    "output",
    "can only be P(not L3): S cannot be below 0.343",
  ],
  [
    "attack.caught.p_defensible",
    "caught: PDS",
    0.002,
    "number",
    3,
    "output",
    "can only be P(not L3): S cannot be below 0.343",
  ],
  [
    "attack.clean.p_defensible",
    "clean: PDS",
    0.737,
    "number",
    3,
    "output",
    "can only be P(not L3): S cannot be below 0.343",
  ],
  ["attack.escaped.overlap", "escaped: overlap with a real rule", 0.741, "number", 3],
]);
