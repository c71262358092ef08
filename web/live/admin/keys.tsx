import { useState } from "react";
import { dateText } from "../../parts/text/words.ts";
import { api } from "../api.ts";
import { Head, Listed, NameCell, Panel, ProblemLine, Rows, useAction } from "../parts.tsx";
import { useMe } from "../person.ts";
import { useFetched } from "../use-fetched.ts";

type Key = Record<"key_id" | "name" | "created_at", string> &
  Record<"expires_at" | "revoked_at", string | null> & { scopes: string[] };

const SCOPE_NAMES: Readonly<Record<string, string>> = {
  "route:ask": "Ask for routes",
  "decisions:write": "Send decisions",
  "decisions:read": "Read decisions",
  "content:read": "Read content",
  "audits:read": "Read audits",
  "audits:write": "Send audits",
  "audits:run": "Order audits",
  "gate:read": "Read the gate",
  "gate:close": "Close the gates",
  "gate:write": "Change the gate",
  "reviews:read": "Read the queue",
  "reviews:write": "Answer reviews",
  "labels:read": "Read labels",
  "labels:write": "Send labels",
  "appeals:read": "Read appeals",
  "appeals:write": "File appeals",
  "rules:read": "Read rules",
  "rules:write": "Change rules",
  "reports:read": "Read reports",
  "jobs:read": "Read jobs",
  erase: "Erase content",
  admin: "Everything, keys included",
};

const nameOf = (scope: string) => SCOPE_NAMES[scope] ?? scope;

export function KeysView() {
  const found = useFetched<{ items: Key[] }>("/v1/keys?limit=200", 10_000);
  const { busy, problem, run } = useAction();
  const now = new Date().toISOString();
  const stateOf = ({ revoked_at, expires_at }: Key) =>
    revoked_at ? "Revoked" : expires_at && expires_at < now ? "Expired" : "Works";
  return (
    <div className="view">
      <Head title="Keys" lead="For programs. A key is shown once and kept as a hash." />
      <NewKey onMade={found.again} />
      <Listed of={found} what="the keys" empty="There are no keys.">
        {(items) => (
          <Rows caption="Keys" heads={["Name", "May", "Made", "State", ""]}>
            {items.map((key) => (
              <tr key={key.key_id}>
                <NameCell text={key.name} />
                <td className="muted">{key.scopes.map(nameOf).join(", ")}</td>
                <td className="muted nowrap">{dateText(key.created_at)}</td>
                <td>
                  {stateOf(key)}
                  {stateOf(key) === "Works" && key.expires_at && (
                    <span className="muted small live-sub">until {dateText(key.expires_at)}</span>
                  )}
                </td>
                <td className="right">
                  {stateOf(key) === "Works" && (
                    <button
                      type="button"
                      disabled={busy}
                      aria-label={`Revoke ${key.name}`}
                      onClick={() =>
                        run(() => api.remove(`/v1/keys/${encodeURIComponent(key.key_id)}`)).then(found.again)
                      }
                    >
                      Revoke
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </Rows>
        )}
      </Listed>
      <ProblemLine of={problem} />
    </div>
  );
}

function NewKey({ onMade }: { onMade: () => void }) {
  const { scopes: all } = useMe();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<string[]>(["route:ask"]);
  const [days, setDays] = useState("90");
  const [made, setMade] = useState<string | null>(null);
  const { busy, problem, run } = useAction();
  if (made) {
    return (
      <Panel title="Your new key">
        <p>Copy it now. It cannot be shown again.</p>
        <p>
          <code className="live-secret">{made}</code>
        </p>
        <div className="live-actions">
          <button type="button" onClick={() => void navigator.clipboard?.writeText(made)}>
            Copy
          </button>
          <button type="button" onClick={() => setMade(null)}>
            Done
          </button>
        </div>
      </Panel>
    );
  }
  return (
    <Panel title="Make a key">
      <form
        className="live-form"
        onSubmit={(event) => {
          event.preventDefault();
          void run(async () => {
            const { body } = await api.post<{ key: string }>("/v1/keys", {
              name: name.trim(),
              scopes,
              ...(days === "" ? {} : { days: Number(days) }),
            });
            setMade(body.key);
            setName("");
            onMade();
          });
        }}
      >
        <label>
          Name
          <input type="text" required maxLength={100} value={name} onChange={(event) => setName(event.target.value)} />
        </label>
        <label>
          Works for
          <select value={days} onChange={(event) => setDays(event.target.value)}>
            <option value="30">30 days</option>
            <option value="90">90 days</option>
            <option value="365">a year</option>
            <option value="">until it is revoked</option>
          </select>
        </label>
        <fieldset className="live-scopes">
          <legend>May</legend>
          {all.map((scope) => (
            <label key={scope} className="live-check">
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                onChange={(event) =>
                  setScopes(event.target.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
                }
              />
              <span>{nameOf(scope)}</span>
            </label>
          ))}
        </fieldset>
        <button type="submit" className="primary" disabled={busy || name.trim() === "" || scopes.length === 0}>
          Make the key
        </button>
      </form>
      <ProblemLine of={problem} />
    </Panel>
  );
}
