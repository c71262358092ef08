import { useState } from "react";
import { dateText } from "../../parts/text/words.ts";
import { UserText } from "../../parts/text/written.tsx";
import { Head, Listed, NameCell, Rows } from "../parts.tsx";
import { useFetched } from "../use-fetched.ts";
import { actionName } from "../words.ts";

interface Entry {
  seq: number;
  at: string;
  actor: string;
  action: string;
  subject: string;
}

/** Who did what, newest first. */
export function ActivityView() {
  const [cursors, setCursors] = useState<string[]>([]);
  const cursor = cursors.at(-1);
  const found = useFetched<{ items: Entry[]; next_cursor: string | null }>(
    `/v1/activity?limit=50${cursor ? `&cursor=${cursor}` : ""}`,
    6000,
  );
  const older = found.data?.next_cursor ?? null;
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
            <nav className="pager" aria-label="Pages of the activity">
              <button
                type="button"
                aria-disabled={cursors.length === 0}
                onClick={() => setCursors(cursors.slice(0, -1))}
              >
                Newer
              </button>
              <button
                type="button"
                aria-disabled={older === null}
                onClick={() => older !== null && setCursors([...cursors, older])}
              >
                Older
              </button>
            </nav>
          </>
        )}
      </Listed>
    </div>
  );
}
