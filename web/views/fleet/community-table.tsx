import { memo, useMemo } from "react";
import { GATE_STATES } from "../../../src/core/names.js";
import type { GateEvaluation } from "../../../src/measures/gate/gate-evaluation.js";
import { plural, whole } from "../../../src/present/words/numbers.js";
import { STATE_WORDS } from "../../../src/present/words/words.js";
import { usePage } from "../../data/page-context.ts";
import { DataTable } from "../../parts/data-table.tsx";
import { found, SearchBox } from "../../parts/search-box.tsx";
import { SelectBox } from "../../parts/select-box.tsx";
import { useQuery } from "../../route/use-route.ts";
import { communityColumns, type FleetRow } from "./community-columns.tsx";

const STATES = GATE_STATES.map((value) => ({ value, name: STATE_WORDS[value].name }));
const PASSING = [
  { value: "yes", name: "passes" },
  { value: "no", name: "does not pass" },
];

const TABLE = "communities";

/** Every community, to be sorted, filtered and searched. */
export const CommunityTable = memo(function CommunityTable({ gate }: { gate: GateEvaluation }) {
  const { report } = usePage();
  const [state, setState] = useQuery("state", "", TABLE);
  const [passing, setPassing] = useQuery("passes", "", TABLE);
  const [search] = useQuery("search");
  const places = useMemo(() => new Map(report.communities.map(({ community }, place) => [community, place])), [report]);
  const rows = useMemo(
    () =>
      gate.communities.map((one, place): FleetRow => {
        const at = places.get(one.community) ?? null;
        const gap = at === null ? null : report.communities[at]!.gap.di_minus_f1.estimate;
        return { ...one, place, at, gap };
      }),
    [gate, places, report],
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
      <div className="controls">
        <SearchBox name="search" table={TABLE} label="Search communities" />
        <SelectBox label="State" all="all states" value={state} options={STATES} onChange={setState} />
        <SelectBox label="Gate" all="all" value={passing} options={PASSING} onChange={setPassing} />
      </div>
      <div className="stacked">
        <DataTable
          id={TABLE}
          caption={`${plural(shown.length, "community", "communities")} of ${whole(rows.length)}. Below each rate its 95 % interval; paper, shrunk, certified: whether it passes in that mode`}
          columns={columns}
          rows={shown}
          rowKey={(row) => row.community}
          sort="-n"
          first={50}
          empty={<p className="nothing">No community is like that. Take a filter away, or change the limits.</p>}
        />
      </div>
    </>
  );
});
