import { useEffect, useState } from "react";
import type { ReportPage } from "../../../src/measures/report-page.js";
import { plural } from "../../../src/present/words/numbers.js";
import { nameText } from "../../../src/present/words/vocabulary.js";
import { usePage } from "../../data/page-context.ts";
import { routeHash } from "../../route/route.ts";
import { useRoute } from "../../route/use-route.ts";
import { UserText } from "../text/written.tsx";

/** Shown on paper in place of the controls. */
function decodedHash(hash: string): string {
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}

/** When the decisions were made: "2026-07-06 to 2026-10-19". */
function datesText({ timeline }: ReportPage): string | null {
  return timeline && [...new Set([timeline.first, timeline.last])].join(" to ");
}

/** The versions of the rules, or their number if there are many. */
function rulesText({ rule_sets: sets }: ReportPage): string | null {
  const versions = [...new Set(sets.map(({ version }) => version))];
  if (versions.length === 0) return null;
  if (versions.length === 1) return `rules version ${nameText(versions[0]!, 30)}`;
  if (versions.length > 3) return `rules in ${plural(versions.length, "version")}`;
  return `rules versions ${versions.map((one) => nameText(one, 20)).join(", ")}`;
}

/** Recorded answers come from a file; other auditors answered live. */
function auditorText(auditor: string): string {
  const [, recorded] = /^(?:answers|replay):(.+)$/s.exec(auditor) ?? [];
  if (recorded !== undefined) return `auditor ${nameText(recorded)} (recorded answers)`;
  if (/^(?:baseline|simulated)\b/.test(auditor)) return `auditor ${nameText(auditor)}`;
  return `auditor ${nameText(auditor)} (live)`;
}

/** The subject of the report, on every view. */
export function Banner() {
  const page = usePage();
  const { report, redacted, made_by, decisions_of, platform } = page;
  const { view, about, query } = useRoute();
  const place = decodedHash(routeHash(view, about, query));
  const { run } = report;
  const facts = [
    datesText(page),
    rulesText(page),
    run.auditor ? auditorText(run.auditor) : null,
    nameText(run.run_id ? `run ${run.run_id}` : (run.source ?? "audits")),
    made_by,
  ];
  return (
    <header className="banner">
      <div>
        <p className="product">
          {platform ? <UserText text={platform} max={80} /> : "Decisions under written rules"}
          <span className="product-kind"> Defensibility report</span>
        </p>
        <p className="run">
          {facts.filter((fact) => fact !== null).join(" · ")}
          {redacted && <b> · texts redacted</b>}
          {decisions_of === null && <b> · without single decisions</b>}
        </p>
        {place.includes("?") && <p className="on-paper run">as set in {nameText(place, 300)}</p>}
      </div>
      <ThemeSwitch />
    </header>
  );
}

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];
const KEY = "defensible-theme";

/** Light, dark or the system's theme; remembered if the browser allows it for a file. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(remembered);
  useEffect(() => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // A page opened from disk may have no storage.
    }
  }, [theme]);
  return (
    <label className="theme-switch">
      Theme{" "}
      <select value={theme} onChange={(event) => setTheme(event.target.value as Theme)}>
        {THEMES.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    </label>
  );
}

function remembered(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return THEMES.find((theme) => theme === value) ?? "system";
  } catch {
    return "system";
  }
}
