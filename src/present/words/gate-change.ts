import { countOf, type Estimate } from "../../core/estimate.js";
import type { GateMode } from "../../core/names.js";
import type { Report } from "../../core/results/report.js";
import type { DiffChanges, DiffEffect, GateChange, RulesDiff } from "../../experiments/rules/diff/result.js";
import type { ChangedPart, ReportPage } from "../../measures/report-page.js";
import { visibleString } from "../../text/printable.js";
import { byCount, plural, roundedShare, weeksText, whole } from "./numbers.js";
import { countedAt, named, numberAt, type Sentence, sentence } from "./sentence.js";

/** The gates in words: by the rates as they are, with small samples drawn to the average, or by proof. */
const GATE_NAMES: Readonly<Record<GateMode, string>> = { paper: "raw", shrunk: "cautious", certified: "proven" };

export function gateName(mode: GateMode): string {
  return `${GATE_NAMES[mode]} gate`;
}

/** "cautious (shrunk)": the plain word, with the value of the flag. */
export function modeText(mode: GateMode): string {
  return `${GATE_NAMES[mode]} (${mode})`;
}

/** What was rewritten: "rule R7 of indie-games", "3 rules of 2 communities", "the precedents". */
export function rewritten(what: RulesDiff["what"], changes: DiffChanges | null): string {
  const rules = changes?.rules.filter(({ shown }) => shown) ?? [];
  if (what === "precedents" || what === "precedents_off") return "the precedents";
  if (rules.length === 0) return "the rules";
  const owners = new Set(rules.map(({ community }) => community));
  const [only] = owners;
  const of =
    owners.size > 1
      ? plural(owners.size, "rule set")
      : only === null || only === undefined
        ? "the platform"
        : named(only);
  return `${rules.length === 1 ? `rule ${named(rules[0]!.rule_id)}` : plural(rules.length, "rule")} of ${of}`;
}

/** "849 of 892 decisions (95%)". */
export function shareOf(estimate: Estimate, what = ""): string {
  if (estimate.estimate === null) return "unknown";
  return `${whole(countOf(estimate))} of ${whole(estimate.n)}${what && ` ${what}`} (${roundedShare(estimate.estimate)})`;
}

/**
 * What becomes of the open decisions, after that word: how many can go either way before and after, and how many become indefensible, since a
 * rule can settle a case against the decision. Indefensible decisions whose opposite holds are in the Ambiguity Index, and not open.
 */
export function openChangeText({
  arms,
  new_indefensible: worse,
}: Pick<DiffEffect, "arms" | "new_indefensible">): string {
  const price = worse.n === 0 ? "" : `; ${whole(worse.n)} ${byCount(worse.n, "becomes", "become")} indefensible`;
  return `go from ${shareOf(arms[0]!.ambiguity_pure)} to ${shareOf(arms[1]!.ambiguity_pure)}${price}`;
}

/**
 * The mode in which a change shows: the gate's own where more or fewer decisions are automated in it; else the raw rates, which react first. Null: in
 * neither.
 */
export function changedMode({ mode, by_mode }: Pick<GateChange, "mode" | "by_mode">): GateMode | null {
  const differs = ({ before, after }: GateChange["by_mode"][GateMode]) =>
    before.decisions !== after.decisions || before.passing !== after.passing;
  return [mode, "paper" as const].find((one) => differs(by_mode[one])) ?? null;
}

/**
 * What a rewrite does to the gate, in sentences: who passes, how many reviews that saves at which risk, and what is still missing. `at`: pointer to
 * the change of the gate.
 */
export function gateChangeSentences(gate: GateChange, at: string): Sentence[] {
  const mode = changedMode(gate);
  const all = sentence`${numberAt(`${at}/communities`, "whole")} ${byCount(gate.communities, "community", "communities")}`;
  if (mode === null) {
    const side = `${at}/by_mode/${gate.mode}/after`;
    return [
      sentence`${numberAt(`${side}/passing`, "whole")} of ${all} pass the ${gateName(gate.mode)}, as before.`,
      ...stillMissing(gate, at),
    ];
  }
  const place = `${at}/by_mode/${mode}`;
  return [
    sentence`${numberAt(`${place}/after/passing`, "whole")} of ${all} pass the ${gateName(mode)}, before ${numberAt(`${place}/before/passing`, "whole")}.`,
    savedSentence(gate, mode, place),
    ...(mode === gate.mode ? [] : stillMissing(gate, at)),
  ];
}

/** Reviews that the gate saves after the change, in words: a week where the decisions have dates, else of 1,000 decisions. */
export function savedReviews(
  { by_mode, decisions, weeks }: Pick<GateChange, "by_mode" | "decisions" | "weeks">,
  mode: GateMode,
): { text: string; unit: string; basis: string } {
  const { before, after } = by_mode[mode];
  const saved = after.decisions - before.decisions;
  const size = Math.abs(saved);
  return {
    text: weeks === null ? whole(Math.round((1000 * size) / decisions)) : perWeek(size / weeks),
    unit: `${saved < 0 ? "more" : "fewer"} reviews ${weeks === null ? "per 1,000 decisions" : "a week"}`,
    basis: `${whole(size)} of ${plural(decisions, "decision")}${weeks === null ? "" : ` in ${weeksText(weeks)}`}`,
  };
}

function savedSentence(gate: GateChange, mode: GateMode, place: string): Sentence {
  const { text, unit, basis } = savedReviews(gate, mode);
  const risk = (side: "before" | "after") =>
    sentence`${numberAt(`${place}/${side}/indefensible`, "whole")} of ${numberAt(`${place}/${side}/decisions`, "whole")}`;
  return sentence`That is about ${text} ${unit} (${basis}). Automated without a supporting rule: ${risk("after")}, before ${risk("before")}.`;
}

/** Few a week keep a decimal. */
function perWeek(value: number): string {
  return value >= 1 ? whole(Math.round(value)) : value.toFixed(1);
}

/** What the gate's own mode still lacks to let a compared community through. */
function stillMissing({ mode, compared }: GateChange, at: string): Sentence[] {
  return compared.flatMap(({ community, after }, place) => {
    const more = after.more_decisions_needed[mode];
    if (!more) return [];
    const count = countedAt(`${at}/compared/${place}/after/more_decisions_needed/${mode}`, more, "more decision");
    return [sentence`For ${named(community)} the ${gateName(mode)} needs ${count} at these rates.`];
  });
}

/** That the page shows today's texts, of all that changed, in a sentence; null: nothing did, or there is nothing to compare. */
export function changedNote({ changed_since_run: changed }: Pick<ReportPage, "changed_since_run">): string | null {
  if (!changed || changed.length === 0) return null;
  const named = changed.join(", ").replace(/, (\w+)$/, " and $1");
  return `The workspace's ${named} have changed since the run, if only because some were added. They are shown as they are now, which need not be what was audited.`;
}

const REMARKS: Readonly<Record<Exclude<ChangedPart, "precedents">, string>> = {
  rules:
    "The workspace's rules have changed since the run, if only because some were added: this is how they read now, which need not be what the auditor read.",
  decisions:
    "The workspace's decisions have changed since the run, if only because some were added: this is how the decision reads now, which need not be what was audited.",
};

/** The same next to a text. Precedents are counted. */
export function changedRemark(
  { changed_since_run: changed }: Pick<ReportPage, "changed_since_run">,
  part: keyof typeof REMARKS,
): string | null {
  return changed?.includes(part) ? REMARKS[part] : null;
}

/** The command that shows a decision whole, to be typed as it is. Ids may hold any character. */
export function showCommand(id: string, run: Report["run"]): string {
  const dashed = id.startsWith("-");
  const runId = run.run_id === null ? "" : ` --run ${quoted(run.run_id)}`;
  return dashed ? `defensible show${runId} -- ${quoted(id)}` : `defensible show ${quoted(id)}${runId}`;
}

function quoted(text: string): string {
  const visible = visibleString(text);
  return /^[\w.:@%+=,/-]+$/.test(visible) ? visible : `'${visible.replaceAll("'", "'\\''")}'`;
}
