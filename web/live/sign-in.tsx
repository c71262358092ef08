import { useState } from "react";
import { api } from "./api.ts";
import { ProblemLine, useAction } from "./parts.tsx";
import { useFetched } from "./use-fetched.ts";

/** For people whose session has ended, or who have a token instead of a link. */
export function SignIn({ onDone }: { onDone: () => void }) {
  const [token, setToken] = useState("");
  const { busy, problem, run } = useAction();
  const used = window.location.hash.startsWith("#/sign-in");
  const methods = useFetched<{ provider: boolean }>("/sign-in/methods", 600_000);
  return (
    <main className="live-sign-in">
      <p className="product">defensible</p>
      <h1>Sign in</h1>
      {used && <p role="status">That link was used before, or is too old. Ask for a new one.</p>}
      {methods.data?.provider && (
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
            if (used) window.location.hash = "#/live";
            onDone();
          });
        }}
      >
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
