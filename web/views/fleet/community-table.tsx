import { memo, useMemo } from "react";
import { GATE_STATES, type GateState } from "../../../src/domain/gate-names.js";
import { plural } from "../../../src/figures/numbers.js";
import { isSilent } from "../../../src/figures/wide-interval.js";
import { STATE_WORDS } from "../../../src/figures/words.js";
import type { GateEvaluation } from "../../../src/gate/gate-evaluation.js";
import { usePage } from "../../data/page-context.ts";
import { DataTable } from "../../parts/data-table.tsx";
import { found, SearchBox } from "../../parts/search-box.tsx";
import { useQuery } from "../../route/use-route.ts";
import { communityColumns, type FleetRow } from "./community-columns.tsx";

/** Every community, to be sorted, filtered and searched. */
export const CommunityTable = memo(function CommunityTable({ gate }: { gate: GateEvaluation }) {
  const { report } = usePage();
  const [state, setState] = useQuery("state");
  const [passing, setPassing] = useQuery("passes");
  const [search] = useQuery("search");
  const places = useMemo(() => new Map(report.communities.map(({ community }, place) => [community, place])), [report]);
  const rows = useMemo(
    () =>
      gate.communities.map((one, place): FleetRow => {
        const at = places.get(one.community) ?? null;
        const difference = at === null ? null : report.communities[at]!.gap.di_minus_f1;
        // Of a few decisions that are all alike nothing says how sure a difference is.
        const gap = difference === null || isSilent(difference) ? null : difference.estimate;
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
        <SearchBox name="search" label="Search communities" />
        <label>
          State
          <select value={state} onChange={(event) => setState(event.target.value)}>
            <option value="">all states</option>
            {GATE_STATES.map((one: GateState) => (
              <option key={one} value={one}>
                {STATE_WORDS[one].name}
              </option>
            ))}
          </select>
        </label>
        <label>
          Gate
          <select value={passing} onChange={(event) => setPassing(event.target.value)}>
            <option value="">all</option>
            <option value="yes">passes</option>
            <option value="no">does not pass</option>
          </select>
        </label>
      </div>
      <div className="stacked">
        <DataTable
          id="communities"
          caption={`${plural(shown.length, "community", "communities")} of ${rows.length.toLocaleString("en")}. Below each rate its 95 % interval; paper, shrunk, certified: whether it passes in that mode`}
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
