import type { Level } from "../../core/records/level.js";
import {
  AUDIT_DIGITS,
  type PageAudit,
  type PageDecision,
  type ReportPage,
  type SignalWeights,
} from "../../measures/report-page.js";
import {
  EQUAL_WEIGHTS,
  probabilisticDefensibilitySignal,
  type SignalComponents,
  type SignalContribution,
  signalContributions,
} from "../../measures/signals/components.js";
import type { MaybeFigure } from "../figures/missing.js";
import { decimal } from "./numbers.js";
import { named, numberAt, type Sentence, sentence } from "./sentence.js";
import { lowerFirst, PART_WORDS, wordsOf } from "./vocabulary.js";
import { INVERSE_WORDS, LEVEL_WORDS, type OtherAction, OUTCOME_WORDS, UNSCORED_WORDS } from "./words.js";

/** Source of the weights of an S. */
type WeightsSource = "run" | "equal" | "calibration";

interface DecisionSignal {
  weights: SignalWeights;
  source: WeightsSource;
  contributions: readonly SignalContribution[];
}

/** A file may give S and its components with six decimals: half a unit in the last place for S and, as the weights sum to 1, for the components. */
const FILE_ROUNDING = 1e-6;

/** The components of S from an audit. */
export function signalComponents(audit: PageAudit): SignalComponents {
  return {
    lambda_nats: audit.lambda_nats ?? null,
    h_weight_bits: audit.h_weight_bits ?? null,
    h_citation_bits: audit.h_citation_bits ?? null,
    inverse_yes_prob: audit.inverse_yes_prob ?? null,
  };
}

/** The weights fitted for this report's audits, which may differ from those used to compute S. */
function fittedWeights({ report }: ReportPage): SignalWeights | null {
  const { calibration } = report;
  if (!calibration) return null;
  return { ...calibration.weights, component: calibration.component, calibrated: calibration.calibrated ?? true };
}

/**
 * The contribution of each component to an audit's S, by the first weights that reproduce it: the run's, equal ones, or the calibration's. Null if S
 * or a component is missing, or if no weights reproduce S.
 */
export function decisionSignal(page: ReportPage, audit: PageAudit): DecisionSignal | null {
  if (typeof audit.pds !== "number") return null;
  const components = signalComponents(audit);
  const known: [WeightsSource, SignalWeights | null][] = [
    ["run", page.signal_weights],
    ["equal", EQUAL_WEIGHTS],
    ["calibration", fittedWeights(page)],
  ];
  for (const [source, weights] of known) {
    if (!weights) continue;
    const made = probabilisticDefensibilitySignal(components, weights);
    if (made === null) continue;
    const contributions = signalContributions(components, weights)!;
    if (Math.abs(made - audit.pds) <= mostApart(audit.pds, contributions)) return { weights, source, contributions };
  }
  return null;
}

/** How far S may differ from the value of its components through rounding alone: errors of the components are errors of ln S. */
function mostApart(pds: number, contributions: readonly SignalContribution[]): number {
  const ofLog = contributions.reduce((sum, { weight, value }) => sum + Math.abs(weight) * rounding(value), 0);
  return pds * Math.expm1(ofLog) + rounding(pds) + FILE_ROUNDING;
}

/** Half a unit in the last digit that a page keeps. */
function rounding(value: number): number {
  return value === 0 ? 0 : 0.5 * 10 ** (Math.floor(Math.log10(Math.abs(value))) + 1 - AUDIT_DIGITS);
}

/** What lowered the S of one decision below 1, by component. */
export function decisionSignalFigure(page: ReportPage, audit: PageAudit): MaybeFigure {
  if (typeof audit.pds !== "number") {
    return { missing: "This audit has no S: one of its parts has no probability, or there is no verdict." };
  }
  const signal = decisionSignal(page, audit);
  if (!signal) {
    return {
      missing:
        "None of the weights that this report knows gives the S of this audit, so the contribution of each part is unknown.",
    };
  }
  const lnS = Math.log(audit.pds);
  const most = signal.contributions.reduce((a, b) => (b.nats < a.nats ? b : a));
  return {
    id: "decision-signal",
    title:
      most.nats === 0
        ? "Nothing pulls S below 1"
        : `S is ${decimal(audit.pds, 3)}: ${PART_WORDS[most.part].inTitle} pulls it down most, by ${decimal(-most.nats, 3)} of ${decimal(-lnS, 3)} nats`,
    mark: "bar",
    x: {
      field: "nats",
      label: "Contribution to ln S",
      unit: "nats",
      format: "decimal",
      domain: [Math.min(-0.05, 1.4 * lnS), 0],
    },
    y: {
      field: "part",
      label: "Part of S",
      order: [...signal.contributions.map(({ part }) => PART_WORDS[part].short), TOTAL],
    },
    interval: "none",
    caption:
      "S is a product, so its logarithm is a sum: the three bars add up to the last one. A part that says nothing against the decision is 0.",
    rows: [
      ...signal.contributions.map(({ part, weight, value, nats }) => ({
        part: PART_WORDS[part].short,
        weight,
        value,
        nats,
      })),
      { part: TOTAL, weight: 1, value: audit.pds, nats: lnS },
    ],
  };
}

const TOTAL = "All three: ln S";

/** The audit's finding on a decision in one sentence. `at`: pointer to the decision. */
export function verdictSentence({ audit }: PageDecision, at: string, other: OtherAction = "the opposite"): Sentence {
  const { level, inverse } = audit;
  if (audit.outcome !== "verdict" || !level) {
    const { name, meaning } = OUTCOME_WORDS[audit.outcome === "error" ? "error" : "unscored"];
    if (audit.error?.code === "no_rules") return sentence`${name}: ${UNSCORED_WORDS.no_rules.meaning}`;
    const why = audit.error ? wordsOf(UNSCORED_WORDS, audit.error.code) : null;
    return sentence`${name}: ${named(why?.meaning || (audit.error ? `the auditor gave up with "${why!.name}".` : meaning))} It is unknown whether the rules support this decision.`;
  }
  const { name, meaning } = LEVEL_WORDS[level];
  const verdict = sentence`Level ${level}, ${lowerFirst(name)}: ${plain(meaning)}`;
  if (typeof inverse !== "boolean") return sentence`${verdict}.`;
  const opposite = plain(oppositeSentence(level, inverse, other));
  const link = level === 3 && inverse ? "; " : inverse ? ", but " : ", and ";
  const prob = typeof audit.inverse_yes_prob === "number";
  const chance: Sentence = prob
    ? sentence` (${inverse ? "Yes" : "No"}; probability of Yes ${numberAt(`${at}/audit/inverse_yes_prob`)})`
    : sentence` (${inverse ? "Yes" : "No"})`;
  return sentence`${verdict}${link}${opposite}${chance}.`;
}

/** The result of the inverse check at this level: if no rule supports the decision, its opposite does not follow "too". */
export function oppositeSentence(level: Level, inverse: boolean, other: OtherAction): string {
  const isOnly = level === 3 && inverse;
  if (other === "another action") {
    return `${isOnly ? "Only another" : inverse ? "Another" : "No other"} action could be derived from the rules${inverse && !isOnly ? " too" : ""}.`;
  }
  return isOnly
    ? "Only the opposite decision could be derived from the rules."
    : INVERSE_WORDS[inverse ? "yes" : "no"].meaning;
}

/** Says that reference annotations or human ratings contradict the auditor; null if they do not or are missing. */
export function judgedSentence(decision: PageDecision): string | null {
  if (judgementOf(decision) !== "contradicts") return null;
  const { by, level } = judgedOf(decision)!;
  const who = by === "gold" ? "Gold contradicts" : "People's own judgement contradicts";
  return `${who} the auditor: level ${level}, ${lowerFirst(LEVEL_WORDS[level].name)}.`;
}

/** How the decision compares with the moderator's; null without a human label. */
export function agreementSentence({ decision, human_label }: PageDecision): string | null {
  if (human_label === null) return null;
  return human_label === decision
    ? `A person decided the same: ${named(human_label)}.`
    : `A person decided otherwise: ${named(human_label)}.`;
}

/** "The decision follows from a rule." -> "the decision follows from a rule", for use inside a sentence. */
function plain(meaning: string): string {
  return lowerFirst(meaning.replace(/\.$/, ""));
}

/** A judgement of a decision's defensibility by a source other than the auditor. */
export interface Judged {
  by: "gold" | "people";
  level: Level;
  inverse: boolean | null;
}

/** Whether such a judgement agrees with the auditor on defensible or indefensible. */
export type Judgement = "confirms" | "contradicts" | "none";

/** The reference annotation, else the first human label; labels by other auditors do not count. */
export function judgedOf({ gold, labels }: Pick<PageDecision, "gold" | "labels">): Judged | null {
  if (gold) return { by: "gold", level: gold.level, inverse: gold.inverse };
  const label = labels.find(({ source }) => source === "gold" || source === "human");
  return label ? { by: label.source === "gold" ? "gold" : "people", level: label.level, inverse: label.inverse } : null;
}

export function judgementOf(decision: PageDecision): Judgement {
  const judged = judgedOf(decision);
  const { audit } = decision;
  if (!judged || audit.outcome !== "verdict" || !audit.level) return "none";
  return (judged.level === 3) === (audit.level === 3) ? "confirms" : "contradicts";
}
