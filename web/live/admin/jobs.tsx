import { useState } from "react";
import { whole } from "../../../src/present/words/numbers.js";
import { nameText } from "../../../src/present/words/vocabulary.js";
import { dateText } from "../../parts/text/words.ts";
import { UserText } from "../../parts/text/written.tsx";
import { Empty, Head, Listed, Missing, NameCell, Pager, Rows } from "../parts.tsx";
import { useFetched } from "../use-fetched.ts";
import { actionName, duration } from "../words.ts";

type Depth = { task: string } & Record<"waiting" | "running" | "dead" | "oldest_seconds", number>;

const TASKS: Readonly<Record<string, string>> = {
  audit: "Audits",
  pages: "Report pages",
  page: "Report of one run",
  labels: "Labels from reviews",
  gates: "Schedule of gates",
  gate: "Gate and watch",
  deliver: "Webhooks",
  retention: "Retention",
};

/** The workers' queue. */
export function JobsView() {
  const { data, failed } = useFetched<{ items: Depth[] }>("/v1/jobs", 3000, true);
  if (!data) return <Missing failed={failed} what="the jobs" />;
  const dead = data.items.reduce((n, one) => n + one.dead, 0);
  return (
    <div className="view">
      <Head title="Jobs" lead={dead > 0 ? `${whole(dead)} failed for good.` : "Nothing has failed for good."} />
      {data.items.length === 0 ? (
        <Empty title="No job waits.">Jobs appear when decisions arrive.</Empty>
      ) : (
        <Rows caption="Jobs by kind" heads={["Kind", ">Waiting", ">Running", ">Failed for good", ">Oldest due"]}>
          {data.items.map(({ task, waiting, running, dead: failures, oldest_seconds }) => (
            <tr key={task}>
              <td>{TASKS[task] ?? nameText(task, 60)}</td>
              <td className="right">{whole(waiting)}</td>
              <td className="right">{whole(running)}</td>
              <td className={failures > 0 ? "right live-bad" : "right"}>{whole(failures)}</td>
              <td className="right nowrap">{oldest_seconds > 0 ? duration(oldest_seconds) : "–"}</td>
            </tr>
          ))}
        </Rows>
      )}
    </div>
  );
}

interface Entry {
  seq: number;
  at: string;
  actor: string;
  action: string;
  subject: string;
}

export function ActivityView() {
  const [cursors, setCursors] = useState<string[]>([]);
  const cursor = cursors.at(-1);
  const found = useFetched<{ items: Entry[]; next_cursor: string | null }>(
    `/v1/activity?limit=50${cursor ? `&cursor=${cursor}` : ""}`,
    6000,
  );
  return (
    <div className="view">
      <Head
        title="Activity"
        lead="Every change of gates, keys and settings, and content that was read without a claim."
      />
      <Listed of={found} what="the activity" empty="Nothing has been done yet.">
        {(items) => (
          <>
            <Rows caption="Activity, newest first" heads={["When", "Who", "Did what", "About"]}>
              {items.map(({ seq, at, actor, action, subject }) => (
                <tr key={seq}>
                  <td className="muted nowrap">{dateText(at)}</td>
                  <NameCell text={actor} />
                  <td>{actionName(action)}</td>
                  <td className="muted">
                    <UserText text={subject} max={120} />
                  </td>
                </tr>
              ))}
            </Rows>
            <Pager
              label="Pages of the activity"
              words={["Newer", "Older"]}
              {...{ cursors, next: found.data?.next_cursor ?? null, onGo: setCursors }}
            />
          </>
        )}
      </Listed>
    </div>
  );
}
