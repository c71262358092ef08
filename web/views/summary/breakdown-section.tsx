import { usePage } from "../../data/page-context.ts";
import { MetricsTable } from "../../parts/metrics-table.tsx";
import { routeHash } from "../../route/route.ts";

/** The headline numbers by action, language and cohort, where there is more than one of them. */
export function BreakdownSection() {
  const { by_decision, by_language, by_cohort, run } = usePage().report;
  const parts = [
    // Within one action F1 is an artefact: approvals have no true positives.
    { id: "by-decision", name: "By action", part: "Action", of: by_decision, agreement: "accuracy" as const },
    {
      id: "by-language",
      name: "By language of the content",
      part: "Language",
      of: by_language,
      agreement: "f1" as const,
    },
    // Within one cohort the others are only overlaps with it.
    { id: "by-cohort", name: "By cohort", part: "Cohort", of: run.cohort ? {} : by_cohort, agreement: "f1" as const },
  ].filter(({ id, of }) => Object.keys(of).length > (id === "by-cohort" ? 0 : 1));
  if (parts.length === 0) return null;
  return (
    <section aria-labelledby="breakdowns">
      <h2 id="breakdowns">In parts</h2>
      {parts.map(({ id, name, part, of, agreement }) => (
        <MetricsTable
          part={part}
          key={id}
          id={id}
          caption={name}
          at={`/report/${id.replace("-", "_")}`}
          keys={Object.keys(of)}
          agreement={agreement}
        />
      ))}
      <p className="muted">
        Communities stand in the <a href={routeHash("fleet")}>fleet view</a>, rules in the{" "}
        <a href={routeHash("rules")}>view of rules</a>.
      </p>
    </section>
  );
}
