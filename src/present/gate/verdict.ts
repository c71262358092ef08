import type { GateState } from "../../core/gate.js";
import type { GateReport } from "../../measures/gate/gate-report.js";
import { printable } from "../../text/printable.js";
import { type Block, table } from "../document/document.js";
import { limitsText } from "../figures/page-gate.js";
import { flipBlocks } from "../report/headline.js";
import { percent, plural, whole } from "../words/numbers.js";
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
      text: `Earned autonomy: both limits are met. Policy gaps: too many decisions that no rule supports. Normative complexity: sound reasoning under rules that leave too much open. States follow the rates as seen against ${limitsText(report.thresholds, report.variable)}; whether a rate can be relied on is what the modes differ in. Means count each of the ${many} once; DI and AI beside them count each verdict.${report.variable === "ai" ? "" : " AI is pure AI."}`,
    },
  ];
}

/** What the gate says, in two sentences, and what follows from it. */
export function verdictSection(report: GateReport): Block[] {
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
  for (const note of report.notes) blocks.push({ kind: "text", text: printable(note, 400) });
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
  const first = `${counts.passing_communities} of ${plural(counts.eligible_communities, what.one, what.many)} with at least ${minimum} audited decisions ${counts.passing_communities === 1 ? "passes" : "pass"} the gate (${limitsText(report.thresholds, report.variable)}; mode ${report.mode})${counts.passing_communities === 0 ? "" : `, with ${share(report.fleet.decision_coverage_eligible)} of the decisions of all ${whole(counts.eligible_communities)}`}.`;
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
