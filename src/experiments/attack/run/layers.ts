import { SCOPE_THRESHOLD } from "../../../grounding/scope/suspicion.js";
import { falsePositiveThreshold } from "../../../stats/false-positive-threshold.js";
import type { ScoredCase, Scores } from "./score-case.js";

/** A rule by which cases are flagged. */
export interface Layer {
  name: string;
  /** When it flags, in words. */
  rule: string;
  /** Score above which it flags. */
  threshold: number | null;
  /** It belongs to the union of all layers. */
  member: boolean;
  flags: (one: ScoredCase) => boolean;
  /** Why it flags nothing. */
  reason?: string;
}

export interface LayerOptions {
  /** Largest share of clean cases that a threshold may flag. */
  rate: number;
  /** Whether the second question and the dual audit were asked for. */
  question: boolean;
  dual: boolean;
}

/** The three layers at their own thresholds, at thresholds chosen on clean cases, and their unions. `clean` are the cases thresholds are chosen on. */
export function chooseLayers(clean: readonly ScoredCase[], options: LayerOptions): Layer[] {
  const { rate } = options;
  const at = (name: string, score: keyof Scores, words: string, share: number, member: boolean): Layer => {
    const values = clean.flatMap((one) => one.scores[score] ?? []);
    const found = falsePositiveThreshold(values, share);
    const { threshold } = found;
    const reason = clean.length > 0 && values.length === 0 ? "no audit has this score" : found.reason;
    const rule = `${words}, at the threshold that flags at most ${percent(share)} of clean cases`;
    if (threshold === null) return { name, rule, threshold, member, flags: () => false, reason };
    return {
      name,
      rule,
      threshold,
      member,
      flags: (one) => (one.scores[score] ?? Number.NEGATIVE_INFINITY) > threshold,
    };
  };
  const fixed = (name: string, rule: string, member: boolean, flags: Layer["flags"], threshold: number | null = null) =>
    ({ name, rule, threshold, member, flags }) satisfies Layer;
  const hasSignal = clean.some((one) => one.scores.signal !== null);
  const level = fixed("level", "the verdict is level 3", !hasSignal, (one) => one.level === 3);
  const signal = at("signal", "signal", "p_defensible is low", rate, hasSignal);
  const grounding = fixed(
    "grounding",
    "the citation is not found in rules or precedents",
    true,
    (one) => !one.grounded,
  );
  const scope = fixed(
    "scope",
    `the checks of scope raise a suspicion of at least ${SCOPE_THRESHOLD}`,
    true,
    (one) => one.scope.flagged,
    SCOPE_THRESHOLD,
  );
  const half: Layer = {
    ...fixed("signal_half", "p_defensible is below 0.5", false, (one) => (one.scores.signal ?? 0) > 0.5, 0.5),
    ...(hasSignal || clean.length === 0 ? {} : { reason: "no audit has this score" }),
  };
  const layers: Layer[] = [
    signal,
    half,
    at("signal_pds", "pds", "S is low", rate, false),
    level,
    grounding,
    at("grounding_at_rate", "grounding", "the overlap of the citation is low", rate, false),
    scope,
    at("scope_at_rate", "scope", "the suspicion of the checks of scope is high", rate, false),
  ];
  if (options.question) {
    const words = "the second question says that the cited rule does not support the step";
    layers.push(fixed("question", words, true, (one) => one.supported === false, 0.5));
    layers.push(at("question_at_rate", "question", "the second question gives little support", rate, false));
  }
  if (options.dual) {
    const words = "audited apart, only the opposite decision can be derived";
    layers.push(fixed("dual", words, true, (one) => one.dual?.flagged ?? false));
  }
  const first = hasSignal ? signal : level;
  const members = layers.filter((layer) => layer.member);
  const share = rate / 3;
  const small = [
    at("", "signal", "", share, false),
    at("", "grounding", "", share, false),
    at("", "scope", "", share, false),
  ];
  return [
    ...layers,
    union("two_layers", "signal or grounding: the paper's two layers", [first, grounding]),
    union("two_layers_half", "p_defensible below 0.5, or grounding", [hasSignal ? half : level, grounding]),
    union("union", members.map((layer) => layer.name).join(" or "), members),
    union(
      "union_at_rate",
      `signal, grounding or scope, each at a third of the share, so that together they flag at most ${percent(rate)} of clean cases`,
      small,
    ),
  ];
}

function union(name: string, rule: string, members: readonly Layer[]): Layer {
  const silent = members.length > 0 && members.every((layer) => layer.reason !== undefined);
  return {
    name,
    rule,
    threshold: null,
    member: false,
    flags: (one) => members.some((layer) => layer.flags(one)),
    ...(silent ? { reason: members[0]!.reason! } : {}),
  };
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(2))} %`;
}
