import { useMemo } from "react";
import type { CommunityEvaluation, GateEvaluation } from "../../../src/measures/gate/gate-evaluation.js";
import { auditorCaveat } from "../../../src/present/words/meaning.js";
import { byCount, plural, whole } from "../../../src/present/words/numbers.js";
import { BINDING_WORDS, VARIABLE_WORDS } from "../../../src/present/words/words.js";
import { printable } from "../../../src/text/printable.js";
import { usePage } from "../../data/page-context.ts";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { GateRate } from "../../parts/gate-rate.tsx";
import { CohortName } from "../../parts/links.tsx";
import { MoreNeeded } from "../../parts/more-cell.tsx";
import { Shown } from "../../parts/num.tsx";
import { Term } from "../../parts/term.tsx";

type Row = CommunityEvaluation & { at: string };

/** How many decisions are still to be audited before the gate opens, and what to do where that does not help. */
export function MoreSection({ evaluation }: { evaluation: GateEvaluation }) {
  const { communities, mode, thresholds, variable } = evaluation;
  const rows = useMemo(
    () =>
      communities.map((one, i): Row => ({ ...one, at: `/gate/communities/${i}` })).filter((one) => !one.passes[mode]),
    [communities, mode],
  );
  const caveat = auditorCaveat(usePage().report);
  const columns = useMemo(() => columnsFor(evaluation), [evaluation]);
  // Without a verdict no rate was seen that could stay.
  const unseen = rows.filter((row) => row.n === 0);
  const reachable = rows.filter((row) => row.n > 0 && row.more_decisions_needed !== null);
  const others = rows.length - reachable.length - unseen.length;
  const inAll = reachable.reduce((sum, row) => sum + row.more_decisions_needed!, 0);
  if (communities.length === 0) return null;
  return (
    <section aria-labelledby="more">
      <h2 id="more">
        How many <Term symbol="more decisions">more decisions</Term> it takes
      </h2>
      {rows.length === 0 ? (
        <p>Every community passes.</p>
      ) : (
        <p>
          {reachable.length === 0 ? (
            others > 0 &&
            (others === 1
              ? "For the one that does not pass more decisions would not help while its rates stay as seen."
              : `For none of the ${whole(others)} that do not pass would more decisions help while their rates stay as seen.`)
          ) : (
            <>
              Of {whole(rows.length)} that {byCount(rows.length, "does", "do")} not pass,{" "}
              <Shown value={reachable.length} as="whole" /> would with more audited decisions,{" "}
              <Shown value={inAll} as="whole" /> in all, if {byCount(reachable.length, "its", "their")} rates stay as
              seen.
              {others > 0 && " For the others no number helps: their rates, the rules or the decider have to change."}
            </>
          )}
          {unseen.length > 0 &&
            ` ${plural(unseen.length, "community has", "communities have")} no verdict yet, so nobody knows how many ${unseen.length === 1 ? "it needs" : "they need"}.`}
        </p>
      )}
      {rows.length > 0 && caveat && <p>{caveat}</p>}
      <DataTable
        id="more-decisions"
        caption={`Communities that do not pass (mode ${mode}, at least ${thresholds.min_decisions} decisions)${variable === "ai" ? "" : "; ambiguity is pure ambiguity"}; fewest missing decisions first`}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.community}
        sort="more"
        first={15}
        empty={<p className="muted">Nobody is kept out.</p>}
      />
    </section>
  );
}

function columnsFor({ mode, variable, thresholds: { min_decisions: min } }: GateEvaluation): Column<Row>[] {
  return [
    {
      key: "community",
      name: "Community",
      value: (row) => row.community,
      cell: (row) => <CohortName name={row.community} />,
    },
    {
      key: "more",
      name: "More decisions",
      align: "right",
      value: (row) => row.more_decisions_needed,
      cell: (row) => <MoreNeeded of={row} mode={mode} min={min} mark={`${row.at}/more_decisions_needed`} />,
    },
    {
      key: "n",
      name: "Verdicts",
      align: "right",
      value: (row) => row.n,
      cell: (row) => <Shown value={row.n} as="whole" mark={`${row.at}/n`} />,
    },
    {
      key: "di",
      name: "Defensibility",
      head: <Term symbol="DI">Defensibility</Term>,
      align: "right",
      value: (row) => row.di,
      cell: (row) => <GateRate of={row} rate="di" mark={row.at} />,
    },
    {
      key: "ai",
      name: VARIABLE_WORDS[variable].name,
      align: "right",
      value: (row) => row[variable],
      cell: (row) => <GateRate of={row} rate={variable} mark={row.at} />,
    },
    {
      key: "binding",
      name: "Kept out by",
      value: keptOutBy,
      cell: (row) => <span title={row.binding ? BINDING_WORDS[row.binding].meaning : undefined}>{keptOutBy(row)}</span>,
    },
    {
      key: "advice",
      name: "What to do",
      value: (row) => row.advice.action,
      cell: (row) => <bdi className="advice">{printable(row.advice.text, 400)}</bdi>,
    },
  ];
}

function keptOutBy(row: Row): string {
  if (row.binding) return BINDING_WORDS[row.binding].name;
  return row.state === "insufficient" ? "The minimum" : "Not proven yet";
}
