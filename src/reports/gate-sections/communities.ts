import type { GateState } from "../../domain/gate.js";
import { type Block, table } from "../document.js";
import type { GateReport, GateReportCommunity } from "../gate-report.js";
import { plural } from "../numbers.js";
import { printable } from "../printable.js";
import { cohortWord } from "./verdict.js";
import { count, probability, STATE_WORDS, share } from "./words.js";

const ORDER: Record<GateState, number> = {
  earned_autonomy: 0,
  normative_complexity: 1,
  policy_gaps: 2,
  insufficient: 3,
};

/** Every community in the three modes side by side, and what to do next. */
export function communitiesSection(report: GateReport, rows: number): Block[] {
  if (report.communities.length === 0) return [];
  const { one, many } = cohortWord(report);
  const sorted = [...report.communities].sort(
    (a, b) => ORDER[a.state] - ORDER[b.state] || b.n - a.n || (a.community < b.community ? -1 : 1),
  );
  const shown = sorted.slice(0, rows);
  const hidden = sorted.length - shown.length;
  const level = `${+(100 * (1 - report.delta)).toPrecision(4)} %`;
  const ambiguity = report.variable === "ai" ? "AI" : "pure AI";
  return [
    { kind: "heading", text: `${many[0]!.toUpperCase()}${many.slice(1)} in the three modes` },
    table(
      [
        one,
        ">n",
        ">L3",
        ">DI",
        ">at least",
        `>${ambiguity}`,
        ">at most",
        "paper",
        "shrunk",
        "certified",
        ">P(breach)",
        ">adj. p",
        ">more",
      ],
      shown.map((row) => numbers(row, report)),
    ),
    {
      kind: "text",
      text: `n: verdicts, L3: indefensible ones. "at least" and "at most" are exact bounds at ${level}, each for one ${one} by itself. P(breach): probability, after shrinkage towards the fleet, that a limit is broken (mode shrunk). adj. p: of the certified test, adjusted for the number of ${many}. more: verdicts still missing in mode ${report.mode} if the rates stay as seen; – where no number helps.${hidden > 0 ? ` ${plural(hidden, one, many)} more in the JSON, or with --rows.` : ""}`,
    },
    { kind: "text", text: modes(report) },
    { kind: "heading", text: "What to do next" },
    table(
      [one, "state", "~next"],
      shown.map((row) => [
        printable(row.community, 40),
        row.suspended ? "suspended" : STATE_WORDS[row.state],
        printable(
          row.suspended
            ? `${row.suspended.reason} It is automated again when decisions since then certify it (\`gate --watch\`).`
            : row.advice.text,
          400,
        ),
      ]),
    ),
  ];
}

function numbers(row: GateReportCommunity, report: GateReport): string[] {
  const { certified, shrunk } = row;
  const lower = certified.indefensible_upper === null ? null : 1 - certified.indefensible_upper;
  const mark = (passes: boolean) => (row.state === "insufficient" ? "·" : passes ? "pass" : "no");
  return [
    printable(row.community, 40) + (row.suspended ? " (suspended)" : ""),
    count(row.n),
    count(row.indefensible),
    share(row.di),
    share(lower),
    share(report.variable === "ai" ? row.ai : row.ai_pure),
    share(certified.ambiguity_upper),
    mark(row.passes.paper),
    mark(row.passes.shrunk),
    mark(row.passes.certified),
    probability(shrunk.f_c),
    probability(certified.adjusted_p),
    count(row.more_decisions_needed),
  ];
}

function modes({ methods, by_mode, look, look_reason }: GateReport): string {
  const passing = (mode: "paper" | "shrunk" | "certified") => `${by_mode[mode].passing} pass`;
  return `Paper (${passing("paper")}): ${methods.paper}. Shrunk (${passing("shrunk")}): ${methods.shrunk}. Certified (${passing("certified")}): ${methods.certified}; ${look === "once" ? "one look" : "repeated looks"}, because ${look_reason}.`;
}
