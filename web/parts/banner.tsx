import { nameText } from "../../src/present/words/word-table.js";
import { usePage } from "../data/page-context.ts";
import { routeHash } from "../route/route.ts";
import { useRoute } from "../route/use-route.ts";
import { ThemeSwitch } from "./theme-switch.tsx";
import { UserText } from "./user-text.tsx";

/** Paper has no controls: the address tells what they were set to. */
function decodedHash(hash: string): string {
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}

/** Answers that came in a file were given before: the page says so wherever it names the auditor first. */
function auditorText(auditor: string): string {
  const [, model] = /^answers:(.+)$/s.exec(auditor) ?? [];
  return model === undefined ? auditor : `${model}, recorded answers`;
}

/** What this is a report of, on every view. */
export function Banner() {
  const { report, redacted, made_by, decisions_of, platform } = usePage();
  const { view, about, query } = useRoute();
  const place = decodedHash(routeHash(view, about, query));
  const { run } = report;
  return (
    <header className="banner">
      <div>
        <p className="product">
          Defensibility report
          {platform && (
            <>
              {" · "}
              <UserText text={platform} max={80} />
            </>
          )}
        </p>
        <p className="run">
          {nameText(run.run_id ? `run ${run.run_id}` : (run.source ?? "audits"))}
          {run.auditor && ` · auditor ${nameText(auditorText(run.auditor))}`}
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
