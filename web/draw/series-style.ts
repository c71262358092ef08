import type { Role } from "./palette.ts";
import type { Cell } from "./value-text.ts";

const SHAPES = ["circle", "square", "triangle", "diamond", "cross", "star"] as const;
export type Shape = (typeof SHAPES)[number];
/** Lengths of stroke and gap; undefined is a solid line. */
const DASHES = [undefined, "7 4", "2 3", "10 3 2 3", "14 4", "4 2 1 2"] as const;

export interface SeriesStyle {
  role: Role;
  shape: Shape;
  dash: string | undefined;
  /** Saturation of an area's colour; below 1 if another series of the figure has the full colour. */
  tint: number;
}

const TINTS = [1, 0.5, 0.25] as const;

type Known = readonly [Role, Shape, number];

/** Values with the same colour and shape in every figure. */
const KNOWN = new Map<Cell, Known>(
  (
    [
      ["level-1", "circle", 0, "level 1", "L1", "determinate"],
      ["level-2", "square", 1, "level 2", "L2"],
      ["level-3", "triangle", 2, "level 3", "L3"],
      ["level-3", "square", 1, "model_error", "Decider's error"],
      // As in the paper's figure of a fleet: circles, squares, triangles. No plus: it would merge with the cross of its intervals.
      ["earned", "circle", 0, "earned_autonomy"],
      ["gaps", "square", 1, "policy_gaps"],
      ["complex", "triangle", 2, "normative_complexity"],
      ["few", "diamond", 3, "insufficient", "implicit_norm", "Unwritten norm", "clean cases: false alarms"],
      ["few", "cross", 3, "void"],
      ["agreement", "square", 1, "F1", "agreement", "agree"],
      ["agreement", "diamond", 2, "accuracy"],
      ["agreement", "cross", 3, "F1 at an agreement of DI"],
      ["accent", "circle", 0, "DI", "Defensibility Index", "defensibility_index"],
      ["accent", "square", 1, "DI, where labelled"],
      [
        "ambiguity",
        "triangle",
        2,
        "AI",
        "ambiguity",
        "Ambiguity Index",
        "ambiguity_index",
        "ambiguous",
        "inverse check, σ(ρ)",
      ],
      ["ambiguity", "triangle", 2, "policy_ambiguity", "Ambiguous rules"],
      ["ambiguity", "diamond", 3, "AI_pure", "pure AI", "pure ambiguity", "ambiguity_pure"],
      ["series-1", "circle", 0, "disagree", "attacks", "best trade-offs"],
      // Modes and components of S avoid the colours of levels and states unless they share their meaning.
      ["series-6", "square", 1, "paper", "doubt about the level, −λ"],
      ["series-5", "diamond", 3, "shrunk", "entropy, H[w]", "entropy, H[κ]"],
      ["series-3", "circle", 0, "certified"],
      ["series-3", "diamond", 3, "this gate"],
      ["series-5", "square", 1, "named settings"],
      ["ink", "triangle", 2, "knee"],
      // Sources of labels: the auditor's own, annotations or a planted truth, people's. Never the colour of a level, which any source may give.
      ["series-6", "square", 1, "auditor's own level", "the auditor's own level", "the auditor's own verdicts"],
      ["series-5", "circle", 0, "gold", "gold annotations", "reference annotations", "truth"],
      ["ink", "triangle", 4, "human", "labels by people"],
    ] as const
  ).flatMap(([role, shape, dash, ...names]) => names.map((name) => [name, [role, shape, dash]] as const)),
);

/** Background. */
const FAINT: Known = ["few", "circle", 0];

const RAMP: readonly Role[] = ["ramp-1", "ramp-2", "ramp-3", "ramp-4"];
/** Orange is last: nothing should look like level 3 by chance. */
const SERIES: readonly Role[] = ["series-1", "series-3", "series-5", "series-4", "series-6", "series-2"];

/** Roles that look alike. Two of them in one figure get different shapes, dashes and tints. */
const LOOK: Partial<Record<Role, Role>> = {
  "level-1": "series-1",
  accent: "series-1",
  "level-3": "series-2",
  gaps: "series-2",
  earned: "series-3",
  ambiguity: "series-4",
  complex: "series-4",
  agreement: "series-6",
  few: "series-6",
};
const lookOf = (role: Role): Role => LOOK[role] ?? role;

/**
 * Colour, shape and dash of each series, in order. Known values keep theirs; numbers, such as temperatures, are steps of one ramp; others take the
 * remaining colours. No two series of a figure share colour and shape, or colour and tint.
 */
export function seriesStyles(field: string, values: readonly Cell[], faint: readonly Cell[] = []): SeriesStyle[] {
  const keys = values.map((value) => (field === "level" && /^[123]$/.test(String(value)) ? `level ${value}` : value));
  if (keys.every((key) => typeof key === "number")) return keys.map((_, i) => rampStyle(i, keys.length));
  const known = keys.map((key) => (faint.includes(key) ? FAINT : KNOWN.get(key)));
  const used = new Set(known.flatMap((style) => (style ? [lookOf(style[0])] : [])));
  const free = SERIES.filter((role) => !used.has(role));
  const colours = free.length > 0 ? free : SERIES;
  const styles: SeriesStyle[] = [];
  let next = 0;
  for (const style of known) {
    const [role, shape, dash] = style ?? [colours[next % colours.length]!, SHAPES[next % 6]!, next % 6];
    if (!style) next += 1;
    styles.push(apart({ role, shape, dash: DASHES[dash], tint: 1 }, styles));
  }
  return styles;
}

/** The style, changed if an earlier series of the same colour has its shape, dash or tint. */
function apart(style: SeriesStyle, earlier: readonly SeriesStyle[]): SeriesStyle {
  const alike = earlier.filter(({ role }) => lookOf(role) === lookOf(style.role));
  if (alike.length === 0) return style;
  const shapes = alike.map(({ shape }) => shape);
  const dashes = alike.map(({ dash }) => dash);
  return {
    role: style.role,
    shape: shapes.includes(style.shape)
      ? (SHAPES.find((shape) => !shapes.includes(shape)) ?? style.shape)
      : style.shape,
    dash: dashes.includes(style.dash) ? DASHES.find((dash) => !dashes.includes(dash)) : style.dash,
    tint: TINTS[Math.min(alike.length, TINTS.length - 1)]!,
  };
}

function rampStyle(index: number, count: number): SeriesStyle {
  const step = count === 1 ? 0 : Math.round((index * (RAMP.length - 1)) / (count - 1));
  return { role: RAMP[step]!, shape: SHAPES[index % SHAPES.length]!, dash: DASHES[index % DASHES.length], tint: 1 };
}
