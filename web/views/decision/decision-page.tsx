import { useMemo } from "react";
import { decisionCitation } from "../../../src/present/words/decision-citation.js";
import { showCommand } from "../../../src/present/words/gate-change.js";
import { wellFormed } from "../../../src/text/printable.js";
import { usePage } from "../../data/page-context.ts";
import { Nothing } from "../../parts/nothing.tsx";
import { Visible } from "../../parts/visible.tsx";
import { routeHash } from "../../route/route.ts";
import { useRoute } from "../../route/use-route.ts";
import { DecisionAudit } from "./decision-audit.tsx";
import { DecisionContent } from "./decision-content.tsx";
import { DecisionHeader } from "./decision-header.tsx";
import { DecisionNav } from "./decision-nav.tsx";
import { DecisionOpposite } from "./decision-opposite.tsx";
import { DecisionPeople } from "./decision-people.tsx";
import { DecisionPrecedents } from "./decision-precedents.tsx";
import { DecisionRules } from "./decision-rules.tsx";
import { DecisionSignals } from "./decision-signals.tsx";

/** Everything about one decision, from what was decided to what people say of it. */
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
      <DecisionContent decision={decision} command={command} />
      <DecisionAudit decision={decision} citation={citation} at={at} command={command} />
      <DecisionRules decision={decision} citation={citation} />
      <DecisionPrecedents decision={decision} citation={citation} at={at} />
      <DecisionSignals decision={decision} at={at} />
      <DecisionOpposite decision={decision} at={at} command={command} />
      <DecisionPeople decision={decision} command={command} />
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
          <a href={routeHash("decision", [], query)}>All listed decisions</a>
        </p>
      )}
    </div>
  );
}
