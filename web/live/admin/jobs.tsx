import { whole } from "../../../src/present/words/numbers.js";
import { nameText } from "../../../src/present/words/word-table.js";
import { Empty, Head, Missing, Rows } from "../parts.tsx";
import { useFetched } from "../use-fetched.ts";
import { duration } from "../words.ts";

interface Depth {
  task: string;
  waiting: number;
  running: number;
  dead: number;
  oldest_seconds: number;
}

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

/** What the workers have to do. */
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
