import { whole } from "../../src/present/words/numbers.js";
import { UserText } from "../parts/text/written.tsx";
import { routeHash } from "../route/route.ts";
import { RawGate } from "./gates/raw-gate.tsx";
import { Empty, Figure, Head, Missing, Panel, Rows } from "./parts.tsx";
import { useFetched } from "./use-fetched.ts";
import { ago, duration, reasonName, reasonSentence } from "./words.ts";

interface Live {
  now: string;
  minutes: number;
  step: number;
  steps: Record<"at" | "automated" | "review", number>[];
  last_minute: number;
  latest: {
    seq: number;
    at: string;
    decision_id: string | null;
    community: string | null;
    route: string;
    reasons: string[];
    pending: boolean;
  }[];
  reviews: { state: string; n: number; oldest_seconds: number }[];
  audits_waiting: number;
}

/** Live traffic, the newest routes, and what waits. */
export function Dashboard() {
  const { data, failed } = useFetched<Live>("/v1/live", 2000, true);
  if (!data) return <Missing failed={failed} what="the live view" />;
  const sum = (of: "automated" | "review") => data.steps.reduce((n, step) => n + step[of], 0);
  const [automated, review] = [sum("automated"), sum("review")];
  const all = automated + review;
  const open = data.reviews.find(({ state }) => state === "open");
  return (
    <div className="view live">
      <Head title="Live" lead={`The last ${data.minutes} minutes. Each answer below is in the log.`} />
      <dl className="live-figures">
        <Figure name="Decisions" value={whole(all)} note={`${whole(data.last_minute)} in the last minute`} />
        <Figure
          name="Automated"
          value={all === 0 ? "–" : `${Math.round((100 * automated) / all)}%`}
          note={`${whole(automated)} of ${whole(all)}`}
        />
        <Figure
          name="Being audited"
          value={whole(data.audits_waiting)}
          note={`${data.audits_waiting === 1 ? "job" : "jobs"} of up to 20 decisions`}
        />
        <Figure
          name="Waiting for review"
          value={<a href="#/queues">{whole(open?.n ?? 0)}</a>}
          note={open && open.n > 0 ? `oldest ${duration(open.oldest_seconds)}` : "nothing waits"}
        />
      </dl>
      <RawGate />
      <Panel title="Traffic" note={`Each bar is ${data.step} seconds`}>
        <TrafficChart of={data} />
      </Panel>
      <Panel title="Newest routes" note={data.latest[0] && `newest ${ago(data.latest[0].at, Date.parse(data.now))}`}>
        {data.latest.length === 0 ? (
          <Empty title="No decision has arrived yet.">Send one to POST /v1/route; docs/serve.md has an example.</Empty>
        ) : (
          <Rows caption="Newest routes" heads={["When", "Decision", "Community", "Route", "Why"]}>
            {data.latest.map(({ seq, at, decision_id, community, route, reasons, pending }) => (
              <tr key={seq}>
                <td className="muted nowrap">{ago(at, Date.parse(data.now))}</td>
                <td>
                  {decision_id === null ? (
                    "–"
                  ) : (
                    <a href={routeHash("review", [decision_id])}>
                      <UserText text={decision_id} max={60} />
                    </a>
                  )}
                </td>
                <td>{community === null ? "–" : <UserText text={community} max={60} />}</td>
                <td>
                  <RouteBadge route={route} pending={pending} />
                </td>
                <td className="muted">
                  <Reasons of={reasons} route={route} />
                </td>
              </tr>
            ))}
          </Rows>
        )}
      </Panel>
    </div>
  );
}

function RouteBadge({ route, pending }: { route: string; pending: boolean }) {
  const [kind, name] =
    route === "automate" ? ["auto", "Automated"] : pending ? ["wait", "Being audited"] : ["review", "To review"];
  return <span className={`live-badge ${kind}`}>{name}</span>;
}

/** Reasons for automation, which do not explain a review. */
const FOR_AUTOMATION = new Set([
  "community_passes",
  "score_reaches_threshold",
  "forced_calibration",
  "without_score",
  "unverified_content",
  "shadow",
]);

function Reasons({ of, route }: { of: readonly string[]; route: string }) {
  const telling = of.filter((reason) => FOR_AUTOMATION.has(reason) === (route === "automate"));
  const [first] = telling;
  if (!first) return <>By its audit, or drawn at random</>;
  return (
    <span title={telling.map(reasonSentence).filter(Boolean).join(" ")}>
      {reasonName(first)}
      {telling.length > 1 && <span className="small"> and {telling.length - 1} more</span>}
    </span>
  );
}

const [WIDTH, HEIGHT] = [720, 120];

/** Bars of the last minutes: automated below, to review above. Text above the chart gives the figures. */
function TrafficChart({ of: { steps, step, minutes, now } }: { of: Live }) {
  const count = (minutes * 60) / step;
  const last = Math.floor(Date.parse(now) / 1000 / step) * step;
  const byTime = new Map(steps.map((one) => [one.at, one]));
  const shown = Array.from(
    { length: count },
    (_, i) => byTime.get(last - (count - 1 - i) * step) ?? { at: 0, automated: 0, review: 0 },
  );
  const most = Math.max(4, ...shown.map(({ automated, review }) => automated + review));
  const width = WIDTH / count;
  const y = (n: number) => (n / most) * HEIGHT;
  const bar = (kind: string, i: number, top: number, n: number) => (
    <rect className={kind} x={i * width + 1} width={width - 2} y={HEIGHT - y(top)} height={y(n)} />
  );
  return (
    <figure className="live-traffic">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Decisions of the last ${minutes} minutes, at most ${most} in ${step} seconds`}
      >
        {shown.map(({ automated, review }, i) => (
          // Bars are identified by position.
          <g key={String(i)}>
            {bar("auto", i, automated, automated)}
            {bar("review", i, automated + review, review)}
          </g>
        ))}
      </svg>
      <figcaption className="muted small">
        <span className="live-key auto">Automated</span> <span className="live-key review">To review</span>
        <span className="live-axis">
          {minutes} min ago <span>now</span>
        </span>
      </figcaption>
    </figure>
  );
}
