import type { RealisedCell } from "../../../../src/core/results/realised-risk.js";
import { plural } from "../../../../src/present/words/numbers.js";
import { anytimeNote, realisedReason, realisedSentence } from "../../../../src/present/words/outcome-words.js";
import { usePage } from "../../../data/page-context.ts";
import { CohortName } from "../../../parts/links.tsx";
import { Num } from "../../../parts/numbers/num.tsx";
import { PlainTable } from "../../../parts/tables/plain-table.tsx";
import { UserText } from "../../../parts/text/written.tsx";

const AT = "/report/realised_risk";
const MOST_CELLS = 15;

const BOUND_HEADS = [
  { key: "rate", name: "Rate", align: "right" },
  { key: "k", name: "Bad", align: "right" },
  { key: "n", name: "Reviews", align: "right" },
  { key: "once", name: "At most, one look", align: "right" },
  { key: "anytime", name: "At most, any number of looks", align: "right" },
  { key: "threads", name: "Threads", align: "right" },
  { key: "largest", name: "Largest thread", align: "right" },
] as const;

/** What random reviews say of the decisions that were automated. */
export function RealisedSection() {
  const realised = usePage().report.realised_risk;
  if (!realised) return null;
  const { saw_audit: seen, cells } = realised;
  const rows: [string, string][] = [
    ["indefensible by the reviewer", "risk"],
    ["overturned", "overturned"],
    ...(seen
      ? ([
          ["indefensible, audit seen", "saw_audit/risk"],
          ["overturned, audit seen", "saw_audit/overturned"],
        ] as [string, string][])
      : []),
  ];
  const shown = cells
    .map((cell, i) => ({ cell, at: `${AT}/cells/${i}` }))
    .filter(({ cell }, i) => cells.slice(0, i).filter(({ by }) => by === cell.by).length < MOST_CELLS);
  return (
    <section aria-labelledby="realised-risk">
      <h2 id="realised-risk">Realised risk</h2>
      <p>{realisedSentence(realised)}</p>
      <PlainTable
        caption="Random reviews of decisions that would have been automated"
        heads={[{ key: "what", name: "Reviewers' answer" }, ...BOUND_HEADS]}
        rows={rows.map(([name, part]) => ({ key: part, cells: [name, ...numbers(`${AT}/${part}`)] }))}
      />
      {realised.risk.n > 0 && (
        <PlainTable
          caption={`Indefensible by the reviewer${shown.length < cells.length ? `, ${shown.length} of ${plural(cells.length, "row")}` : ""}`}
          heads={[{ key: "by", name: "By" }, { key: "value", name: "Part" }, ...BOUND_HEADS]}
          rows={shown.map(({ cell, at }) => ({
            key: `${cell.by} ${cell.value}`,
            cells: [cell.by, <CellName key="value" cell={cell} />, ...numbers(`${at}/risk`)],
          }))}
        />
      )}
      <p className="muted small">
        Reviews without a level, or pending for more than 14 days, count as bad in the bounds. Each bound is for its own
        row and rests on threads: few large ones give a worse bound than many small ones. {anytimeNote(realised)}
      </p>
    </section>
  );

  function numbers(at: string) {
    const undefinedBecause = reasonAt(at);
    return [
      undefinedBecause ? realisedReason(undefinedBecause) : <Num key="rate" at={`${at}/estimate`} />,
      <Num key="k" at={`${at}/k`} as="whole" />,
      <Num key="n" at={`${at}/n`} as="whole" />,
      <Num key="once" at={`${at}/upper/once`} />,
      <Num key="anytime" at={`${at}/upper/anytime`} />,
      <Num key="threads" at={`${at}/threads`} as="whole" />,
      <Num key="largest" at={`${at}/largest_thread`} as="whole" />,
    ];
  }

  function reasonAt(at: string) {
    const [part, index] = at.slice(AT.length + 1).split("/");
    if (part === "cells") return cells[Number(index)]!.risk.reason;
    if (part === "saw_audit") return seen![index as "risk" | "overturned"].reason;
    return realised![part as "risk" | "overturned"].reason;
  }
}

function CellName({ cell: { by, value } }: { cell: RealisedCell }) {
  return by === "community" ? <CohortName name={value} /> : <UserText text={value} max={40} />;
}
