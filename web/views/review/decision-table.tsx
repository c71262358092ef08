import { useMemo } from "react";
import { LOOK_REASONS, type PageDecision } from "../../../src/measures/report-page.js";
import { figureCsv } from "../../../src/present/figures/missing.js";
import { citedRuleKey } from "../../../src/present/words/decision-list.js";
import type { NumberForm } from "../../../src/present/words/numbers.js";
import { standIn } from "../../../src/present/words/vocabulary.js";
import { OUTCOME_WORDS, REASON_WORDS } from "../../../src/present/words/words.js";
import { usePage } from "../../data/page-context.ts";
import { useContentShown } from "../../parts/controls/content-shown.tsx";
import { LevelBadge } from "../../parts/gate-parts.tsx";
import { CommunityLink, DecisionLink } from "../../parts/links.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { type Column, DataTable } from "../../parts/tables/data-table.tsx";
import { Term } from "../../parts/text/term.tsx";
import { UserText } from "../../parts/text/written.tsx";
import { useRoute } from "../../route/use-route.ts";

interface DecisionTableProps {
  id: string;
  caption: string;
  decisions: readonly PageDecision[];
  /** The list these are part of, as in the address of a decision, for going on to the next one. */
  list: Readonly<Record<string, string>>;
  /** Keys of the columns after the id. */
  columns: readonly string[];
  first?: number;
}

/** Decisions inside another view: excerpt, decision, audit result and reason to review. */
export function DecisionTable({ id, caption, decisions, list, columns: keys, first = 20 }: DecisionTableProps) {
  const columns = useMemo(
    () => [
      linkColumn(list),
      ...keys.flatMap((key) => [...DECISION_COLUMNS, OVERLAP].filter((column) => column.key === key)),
    ],
    [list, keys],
  );
  return (
    <DataTable id={id} caption={caption} columns={columns} rows={decisions} rowKey={(row) => row.id} first={first} />
  );
}

function linkColumn(list: Readonly<Record<string, string>>): Column<PageDecision> {
  return {
    key: "id",
    name: "Decision",
    value: ({ id }) => id,
    cell: (decision) => <Excerpt of={decision} list={list} />,
  };
}

const OVERLAP: Column<PageDecision> = {
  key: "overlap",
  name: "Words found",
  head: <Term symbol="overlap">Words found</Term>,
  value: ({ audit }) => audit.citation?.overlap ?? null,
  cell: (decision) => <Overlap decision={decision} />,
  align: "right",
};

function Overlap({ decision }: { decision: PageDecision }) {
  return <Num at={`/decisions/${usePage().decisions.indexOf(decision)}/audit/citation/overlap`} as="percent" />;
}

/** Sortable columns of the list, most important first. */
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
    name: "Reason to review",
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
    name: "Label",
    value: ({ human_label }) => human_label,
    cell: ({ human_label }) => (human_label === null ? <None /> : <UserText text={human_label} />),
  },
  {
    key: "inverse",
    name: "Could the rules justify the opposite?",
    head: "Opposite",
    value: ({ audit }) => (typeof audit.inverse === "boolean" ? Number(audit.inverse) : null),
    cell: ({ audit }) => (typeof audit.inverse === "boolean" ? audit.inverse ? "Yes" : "No" : <None />),
  },
  {
    key: "p_defensible",
    name: "P(defensible), raw",
    head: <Term symbol="p_defensible">P(defensible), raw</Term>,
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

/** The first column of the list: excerpt, id and community. */
const EXCERPT: Column<PageDecision> = {
  ...DECISION_COLUMNS[0]!,
  cell: (decision) => <FilteredExcerpt of={decision} />,
};

export const LIST_COLUMNS: readonly Column<PageDecision>[] = [
  EXCERPT,
  ...DECISION_COLUMNS.filter(({ key }) => !["id", "community", "pds"].includes(key)),
];

const LONGEST_EXCERPT = 180;

function FilteredExcerpt({ of }: { of: PageDecision }) {
  return <Excerpt of={of} list={Object.fromEntries(useRoute().query)} />;
}

/** `list`: the list it is part of, for going on to the next decision. */
function Excerpt({ of: { id, community, title, body }, list }: { of: PageDecision; list: DecisionTableProps["list"] }) {
  const [shown] = useContentShown();
  const text = [title?.text, body?.text].filter(Boolean).join(" — ");
  return (
    <>
      {text !== "" && (
        <span className="excerpt">
          {shown ? (
            <UserText text={text} max={LONGEST_EXCERPT} />
          ) : (
            <span className="veil" aria-hidden="true">
              {standIn(text.slice(0, LONGEST_EXCERPT))}
            </span>
          )}
        </span>
      )}
      <span className="excerpt-of">
        <DecisionLink id={id} list={list} /> <CommunityLink community={community} />
      </span>
    </>
  );
}

const CSV_FIELDS: readonly (readonly [
  string,
  (decision: PageDecision) => string | number | boolean | null | undefined,
])[] = [
  ["id", ({ id }) => id],
  ["community", ({ community }) => community],
  ["decided_at", ({ decided_at }) => decided_at],
  ["decision", ({ decision }) => decision],
  ["human_label", ({ human_label }) => human_label],
  ["level", ({ audit }) => audit.level],
  ["opposite_derivable", ({ audit }) => audit.inverse],
  ["p_defensible", ({ audit }) => audit.p_defensible],
  ["reason", ({ reasons }) => reasons[0]],
  ["cited_rule", ({ audit: { citation } }) => citation?.rule_id && `${citation.scope} ${citation.rule_id}`],
];
const CSV_TEXTS: typeof CSV_FIELDS = [
  ["title", ({ title }) => title?.text],
  ["text", ({ body }) => body?.text],
];

/** Listed decisions as CSV, escaped against spreadsheet formulas and terminal control characters; `texts`: with their contents. */
export function decisionsCsv(decisions: readonly PageDecision[], texts: boolean): string {
  const fields = texts ? [...CSV_FIELDS, ...CSV_TEXTS] : CSV_FIELDS;
  const rows = decisions.map((one) => Object.fromEntries(fields.map(([name, value]) => [name, value(one) ?? null])));
  return figureCsv({ rows });
}

function None() {
  return <span className="undefined">–</span>;
}

/** A number of a decision's audit, by its pointer. */
function Of({ decision, field, as }: { decision: PageDecision; field: string; as: NumberForm }) {
  return <Num at={`/decisions/${usePage().decisions.indexOf(decision)}/audit/${field}`} as={as} />;
}

/** A link to a decision that keeps the list's filters. */
function ListedLink({ id }: { id: string }) {
  return <DecisionLink id={id} list={Object.fromEntries(useRoute().query)} />;
}
