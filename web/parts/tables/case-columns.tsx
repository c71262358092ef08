import { DecisionLink } from "../links.tsx";
import { UserText } from "../text/written.tsx";
import type { Column } from "./data-table.tsx";

/** The columns that a table of single decisions begins with: which one, and of which community. */
export function caseColumns<Row extends { decision_id: string; community: string | null }>(): Column<Row>[] {
  return [
    {
      key: "decision",
      name: "Decision",
      value: ({ decision_id }) => decision_id,
      cell: ({ decision_id }) => <DecisionLink id={decision_id} />,
    },
    {
      key: "community",
      name: "Community",
      value: ({ community }) => community,
      cell: ({ community }) => <UserText text={community ?? "–"} max={40} />,
    },
  ];
}
