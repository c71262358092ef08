import { useMemo } from "react";
import type { CommunityEvaluation } from "../../../src/measures/gate/gate-evaluation.js";
import { whole } from "../../../src/present/words/numbers.js";
import { usePage } from "../../data/page-context.ts";
import { useCommunityGate } from "../../data/use-community-gate.ts";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Est } from "../../parts/est.tsx";
import { CommunityLink } from "../../parts/links.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { Num } from "../../parts/num.tsx";
import { found, SearchBox } from "../../parts/search-box.tsx";
import { StateBadge } from "../../parts/state-badge.tsx";
import { UserText } from "../../parts/user-text.tsx";
import { routeHash } from "../../route/route.ts";
import { useQuery } from "../../route/use-route.ts";

const TABLE = "communities";

interface Row {
  place: number;
  community: string;
  gate: CommunityEvaluation | undefined;
  di: number | null;
  ai: number | null;
  verdicts: number;
}

/** Every community, to be searched; `asked` is a name that the address gave and nobody has. */
export function CommunityIndex({ asked }: { asked: string | undefined }) {
  const { report } = usePage();
  const { evaluation } = useCommunityGate();
  const [search] = useQuery("q");
  const rows = useMemo(() => {
    const gates = new Map(evaluation.communities.map((one) => [one.community, one]));
    return report.communities.map((one, place) => ({
      place,
      community: one.community,
      gate: gates.get(one.community),
      di: one.defensibility_index.estimate,
      ai: one.ambiguity_index.estimate,
      verdicts: one.counts.verdicts,
    }));
  }, [report, evaluation]);
  const shown = useMemo(() => rows.filter(({ community }) => found(community, search)), [rows, search]);
  return (
    <div className="view">
      <h1>Communities</h1>
      {asked ? (
        <p className="lead" role="status">
          No community called{" "}
          <b>
            <UserText text={asked} max={80} />
          </b>{" "}
          was audited in this run. Names are compared exactly, with capital and small letters; look for it below.
        </p>
      ) : (
        <p className="lead">
          Choose one of {whole(report.communities.length)} communities to see how far its decisions follow from its
          rules, what keeps it from running on its own, and which decisions to look at first. The{" "}
          <a href={routeHash("fleet")}>fleet view</a> shows all of them in one picture.
        </p>
      )}
      <div className="controls">
        <SearchBox name="q" table={TABLE} label="Search communities" placeholder="part of a name" />
      </div>
      <DataTable
        id={TABLE}
        caption="Communities, by name. State: by the limits of the gate in this address, or of the report."
        columns={COLUMNS}
        rows={shown}
        rowKey={(row) => row.community}
        first={100}
        empty={<Nothing why={`No community's name contains “${search}”.`} />}
      />
    </div>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    key: "community",
    name: "Community",
    value: (row) => row.community,
    cell: (row) => <CommunityLink community={row.community} />,
  },
  {
    key: "state",
    name: "State",
    value: (row) => row.gate?.state ?? null,
    cell: (row) => (row.gate ? <StateBadge state={row.gate.state} /> : <span className="undefined">–</span>),
  },
  {
    key: "verdicts",
    name: "Verdicts",
    value: (row) => row.verdicts,
    cell: (row) => <Num at={`/report/communities/${row.place}/counts/verdicts`} as="whole" />,
    align: "right",
  },
  {
    key: "di",
    name: "Defensibility",
    value: (row) => row.di,
    cell: (row) => <Est at={`/report/communities/${row.place}/defensibility_index`} with="interval" />,
  },
  {
    key: "ai",
    name: "Ambiguity",
    value: (row) => row.ai,
    cell: (row) => <Est at={`/report/communities/${row.place}/ambiguity_index`} with="interval" />,
  },
];
