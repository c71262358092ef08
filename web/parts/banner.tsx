import { nameText } from "../../src/present/words/word-table.js";
import { usePage } from "../data/page-context.ts";
import { routeHash } from "../route/route.ts";
import { useRoute } from "../route/use-route.ts";
import { ThemeSwitch } from "./theme-switch.tsx";

/** Paper has no controls: the address tells what they were set to. */
function decodedHash(hash: string): string {
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}

/** What this is a report of, on every view. */
export function Banner() {
  const { report, redacted, made_by, decisions_of } = usePage();
  const { view, about, query } = useRoute();
  const place = decodedHash(routeHash(view, about, query));
  const { run } = report;
  return (
    <header className="banner">
      <div>
        <p className="product">Defensibility report</p>
        <p className="run">
          {nameText(run.run_id ? `run ${run.run_id}` : (run.source ?? "audits"))}
          {run.auditor && ` · auditor ${nameText(run.auditor)}`}
          {` · ${made_by}`}
          {redacted && <b> · texts redacted</b>}
          {decisions_of === null && <b> · without single decisions</b>}
        </p>
        {place.includes("?") && <p className="on-paper run">as set in {nameText(place, 300)}</p>}
      </div>
      <ThemeSwitch />
    </header>
  );
}
