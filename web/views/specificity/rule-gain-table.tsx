import { useMemo } from "react";
import type { RuleGain, Tiers } from "../../../src/experiments/rules/tiers/result.js";
import { pCell, unbroken, whole } from "../../../src/present/words/numbers.js";
import { tierText } from "../../../src/present/words/rule-texts.js";
import type { Kept } from "../../data/use-experiment.ts";
import { SelectBox } from "../../parts/controls/choices.tsx";
import { RuleLink } from "../../parts/links.tsx";
import { Est } from "../../parts/numbers/est.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { type Column, DataTable } from "../../parts/tables/data-table.tsx";
import { UserText } from "../../parts/text/written.tsx";
import { useQuery } from "../../route/use-route.ts";

type Row = RuleGain & { at: string };

const CITED_UNDER = [
  { value: "finest", name: "all of the text" },
  { value: "coarsest", name: "the shortest text" },
];

/** How far AI falls under each rule, and which tier does it. */
export function RuleGainTable({ result, at }: Kept<Tiers>) {
  const [under, setUnder] = useQuery("cited", "finest", "rule-gains");
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
        <SelectBox label="Rules by the citation under" value={under} options={CITED_UNDER} onChange={setUnder} />
      </div>
      <DataTable
        id="rule-gains"
        caption="Fall of ambiguity under each cited rule, in percentage points"
        columns={columns}
        rows={rows}
        rowKey={(row) => row.at}
        sort="-gain"
        first={15}
        empty={<p className="nothing">No rule is cited by {result.rules.min_decisions} decisions or more.</p>}
      />
      <p className="small muted">
        {too_few.length > 0 &&
          `${whole(too_few.length)} rules are cited by fewer than ${result.rules.min_decisions} decisions: too few to say. `}
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
            name: `By ${tierText(to)}`,
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
      name: "Fall of ambiguity",
      value: ({ gain }) => gain.estimate,
      cell: ({ at }) => <Est at={`${at}/gain`} as="points" with="interval" />,
      align: "right",
    },
    {
      key: "p",
      name: "p, corrected",
      value: ({ adjusted_p }) => adjusted_p,
      cell: ({ adjusted_p }) => unbroken(pCell(adjusted_p)),
      align: "right",
    },
  ];
}
