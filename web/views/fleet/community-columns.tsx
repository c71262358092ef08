import { GATE_MODES } from "../../../src/core/names.js";
import type { CommunityEvaluation, GateEvaluation } from "../../../src/measures/gate/gate-evaluation.js";
import { STATE_WORDS } from "../../../src/present/words/words.js";
import { capitalised } from "../../parts/capitalised.ts";
import type { Column } from "../../parts/data-table.tsx";
import { Est } from "../../parts/est.tsx";
import { GateRate } from "../../parts/gate-rate.tsx";
import { CohortName } from "../../parts/links.tsx";
import { MoreNeeded } from "../../parts/more-cell.tsx";
import { Shown } from "../../parts/num.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Term } from "../../parts/term.tsx";

export interface FleetRow extends CommunityEvaluation {
  /** Place among the communities of the gate. */
  place: number;
  /** Place among the communities of the report; null where the gate is by something else. */
  at: number | null;
  gap: number | null;
}

/** Columns of the table of communities. */
export function communityColumns(gate: GateEvaluation): Column<FleetRow>[] {
  const pure = gate.variable === "ai_pure";
  const markOf = (row: FleetRow) => `/gate/communities/${row.place}`;
  return [
    {
      key: "community",
      name: "Community",
      value: (row) => row.community,
      cell: (row) => <CohortName name={row.community} />,
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
      cell: (row) => <Shown value={row.n} as="whole" mark={`${markOf(row)}/n`} />,
      align: "right",
    },
    {
      key: "di",
      name: "Defensibility",
      head: <Term symbol="DI">Defensibility</Term>,
      value: (row) => row.di,
      cell: (row) => <GateRate of={row} rate="di" mark={markOf(row)} />,
    },
    {
      key: "ai",
      name: pure ? "Pure ambiguity" : "Ambiguity",
      head: <Term symbol={pure ? "AI_pure" : "AI"}>{pure ? "Pure ambiguity" : "Ambiguity"}</Term>,
      value: (row) => row[gate.variable],
      cell: (row) => <GateRate of={row} rate={gate.variable} mark={markOf(row)} />,
    },
    {
      key: "gap",
      name: "Defensibility − F1",
      head: <Term symbol="gap, DI − F1">Defensibility − F1</Term>,
      value: (row) => row.gap,
      cell: (row) =>
        row.gap === null ? (
          <span className="undefined">–</span>
        ) : (
          <Est at={`/report/communities/${row.at}/gap/di_minus_f1`} as="points" with="interval" />
        ),
    },
    ...GATE_MODES.map(
      (mode): Column<FleetRow> => ({
        key: mode,
        name: `Passes, ${mode}`,
        head: (
          <>
            <span className="visually-hidden">Passes, </span>
            {mode === gate.mode ? <b className="in-use">{capitalised(mode)}</b> : capitalised(mode)}
          </>
        ),
        value: (row) => Number(row.passes[mode]),
        cell: (row) => (row.passes[mode] ? "yes" : <span className="undefined">no</span>),
      }),
    ),
    {
      key: "more",
      name: "More decisions needed",
      value: (row) => row.more_decisions_needed,
      cell: (row) => (
        <MoreNeeded
          of={row}
          mode={gate.mode}
          min={gate.thresholds.min_decisions}
          mark={`${markOf(row)}/more_decisions_needed`}
        />
      ),
      align: "right",
    },
  ];
}
