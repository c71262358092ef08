import type { Figure } from "../../../core/figure.js";
import { attackScoreName } from "../../../present/words/experiment-words.js";
import { boundsRow, percent, plural } from "../../../present/words/numbers.js";
import { rocCurve } from "../../../stats/ranks/detection.js";
import type { AttackResult } from "../result.js";
import { type Attacks, ofKind, type ScoredCase, scoresOf, scoresThere } from "./tables.js";

/** Most points of a curve in a picture. */
const CURVE_POINTS = 200;
const SHOWN_LAYERS = ["signal", "grounding", "scope", "question", "dual", "two_layers", "union"];

/** Fewest attacks under a kind of rule for it to be named in a title. */
const LEAST_GROUP = 5;
/** Fewest cases for the interval of a mean to be useful. */
const LEAST_MEAN = 3;

type Tables = Pick<AttackResult, "detection" | "auroc" | "subsets" | "escapes" | "false_positives">;

/** The pictures of the experiment, as data. */
export function attackFigures(tables: Tables, attacks: Attacks, clean: readonly ScoredCase[]): Figure[] {
  return [detection(tables), roc(tables, attacks, clean), entropies(tables), ruleKinds(tables)];
}

function detectionTitle(two: number | null, all: number | null): string {
  if (all === null) return "No attack on the input was audited, so what the layers notice is unknown";
  return two === null
    ? `All layers together notice ${percent(all)} of the attacks on the input`
    : `The first two layers notice ${percent(two)} of the attacks on the input, all layers ${percent(all)}`;
}

function detection({ detection: rows, false_positives }: Tables): Figure {
  const find = (layer: string) =>
    rows.find((row) => row.target === "input" && row.kind === "all" && row.layer === layer)?.detected.estimate ?? null;
  return {
    id: "attack-detection",
    title: detectionTitle(find("two_layers"), find("union")),
    mark: "bar",
    x: { field: "detected", label: "share noticed", format: "percent", domain: [0, 1] },
    y: { field: "kind", label: "kind of attack" },
    series: "of",
    series_order: ["attacks", "clean cases: false alarms"],
    facet: "layer",
    choose: ["target"],
    caption: "Clean cases are no attacks: what is noticed of them is false alarm. All layers together raise the most.",
    paper: "§8.1",
    rows: [
      ...rows.map(({ target, kind, layer, detected }) => ({ target, kind, of: "attacks", layer, share: detected })),
      ...false_positives
        .filter(({ decision }) => decision === "all")
        .map(({ layer, flagged }) => ({
          target: "input",
          kind: "clean",
          of: "clean cases: false alarms",
          layer,
          share: flagged,
        })),
    ]
      .filter(({ layer }) => SHOWN_LAYERS.includes(layer))
      .map(({ share: noticed, ...row }) => ({
        ...row,
        detected: noticed.estimate,
        ...boundsRow(noticed),
        n: noticed.n,
      })),
  };
}

function roc({ auroc: areas }: Tables, attacks: Attacks, clean: readonly ScoredCase[]): Figure {
  const inputs = ofKind(attacks.scored, "input", "all");
  const curves = scoresThere([...inputs, ...clean]).map((score) => ({
    score,
    points: rocCurve(scoresOf(inputs, score), scoresOf(clean, score)),
    area: areas.find((row) => row.target === "input" && row.kind === "all" && row.score === score)?.auroc.estimate,
  }));
  const best = curves.reduce<(typeof curves)[number] | null>(
    (top, curve) => ((curve.area ?? -1) > (top?.area ?? -1) ? curve : top),
    null,
  );
  const area = best?.area;
  return {
    id: "attack-roc",
    title:
      area === undefined || area === null
        ? "No score can be compared: there are no attacks on the input, or no clean cases"
        : `Of single scores ${attackScoreName(best!.score)} separates attacks on the input from clean cases best: area ${area.toFixed(3)}`,
    mark: "line",
    x: { field: "false_positive_rate", label: "clean cases flagged", format: "percent", domain: [0, 1] },
    y: { field: "true_positive_rate", label: "attacks flagged", format: "percent", domain: [0, 1] },
    series: "score",
    references: [{ axis: "diagonal", value: 0, label: "chance" }],
    of: curves.reduce((sum, { points }) => sum + points.length, 0),
    rows: curves.flatMap(({ score, points }) =>
      thinned(points).map(({ threshold, false_positive_rate, true_positive_rate }) => ({
        score,
        threshold: Number.isFinite(threshold) ? threshold : null,
        false_positive_rate,
        true_positive_rate,
      })),
    ),
  };
}

/** Evenly spaced, including both ends. */
function thinned<T>(points: readonly T[]): readonly T[] {
  if (points.length <= CURVE_POINTS) return points;
  const step = (points.length - 1) / (CURVE_POINTS - 1);
  return Array.from({ length: CURVE_POINTS }, (_, i) => points[Math.round(i * step)]!);
}

function entropies({ subsets }: Tables): Figure {
  const bits = (name: string) => {
    const mean = subsets.find((row) => row.subset === name)?.h_citation_bits.estimate;
    return mean === null || mean === undefined ? null : `${mean.toFixed(3)} bits`;
  };
  const means = [
    ["clean", bits("clean")],
    ["attacks that escaped", bits("input attacks, escaped all")],
    ["attacks that were caught", bits("input attacks, caught by any")],
  ].filter(([, mean]) => mean !== null);
  return {
    id: "attack-entropy",
    title:
      means.length === 0
        ? "No audit of the experiment has a citation entropy"
        : `Mean citation entropy: ${means.map((words) => words.join(" ")).join(", ")}`,
    mark: "point",
    x: { field: "h_citation_bits", label: "mean H[κ]", unit: "bits per token", format: "decimal" },
    y: { field: "subset", label: "cases" },
    caption: `Means of fewer than ${LEAST_MEAN} cases are not drawn. An entropy cannot be below 0, and no interval is drawn below it.`,
    paper: "§8.2",
    rows: subsets.map(({ subset, n, h_citation_bits: mean }) => {
      const known = mean.estimate !== null && mean.n >= LEAST_MEAN;
      return {
        subset,
        n,
        h_citation_bits: known ? mean.estimate : null,
        lower: known ? Math.max(0, mean.lower) : null,
        upper: known ? mean.upper : null,
      };
    }),
  };
}

function ruleKinds({ escapes }: Tables): Figure {
  const byKind = escapes.by.rule_kind;
  const groups = byKind?.groups ?? [];
  const known = groups.filter((row) => row.escaped.n >= LEAST_GROUP);
  const most = known.reduce<(typeof known)[number] | null>(
    (top, row) => ((row.escaped.estimate ?? -1) > (top?.escaped.estimate ?? -1) ? row : top),
    null,
  );
  return {
    id: "attack-escapes",
    title: most ? escapeTitle(most, byKind?.adjusted_p) : `No kind of rule has ${LEAST_GROUP} attacks on the input`,
    mark: "bar",
    x: { field: "escaped", label: "escaped all layers", format: "percent", domain: [0, 1] },
    y: { field: "rule_kind", label: "kind of rule" },
    ...(groups.length > 0
      ? {
          caption: `Attacks on the input: ${groups.map(({ group, escaped }) => `${group.replaceAll("_", " ")} ${escaped.n}`).join(", ")}. A share of fewer than ${LEAST_GROUP} says little.`,
        }
      : {}),
    paper: "§8.2",
    rows: groups.map(({ group, escaped }) => ({
      rule_kind: group,
      n: escaped.n,
      escaped: escaped.estimate,
      ...boundsRow(escaped),
    })),
  };
}

/** Kinds with few attacks may have larger bars, so the title names the kinds it considered and says whether they differ at all. */
function escapeTitle(
  { group, escaped }: { group: string; escaped: { estimate: number | null; n: number } },
  adjusted: unknown,
): string {
  const most = `${group.replaceAll("_", " ")}, ${percent(escaped.estimate ?? 0)} of ${plural(escaped.n, "attack")}`;
  return typeof adjusted === "number" && adjusted < 0.05
    ? `Of kinds of rule with ${LEAST_GROUP} attacks or more, most escape under ${most}`
    : `What escapes does not differ between kinds of rule beyond chance; of kinds with ${LEAST_GROUP} attacks or more, most under ${most}`;
}
