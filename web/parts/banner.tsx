import { usePage } from "../data/page-context.ts";
import { ThemeSwitch } from "./theme-switch.tsx";

/** What this is a report of, on every view. */
export function Banner() {
  const { report, redacted, made_by } = usePage();
  const run = report.run as { run_id: string | null; source?: string; auditor?: string; created_at?: string };
  return (
    <header className="banner">
      <div>
        <p className="product">Defensibility report</p>
        <p className="run">
          {run.run_id ? `run ${run.run_id}` : (run.source ?? "audits")}
          {run.auditor && ` · auditor ${run.auditor}`}
          {` · ${made_by}`}
          {redacted && <b> · texts redacted</b>}
        </p>
      </div>
      <ThemeSwitch />
    </header>
  );
}
