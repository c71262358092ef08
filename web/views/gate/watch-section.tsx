import type { Gate } from "../../../src/domain/gate.js";
import type { WatchReport } from "../../../src/gate/gate-report.js";
import { CommunityLink } from "../../parts/links.tsx";
import { Num } from "../../parts/num.tsx";
import { PlainTable } from "../../parts/plain-table.tsx";
import { Prose } from "../../parts/prose.tsx";
import { Term } from "../../parts/term.tsx";
import { UserText } from "../../parts/user-text.tsx";
import { STORED } from "./use-stored-gate.ts";

const AT = `${STORED}/watch`;

const EVENTS = {
  suspended: "suspended",
  reinstated: "reinstated",
  above: "above a limit from the start, and not automated",
  reset: "auditor, prompt or rules changed: watched anew",
} as const;

/** What changed over time: alarms first. */
export function WatchSection({ watch }: { watch: WatchReport }) {
  const order = Object.keys(EVENTS);
  const events = [...watch.events].sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type));
  return (
    <section aria-labelledby="watch">
      <h2 id="watch">Watch over time</h2>
      <p>
        <Num at={`${AT}/rows`} as="whole" /> verdicts of <Num at={`${AT}/communities`} as="whole" /> communities were
        watched in the order of time. Promise: <UserText text={watch.promise} max={300} />.
        {!watch.kept && " Nothing was kept: what stands here is what a watch would do."}
      </p>
      {events.length > 0 && (
        <PlainTable
          caption="What the watch saw"
          heads={[
            { key: "community", name: "community" },
            { key: "time", name: "time" },
            { key: "what", name: "what" },
          ]}
          rows={events.map((event, i) => ({
            key: `${i}`,
            cells: [
              <CommunityLink key="community" community={event.community} />,
              <UserText key="time" text={(event.at ?? "unknown").slice(0, 16).replace("T", " ")} max={20} />,
              <span key="what">
                {EVENTS[event.type]}. <Prose text={`${event.text} ${event.remedy ?? ""}`} />
              </span>,
            ],
          }))}
        />
      )}
      {watch.named.length > 0 && (
        <PlainTable
          caption="Communities that have been above a limit, over all their verdicts"
          heads={[
            { key: "community", name: "community" },
            { key: "n", name: "verdicts", align: "right" },
            { key: "l3", name: "level 3", align: "right" },
            { key: "open", name: "ambiguous", align: "right" },
            { key: "q", name: <Term symbol="q (drift)">q</Term>, align: "right" },
          ]}
          rows={watch.named.map((one, i) => ({
            key: one.community,
            cells: [
              <CommunityLink key="community" community={one.community} />,
              <Num key="n" at={`${AT}/named/${i}/n`} as="whole" />,
              <Num key="l3" at={`${AT}/named/${i}/indefensible`} as="whole" />,
              <Num key="open" at={`${AT}/named/${i}/ambiguous`} as="whole" />,
              <Num key="q" at={`${AT}/named/${i}/q`} as="probability" />,
            ],
          }))}
        />
      )}
      {watch.notes.map((note) => (
        <p key={note} className="muted small">
          <Prose text={note} max={1000} />
        </p>
      ))}
    </section>
  );
}

/** Requirements that somebody asked the gate to hold, and where they fail. */
export function ChecksSection({ checks }: { checks: NonNullable<Gate["checks"]> }) {
  return (
    <section aria-labelledby="checks">
      <h2 id="checks">Requirements</h2>
      <PlainTable
        caption="Requirements that the gate was checked against"
        heads={[
          { key: "requirement", name: "requirement" },
          { key: "failures", name: "outcome" },
        ]}
        rows={checks.map(({ requirement, failures }) => ({
          key: requirement,
          cells: [
            <UserText key="requirement" text={requirement} max={200} />,
            failures.length === 0 ? (
              "holds"
            ) : (
              <UserText key="failures" text={`fails: ${failures.join("; ")}`} max={600} />
            ),
          ],
        }))}
      />
    </section>
  );
}
