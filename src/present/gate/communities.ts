import type { GateMode } from "../../core/names.js";
import type { GateReport, GateReportCommunity } from "../../measures/gate/gate-report.js";
import type { ConstraintCount } from "../../measures/gate/holdout-certificate.js";
import { printable } from "../../text/printable.js";
import { type Block, table } from "../document/document.js";
import { gateName } from "../words/gate-change.js";
import { pCell, plural } from "../words/numbers.js";
import { cohortWord, count, names, onlyAlarmed, STATE_WORDS, share } from "./verdict.js";

/** Which limit keeps whom out, and how much of that is arithmetic. */
export function bindingSection(report: GateReport): Block[] {
  const { excluded, binding, mechanical, moderate_is_standard: same } = report.binding;
  if (report.fleet.counts.eligible_communities === 0) return [];
  const { one, many } = cohortWord(report);
  const row = (label: string, counts: ConstraintCount) => [
    label,
    count(counts.communities),
    count(counts.decisions),
    count(counts.indefensible),
  ];
  const ambiguity = report.variable === "ai" ? "AI" : "pure AI";
  return [
    { kind: "heading", text: "Which limit keeps whom out" },
    table(
      ["kept out by", `>${many}`, ">decisions", ">indefensible"],
      [row("DI alone", excluded.di), row(`${ambiguity} alone`, excluded.ai), row("both", excluded.both)],
    ),
    { kind: "text", text: [verdict(), arithmetic(), degenerate()].filter(Boolean).join(" ") },
  ];

  function verdict(): string {
    if (binding === null) return "Neither limit alone keeps more decisions out than the other.";
    const name = binding === "di" ? "DI" : ambiguity;
    return `The binding limit is ${name}: dropping it would admit more decisions than dropping the other.`;
  }

  function arithmetic(): string {
    if (report.variable !== "ai" || mechanical.contradiction_share === null) return "";
    const contra = `${count(mechanical.contradictions)} of ${plural(mechanical.indefensible, "indefensible decision")} (${share(mechanical.contradiction_share)}) also count as ambiguous, because their opposite holds`;
    const implied =
      mechanical.implied_di === null
        ? ""
        : `; by that alone, AI ≤ ${share(report.thresholds.ai, 0)} asks for a DI of at least ${share(mechanical.implied_di)}`;
    const exceed = mechanical.contradictions_exceed_limit.communities;
    const alone =
      exceed > 0
        ? ` In ${plural(exceed, one, many)} they alone exceed the limit: that is wrong decisions, not unclear rules (\`--variable ai_pure\` leaves them out).`
        : "";
    return `${contra}${implied}.${alone}`;
  }

  /** In the paper two of the four settings admit the same. The mode that counts may see it otherwise than the rates do. */
  function degenerate(): string {
    const seen = same.same
      ? "By the observed rates, Moderate (85 %) and Standard (90 %) admit the same, as in the paper"
      : `By the observed rates, ${plural(same.between.communities, one, many)} that AI does not keep out lie between Moderate (85 %) and Standard (90 %)`;
    const moderate = report.scenarios.find((row) => row.name === "Moderate");
    const standard = report.scenarios.find((row) => row.name === "Standard");
    if (report.mode === "paper" || !moderate || !standard) return `${seen}.`;
    const alike =
      moderate.passing === standard.passing &&
      moderate.counts.automated_decisions === standard.counts.automated_decisions;
    return `${seen}; for the ${gateName(report.mode)} ${alike ? `both admit ${standard.passing}` : `Moderate admits ${moderate.passing} and Standard ${standard.passing}`}.`;
  }
}

/** Every community in the three modes side by side, and what to do next. */
export function communitiesSection(report: GateReport, rows: number): Block[] {
  if (report.communities.length === 0) return [];
  const { one, many } = cohortWord(report);
  const sorted = largestFirst(report);
  const shown = sorted.slice(0, rows);
  const level = `${+(100 * (1 - report.delta)).toPrecision(4)} %`;
  const pure = report.variable === "ai" ? "" : " AI is pure AI.";
  const suspended = shown.some((row) => row.suspended)
    ? " !: an alarm keeps it from being automated, whatever the modes say."
    : "";
  return [
    { kind: "heading", text: `${many[0]!.toUpperCase()}${many.slice(1)} under the three gates` },
    table(
      [one, ">verdicts", ">DI", ">AI", "raw", "cautious", "proven", ">more"],
      shown.map((row) => verdictRow(row, report)),
    ),
    {
      kind: "text",
      text: `The largest first.${moreText(sorted.length - shown.length, one, many)} more: verdicts still missing for the ${gateName(report.mode)} if the rates stay as they are; – where more data will not help.${pure}${suspended}`,
    },
    { kind: "text", text: modes(report) },
    { kind: "text", text: threadsText(report) },
    { kind: "heading", text: "How sure that is" },
    table(
      [one, ">L3", ">ambiguous", ">DI ≥", ">AI ≤", ">breach", ">p", ">adj. p"],
      shown.map((row) => evidenceRow(row, report)),
    ),
    {
      kind: "text",
      text: `L3: verdicts that are indefensible. ambiguous: ${report.variable === "ai" ? "verdicts whose opposite can be derived, indefensible ones among them" : "defensible verdicts whose opposite can be derived too"}. DI ≥ and AI ≤ are bounds at ${level} that hold at every look, each for one ${one} by itself${cappedText(report)}. breach (cautious gate): the probability that a limit is really broken, if the ${one} is like the others of the fleet. p (proven gate): at most how often a ${one} that breaks a limit would look as good as this one; small is good. adj. p: the same with all ${many} tested together; at ${pCell(report.delta)} or below it is proven.`,
    },
    ...nextSteps(report, rows),
  ];
}

/** The largest decide what a gate is worth. */
function largestFirst({ communities }: GateReport): GateReportCommunity[] {
  return [...communities].sort((a, b) => b.n - a.n || (a.community < b.community ? -1 : 1));
}

/** Those that pass in a line; the others one by one. */
export function nextSteps(report: GateReport, rows: number): Block[] {
  if (report.communities.length === 0) return [];
  const { one, many } = cohortWord(report);
  const sorted = largestFirst(report);
  const ai = report.variable === "ai" ? ("ai" as const) : ("ai_pure" as const);
  const alarmed = onlyAlarmed(report);
  const ready = sorted.filter((row) => row.passes[report.mode] && !row.suspended);
  const others = sorted.filter((row) => !row.passes[report.mode] || row.suspended);
  const blocks: Block[] = [{ kind: "heading", text: "What to do next" }, ...byPeople(report)];
  if (ready.length > 0) {
    blocks.push({
      kind: "text",
      text: `Automate ${plural(ready.length, one, many)}: ${names(
        ready.map((row) => row.community),
        20,
      )}.`,
    });
  }
  if (others.length === 0) return blocks;
  blocks.push(
    table(
      [one, ">verdicts", ">DI", ai === "ai" ? ">AI" : ">pure AI", "state", "~next"],
      others
        .slice(0, rows)
        .map((row) => [
          printable(row.community, 40),
          count(row.n),
          share(row.di),
          share(row[ai]),
          row.suspended ? (alarmed.has(row.community) ? "would be suspended" : "suspended") : STATE_WORDS[row.state],
          printable(row.suspended ? suspensionText(row.suspended.reason) : row.advice.text, 400),
        ]),
    ),
  );
  if (others.length > rows) blocks.push({ kind: "text", text: moreText(others.length - rows, one, many).trim() });
  return blocks;
}

/** Advice follows the auditor's verdicts: what people say of these stands before it. */
function byPeople({ judge_error: judged }: GateReport): Block[] {
  const confirmed = judged?.fleet.confirmed;
  if (!confirmed || confirmed.estimate === null) return [];
  const { k = 0, n } = confirmed;
  const first = `People confirmed ${count(k)} of ${plural(n, "labelled level-3 verdict")}`;
  const text =
    2 * k < n
      ? `${first}, fewer than half: the auditor, more than the decisions, seems to be wrong. Do not act on the advice below before the auditor has been checked.`
      : `${first}; the advice below rests on the auditor's verdicts alone, so check the auditor before acting on this.`;
  return [{ kind: "text", text }];
}

function suspensionText(reason: string): string {
  return `${reason} It is automated again when decisions since then certify it (\`gate watch\`), or somebody lifts the suspension (\`gate reinstate\`).`;
}

function moreText(hidden: number, one: string, many: string): string {
  return hidden > 0 ? ` ${plural(hidden, one, many)} more in the JSON, or with --rows.` : "";
}

function verdictRow(row: GateReportCommunity, report: GateReport): string[] {
  const mark = (passes: boolean) => (row.state === "insufficient" ? "few" : passes ? "pass" : "no");
  const pure = report.variable === "ai_pure";
  return [
    (row.suspended ? "! " : "") + printable(row.community, 40),
    count(row.n),
    share(row.di),
    share(pure ? row.ai_pure : row.ai),
    mark(row.passes.paper),
    mark(row.passes.shrunk),
    mark(row.passes.certified),
    count(row.more_decisions_needed),
  ];
}

function evidenceRow(row: GateReportCommunity, { variable }: GateReport): string[] {
  const { community, shrunk, certified } = row;
  const lower = certified.indefensible_upper === null ? null : 1 - certified.indefensible_upper;
  return [
    printable(community, 40),
    count(row.indefensible),
    count(variable === "ai" ? row.inverse_yes : row.inverse_yes_pure),
    share(lower),
    share(certified.ambiguity_upper),
    pCell(shrunk.f_c),
    pCell(certified.p),
    pCell(certified.adjusted_p),
  ];
}

/** What a certified pass says, and, where a community passes, the units that certified mode rests on. */
function threadsText({ threads, by_mode }: GateReport): string {
  const { cap, beyond_cap: beyond, independence_assumed } = threads;
  const units = `${plural(threads.threads, "thread")} with ${plural(threads.decisions, "decision")}, ${share(beyond)} of them beyond the cap of ${cap} a thread`;
  const alone = `${plural(threads.decisions, "decision")}, each a thread of its own because none has a thread_id`;
  const claim = `A pass of the proven gate says: ${threads.claim}`;
  return by_mode.certified.passing === 0
    ? claim
    : `${claim} It rests on ${cap === 1 && independence_assumed > 0 ? alone : units}.`;
}

function cappedText({ threads: { cap } }: GateReport): string {
  return cap === 1 ? "" : `, counting at most ${cap} decisions of a thread`;
}

function modes({ methods, by_mode, look_reason }: GateReport): string {
  const passing = (mode: GateMode) => `${by_mode[mode].passing} pass`;
  return `Raw (${passing("paper")}): ${methods.paper}. Cautious (${passing("shrunk")}): ${methods.shrunk}. Proven (${passing("certified")}): ${methods.certified} (${look_reason}).`;
}
