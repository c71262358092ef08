import { memo, useMemo } from "react";
import { GATE_MODES, GATE_STATES } from "../../../src/core/names.js";
import type { CommunityEvaluation, GateEvaluation } from "../../../src/measures/gate/gate-evaluation.js";
import { auditorCaveat } from "../../../src/present/words/meaning.js";
import { byCount, plural, whole } from "../../../src/present/words/numbers.js";
import { BINDING_WORDS, STATE_WORDS } from "../../../src/present/words/words.js";
import { printable } from "../../../src/text/printable.js";
import { usePage } from "../../data/page-context.ts";
import { found, SearchBox, SelectBox } from "../../parts/controls/choices.tsx";
import { GateRate, MoreNeeded, StateBadge } from "../../parts/gate-parts.tsx";
import { CohortName } from "../../parts/links.tsx";
import { Shown } from "../../parts/numbers/num.tsx";
import { type Column, DataTable } from "../../parts/tables/data-table.tsx";
import { Term } from "../../parts/text/term.tsx";
import { useQuery } from "../../route/use-route.ts";

const STATES = GATE_STATES.map((value) => ({ value, name: STATE_WORDS[value].name }));
const PASSING = Object.entries({ yes: "passes", no: "does not pass" }).map(([value, name]) => ({ value, name }));
const MODE_HEADS = { paper: "Raw", shrunk: "Cautious", certified: "Proven" } as const;

const TABLE = "communities";

interface Row extends CommunityEvaluation {
  /** JSON pointer in the output of `defensible gate --json`. */
  at: string;
}

/** Every community: whether it passes, what blocks it, and what to do. */
export const CommunityTable = memo(function CommunityTable({ gate }: { gate: GateEvaluation }) {
  const [state, setState] = useQuery("state", "", TABLE);
  const [passing, setPassing] = useQuery("passes", "", TABLE);
  const [search] = useQuery("search");
  const caveat = auditorCaveat(usePage().report);
  const rows = useMemo(
    () => gate.communities.map((one, place): Row => ({ ...one, at: `/gate/communities/${place}` })),
    [gate],
  );
  const shown = useMemo(
    () =>
      rows.filter(
        (row) =>
          (state === "" || row.state === state) &&
          (passing === "" || row.passes[gate.mode] === (passing === "yes")) &&
          found(row.community, search),
      ),
    [rows, state, passing, search, gate.mode],
  );
  const columns = useMemo(() => communityColumns(gate), [gate]);
  return (
    <>
      <p>
        <MoreSentence gate={gate} />
      </p>
      {caveat && <p>{caveat}</p>}
      <div className="controls">
        <SearchBox name="search" table={TABLE} label="Search communities" />
        <SelectBox label="State" all="all states" value={state} options={STATES} onChange={setState} />
        <SelectBox label="Gate" all="all" value={passing} options={PASSING} onChange={setPassing} />
      </div>
      <div className="stacked">
        <DataTable
          id={TABLE}
          caption={`${plural(shown.length, "community", "communities")} of ${whole(rows.length)}. Bars: 95% intervals. Raw, cautious, proven: whether it passes in that mode.`}
          columns={columns}
          rows={shown}
          rowKey={(row) => row.community}
          sort="-n"
          first={50}
          empty={<p className="nothing">No community matches. Remove a filter, or change the limits.</p>}
        />
      </div>
    </>
  );
});

/** Whether more audited decisions would help communities that do not pass. */
function MoreSentence({ gate: { communities, mode } }: { gate: GateEvaluation }) {
  const kept = communities.filter((one) => !one.passes[mode]);
  if (kept.length === 0) return <>Every community passes.</>;
  const reachable = kept.filter((one) => one.n > 0 && one.more_decisions_needed !== null);
  const others = kept.filter((one) => one.n > 0).length - reachable.length;
  const missing = reachable.reduce((sum, one) => sum + one.more_decisions_needed!, 0);
  return (
    <>
      {plural(kept.length, "community does", "communities do")} not pass.{" "}
      {reachable.length > 0 && (
        <>
          For <Shown value={reachable.length} as="whole" /> of them <Shown value={missing} as="whole" /> more audited{" "}
          {byCount(missing, "decision is", "decisions are")} enough at these rates.{" "}
        </>
      )}
      {others > 0 &&
        `In ${plural(others, "community", "communities")}, more data will not help at these rates: fix the rules or the decisions first.`}
    </>
  );
}

function communityColumns(gate: GateEvaluation): Column<Row>[] {
  const pure = gate.variable === "ai_pure";
  const min = gate.thresholds.min_decisions;
  return [
    {
      key: "community",
      name: "Community",
      value: (row) => row.community,
      cell: (row) => <CohortName name={row.community} />,
    },
    {
      key: "advice",
      name: "What to do",
      value: (row) => row.advice.action,
      cell: (row) =>
        row.passes[gate.mode] ? (
          <span className="undefined">–</span>
        ) : (
          <bdi className="advice">{printable(row.advice.text, 400)}</bdi>
        ),
    },
    {
      key: "state",
      name: "State",
      value: (row) => STATE_WORDS[row.state].name,
      cell: (row) => <StateBadge state={row.state} />,
    },
    {
      key: "n",
      name: "Verdicts",
      value: (row) => row.n,
      cell: (row) => <Shown value={row.n} as="whole" mark={`${row.at}/n`} />,
      align: "right",
    },
    {
      key: "di",
      name: "Defensibility",
      head: <Term symbol="DI">Defensibility</Term>,
      value: (row) => row.di,
      cell: (row) => <GateRate of={row} rate="di" mark={row.at} />,
    },
    {
      key: "ai",
      name: pure ? "Pure ambiguity" : "Ambiguity",
      head: <Term symbol={pure ? "AI_pure" : "AI"}>{pure ? "Pure ambiguity" : "Ambiguity"}</Term>,
      value: (row) => row[gate.variable],
      cell: (row) => <GateRate of={row} rate={gate.variable} mark={row.at} />,
    },
    ...GATE_MODES.map(
      (mode): Column<Row> => ({
        key: mode,
        name: `Passes, ${MODE_HEADS[mode].toLowerCase()}`,
        head: (
          <>
            <span className="visually-hidden">Passes, </span>
            {mode === gate.mode ? <b className="in-use">{MODE_HEADS[mode]}</b> : MODE_HEADS[mode]}
          </>
        ),
        value: (row) => Number(row.passes[mode]),
        cell: (row) => (row.passes[mode] ? <b className="passes">yes</b> : <span className="undefined">no</span>),
      }),
    ),
    {
      key: "binding",
      name: "Blocked by",
      value: (row) => blockedBy(row, gate.mode),
      cell: (row) => (
        <span title={row.binding ? BINDING_WORDS[row.binding].meaning : undefined}>{blockedBy(row, gate.mode)}</span>
      ),
    },
    {
      key: "more",
      name: "More decisions",
      value: (row) => row.more_decisions_needed,
      cell: (row) => <MoreNeeded of={row} mode={gate.mode} min={min} mark={`${row.at}/more_decisions_needed`} />,
      align: "right",
    },
  ];
}

function blockedBy(row: CommunityEvaluation, mode: GateEvaluation["mode"]): string {
  if (row.passes[mode]) return "–";
  if (row.binding) return BINDING_WORDS[row.binding].name;
  return row.state === "insufficient" ? "Minimum sample" : "Not proven yet";
}
