import type { Estimate } from "../../core/estimate.js";
import type { GateState } from "../../core/gate.js";
import { LABEL_FLAGS } from "../../core/names.js";
import type { GateReport } from "../../measures/gate/gate-report.js";
import { FROM_HERE } from "../../measures/metrics/judge/correct-by-verdict.js";
import type { CorrectedRate, LabelDesign } from "../../measures/metrics/judge/correct-rate.js";
import type { JudgeErrorRow } from "../../measures/metrics/judge/judge-error.js";
import { labelNotes } from "../../measures/metrics/label-sample.js";
import { printable } from "../../text/printable.js";
import { type Block, table } from "../document/document.js";
import { limitsText } from "../figures/page-gate.js";
import { flipBlocks } from "../report/trust-document.js";
import { gateName } from "../words/gate-change.js";
import { intervalText, percent, plural, rateText, whole } from "../words/numbers.js";
import { STATE_WORDS as STATES } from "../words/words.js";

/** States as they stand inside a sentence. */
export const STATE_WORDS = Object.fromEntries(
  Object.entries(STATES).map(([state, { name }]) => [state, name.toLowerCase()]),
) as Record<GateState, string>;

/** A rate, or a dash for undefined. */
export function share(value: number | null | undefined, digits = 1): string {
  return value === null || value === undefined ? "–" : percent(value, digits);
}

export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : whole(value);
}

/** The fleet by state, with means over communities as the paper prints them. */
export function statesSection(report: GateReport): Block[] {
  if (report.communities.length === 0) return [];
  const { many } = cohortWord(report);
  return [
    { kind: "heading", text: "States of the fleet" },
    table(
      ["state", `>${many}`, ">verdicts", ">mean DI", ">mean AI", ">DI", ">AI"],
      report.states.map((row) => [
        STATE_WORDS[row.state],
        count(row.communities),
        count(row.decisions),
        share(row.mean_di),
        share(row.mean_ai),
        share(row.pooled_di),
        share(row.pooled_ai),
      ]),
    ),
    {
      kind: "text",
      text: `Earned autonomy: both limits are met. Policy gaps: too many decisions that no rule supports. Normative complexity: sound reasoning under rules that leave too much open. States follow the observed rates against ${limitsText(report.thresholds, report.variable)}; whether a rate can be relied on is what the modes differ in. Means count each of the ${many} once; DI and AI next to them count each verdict.${report.variable === "ai" ? "" : " AI is pure AI."}`,
    },
  ];
}

/** What the gate says, in two sentences, and what follows from it. */
const OF_LABELS = new RegExp(`^(?:${LABEL_FLAGS.join("|")}):`, "i");

export function verdictSection(report: GateReport, verbose: boolean): Block[] {
  const blocks: Block[] = [{ kind: "text", text: sentences(report) }];
  if (report.closed) {
    const { since, reason } = report.closed;
    blocks.push({
      kind: "text",
      text: `Every gate is closed since ${printable(since, 40)} (${printable(reason)}): whatever stands below, nothing is automated until \`defensible gate open\`.`,
    });
  }
  const alarmed = onlyAlarmed(report);
  const suspended = report.communities.filter((one) => one.suspended).map((one) => one.community);
  const still = suspended.filter((name) => !alarmed.has(name));
  const would = suspended.filter((name) => alarmed.has(name));
  if (still.length > 0) {
    const text = `${plural(still.length, "community is", "communities are")} suspended after an alarm and not automated whatever the gate says: ${names(still)}.`;
    blocks.push({ kind: "text", text });
  }
  if (would.length > 0) {
    const text = `${plural(would.length, "community", "communities")} would be suspended after an alarm, and not automated whatever the gate says: ${names(would)}.`;
    blocks.push({ kind: "text", text });
  }
  blocks.push(...flipBlocks(report.flip_control));
  if (report.in_force) blocks.push({ kind: "text", text: printable(report.in_force.text, 600) });
  // That people's labels are not what they are taken for is never left out.
  const notes = verbose ? report.notes : report.notes.filter((note) => OF_LABELS.test(note));
  for (const note of notes) blocks.push({ kind: "text", text: printable(note, 400) });
  return blocks;
}

/** Communities about which a watch that kept nothing gave an alarm: they would be suspended, and are not. */
export function onlyAlarmed({ watch }: GateReport): ReadonlySet<string> {
  return new Set(watch?.kept === false ? watch.events.map((event) => event.community) : []);
}

function sentences(report: GateReport): string {
  const { counts } = report.fleet as GateReport["fleet"];
  const what = cohortWord(report);
  if (counts.communities === 0) return "There is no audit to judge by, so nothing passes the gate.";
  if (counts.decisions === 0) {
    return `None of the ${plural(counts.unscored, "audit")} has a verdict, so nothing passes the gate. A second look at the auditor comes first: \`defensible report\` shows why.`;
  }
  const minimum = report.thresholds.min_decisions;
  if (counts.eligible_communities === 0) {
    const largest = report.communities.reduce((most, one) => Math.max(most, one.n), 0);
    const none =
      counts.communities === 1 ? `The only ${what.one} has` : `Of ${counts.communities} ${what.many} the largest has`;
    return `${none} ${largest} of the ${minimum} audited decisions that the gate asks for, so nothing may be automated yet. Audit more decisions.`;
  }
  const first = `${counts.passing_communities} of ${plural(counts.eligible_communities, what.one, what.many)} with at least ${minimum} audited decisions ${counts.passing_communities === 1 ? "passes" : "pass"} the ${gateName(report.mode)} (${limitsText(report.thresholds, report.variable)})${counts.passing_communities === 0 ? "" : `, with ${share(report.fleet.decision_coverage_eligible)} of the decisions of all ${whole(counts.eligible_communities)}`}.`;
  return `${first} ${riskSentence(report)}`;
}

function riskSentence({ fleet }: GateReport): string {
  const { counts } = fleet;
  const base = `${whole(counts.eligible_indefensible)} of ${plural(counts.eligible_decisions, "decision")} (${share(fleet.base_indefensible_rate)})`;
  if (counts.passing_communities === 0) return `Nothing would be automated; ${base} were indefensible.`;
  const automated = `${whole(counts.automated_indefensible)} of ${plural(counts.automated_decisions, "decision")} (${percent(fleet.automated_indefensible_rate!)})`;
  return `Automating these would have let through ${automated} that no rule supports, against ${base} without a gate.`;
}

export function cohortWord({ by }: Pick<GateReport, "by">): { one: string; many: string } {
  if (by.length > 1) return { one: "cohort", many: "cohorts" };
  const [key] = by;
  if (key === "community") return { one: "community", many: "communities" };
  return { one: key!, many: `${key}s` };
}

export function names(list: readonly string[], most = 8): string {
  const shown = list.slice(0, most).map((name) => printable(name, 40));
  return list.length > most ? `${shown.join(", ")} and ${list.length - most} more` : shown.join(", ");
}

/** Audited rates beside what people's labels make of them. */
export function judgeSection({ judge_error: judged }: GateReport, rows: number): Block[] {
  if (!judged) return [];
  const { fleet } = judged;
  const { defensibility_index: di, indefensible_rate: indefensible } = fleet;
  const corrected = judged.communities.filter((one) => one.corrected !== null);
  return [
    { kind: "heading", text: "What people's labels make of it" },
    table(
      ["", "by", ">rate", "95 % interval", ">true ≤"],
      [
        ...lines("DI", di, null),
        ...lines("indefensible", indefensible, indefensible.upper_bound.exact),
        ...lines("AI", fleet.ambiguity_index, fleet.ambiguity_index.upper_bound.exact),
        ...lines("pure AI", fleet.ambiguity_pure, fleet.ambiguity_pure.upper_bound.exact),
      ],
    ),
    {
      kind: "text",
      text: `${plural(fleet.labels, "decision")} of ${plural(fleet.verdicts, "verdict")} have a person's label. "By labels" is the rate in people's eyes: ${HOW[judged.design] ?? "the audited rate corrected by the labels (prediction-powered)"}; Rogan–Gladen corrects by the auditor's sensitivity (${rateText(indefensible.sensitivity)} of what people call indefensible) and specificity (${rateText(indefensible.specificity)}). "true ≤" is an exact bound at ${share(1 - judged.delta, 0)} of the rate in people's eyes, of each rate by itself and for one look.`,
    },
    ...[...(judged.sample ? labelNotes(judged.sample, "defensible gate") : []), ...remarks(fleet)].map((text) => ({
      kind: "text" as const,
      text: `Note: ${printable(text, 400)}.`,
    })),
    ...(corrected.length > 0
      ? [
          table(
            ["community", ">labels", ">indefensible", ">by labels", ">true ≤"],
            corrected
              .slice(0, rows)
              .map((one) => [
                printable(one.key, 40),
                String(one.labels),
                rateText(one.corrected!.indefensible_rate.audited),
                rateText(one.corrected!.indefensible_rate.prediction_powered),
                share(one.corrected!.indefensible_rate.upper_bound.exact),
              ]),
          ),
        ]
      : []),
    {
      kind: "text",
      text: `${corrected.length} of ${plural(judged.communities.length, "community", "communities")} ${corrected.length === 1 ? "has" : "have"} the ${judged.least_labels} labels that a correction of one community takes.`,
    },
  ];
}

const HOW: Partial<Record<LabelDesign, string>> = {
  by_verdict: "each label stands for the decisions with the same verdict",
  by_stratum: "each label is weighted by the inverse of the chance that it had",
};

type Corrected = JudgeErrorRow["defensibility_index"];

function lines(name: string, rate: Corrected, bound: number | null): string[][] {
  return [
    [name, "audited", ...withInterval(rate.audited), ""],
    ["", "by labels", ...withInterval(rate.prediction_powered), bound === null ? "" : share(bound)],
    // Labels that were drawn from this run need no correction that is for labels from elsewhere.
    ...(rate.rogan_gladen.estimate === null && rate.rogan_gladen.reason === FROM_HERE
      ? []
      : [["", "Rogan–Gladen", ...withInterval(rate.rogan_gladen), ""]]),
  ];
}

/** Why a number is absent, and what makes one doubtful: each sentence once, with the rates it is about. */
function remarks(fleet: JudgeErrorRow): string[] {
  const rates: [string, CorrectedRate][] = [
    ["indefensible", fleet.indefensible_rate],
    ["AI", fleet.ambiguity_index],
    ["pure AI", fleet.ambiguity_pure],
  ];
  const about = new Map<string, string[]>();
  const note = (text: string, name: string) => {
    const names = about.get(text) ?? [];
    if (!names.includes(name)) names.push(name);
    about.set(text, names);
  };
  for (const [name, rate] of rates) {
    for (const estimate of [rate.prediction_powered, rate.rogan_gladen]) {
      if (estimate.estimate === null && estimate.reason === FROM_HERE) continue;
      if (estimate.estimate === null) note(`not corrected, because ${estimate.reason}`, name);
      else for (const warning of estimate.warnings ?? []) note(warning, name);
    }
    for (const warning of rate.warnings) note(warning, name);
  }
  return [...about].map(([text, names]) => `${names.join(", ")}: ${text}`);
}

function withInterval(estimate: Estimate): string[] {
  return [rateText(estimate), intervalText(estimate.estimate === null ? undefined : estimate)];
}
