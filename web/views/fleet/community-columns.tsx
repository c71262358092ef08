import type { GateMode } from "../../../src/domain/gate.js";
import { STATE_WORDS } from "../../../src/figures/words.js";
import type { CommunityEvaluation, GateEvaluation } from "../../../src/gate/gate-evaluation.js";
import type { Column } from "../../parts/data-table.tsx";
import { Est } from "../../parts/est.tsx";
import { CommunityLink } from "../../parts/links.tsx";
import { noNumber } from "../../parts/more-needed.ts";
import { Shown } from "../../parts/num.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { Term } from "../../parts/term.tsx";
import { UserText } from "../../parts/user-text.tsx";

export interface FleetRow extends CommunityEvaluation {
  /** Place among the communities of the gate. */
  place: number;
  /** Place among the communities of the report; null where the gate is by something else. */
  at: number | null;
  gap: number | null;
}

const MODES: readonly GateMode[] = ["paper", "shrunk", "certified"];

/** Columns of the table of communities. */
export function communityColumns(gate: GateEvaluation): Column<FleetRow>[] {
  const pure = gate.variable === "ai_pure";
  const field = pure ? "ai_pure" : "ai";
  return [
    {
      key: "community",
      name: "Community",
      value: (row) => row.community,
      // A gate by other keys has cohorts, which have no page of their own.
      cell: (row) =>
        row.at === null ? <UserText text={row.community} max={60} /> : <CommunityLink community={row.community} />,
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
      cell: (row) => <Shown value={row.n} as="whole" mark={`/gate/communities/${row.place}/n`} />,
      align: "right",
    },
    {
      key: "di",
      name: "DI",
      head: <Term symbol="DI" />,
      value: (row) => row.di,
      cell: (row) => <Rate row={row} field="di" interval="di_interval" />,
    },
    {
      key: "ai",
      name: pure ? "Pure AI" : "AI",
      head: <Term symbol={pure ? "AI_pure" : "AI"}>{pure ? "Pure AI" : "AI"}</Term>,
      value: (row) => row[field],
      cell: (row) => <Rate row={row} field={field} interval="ambiguity_interval" />,
    },
    {
      key: "gap",
      name: "DI − F1",
      head: <Term symbol="gap, DI − F1">DI − F1</Term>,
      value: (row) => row.gap,
      cell: (row) =>
        row.gap === null ? (
          <span className="undefined">–</span>
        ) : (
          <Est at={`/report/communities/${row.at}/gap/di_minus_f1`} as="points" with="interval" />
        ),
    },
    ...MODES.map(
      (mode): Column<FleetRow> => ({
        key: mode,
        name: `Passes, ${mode}`,
        head: (
          <>
            <span className="visually-hidden">Passes, </span>
            {mode === gate.mode ? <b className="in-use">{mode}</b> : mode}
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
      cell: (row) => <More row={row} mode={gate.mode} min={gate.thresholds.min_decisions} />,
      align: "right",
    },
  ];
}

type Rates = "di" | "ai" | "ai_pure";

function Rate({
  row,
  field,
  interval,
}: {
  row: FleetRow;
  field: Rates;
  interval: "di_interval" | "ambiguity_interval";
}) {
  const at = `/gate/communities/${row.place}`;
  const bounds = row[interval];
  return (
    <>
      <Shown value={row[field]} mark={`${at}/${field}`} />
      {bounds && (
        <span className="interval">
          {" "}
          <Shown value={bounds.lower} mark={`${at}/${interval}/lower`} /> to{" "}
          <Shown value={bounds.upper} mark={`${at}/${interval}/upper`} />
        </span>
      )}
    </>
  );
}

/** 0 where it passes; in words where there is no number. */
function More({ row, mode, min }: { row: FleetRow; mode: GateMode; min: number }) {
  const why = noNumber(row, mode, min);
  if (why !== null) {
    return (
      <span className="undefined" title={row[mode].reason ?? undefined}>
        {why}
      </span>
    );
  }
  return (
    <Shown value={row.more_decisions_needed} as="whole" mark={`/gate/communities/${row.place}/more_decisions_needed`} />
  );
}
