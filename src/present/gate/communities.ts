import type { GateMode } from "../../core/gate-names.js";
import type { GateReport, GateReportCommunity } from "../../measures/gate/gate-report.js";
import { printable } from "../../text/printable.js";
import { type Block, table } from "../document/document.js";
import { pCell, plural } from "../words/numbers.js";
import { cohortWord, names, onlyAlarmed } from "./verdict.js";
import { count, STATE_WORDS, share } from "./words.js";

/** Every community in the three modes side by side, and what to do next. */
export function communitiesSection(report: GateReport, rows: number): Block[] {
  if (report.communities.length === 0) return [];
  const { one, many } = cohortWord(report);
  // The largest decide what a gate is worth.
  const sorted = [...report.communities].sort((a, b) => b.n - a.n || (a.community < b.community ? -1 : 1));
  const shown = sorted.slice(0, rows);
  const level = `${+(100 * (1 - report.delta)).toPrecision(4)} %`;
  const pure = report.variable === "ai" ? "" : " AI is pure AI.";
  const suspended = shown.some((row) => row.suspended)
    ? " !: an alarm keeps it from being automated, whatever the modes say."
    : "";
  return [
    { kind: "heading", text: `${many[0]!.toUpperCase()}${many.slice(1)} in the three modes` },
    table(
      [one, ">verdicts", ">DI", ">AI", "paper", "shrunk", "cert.", ">more"],
      shown.map((row) => verdictRow(row, report)),
    ),
    {
      kind: "text",
      text: `The largest first.${moreText(sorted.length - shown.length, one, many)} more: verdicts still missing in mode ${report.mode} if the rates stay as seen; – where no number helps.${pure}${suspended}`,
    },
    { kind: "text", text: modes(report) },
    { kind: "text", text: threadsText(report) },
    { kind: "heading", text: "How sure that is" },
    table(
      [one, ">L3", ">open", ">DI ≥", ">AI ≤", ">breach", ">p", ">adj. p"],
      shown.map((row) => evidenceRow(row, report)),
    ),
    {
      kind: "text",
      text: `L3 and open: verdicts that are indefensible, and that leave the opposite open too. DI ≥ and AI ≤ are bounds at ${level} that hold at every look, each for one ${one} by itself${cappedText(report)}. breach (mode shrunk): the probability that a limit is really broken, if the ${one} is like the others of the fleet. p (mode certified): at most how often a ${one} that breaks a limit would look as good as this one; small is good. adj. p: the same with all ${many} tested together; at ${pCell(report.delta)} or below it is certified.`,
    },
    ...nextSteps(report, sorted, rows),
  ];
}

/** Those that pass in a line; the others one by one. */
function nextSteps(report: GateReport, sorted: readonly GateReportCommunity[], rows: number): Block[] {
  const { one, many } = cohortWord(report);
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
      [one, "state", "~next"],
      others
        .slice(0, rows)
        .map((row) => [
          printable(row.community, 40),
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
  return `${reason} It is automated again when decisions since then certify it (\`gate --watch\`), or somebody lifts the suspension (\`gate --reinstate\`).`;
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
  const claim = `A certified pass says: ${threads.claim}`;
  return by_mode.certified.passing === 0
    ? claim
    : `${claim} It rests on ${cap === 1 && independence_assumed > 0 ? alone : units}.`;
}

function cappedText({ threads: { cap } }: GateReport): string {
  return cap === 1 ? "" : `, counting at most ${cap} decisions of a thread`;
}

function modes({ methods, by_mode, look_reason }: GateReport): string {
  const passing = (mode: GateMode) => `${by_mode[mode].passing} pass`;
  return `Paper (${passing("paper")}): ${methods.paper}. Shrunk (${passing("shrunk")}): ${methods.shrunk}. Certified (${passing("certified")}): ${methods.certified} (${look_reason}).`;
}
