import { GATE_MODES } from "../../core/names.js";
import type { GateReport, GateReportCommunity } from "../../measures/gate/gate-report.js";
import type { HarmLimit } from "../../measures/gate/harm.js";
import type { BindingConstraint } from "../../measures/gate/holdout-certificate.js";
import { printable } from "../../text/printable.js";
import { type Block, type Text, table } from "../document/document.js";
import { byCount, pCell, plural, whole } from "../words/numbers.js";
import { communityLink, countedAt, numberAt, type Sentence, sentence } from "../words/sentence.js";
import { gateName } from "../words/words.js";
import { modesSection } from "./frontier-document.js";
import {
  ambiguityWord,
  cohortWord,
  confirmedText,
  count,
  type EvaluatedGate,
  names,
  onlyAlarmed,
  STATE_WORDS,
  share,
} from "./verdict-document.js";

/** Which limit blocks communities, and how much of that is arithmetic. */
export function bindingSection(gate: EvaluatedGate): Block[] {
  const { binding, fleet, communities, thresholds } = gate;
  if (fleet.counts.eligible_communities === 0) return [];
  const ambiguity = ambiguityWord(gate);
  const few = communities.filter(({ state }) => state === "insufficient");
  const sum = (of: (row: GateReportCommunity) => number) => whole(few.reduce((total, row) => total + of(row), 0));
  const row = (by: BindingConstraint, name: string): Text[] => [
    name,
    ...(["communities", "decisions", "indefensible"] as const).map((field) =>
      numberAt(`/binding/excluded/${by}/${field}`, "whole"),
    ),
  ];
  const verdict =
    binding.binding === null
      ? "Neither limit alone blocks more decisions than the other."
      : `The binding limit is ${binding.binding === "di" ? "DI" : ambiguity}: dropping it would admit more decisions than dropping the other.`;
  return [
    { kind: "heading", text: "Which limit blocks communities" },
    { kind: "text", text: sentence`${verdict}${contradictions(gate)} ${moderateText(gate)}` },
    table(
      ["blocked by", `>${cohortWord(gate).many}`, ">decisions", ">indefensible"],
      [
        row("di", "DI alone"),
        row("ai", `${ambiguity} alone`),
        row("both", "both"),
        [
          `fewer than ${whole(thresholds.min_decisions)} decisions`,
          whole(few.length),
          sum(({ n }) => n),
          sum(({ indefensible }) => indefensible),
        ],
      ],
    ),
  ];
}

/** Ambiguity counts level-3 verdicts whose opposite holds, so the two limits are arithmetically linked. */
function contradictions(gate: EvaluatedGate): Sentence {
  const { mechanical } = gate.binding;
  if (gate.variable !== "ai" || mechanical.contradiction_share === null) return [];
  const at = "/binding/mechanical";
  const { one, many } = cohortWord(gate);
  const implied =
    mechanical.implied_di === null
      ? []
      : sentence`; by that alone, ambiguity ≤ ${share(gate.thresholds.ai, 0)} asks for a DI of at least ${numberAt(`${at}/implied_di`)}`;
  const exceed = mechanical.contradictions_exceed_limit.communities;
  const beyond =
    exceed === 0
      ? []
      : sentence` In ${countedAt(`${at}/contradictions_exceed_limit/communities`, exceed, one, many)} they alone exceed the limit: that is wrong decisions, not unclear rules (pure ambiguity leaves them out).`;
  return sentence` ${numberAt(`${at}/contradictions`, "whole")} of ${countedAt(`${at}/indefensible`, mechanical.indefensible, "indefensible decision")} (${numberAt(`${at}/contradiction_share`)}) also count as ambiguous, because their opposite holds${implied}.${beyond}`;
}

/** In the paper, two of the four settings admit the same communities. The active mode may differ from the observed rates. */
function moderateText(gate: EvaluatedGate): string {
  const { same, between } = gate.binding.moderate_is_standard;
  const { one, many } = cohortWord(gate);
  const observed = same
    ? "By the observed rates, Moderate (85%) and Standard (90%) admit the same, as in the paper"
    : `By the observed rates, ${plural(between.communities, one, many)} that ambiguity does not block ${byCount(between.communities, "lies", "lie")} between Moderate (85%) and Standard (90%)`;
  const moderate = gate.scenarios.find((row) => row.name === "Moderate");
  const standard = gate.scenarios.find((row) => row.name === "Standard");
  if (gate.mode === "paper" || !moderate || !standard) return `${observed}.`;
  const alike =
    moderate.passing === standard.passing &&
    moderate.counts.automated_decisions === standard.counts.automated_decisions;
  return `${observed}; for the ${gateName(gate.mode)} ${alike ? `both admit ${standard.passing}` : `Moderate admits ${moderate.passing} and Standard ${standard.passing}`}.`;
}

/** Every community in the three modes side by side, and what to do next. */
export function communitiesSection(report: GateReport, rows: number): Block[] {
  if (report.communities.length === 0) return [];
  const { one, many } = cohortWord(report);
  const shown = largestFirst(report).slice(0, rows);
  const suspended = shown.some(({ row }) => row.suspended)
    ? " !: an alarm keeps it from being automated, whatever the modes say."
    : "";
  return [
    { kind: "heading", text: `${many[0]!.toUpperCase()}${many.slice(1)} under the three gates` },
    table(
      [one, ">verdicts", ">DI", ">amb.", "raw", "cautious", "proven", ">more"],
      shown.map(({ row }) => verdictRow(row, report)),
    ),
    {
      kind: "text",
      text: `The largest first.${moreText(report.communities.length - shown.length, one, many)} more: verdicts still missing for the ${gateName(report.mode)} if the rates stay as they are; – where more data will not help. amb.: ${ambiguityWord(report)}.${suspended}`,
    },
    ...modesSection(report),
    { kind: "text", text: `Proven: ${report.look_reason}.` },
    ...evidenceSection(report, rows),
    ...harmBlocks(report, report.harm, rows),
    ...nextSteps(report, rows),
  ];
}

/** Expected harm by community, if it is limited. */
export function harmBlocks(gate: EvaluatedGate, harm: HarmLimit | undefined, rows: number): Block[] {
  const { communities, mode } = gate;
  if (!harm) return [];
  const met = communities.filter((one) => one.harm?.passes[mode]).length;
  return [
    { kind: "heading", text: "Expected harm" },
    table<Text>(
      [cohortWord(gate).one, ">harm", ">lower", ">upper (95%)", ">breach", "raw", "cautious", "proven", ">more"],
      largestFirst(gate)
        .slice(0, rows)
        .map(({ row, at }) => [
          communityLink(row.community),
          ...(["mean", "lower", "upper"] as const).map((field) => numberAt(`${at}/harm/${field}`, "fine")),
          numberAt(`${at}/harm/exceeds`, "probability"),
          ...GATE_MODES.map((one) => (row.harm?.passes[one] ? "pass" : "no")),
          numberAt(`${at}/harm/more`, "whole"),
        ]),
    ),
    {
      kind: "text",
      as: "note",
      text: `${met} of ${communities.length} keep the limit of ${+harm.limit.toPrecision(4)} by the ${gateName(mode)}. harm: the mean weight (action × cited rule) of a decision, 0 where it is defensible. breach: the probability that the limit is broken; the cautious gate allows ${share(2 * gate.q)}. more: verdicts still missing for this limit alone, if harm stays as observed; – where more data will not help. The greatest weight is ${+harm.max.toPrecision(4)}, and the limit is ${share(harm.limit / harm.max)} of it: the smaller that share, the wider the interval and the more verdicts it takes. A community also has to keep the other limits.`,
    },
  ];
}

/** The evidence for each community, and what the proven gate rests on. */
export function evidenceSection(gate: EvaluatedGate, rows: number): Block[] {
  if (gate.communities.length === 0) return [];
  const { one, many } = cohortWord(gate);
  const ambiguity = ambiguityWord(gate);
  const { cap } = gate.threads;
  return [
    { kind: "heading", text: "Evidence for each community" },
    { kind: "text", text: threadsText(gate) },
    table<Text>(
      [one, ">L3", ">ambiguous", ">L3 ≤", ">amb. ≤", ">breach", ">p", ">adj. p"],
      largestFirst(gate)
        .slice(0, rows)
        .map(({ row, at }) => [
          communityLink(row.community),
          numberAt(`${at}/indefensible`, "whole"),
          numberAt(`${at}/${gate.variable === "ai" ? "inverse_yes" : "inverse_yes_pure"}`, "whole"),
          numberAt(`${at}/certified/indefensible_upper`),
          numberAt(`${at}/certified/ambiguity_upper`),
          numberAt(`${at}/shrunk/f_c`, "probability"),
          numberAt(`${at}/certified/p`, "probability"),
          numberAt(`${at}/certified/adjusted_p`, "probability"),
        ]),
    ),
    {
      kind: "text",
      as: "note",
      text: `L3: verdicts that are indefensible. ambiguous: ${gate.variable === "ai" ? "verdicts whose opposite can be derived, indefensible ones among them" : "defensible verdicts whose opposite can be derived too"}. L3 ≤ and amb. ≤ (${ambiguity}) are bounds at ${+(100 * (1 - gate.delta)).toPrecision(4)}% that hold at every look, each for one ${one} by itself${cap === 1 ? "" : `, counting at most ${cap} decisions of a thread`}. breach (cautious gate): the probability that a limit is really broken, if the ${one} is like the others of the fleet. p (proven gate): at most how often a ${one} that breaks a limit would look as good as this one; small is good. adj. p: the same with all ${many} tested together; at ${pCell(gate.delta)} or below it is proven.`,
    },
  ];
}

export interface PlacedRow {
  row: GateReportCommunity;
  at: string;
}

/** Largest first: they decide what a gate is worth. */
export function largestFirst({ communities }: EvaluatedGate): PlacedRow[] {
  return communities
    .map((row, i) => ({ row, at: `/communities/${i}` }))
    .sort((a, b) => b.row.n - a.row.n || (a.row.community < b.row.community ? -1 : 1));
}

/** Passing communities in one line; the others one by one. */
export function nextSteps(report: GateReport, rows: number): Block[] {
  if (report.communities.length === 0) return [];
  const { one, many } = cohortWord(report);
  const sorted = largestFirst(report).map(({ row }) => row);
  const alarmed = onlyAlarmed(report);
  const ready = sorted.filter((row) => row.passes[report.mode] && !row.suspended);
  const others = sorted.filter((row) => !row.passes[report.mode] || row.suspended);
  const blocks: Block[] = [{ kind: "heading", text: "What to do next" }, ...byPeople(report)];
  if (ready.length > 0) {
    blocks.push({
      kind: "text",
      text: `${report.mode === "paper" ? "Within the limits as observed, which promises nothing:" : "Automate"} ${plural(ready.length, one, many)}: ${names(
        ready.map((row) => row.community),
        20,
      )}.`,
    });
  }
  if (others.length === 0) return blocks;
  blocks.push(
    table(
      [one, ">verdicts", ">DI", ">amb.", "state", "~next"],
      others
        .slice(0, rows)
        .map((row) => [
          printable(row.community, 40),
          count(row.n),
          share(row.di),
          share(row[report.variable]),
          row.suspended ? (alarmed.has(row.community) ? "would be suspended" : "suspended") : STATE_WORDS[row.state],
          printable(row.suspended ? suspensionText(row.suspended.reason) : row.advice.text, 400),
        ]),
    ),
  );
  if (others.length > rows) blocks.push({ kind: "text", text: moreText(others.length - rows, one, many).trim() });
  return blocks;
}

/** Advice follows the auditor's verdicts, so people's view of these verdicts comes before it. */
export function byPeople({ judge_error: judged }: GateReport): Block[] {
  const confirmed = judged?.fleet.confirmed;
  if (!judged || !confirmed || confirmed.estimate === null) return [];
  const advice =
    2 * (confirmed.k ?? 0) < confirmed.n
      ? "Do not act on the advice below before the auditor has been checked."
      : "The advice below rests on the auditor's verdicts alone, so check the auditor before acting on it.";
  return [{ kind: "text", text: sentence`${confirmedText(judged)}${advice}` }];
}

export function suspensionText(reason: string): string {
  return `${reason} It is automated again when decisions since then certify it (\`gate watch\`), or when \`gate reinstate\` lifts the suspension.`;
}

function moreText(hidden: number, one: string, many: string): string {
  return hidden > 0 ? ` ${plural(hidden, one, many)} more in the JSON, or with --rows.` : "";
}

function verdictRow(row: GateReportCommunity, report: GateReport): string[] {
  const mark = (passes: boolean) => (row.state === "insufficient" ? "few" : passes ? "pass" : "no");
  return [
    (row.suspended ? "! " : "") + printable(row.community, 40),
    count(row.n),
    share(row.di),
    share(row[report.variable]),
    mark(row.passes.paper),
    mark(row.passes.shrunk),
    mark(row.passes.certified),
    count(row.more_decisions_needed),
  ];
}

/** What a pass of the proven gate claims and, if a community passes, what it rests on. */
function threadsText({ threads, by_mode }: EvaluatedGate): Sentence {
  const claim = `A pass of the proven gate says: ${threads.claim}`;
  if (by_mode.certified.passing === 0) return [claim];
  const decisions = countedAt("/threads/decisions", threads.decisions, "decision");
  if (threads.cap === 1 && threads.independence_assumed > 0) {
    return sentence`${claim} It rests on ${decisions}, each a thread of its own because none has a thread_id.`;
  }
  return sentence`${claim} It rests on ${countedAt("/threads/threads", threads.threads, "thread")} with ${decisions}, ${numberAt("/threads/beyond_cap")} of them beyond the cap of ${threads.cap} a thread.`;
}
