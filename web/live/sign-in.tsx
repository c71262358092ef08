import { useEffect, useState } from "react";
import { api } from "./api.ts";
import { ProblemLine, useAction } from "./parts.tsx";
import { useFetched } from "./use-fetched.ts";

/** The token of a sign-in link; null: the page was not opened by one. */
export function linkedToken(): string | null {
  const [, query] = /^#\/sign-in\?(.*)$/.exec(window.location.hash) ?? [];
  return query === undefined ? null : new URLSearchParams(query).get("token");
}

const isOwnPage = () => window.location.hash.startsWith("#/sign-in");

/**
 * For people whose session has ended, or who have a token.
 * @param ended the session ended or never existed: if there is a provider, it is used at once
 */
export function SignIn({ ended, onDone }: { ended: boolean; onDone: () => void }) {
  const linked = linkedToken();
  const [token, setToken] = useState(linked ?? "");
  const { busy, problem, run } = useAction();
  const methods = useFetched<{ provider: boolean }>("/sign-in/methods", 600_000);
  const provider = methods.data?.provider === true;
  const leaves = provider && ended && !isOwnPage();
  useEffect(() => {
    if (!leaves) return;
    const { pathname, search, hash } = window.location;
    window.location.assign(`/sign-in?to=${encodeURIComponent(pathname + search + hash)}`);
  }, [leaves]);
  return (
    <main className="live-sign-in">
      <p className="product">defensible</p>
      <h1>Sign in</h1>
      {provider && linked === null && (
        <p>
          <a className="live-button" href="/sign-in?to=/">
            Sign in with your organisation
          </a>
        </p>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(async () => {
            await api.post("/sign-in", { token: token.trim() });
            if (isOwnPage()) window.location.hash = "#/live";
            onDone();
          });
        }}
      >
        {linked === null && (
          <label>
            One-time token
            <input
              type="password"
              autoComplete="one-time-code"
              value={token}
              onChange={(event) => setToken(event.target.value)}
              required
              maxLength={200}
            />
          </label>
        )}
        <button type="submit" className="primary" disabled={busy || token.trim() === ""}>
          Sign in
        </button>
      </form>
      <ProblemLine of={problem} />
      <p className="muted small">
        The terminal that runs the service prints a link. An operator makes more with{" "}
        <code>defensible tenant sign-in</code>.
      </p>
    </main>
  );
}
