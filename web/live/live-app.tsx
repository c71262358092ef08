import { type ComponentType, useEffect, useRef, useState } from "react";
import { nameText } from "../../src/present/words/word-table.js";
import { useContentShown } from "../parts/controls/content-shown.tsx";
import { ThemeSwitch } from "../parts/shell/banner.tsx";
import { ViewGuard } from "../parts/shell/guards.tsx";
import { UserText } from "../parts/text/written.tsx";
import { goToKeptPlace } from "../route/kept-place.ts";
import { usePlace } from "../route/use-route.ts";
import { VIEWS } from "../views/views.ts";
import { ActivityView, JobsView } from "./admin/jobs.tsx";
import { KeysView } from "./admin/keys.tsx";
import { api, onSignedOut } from "./api.ts";
import { Dashboard } from "./dashboard.tsx";
import { AppealsView } from "./desk/appeals.tsx";
import { CaseView } from "./desk/case.tsx";
import { QueuesView } from "./desk/queues.tsx";
import { ReviewersView } from "./desk/reviewers.tsx";
import { GatesView } from "./gates/gates.tsx";
import { startHints, stopHints, useConnected } from "./hints.ts";
import { ProblemLine, useAction } from "./parts.tsx";
import { type Me, MeContext, ROLE_NAMES, useMe } from "./person.ts";
import { RealisedRiskView, ReportView } from "./report.tsx";
import { BreakReminder, SettingsView } from "./settings.tsx";
import { type Fetched, useFetched } from "./use-fetched.ts";

interface Entry {
  id: string;
  title: string;
  View: ComponentType;
  /** Without it the entry is not in the menu. */
  scope: string;
}

const report = VIEWS.map(({ id, title }) => ({ id, title, View: ReportView, scope: "reports:read" }));

/** Every place of the menu, by what it is for. */
const GROUPS: readonly { name: string; entries: readonly Entry[] }[] = [
  {
    name: "Now",
    entries: [
      { id: "live", title: "Live", View: Dashboard, scope: "reports:read" },
      { id: "queues", title: "Queues", View: QueuesView, scope: "reviews:read" },
      { id: "case", title: "Case", View: CaseView, scope: "reviews:write" },
      { id: "appeals", title: "Appeals", View: AppealsView, scope: "reviews:write" },
    ],
  },
  {
    name: "Automation",
    entries: [
      { id: "gates", title: "Gate", View: GatesView, scope: "gate:read" },
      { id: "risk", title: "Realised risk", View: RealisedRiskView, scope: "reports:read" },
    ],
  },
  { name: "Report", entries: report },
  {
    name: "Service",
    entries: [
      { id: "reviewers", title: "Reviewers", View: ReviewersView, scope: "gate:write" },
      { id: "activity", title: "Activity", View: ActivityView, scope: "admin" },
      { id: "keys", title: "Keys", View: KeysView, scope: "admin" },
      { id: "jobs", title: "Jobs", View: JobsView, scope: "jobs:read" },
      { id: "settings", title: "Settings", View: SettingsView, scope: "reports:read" },
    ],
  },
];

/** Signed in or not, and then the views. */
export function LiveApp() {
  const [signedIn, setSignedIn] = useState(true);
  const me = useFetched<Me>(signedIn ? "/v1/me" : null, 60_000);
  useEffect(() => onSignedOut(() => setSignedIn(false)), []);
  useEffect(() => {
    if (!me.data) return;
    startHints();
    return stopHints;
  }, [me.data]);
  if (!signedIn) return <SignIn onDone={() => setSignedIn(true)} />;
  if (!me.data) {
    return (
      <main className="failed">
        {me.failed ? <p role="alert">{nameText(me.failed.message, 300)}</p> : <p className="muted">Loading…</p>}
      </main>
    );
  }
  return (
    <MeContext value={{ me: me.data, again: me.again }}>
      <Shell onSignOut={() => setSignedIn(false)} />
    </MeContext>
  );
}

function Shell({ onSignOut }: { onSignOut: () => void }) {
  const { view, place } = usePlace();
  const { scopes, platform, settings } = useMe();
  const [, setShown] = useContentShown();
  const main = useRef<HTMLElement>(null);
  const last = useRef<string | null>(null);
  const entry = GROUPS.flatMap(({ entries }) => entries).find(({ id }) => id === view);
  // What the person chose is where the session begins; the switch on a view lasts as long as the page.
  useEffect(() => setShown(!settings.blur), [settings.blur, setShown]);
  useEffect(() => {
    document.title = `${entry?.title ?? "Not found"} · ${platform ? nameText(platform, 60) : "defensible"}`;
    if (last.current === place) return;
    const first = last.current === null;
    last.current = place;
    goToKeptPlace();
    if (!first) main.current?.focus({ preventScroll: true });
  }, [entry, place, platform]);
  return (
    <>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to the view
      </button>
      <Top onSignOut={onSignOut} />
      <div className="shell">
        <nav className="menu live-menu" aria-label="Views">
          {GROUPS.map(({ name, entries }) => {
            const open = entries.filter(({ scope }) => scopes.includes(scope));
            if (open.length === 0) return null;
            return (
              <div key={name}>
                <p className="live-group" id={`group-${name}`}>
                  {name}
                </p>
                <ul aria-labelledby={`group-${name}`}>
                  {open.map(({ id, title }) => (
                    <li key={id}>
                      <a href={`#/${id}`} aria-current={view === id ? "page" : undefined}>
                        {title}
                      </a>
                    </li>
                  ))}
                </ul>
              </div>
            );
          })}
        </nav>
        <main id="main" ref={main} tabIndex={-1} className={settings.greyscale ? "greyscale" : undefined}>
          {entry ? (
            <ViewGuard key={entry.View === ReportView ? place : view}>
              <entry.View />
            </ViewGuard>
          ) : (
            <div className="view">
              <h1>Not found</h1>
              <p>
                There is no such view. <a href="#/live">Go to the live view</a>
              </p>
            </div>
          )}
        </main>
      </div>
      <BreakReminder />
    </>
  );
}

interface GateHead {
  closed: { since: string; reason: string } | null;
}

function Top({ onSignOut }: { onSignOut: () => void }) {
  const { platform, name, role, workspace, scopes } = useMe();
  const connected = useConnected();
  const gate: Fetched<GateHead> = useFetched<GateHead>(scopes.includes("gate:read") ? "/v1/gate" : null, 5000);
  const { closed = null } = gate.data ?? {};
  return (
    <>
      <header className="banner live-banner">
        <p className="product">
          <UserText text={platform ?? workspace} max={60} />{" "}
          <span
            className={`live-dot ${connected ? "on" : "poll"}`}
            title={connected ? "Changes appear at once." : "Changes appear within a few seconds."}
          >
            live
          </span>
        </p>
        <div className="live-person">
          <ThemeSwitch />
          <span className="muted small">
            <UserText text={name} max={40} />
            {role && ` · ${ROLE_NAMES[role] ?? role}`}
          </span>
          <button
            type="button"
            onClick={async () => {
              await api.post("/sign-out").catch(() => {});
              onSignOut();
            }}
          >
            Sign out
          </button>
        </div>
      </header>
      <div role="status" className="live-closed-place">
        {closed && (
          <p className="live-closed">
            <b>All gates are closed.</b> Everything goes to review. <UserText text={closed.reason} max={160} />{" "}
            <a href="#/gates">Gate</a>
          </p>
        )}
      </div>
    </>
  );
}

/** For people whose session has ended, or who have a token instead of a link. */
function SignIn({ onDone }: { onDone: () => void }) {
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
