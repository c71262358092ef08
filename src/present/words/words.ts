import data from "../../../data/words.json" with { type: "json" };
import type { GateMode, GateState, GateVariable } from "../../core/gate.js";
import type { ERASED, NO_RULES } from "../../core/names.js";
import type {
  Audit,
  CitationScope,
  Flag,
  LEVEL3_REASONS,
  PRECEDENT_WEIGHTS,
  SignalMode,
} from "../../core/records/audit.js";
import type { Level } from "../../core/records/level.js";
import type { RULE_KINDS, Tier } from "../../core/records/rule-set.js";
import type { Report } from "../../core/results/report.js";
import type { BindingConstraint } from "../../measures/gate/holdout-certificate.js";
import type { ChangedPart, LookReason, ReportPage } from "../../measures/report-page.js";
import type { UnscoredCode } from "../../measures/signals/extract-sampled.js";
import { visibleString } from "../../text/printable.js";
import { type Words, wordsOf, wordTable } from "./vocabulary.js";

export type RuleKind = (typeof RULE_KINDS)[number];

/** States of a community by its observed rates and the gate's limits. */
export const STATE_WORDS: Readonly<Record<GateState, Words>> = wordTable(data.state);

export const LEVEL_WORDS: Readonly<Record<Level, Words>> = wordTable(data.level);

/** Reasons to review a decision, in the order of LOOK_REASONS. */
export const REASON_WORDS: Readonly<Record<LookReason, Words>> = wordTable(data.reason);

export const MODE_WORDS: Readonly<Record<GateMode, Words>> = wordTable(data.mode);

export const VARIABLE_WORDS: Readonly<Record<GateVariable, Words>> = wordTable(data.variable);

/** Which limit keeps a community from passing. */
export const BINDING_WORDS: Readonly<Record<BindingConstraint, Words>> = wordTable(data.binding);

export const RULE_KIND_WORDS: Readonly<Record<RuleKind, Words>> = wordTable(data.rule_kind);

export const TIER_WORDS: Readonly<Record<Tier, Words>> = wordTable(data.tier);

export type Outcome = Audit["outcome"];
type Level3Reason = (typeof LEVEL3_REASONS)[number];
type PrecedentWeight = (typeof PRECEDENT_WEIGHTS)[number];

export const OUTCOME_WORDS: Readonly<Record<Outcome, Words>> = wordTable(data.outcome);

/** The alternative: the opposite of two actions, or another of several. */
export type OtherAction = "the opposite" | "another action";

export function otherAction({ several_actions: several }: Pick<Report, "several_actions">): OtherAction {
  return several ? "another action" : "the opposite";
}

/** "open both ways": level 1 or 2, and the alternative is derivable too. */
export function openWords(other: OtherAction): string {
  return other === "the opposite" ? "open both ways" : "open to another action";
}

/** Whether the opposite is derivable too. */
export const INVERSE_WORDS: Readonly<Record<"yes" | "no", Words>> = wordTable(data.inverse);

export const FLAG_WORDS: Readonly<Record<Flag, Words>> = wordTable(data.flag);

/** Why there is no verdict. */
export const UNSCORED_WORDS: Readonly<Record<UnscoredCode | typeof NO_RULES | typeof ERASED, Words>> = wordTable(
  data.unscored,
);

/** Where a citation was found. */
export const CITATION_SCOPE_WORDS: Readonly<Record<CitationScope, Words>> = wordTable(data.citation_scope);

export const SIGNAL_WORDS: Readonly<Record<SignalMode, Words>> = wordTable(data.signal);

/** Why an audit finds no support for the decision. */
export const LEVEL3_REASON_WORDS: Readonly<Record<Level3Reason, Words>> = wordTable(data.level3_reason);

/** The weight that an auditor says it gave to precedents. */
export const WEIGHT_WORDS: Readonly<Record<PrecedentWeight, Words>> = wordTable(data.weight);

/** What a weight means with `shown` precedents; null: their number is unknown. */
export function weightMeaning(weight: string, shown: number | null): string {
  if (shown === 0) return "No precedents were given, so this says nothing about them.";
  return wordsOf(WEIGHT_WORDS, weight).meaning;
}

/** The gates in words: by observed rates, with small samples shrunk to the average, or by proof. */
const GATE_NAMES: Readonly<Record<GateMode, string>> = { paper: "raw", shrunk: "cautious", certified: "proven" };

export function gateName(mode: GateMode): string {
  return `${GATE_NAMES[mode]} gate`;
}

/** "cautious (shrunk)": the plain word with the value of the flag. */
export function modeText(mode: GateMode): string {
  return `${GATE_NAMES[mode]} (${mode})`;
}

/** Says that the page shows today's texts of what changed; null: nothing changed, or there is nothing to compare. */
export function changedNote({ changed_since_run: changed }: Pick<ReportPage, "changed_since_run">): string | null {
  if (!changed || changed.length === 0) return null;
  const named = changed.join(", ").replace(/, (\w+)$/, " and $1");
  return `${named[0]!.toUpperCase()}${named.slice(1)} were added or edited after this run; the report shows today's text.`;
}

const REMARKS: Readonly<Record<Exclude<ChangedPart, "precedents">, string>> = {
  rules: "Rules were added or edited after this run; this is today's text.",
  decisions: "Decisions were added or edited after this run; this is today's text.",
};

/** The same for display next to a text. Precedents are counted. */
export function changedRemark(
  { changed_since_run: changed }: Pick<ReportPage, "changed_since_run">,
  part: keyof typeof REMARKS,
): string | null {
  return changed?.includes(part) ? REMARKS[part] : null;
}

/** The command that shows a whole decision, ready to paste. Ids may contain any character. */
export function showCommand(id: string, run: Report["run"]): string {
  const dashed = id.startsWith("-");
  const runId = run.run_id === null ? "" : ` --run ${quoted(run.run_id)}`;
  return dashed ? `defensible show${runId} -- ${quoted(id)}` : `defensible show ${quoted(id)}${runId}`;
}

function quoted(text: string): string {
  const visible = visibleString(text);
  return /^[\w.:@%+=,/-]+$/.test(visible) ? visible : `'${visible.replaceAll("'", "'\\''")}'`;
}
