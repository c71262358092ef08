import { LOOK_REASONS, type PageDecision } from "../../../src/measures/report-page.js";
import { OUTCOME_WORDS } from "../../../src/present/words/audit-words.js";
import { citedRuleKey } from "../../../src/present/words/decision-list.js";
import type { NumberForm } from "../../../src/present/words/numbers.js";
import { REASON_WORDS } from "../../../src/present/words/words.js";
import { usePage } from "../../data/page-context.ts";
import type { Column } from "../../parts/data-table.tsx";
import { LevelBadge } from "../../parts/level-badge.tsx";
import { CommunityLink, DecisionLink } from "../../parts/links.tsx";
import { Num } from "../../parts/num.tsx";
import { Term } from "../../parts/term.tsx";
import { UserText } from "../../parts/user-text.tsx";
import { useRoute } from "../../route/use-route.ts";

/** Columns of the list, by which it can be sorted: what matters most stands where a narrow screen begins. */
export const DECISION_COLUMNS: readonly Column<PageDecision>[] = [
  { key: "id", name: "Decision", value: ({ id }) => id, cell: ({ id }) => <ListedLink id={id} /> },
  {
    key: "level",
    name: "Level",
    value: ({ audit }) => audit.level ?? null,
    cell: ({ audit }) =>
      audit.outcome === "verdict" && audit.level ? (
        <LevelBadge level={audit.level} short />
      ) : (
        OUTCOME_WORDS[audit.outcome].name
      ),
  },
  {
    key: "reason",
    name: "Why look",
    value: ({ reasons }) => (reasons[0] ? LOOK_REASONS.indexOf(reasons[0]) : null),
    cell: ({ reasons }) => (reasons[0] ? REASON_WORDS[reasons[0]].name : <None />),
  },
  {
    key: "community",
    name: "Community",
    value: ({ community }) => community,
    cell: ({ community }) => <CommunityLink community={community} />,
  },
  {
    key: "decision",
    name: "Decided",
    value: ({ decision }) => decision,
    cell: ({ decision }) => <UserText text={decision} />,
  },
  {
    key: "human",
    name: "By a person",
    value: ({ human_label }) => human_label,
    cell: ({ human_label }) => (human_label === null ? <None /> : <UserText text={human_label} />),
  },
  {
    key: "inverse",
    name: "Opposite derivable",
    head: "Opposite",
    value: ({ audit }) => (typeof audit.inverse === "boolean" ? Number(audit.inverse) : null),
    cell: ({ audit }) => (typeof audit.inverse === "boolean" ? audit.inverse ? "Yes" : "No" : <None />),
  },
  {
    key: "p_defensible",
    name: "P(defensible)",
    head: <Term symbol="p_defensible">P(defensible)</Term>,
    align: "right",
    value: ({ audit }) => audit.p_defensible ?? null,
    cell: (decision) => <Of decision={decision} field="p_defensible" as="percent" />,
  },
  {
    key: "pds",
    name: "S",
    head: <Term symbol="S" />,
    align: "right",
    value: ({ audit }) => audit.pds ?? null,
    cell: (decision) => <Of decision={decision} field="pds" as="fine" />,
  },
  {
    key: "rule",
    name: "Cites",
    value: (decision) => citedRuleKey(decision),
    cell: ({ audit: { citation } }) =>
      citation?.rule_id ? (
        <span className="cites">
          {citation.scope} <UserText text={citation.rule_id} max={40} />
        </span>
      ) : (
        <None />
      ),
  },
];

/** The ids where contents are shown: with how each begins, so that one need not choose among bare ids. */
export const ID_WITH_CONTENT: Column<PageDecision> = {
  ...DECISION_COLUMNS[0]!,
  cell: (decision) => {
    const text = beginning(decision);
    return (
      <>
        <ListedLink id={decision.id} />
        {text !== null && (
          <span className="beginning">
            <UserText text={text} max={60} />
          </span>
        )}
      </>
    );
  },
};

function beginning({ title, body }: PageDecision): string | null {
  return title?.text || body?.text || null;
}

function None() {
  return <span className="undefined">–</span>;
}

/** A number of a listed decision's audit, by its place in the page's data. */
function Of({ decision, field, as }: { decision: PageDecision; field: string; as: NumberForm }) {
  return <Num at={`/decisions/${usePage().decisions.indexOf(decision)}/audit/${field}`} as={as} />;
}

/** To a decision as one of those that the filters of this list leave. */
function ListedLink({ id }: { id: string }) {
  return <DecisionLink id={id} list={Object.fromEntries(useRoute().query)} />;
}
