import type { StandingWatch } from "../../../../src/measures/gate/gate-report.js";
import { plural, whole } from "../../../../src/present/words/numbers.js";
import { usePage } from "../../../data/page-context.ts";
import { CohortName } from "../../../parts/links.tsx";
import { Nothing } from "../../../parts/nothing.tsx";
import { Num } from "../../../parts/numbers/num.tsx";
import { PlainTable } from "../../../parts/tables/plain-table.tsx";
import { Prose } from "../../../parts/text/prose.tsx";
import { Term } from "../../../parts/text/term.tsx";
import { UserText } from "../../../parts/text/written.tsx";
import { FINDINGS } from "./use-stored-gate.ts";

const AT = `${FINDINGS}/watch`;
const MOST_NAMES = 30;

/** What the workspace's watch has seen over time, as far as it has come. */
export function WatchSection({ watch }: { watch: StandingWatch | null }) {
  const { run } = usePage().report;
  return (
    <section aria-labelledby="watch">
      <h2 id="watch">Watch over time</h2>
      {watch ? (
        <>
          <p>
            <Num at={`${AT}/rows`} as="whole" /> verdicts of {watchedRuns(watch.runs, run.run_id)} have been watched in
            the order of time. Promise: <UserText text={watch.promise} max={300} />.
          </p>
          <Events watch={watch} />
          <Above names={watch.above} />
          <Named named={watch.named} />
          {watch.notes.map((note) => (
            <p key={note} className="muted small">
              <Prose text={note} max={1000} />
            </p>
          ))}
        </>
      ) : (
        <Nothing
          why="Nobody has watched this workspace yet: a watch goes through verdicts in the order of time and suspends communities that drift above a limit."
          command="defensible gate watch"
        />
      )}
    </section>
  );
}

function watchedRuns(runs: readonly string[], own: string | null): string {
  if (own === null || !runs.includes(own)) return `${plural(runs.length, "run")}, this one not among them,`;
  return runs.length === 1 ? "this run" : `${plural(runs.length, "run")}, this one among them,`;
}

function Events({ watch: { events, events_in_all } }: { watch: StandingWatch }) {
  if (events.length === 0) return <p>It has suspended no community.</p>;
  const caption =
    events.length < events_in_all
      ? `What it did to the gate, the last ${events.length} of ${whole(events_in_all)} times, the newest first`
      : "What it did to the gate, the newest first";
  return (
    <PlainTable
      caption={caption}
      heads={[
        { key: "community", name: "Community" },
        { key: "time", name: "Time" },
        { key: "what", name: "What" },
      ]}
      rows={events.map((event, i) => ({
        key: `${i}`,
        cells: [
          <CohortName key="community" name={event.community} />,
          <UserText key="time" text={(event.decision_time ?? event.at).slice(0, 16).replace("T", " ")} max={20} />,
          <span key="what">
            {event.type}
            {event.by_hand && " by hand"}. <Prose text={event.text} />
          </span>,
        ],
      }))}
    />
  );
}

/** Alarms that changed nothing. */
function Above({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null;
  const shown = names.slice(0, MOST_NAMES);
  return (
    <p>
      Above a limit from the start, so that there was nothing to suspend:{" "}
      {shown.map((name, i) => (
        <span key={name}>
          {i > 0 && ", "}
          <CohortName name={name} />
        </span>
      ))}
      {names.length > shown.length && ` and ${whole(names.length - shown.length)} more`}.
    </p>
  );
}

function Named({ named }: { named: StandingWatch["named"] }) {
  if (named.length === 0) return null;
  return (
    <PlainTable
      caption="Others that have been above a limit, over all their verdicts"
      heads={[
        { key: "community", name: "Community" },
        { key: "n", name: "Verdicts", align: "right" },
        { key: "l3", name: "Level 3", align: "right" },
        { key: "open", name: "Ambiguous", align: "right" },
        { key: "q", name: <Term symbol="q (drift)">q</Term>, align: "right" },
      ]}
      rows={named.map((one, i) => ({
        key: one.community,
        cells: [
          <CohortName key="community" name={one.community} />,
          <Num key="n" at={`${AT}/named/${i}/n`} as="whole" />,
          <Num key="l3" at={`${AT}/named/${i}/indefensible`} as="whole" />,
          <Num key="open" at={`${AT}/named/${i}/ambiguous`} as="whole" />,
          <Num key="q" at={`${AT}/named/${i}/q`} as="probability" />,
        ],
      }))}
    />
  );
}
