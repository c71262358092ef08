import { type Block, table } from "../document.js";
import type { GateReport, GateReportCommunity } from "../gate-report.js";
import { plural } from "../numbers.js";
import { printable } from "../printable.js";
import { cohortWord, names } from "./verdict.js";
import { count, probability, STATE_WORDS, share } from "./words.js";

/** Every community in the three modes side by side, and what to do next. */
export function communitiesSection(report: GateReport, rows: number): Block[] {
  if (report.communities.length === 0) return [];
  const { one, many } = cohortWord(report);
  // The largest decide what a gate is worth.
  const sorted = [...report.communities].sort((a, b) => b.n - a.n || (a.community < b.community ? -1 : 1));
  const shown = sorted.slice(0, rows);
  const level = `${+(100 * (1 - report.delta)).toPrecision(4)} %`;
  const ambiguity = report.variable === "ai" ? "AI" : "pure AI";
  return [
    { kind: "heading", text: `${many[0]!.toUpperCase()}${many.slice(1)} in the three modes` },
    table(
      [
        one,
        ">verdicts",
        ">indefensible",
        ">ambiguous",
        ">DI",
        `>${ambiguity}`,
        "paper",
        "shrunk",
        "certified",
        ">more",
      ],
      shown.map((row) => verdictRow(row, report)),
    ),
    {
      kind: "text",
      text: `The largest first.${moreText(sorted.length - shown.length, one, many)} more: verdicts still missing in mode ${report.mode} if the rates stay as seen; – where no number helps.`,
    },
    { kind: "text", text: modes(report) },
    { kind: "heading", text: "How sure that is" },
    table(
      [
        one,
        ">DI at least",
        `>${ambiguity} at most`,
        ">shrunk L3",
        `>shrunk ${ambiguity}`,
        ">P(breach)",
        ">p",
        ">adjusted p",
      ],
      shown.map(evidenceRow),
    ),
    {
      kind: "text",
      text: `"at least" and "at most" are exact one-sided bounds at ${level}, each for one ${one} by itself. Shrunk rates are drawn towards the fleet, the more the fewer verdicts there are; P(breach) is the probability, by these, that a limit is broken (mode shrunk). p is of the test that both limits are kept, adjusted p of the same for all ${many} together (mode certified).`,
    },
    ...nextSteps(report, sorted, rows),
  ];
}

/** Those that pass in a line; the others one by one. */
function nextSteps(report: GateReport, sorted: readonly GateReportCommunity[], rows: number): Block[] {
  const { one, many } = cohortWord(report);
  const ready = sorted.filter((row) => row.passes[report.mode] && !row.suspended);
  const others = sorted.filter((row) => !row.passes[report.mode] || row.suspended);
  const blocks: Block[] = [{ kind: "heading", text: "What to do next" }];
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
          row.suspended ? "suspended" : STATE_WORDS[row.state],
          printable(row.suspended ? suspensionText(row.suspended.reason) : row.advice.text, 400),
        ]),
    ),
  );
  if (others.length > rows) blocks.push({ kind: "text", text: moreText(others.length - rows, one, many).trim() });
  return blocks;
}

function suspensionText(reason: string): string {
  return `${reason} It is automated again when decisions since then certify it (\`gate --watch\`).`;
}

function moreText(hidden: number, one: string, many: string): string {
  return hidden > 0 ? ` ${plural(hidden, one, many)} more in the JSON, or with --rows.` : "";
}

function verdictRow(row: GateReportCommunity, report: GateReport): string[] {
  const mark = (passes: boolean) => (row.state === "insufficient" ? "few" : passes ? "pass" : "no");
  const pure = report.variable === "ai_pure";
  return [
    printable(row.community, 40) + (row.suspended ? " (suspended)" : ""),
    count(row.n),
    count(row.indefensible),
    count(pure ? row.inverse_yes_pure : row.inverse_yes),
    share(row.di),
    share(pure ? row.ai_pure : row.ai),
    mark(row.passes.paper),
    mark(row.passes.shrunk),
    mark(row.passes.certified),
    count(row.more_decisions_needed),
  ];
}

function evidenceRow({ community, shrunk, certified }: GateReportCommunity): string[] {
  const lower = certified.indefensible_upper === null ? null : 1 - certified.indefensible_upper;
  return [
    printable(community, 40),
    share(lower),
    share(certified.ambiguity_upper),
    share(shrunk.indefensible?.mean),
    share(shrunk.ambiguity?.mean),
    probability(shrunk.f_c),
    probability(certified.p),
    probability(certified.adjusted_p),
  ];
}

function modes({ methods, by_mode, look_reason }: GateReport): string {
  const passing = (mode: "paper" | "shrunk" | "certified") => `${by_mode[mode].passing} pass`;
  return `Paper (${passing("paper")}): ${methods.paper}. Shrunk (${passing("shrunk")}): ${methods.shrunk}. Certified (${passing("certified")}): ${methods.certified} (${look_reason}).`;
}
