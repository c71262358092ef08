import { type ComponentType, useEffect, useRef, useState } from "react";
import { nameText } from "../../src/present/words/vocabulary.js";
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
import { type ActiveGate, GatesView } from "./gates/gates.tsx";
import { startHints, stopHints, useConnected } from "./hints.ts";
import { type Me, MeContext, ROLE_NAMES, useMe } from "./person.ts";
import { RealisedRiskView, ReportView } from "./report.tsx";
import { BreakReminder, SettingsView } from "./settings.tsx";
import { linkedToken, SignIn } from "./sign-in.tsx";
import { useFetched } from "./use-fetched.ts";

interface Entry {
  id: string;
  title: string;
  View: ComponentType;
  /** Required to show the entry in the menu. */
  scope: string;
}

const report = VIEWS.map(({ id, title }) => ({ id, title, View: ReportView, scope: "reports:read" }));

/** The entries of the menu by purpose. */
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

export function LiveApp() {
  const [session, setSession] = useState<"there" | "ended" | "left">(linkedToken() === null ? "there" : "left");
  const me = useFetched<Me>(session === "there" ? "/v1/me" : null, 60_000);
  useEffect(() => onSignedOut(() => setSession((now) => (now === "there" ? "ended" : now))), []);
  useEffect(() => {
    if (!me.data) return;
    startHints();
    return stopHints;
  }, [me.data]);
  if (session !== "there") return <SignIn ended={session === "ended"} onDone={() => setSession("there")} />;
  if (!me.data) {
    return (
      <main className="failed">
        {me.failed ? <p role="alert">{nameText(me.failed.message, 300)}</p> : <p className="muted">Loading…</p>}
      </main>
    );
  }
  return (
    <MeContext value={{ me: me.data, again: me.again }}>
      <Shell onSignOut={() => setSession("left")} />
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
  // The session begins with the person's setting; the switch on a view lasts as long as the page.
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

function Top({ onSignOut }: { onSignOut: () => void }) {
  const { platform, name, role, workspace, scopes } = useMe();
  const connected = useConnected();
  const gate = useFetched<Pick<ActiveGate, "closed">>(scopes.includes("gate:read") ? "/v1/gate" : null, 5000);
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
