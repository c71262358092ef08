import { plural, whole } from "../../../src/present/words/numbers.js";
import { UserText } from "../../parts/text/written.tsx";
import { Empty, Figure, Head, LiveList, Missing, NameCell, Panel, ProblemLine, Rows, useAction } from "../parts.tsx";
import { useMe } from "../person.ts";
import { useFetched } from "../use-fetched.ts";
import { ago, duration, OUTCOME_NAMES, reasonName } from "../words.ts";
import { claim, type Item, mainReason, type OwnReview, openCase, standing } from "./item.ts";

/** Naming either would reveal the audit's finding, or that the case was drawn. */
const UNSTATED = "By its audit, or drawn at random";

interface Group {
  community: string;
  reason: string | null;
  waiting: number;
  claimed: number;
  oldest_seconds: number;
}

/** How much waits for reviewers, for how long, and why. */
export function QueuesView() {
  const { scopes } = useMe();
  const reviews = scopes.includes("reviews:write");
  const groups = useFetched<{ items: Group[] }>("/v1/queue/summary", 4000);
  const waiting = useFetched<{ items: Pick<Item, "item_id" | "community" | "reasons" | "created_at">[] }>(
    "/v1/queue/items?limit=12",
    4000,
  );
  const counts = useFetched<{ items: { state: string; n: number; oldest_seconds: number }[] }>("/v1/queue", 4000);
  const { problem, run } = useAction();
  if (!groups.data || !counts.data) return <Missing failed={groups.failed ?? counts.failed} what="the queues" />;
  const state = (name: string) => counts.data!.items.find((one) => one.state === name);
  const open = state("open");
  const take = (item_id?: number) =>
    run(async () => {
      const item = await claim(item_id);
      if (!item) throw new Error(item_id === undefined ? "Nothing waits for you." : "Another reviewer has taken it.");
      openCase(item);
    });
  return (
    <div className="view">
      <Head title="Queues" lead="Decisions that a person must look at.">
        {reviews && (
          <button type="button" className="primary" onClick={() => take()} disabled={!open || open.n === 0}>
            Review the next case
          </button>
        )}
      </Head>
      <ProblemLine of={problem} />
      <dl className="live-figures">
        <Figure
          name="Waiting"
          value={whole(open?.n ?? 0)}
          note={open && open.n > 0 ? `oldest ${duration(open.oldest_seconds)}` : "nothing waits"}
        />
        <Figure name="Claimed" value={whole(state("claimed")?.n ?? 0)} note="by reviewers, now" />
        <Figure name="Held back" value={whole(state("held")?.n ?? 0)} note="until their audit is there" />
        <Figure name="Answered" value={whole(state("done")?.n ?? 0)} note="so far" />
      </dl>
      <div className="columns">
        <Panel title="By community and reason">
          {groups.data.items.length === 0 ? (
            <Empty title="The queue is empty." />
          ) : (
            <Rows
              caption="Waiting cases by community and reason"
              heads={["Community", "Reason", ">Waiting", ">Claimed", ">Oldest"]}
            >
              {groups.data.items.map(({ community, reason, waiting: n, claimed, oldest_seconds }) => (
                <tr key={`${community}\n${reason}`}>
                  <NameCell text={community} />
                  <td className="muted">{reason === null ? UNSTATED : reasonName(reason)}</td>
                  <td className="right">{whole(n)}</td>
                  <td className="right">{claimed > 0 ? whole(claimed) : "–"}</td>
                  <td className="right nowrap">{duration(oldest_seconds)}</td>
                </tr>
              ))}
            </Rows>
          )}
        </Panel>
        <Panel title="Next in line" note="longest waiting first">
          <LiveList of={waiting.data} empty="Nothing waits.">
            {({ item_id, community, reasons, created_at }) => (
              <li key={item_id}>
                <span>
                  <b>Case {item_id}</b> · <UserText text={community} max={40} />
                  <span className="muted small live-sub">
                    {mainReason({ reasons }) === null ? UNSTATED : reasonName(mainReason({ reasons })!)} · arrived{" "}
                    {ago(created_at)}
                  </span>
                </span>
                {reviews && (
                  <button type="button" onClick={() => take(item_id)} aria-label={`Review case ${item_id}`}>
                    Review
                  </button>
                )}
              </li>
            )}
          </LiveList>
        </Panel>
      </div>
      {reviews && <OwnWork />}
    </div>
  );
}

/** The reviewer's claims and latest answers. */
function OwnWork() {
  const mine = useFetched<{ items: Item[] }>("/v1/queue/mine", 5000);
  const done = useFetched<{ items: OwnReview[] }>("/v1/reviews?mine=true&limit=10", 5000);
  return (
    <div className="columns">
      <Panel title="Claimed by you">
        <LiveList of={mine.data} empty="You hold no case.">
          {({ item_id, community, claim_seconds }) => (
            <li key={item_id}>
              <span>
                <a href={`#/case/${item_id}`}>Case {item_id}</a> · <UserText text={community} max={40} />
              </span>
              <span className="muted small">
                {plural(Math.max(0, Math.ceil((claim_seconds ?? 0) / 60)), "minute")} left
              </span>
            </li>
          )}
        </LiveList>
      </Panel>
      <Panel title="Your last answers">
        <LiveList of={done.data && { items: standing(done.data.items) }} empty="No answers yet.">
          {({ review_id, item_id, outcome, at, replaces }) => (
            <li key={review_id}>
              <span>
                {OUTCOME_NAMES[outcome] ?? outcome} <a href={`#/case/${item_id}`}>case {item_id}</a>
                {replaces !== null && <span className="muted small"> (changed)</span>}
              </span>
              <span className="muted small nowrap">{ago(at)}</span>
            </li>
          )}
        </LiveList>
      </Panel>
    </div>
  );
}
