import type { Figure } from "../../core/figure.js";
import type { GateState } from "../../core/gate.js";
import type { CommunityEvaluation, GateEvaluation } from "../../measures/gate/gate-evaluation.js";
import type { ReportPage } from "../../measures/report-page.js";
import { gateName } from "../words/gate-change.js";
import { byCount, percent, plural, whole } from "../words/numbers.js";
import { STATE_WORDS } from "../words/words.js";
import { pageGate } from "./gate-modes.js";
import type { MaybeFigure } from "./missing.js";

/** The order in which states are named and drawn: the last ones on top. */
const ORDER: readonly GateState[] = ["insufficient", "earned_autonomy", "policy_gaps", "normative_complexity"];

/** More names than this cover each other; then only the communities at the edges are named. */
const MOST_NAMES = 15;

/** More intervals than this hide each other; a page shows that of the point at the pointer. */
const MOST_INTERVALS = 40;

/** The fleet under the gate's own settings: every community by its Defensibility and Ambiguity Index. */
export function fleetStatesFigure(page: ReportPage): MaybeFigure {
  return fleetFigureOf(pageGate(page));
}

/** The same under any settings: what a gate's evaluation looks like. */
export function fleetFigureOf(gate: GateEvaluation): MaybeFigure {
  const seen = gate.communities.filter(({ n }) => n > 0);
  if (seen.length === 0) {
    return { missing: "No community has a verdict yet, so there is no fleet to show.", command: "defensible audit" };
  }
  const { di, ai, min_decisions } = gate.thresholds;
  const pure = gate.variable === "ai_pure";
  // The axes reach over every community that is judged; of those with too few decisions some lie beyond, and are counted in a note.
  const judged = seen.some(({ state }) => state !== "insufficient")
    ? seen.filter(({ state }) => state !== "insufficient")
    : seen;
  const whiskers = seen.length <= MOST_INTERVALS;
  const few = seen.length <= MOST_NAMES;
  const named = few ? new Set<string>() : outermost(judged, pure ? "ai_pure" : "ai");
  const rows = seen
    .map((one) => ({
      community: one.community,
      state: one.state,
      n: one.n,
      di: one.di,
      di_lower: one.di_interval?.lower ?? null,
      di_upper: one.di_interval?.upper ?? null,
      ai: pure ? one.ai_pure : one.ai,
      ai_lower: one.ambiguity_interval?.lower ?? null,
      ai_upper: one.ambiguity_interval?.upper ?? null,
      passes: one.passes[gate.mode],
      ...(few ? {} : { named: named.has(one.community) ? one.community : null }),
    }))
    // Large points first, so that small ones are not hidden under them.
    .sort((first, second) => ORDER.indexOf(first.state) - ORDER.indexOf(second.state) || second.n - first.n);
  return {
    id: "fleet-states",
    title: fleetTitle(gate),
    mark: "point",
    x: {
      field: "di",
      label: "Defensibility Index (DI)",
      unit: "share of verdicts",
      format: "percent",
      domain: [down(Math.min(di, ...judged.map((one) => (whiskers ? one.di_interval!.lower : one.di!)))), 1],
    },
    y: {
      field: "ai",
      label: pure ? "Pure ambiguity (without contradictions)" : "Ambiguity Index",
      unit: "share of verdicts",
      format: "percent",
      domain: [
        0,
        up(
          Math.max(
            ai,
            ...judged.map((one) => (whiskers ? one.ambiguity_interval!.upper : one[pure ? "ai_pure" : "ai"]!)),
          ),
        ),
      ],
    },
    series: "state",
    series_order: [...ORDER.slice(1), "insufficient"],
    size: { field: "n", label: "verdicts" },
    name: "community",
    label: few ? "community" : "named",
    interval: whiskers ? "both" : "none",
    references: [
      { axis: "x", value: di, label: `Defensibility at least ${percent(di, digits(di))}` },
      { axis: "y", value: ai, label: `Ambiguity at most ${percent(ai, digits(ai))}` },
    ],
    zone: { x: [di, 1], y: [0, ai], label: "both limits met" },
    caption: `Each point is a community, its area the number of verdicts. States are by the observed rates; fewer than ${plural(min_decisions, "verdict")} are too few for one. Dashed: the gate's limits.`,
    paper: "fig:fleet",
    rows,
  } satisfies Figure;
}

/** The communities that a reader asks about first: lowest and highest DI, most ambiguous, largest. */
function outermost(communities: readonly CommunityEvaluation[], ambiguity: "ai" | "ai_pure"): Set<string> {
  const by = (value: (one: CommunityEvaluation) => number, count: number) =>
    communities.toSorted((a, b) => value(b) - value(a)).slice(0, count);
  const found = [
    ...by((one) => -one.di!, 2),
    ...by((one) => one[ambiguity]!, 2),
    ...by((one) => one.di! - one[ambiguity]!, 1),
    ...by((one) => one.n, 1),
  ];
  return new Set(found.map(({ community }) => community));
}

function fleetTitle({ states, communities, mode, fleet }: GateEvaluation): string {
  const count = (state: GateState) => states.find((one) => one.state === state)?.communities ?? 0;
  const few = count("insufficient");
  const judged = communities.length - few;
  if (judged === 0) {
    return communities.length === 1
      ? "The one community has too few decisions to be judged"
      : `None of ${whole(communities.length)} communities has enough decisions to be judged`;
  }
  const earned = count("earned_autonomy");
  const others = [
    ...(count("policy_gaps") > 0 ? [`${whole(count("policy_gaps"))} with policy gaps`] : []),
    ...(count("normative_complexity") > 0 ? [`${whole(count("normative_complexity"))} with normative complexity`] : []),
  ];
  const passing = fleet.counts.passing_communities;
  const tooFew = few > 0 ? `; ${whole(few)} more ${byCount(few, "has", "have")} too few decisions` : "";
  if (judged === 1) {
    const state = ORDER.find((one) => one !== "insufficient" && count(one) === 1)!;
    const gate = passing === earned ? "" : `, but ${passing === 1 ? "passes" : "does not pass"} the ${gateName(mode)}`;
    const which = few > 0 ? "community with enough decisions" : "community";
    return `The one ${which} has ${STATE_WORDS[state].name.toLowerCase()} by the observed rates${gate}${tooFew}`;
  }
  const first = earned === 0 ? "None" : earned === judged ? "All" : whole(earned);
  const subject = `${first} of ${whole(judged)} communities ${earned > 1 ? "have" : "has"} earned autonomy by the observed rates`;
  const rest = others.length > 0 ? `, against ${others.join(" and ")}` : "";
  // The gate may ask for more than observed rates, and then fewer pass it than are in its zone.
  const gate =
    passing === earned
      ? ""
      : `; ${passing === 0 ? "none" : whole(passing)} ${passing > 1 ? "pass" : "passes"} the ${gateName(mode)}`;
  return `${subject}${rest}${gate}${tooFew}`;
}

/** A limit of 12.5% is not written as 13%. */
function digits(share: number): number {
  return Math.abs(100 * share - Math.round(100 * share)) < 1e-9 ? 0 : 1;
}

/** Ends of an axis at the next twentieth, with a little room. */
function down(value: number): number {
  return Math.max(0, Math.floor(20 * (value - 0.01)) / 20);
}

function up(value: number): number {
  return Math.min(1, Math.ceil(20 * (value + 0.01)) / 20);
}
