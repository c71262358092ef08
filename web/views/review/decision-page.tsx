import { useEffect, useMemo } from "react";
import type { PageDecision } from "../../../src/measures/report-page.js";
import { decisionCitation } from "../../../src/present/words/decision-list.js";
import { whole } from "../../../src/present/words/numbers.js";
import { showCommand } from "../../../src/present/words/words.js";
import { wellFormed } from "../../../src/text/printable.js";
import { usePage } from "../../data/page-context.ts";
import { isTyping, listen } from "../../parts/listen.ts";
import { Nothing } from "../../parts/nothing.tsx";
import { sortRows } from "../../parts/tables/data-table.tsx";
import { Visible } from "../../parts/text/written.tsx";
import { routeHash } from "../../route/route.ts";
import { useRoute } from "../../route/use-route.ts";
import { DecisionAudit } from "./audit.tsx";
import { DecisionContent } from "./content.tsx";
import { DECISION_COLUMNS } from "./decision-table.tsx";
import { DecisionHeader } from "./header.tsx";
import { DecisionOpposite } from "./opposite.tsx";
import { DecisionPeople } from "./people.tsx";
import { DecisionPrecedents } from "./precedents.tsx";
import { DecisionRules } from "./rules.tsx";
import { DecisionSignals } from "./signals.tsx";
import { LIST_ID, useFilteredDecisions } from "./use-decision-list.ts";

/** Everything about one decision. */
export function DecisionPage({ id }: { id: string }) {
  const page = usePage();
  const index = useMemo(() => page.decisions.findIndex((decision) => wellFormed(decision.id) === id), [page, id]);
  const decision = page.decisions[index];
  const citation = useMemo(() => (decision ? decisionCitation(page, decision) : null), [page, decision]);
  if (!decision || !citation) return <Unlisted id={id} />;
  const at = `/decisions/${index}`;
  const command = page.redacted ? undefined : showCommand(id, page.report.run);
  return (
    <div className="view decision">
      <DecisionNav decision={decision} />
      <DecisionHeader decision={decision} at={at} />
      <div className="content-and-rule">
        <div>
          <DecisionContent decision={decision} command={command} />
          <DecisionAudit decision={decision} citation={citation} at={at} command={command} />
        </div>
        <DecisionRules decision={decision} citation={citation} />
      </div>
      <DecisionOpposite decision={decision} at={at} command={command} />
      <DecisionPeople decision={decision} command={command} />
      <DecisionPrecedents decision={decision} citation={citation} at={at} />
      <DecisionSignals decision={decision} at={at} />
    </div>
  );
}

function Unlisted({ id }: { id: string }) {
  const { decisions_of, decisions, report } = usePage();
  const { query } = useRoute();
  const all = decisions_of !== null && decisions.length >= decisions_of;
  const why =
    decisions_of === null
      ? "Single decisions were left out of this report on request, so this one cannot be shown."
      : !all
        ? "This report does not list a decision of this id. It lists only some of the run's decisions; this may be one of the others, or the address is wrong."
        : "This report has no decision of this id, and it lists all there are: the address is wrong, or it belongs to another report.";
  return (
    <div className="view decision">
      <h1>
        Decision <Visible text={id} />
      </h1>
      <Nothing why={why} command={all ? undefined : showCommand(id, report.run)} />
      {decisions.length > 0 && (
        <p>
          <a href={routeHash("review", [], query)}>All listed decisions</a>
        </p>
      )}
    </div>
  );
}

/** Back to the list, and to the decisions before and after this one. */
function DecisionNav({ decision }: { decision: PageDecision }) {
  const { query } = useRoute();
  const filtered = useFilteredDecisions();
  const order = query.get(`${LIST_ID}.sort`) ?? "";
  const sorted = useMemo(() => sortRows(filtered, DECISION_COLUMNS, order), [filtered, order]);
  const place = sorted.indexOf(decision);
  const addressOf = (at: number) => (place >= 0 && sorted[at] ? routeHash("review", [sorted[at].id], query) : null);
  const previous = addressOf(place - 1);
  const next = addressOf(place + 1);
  useEffect(() => {
    const turn = (event: KeyboardEvent) => {
      if (isTyping(event)) return;
      const to = event.key === "j" ? next : event.key === "k" ? previous : null;
      if (to) window.location.hash = to;
    };
    return listen({ keydown: turn });
  }, [previous, next]);
  return (
    <nav className="decision-nav" aria-label="Decisions of the list">
      <a href={routeHash("review", [], query)}>All decisions</a>
      <span className="muted">
        {place < 0
          ? "not among those that pass the filters"
          : `${whole(place + 1)} of ${whole(sorted.length)} in this list`}
      </span>
      <Turn to={previous} name="Previous" shortcut="k" />
      <Turn to={next} name="Next" shortcut="j" />
    </nav>
  );
}

function Turn({ to, name, shortcut }: { to: string | null; name: string; shortcut: string }) {
  if (!to) return <span className="muted">{name}</span>;
  return (
    <a href={to} aria-keyshortcuts={shortcut} title={`${name} (key ${shortcut})`}>
      {name}
    </a>
  );
}
