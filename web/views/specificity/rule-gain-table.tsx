import { useMemo } from "react";
import type { RuleGain, Tiers } from "../../../src/domain/tiers.js";
import { pCell } from "../../../src/figures/p-cell.js";
import { printable } from "../../../src/figures/printable.js";
import type { Kept } from "../../data/use-experiment.ts";
import { type Column, DataTable } from "../../parts/data-table.tsx";
import { Est } from "../../parts/est.tsx";
import { RuleLink } from "../../parts/links.tsx";
import { Num } from "../../parts/num.tsx";
import { UserText } from "../../parts/user-text.tsx";
import { useQuery } from "../../route/use-route.ts";

type Row = RuleGain & { at: string };

/** How far AI falls under each rule, and which tier does it. */
export function RuleGainTable({ result, at }: Kept<Tiers>) {
  const [under, setUnder] = useQuery("cited", "finest");
  const key = under === "coarsest" ? "by_coarsest" : "by_finest";
  const { rules, too_few } = result.rules[key];
  const rows = useMemo(
    () => rules.map((rule, i): Row => ({ ...rule, at: `${at}/rules/${key}/rules/${i}` })),
    [rules, at, key],
  );
  const columns = useMemo(() => columnsOf(rules), [rules]);
  if (rules.length + too_few.length === 0)
    return <p className="nothing">The audits do not say which rules they cite.</p>;
  return (
    <>
      <div className="controls">
        <label>
          Rules by the citation under
          <select value={under} onChange={(event) => setUnder(event.target.value)}>
            <option value="finest">all of the text</option>
            <option value="coarsest">the shortest text</option>
          </select>
        </label>
      </div>
      <DataTable
        id="rule-gains"
        caption="Fall of AI under each cited rule, in percentage points"
        columns={columns}
        rows={rows}
        rowKey={(row) => row.at}
        sort="-gain"
        first={15}
        empty={<p className="nothing">No rule is cited by {result.rules.min_decisions} decisions or more.</p>}
      />
      <p className="small muted">
        {too_few.length > 0 &&
          `${too_few.length.toLocaleString("en")} rules are cited by fewer than ${result.rules.min_decisions} decisions: too few to say. `}
        p: McNemar's mid-p after Holm's correction for the number of rules; none where no decision changed. *: the tier
        adds no text to this rule, so what moves is the auditor's own variation.
      </p>
    </>
  );
}

function columnsOf(rules: readonly RuleGain[]): Column<Row>[] {
  const steps = rules[0]?.gains ?? [];
  return [
    {
      key: "rule",
      name: "Rule",
      value: ({ rule_id }) => rule_id,
      cell: (row) => <RuleLink rule={row} title={row.title} />,
    },
    {
      key: "of",
      name: "Of",
      value: ({ community }) => community ?? "the platform",
      cell: ({ community }) => (community === null ? "the platform" : <UserText text={community} max={40} />),
    },
    {
      key: "n",
      name: "Decisions",
      value: ({ n }) => n,
      cell: ({ at }) => <Num at={`${at}/n`} as="whole" />,
      align: "right",
    },
    ...(steps.length > 1
      ? steps.map(
          ({ to }, i): Column<Row> => ({
            key: `gain-${i}`,
            name: `By ${printable(to, 20)}`,
            value: ({ gains }) => gains[i]?.gain.estimate ?? null,
            cell: ({ at, gains }) => (
              <>
                <Est at={`${at}/gains/${i}/gain`} as="points" with="value" />
                {gains[i]?.text_differs === false && " *"}
              </>
            ),
            align: "right",
          }),
        )
      : []),
    {
      key: "gain",
      name: "Fall of AI",
      value: ({ gain }) => gain.estimate,
      cell: ({ at }) => <Est at={`${at}/gain`} as="points" with="interval" />,
      align: "right",
    },
    {
      key: "p",
      name: "p, corrected",
      value: ({ adjusted_p }) => adjusted_p,
      cell: ({ adjusted_p }) => pCell(adjusted_p),
      align: "right",
    },
  ];
}
