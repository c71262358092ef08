import { plural, whole } from "../../../src/present/words/numbers.js";
import { dateText } from "../../parts/text/words.ts";
import { UserText } from "../../parts/text/written.tsx";
import { routeHash } from "../../route/route.ts";
import { api } from "../api.ts";
import { Figure, Head, LiveList, Missing, Panel, Rows, WithReason } from "../parts.tsx";
import { useMe } from "../person.ts";
import { useFetched } from "../use-fetched.ts";
import { ago, exactShare } from "../words.ts";
import { GateProposal } from "./proposal.tsx";
import { RawGate } from "./raw-gate.tsx";

export interface ActiveGate {
  epoch: number;
  closed: { since: string; reason: string } | null;
  gate: {
    mode: string;
    gate_id?: string;
    created_at?: string;
    thresholds: { di: number; ai: number; min_decisions: number };
    review_share?: number;
    fleet: { passing: number; decision_coverage_all: number | null };
    communities: {
      community: string;
      n: number;
      state: string;
      passes: Record<string, boolean>;
      suspended?: { reason: string; since: string } | null;
    }[];
  } | null;
  in_force_since: string | null;
}

interface GateEvent {
  type: string;
  /** Of an evaluation: it became the active gate. */
  in_force?: boolean;
  at: string;
  reason?: string;
  community?: string;
  text?: string;
}

export const MODE_NAMES: Readonly<Record<string, string>> = { paper: "Raw", shrunk: "Cautious", certified: "Proven" };
export const STATE_NAMES: Readonly<Record<string, string>> = {
  earned_autonomy: "Passes",
  policy_gaps: "Rules have gaps",
  normative_complexity: "Rules are ambiguous",
  insufficient: "Too few audits",
};

const EVENT_NAMES: Readonly<Record<string, string>> = {
  gate: "The gate was evaluated",
  applied: "A gate was applied",
  closed: "All gates were closed",
  opened: "The gates were opened",
  suspended: "Suspended",
  reinstated: "Suspension ended",
  reset: "The watch began anew",
};

const SUSPENSIONS = "/v1/gate/suspensions";
export const ifMatch = (epoch: number) => ({ "if-match": `"${epoch}"` });

/** What is automated, and how to stop it. */
export function GatesView() {
  const { scopes } = useMe();
  const writes = scopes.includes("gate:write");
  const { data, failed, again } = useFetched<ActiveGate>("/v1/gate", 5000);
  const history = useFetched<{ items?: GateEvent[]; events?: GateEvent[] }>("/v1/gate/history?limit=30", 8000);
  if (!data) return <Missing failed={failed} what="the gate" />;
  const { gate, closed, epoch } = data;
  const changed = () => {
    again();
    history.again();
  };
  const suspended = (gate?.communities ?? []).filter((one) => one.suspended);
  const passing = (gate?.communities ?? []).filter((one) => one.passes[gate!.mode] && !one.suspended);
  const events = history.data?.items ?? [...(history.data?.events ?? [])].reverse();
  return (
    <div className="view">
      <Head title="Gate" lead="Which communities' decisions are automated." />
      <section className={`gate-switch ${closed ? "closed" : "open"}`} aria-label="Kill switch">
        <div>
          <p className="gate-state">{closed ? "Closed" : gate ? "Open" : "No active gate"}</p>
          <p className="muted">
            {closed ? (
              <>
                Nothing has been automated since {dateText(closed.since)}. Reason:{" "}
                <UserText text={closed.reason} max={200} />
              </>
            ) : gate ? (
              `Decisions of ${plural(passing.length, "community", "communities")} can be automated. Closing takes effect with the next answer, on every node.`
            ) : (
              "Everything goes to review until a gate is applied."
            )}
          </p>
        </div>
        {closed
          ? writes && (
              <WithReason
                label="Open the gates"
                title="Why is it safe to automate again?"
                onDo={(reason) => api.post("/v1/gate/open", { reason }, ifMatch(epoch)).then(changed)}
              />
            )
          : scopes.includes("gate:close") && (
              <WithReason
                label="Close all gates"
                title="Why must automation stop?"
                danger
                onDo={(reason) => api.post("/v1/gate/close", { reason }).then(changed)}
              />
            )}
      </section>
      <RawGate here />
      {gate && (
        <dl className="live-figures">
          <Figure
            name="Kind"
            value={MODE_NAMES[gate.mode] ?? gate.mode}
            note={data.in_force_since && `applied ${ago(data.in_force_since)}`}
          />
          <Figure
            name="Passing the active gate"
            value={`${whole(passing.length)} of ${whole(gate.communities.length)}`}
            note={suspended.length > 0 ? `${whole(suspended.length)} suspended` : "none suspended"}
          />
          <Figure
            name="Limits"
            value={`DI ≥ ${exactShare(gate.thresholds.di)}`}
            note={`ambiguity ≤ ${exactShare(gate.thresholds.ai)}, at least ${plural(gate.thresholds.min_decisions, "decision")}`}
          />
          <Figure
            name="Reviewed at random"
            value={gate.review_share === undefined ? "–" : exactShare(gate.review_share)}
            note="of what could be automated"
          />
        </dl>
      )}
      {gate && <Communities gate={gate} closed={closed !== null} epoch={epoch} writes={writes} onChanged={changed} />}
      {writes && <GateProposal epoch={epoch} active={gate} onApplied={changed} />}
      <Panel title="History" note="newest first">
        <LiveList of={{ items: events.slice(0, 30) }} empty="Nothing has happened to the gate yet.">
          {(event, place) => (
            // Two events may have the same time and type.
            <li key={String(place)}>
              <span>
                {EVENT_NAMES[event.in_force ? "applied" : event.type] ?? (
                  <UserText text={event.type.replaceAll("_", " ")} max={60} />
                )}
                {event.community !== undefined && (
                  <>
                    : <UserText text={event.community} max={60} />
                  </>
                )}
                {(event.reason ?? event.text) && (
                  <span className="muted small live-sub">
                    <UserText text={event.reason ?? event.text ?? ""} max={240} />
                  </span>
                )}
              </span>
              <span className="muted small nowrap">{ago(event.at)}</span>
            </li>
          )}
        </LiveList>
      </Panel>
    </div>
  );
}

interface CommunitiesProps {
  gate: NonNullable<ActiveGate["gate"]>;
  closed: boolean;
  epoch: number;
  writes: boolean;
  onChanged: () => void;
}

function Communities({ gate, closed, epoch, writes, onChanged }: CommunitiesProps) {
  const rank = (one: (typeof gate.communities)[number]) => (one.suspended ? 0 : one.passes[gate.mode] ? 1 : 2);
  const ordered = [...gate.communities].sort((a, b) => rank(a) - rank(b) || b.n - a.n).slice(0, 100);
  return (
    <Panel
      title="Communities"
      note={
        gate.communities.length > 100 &&
        `100 of ${whole(gate.communities.length)}: suspended, then automated, then the largest`
      }
    >
      <Rows caption="Communities of the gate" heads={["Community", "State", ">Audited", ...(writes ? [""] : [])]}>
        {ordered.map(({ community, n, state, passes, suspended }) => (
          <tr key={community}>
            <td>
              <a href={routeHash("automation", ["community", community])}>
                <UserText text={community} max={60} />
              </a>
            </td>
            <td>
              {suspended ? (
                <>
                  <span className="live-badge review">Suspended</span>{" "}
                  <span className="muted small">
                    since {dateText(suspended.since)}: <UserText text={suspended.reason} max={160} />
                  </span>
                </>
              ) : passes[gate.mode] && closed ? (
                <span className="live-badge wait">Passes, but all gates are closed</span>
              ) : passes[gate.mode] ? (
                <span className="live-badge auto">Automated</span>
              ) : (
                <span className="muted">{STATE_NAMES[state] ?? state}</span>
              )}
            </td>
            <td className="right">{whole(n)}</td>
            {writes && (
              <td className="right">
                {suspended ? (
                  <WithReason
                    label="End suspension"
                    title="Why may it be automated again?"
                    onDo={(reason) =>
                      api
                        .remove(`${SUSPENSIONS}/${encodeURIComponent(community)}?${new URLSearchParams({ reason })}`)
                        .then(onChanged)
                    }
                  />
                ) : (
                  passes[gate.mode] && (
                    <WithReason
                      label="Suspend"
                      title="Why must it be reviewed?"
                      onDo={(reason) => api.post(SUSPENSIONS, { community, reason }, ifMatch(epoch)).then(onChanged)}
                    />
                  )
                )}
              </td>
            )}
          </tr>
        ))}
      </Rows>
    </Panel>
  );
}
