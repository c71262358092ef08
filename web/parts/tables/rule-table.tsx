import { type ReactNode, useMemo } from "react";
import type { Report } from "../../../src/core/results/report.js";
import { openBothWays } from "../../../src/present/figures/rule-ambiguity.js";
import { pText } from "../../../src/present/words/numbers.js";
import { referenceKey, ruleKey, wordingRemarks } from "../../../src/present/words/rule-texts.js";
import { wordsOf } from "../../../src/present/words/vocabulary.js";
import { RULE_KIND_WORDS } from "../../../src/present/words/words.js";
import { useRuleRemarks, useRuleTexts, useTierGains } from "../../data/use-rules.ts";
import { CommunityLink, RuleLink } from "../links.tsx";
import { Est } from "../numbers/est.tsx";
import { Num, Shown } from "../numbers/num.tsx";
import { type Column, DataTable } from "./data-table.tsx";

/** A rule with its index in `/report/rules`. */
export type PlacedRule = Report["rules"][number] & { place: number };

interface RuleTableProps {
  id: string;
  caption: string;
  rules: readonly PlacedRule[];
  sort?: string;
  first?: number;
  paged?: boolean;
  empty?: ReactNode;
}

/** Rules with their citations and the results of the decisions that cite them. */
export function RuleTable({ rules, ...rest }: RuleTableProps) {
  const texts = useRuleTexts();
  const gains = useTierGains();
  const remarks = useRuleRemarks();
  const columns = useMemo(() => {
    const kind = (rule: PlacedRule) => texts.get(ruleKey(rule))?.[0]?.rule.kind ?? null;
    const kinds: Column<PlacedRule> = {
      key: "kind",
      name: "Kind",
      value: (rule) => (kind(rule) ? wordsOf(RULE_KIND_WORDS, kind(rule)!).name : null),
    };
    const gained: Column<PlacedRule> = {
      key: "gain",
      name: "How much the detailed wording helps",
      value: (rule) => gains.get(referenceKey(rule))?.gain.estimate ?? null,
      cell: (rule) => {
        const gain = gains.get(referenceKey(rule));
        return gain ? (
          <>
            <Est at={`${gain.at}/gain`} as="points" with="interval" />
            {gain.adjusted_p !== null && <span className="interval">{pText(gain.adjusted_p)}, corrected</span>}
          </>
        ) : (
          <span className="undefined">–</span>
        );
      },
    };
    const wording: Column<PlacedRule> = {
      key: "wording",
      name: "Remarks",
      value: (rule) => wordingRemarks(remarks.get(ruleKey(rule)) ?? []),
      cell: (rule) => {
        const found = remarks.get(ruleKey(rule));
        const count = found && wordingRemarks(found);
        if (count === undefined) return <span className="undefined">–</span>;
        return count === null ? <span className="undefined">not read</span> : <Shown value={count} as="whole" />;
      },
      align: "right",
    };
    // The most important first: a narrow screen begins there.
    return [
      ...BEFORE,
      ...COUNTS,
      ...(remarks.size > 0 ? [wording] : []),
      ...RATES,
      ...(gains.size > 0 ? [gained] : []),
      ...(texts.size > 0 ? [kinds] : []),
    ];
  }, [texts, gains, remarks]);
  return (
    <div className="stacked">
      <DataTable {...rest} columns={columns} rows={rules} rowKey={(rule) => String(rule.place)} />
    </div>
  );
}

const BEFORE: readonly Column<PlacedRule>[] = [
  {
    key: "rule",
    name: "Rule",
    value: (rule) => `${rule.rule_id} ${rule.title ?? ""}`,
    cell: (rule) => <RuleLink rule={rule} title={rule.title} />,
  },
  {
    key: "owner",
    name: "Of",
    value: (rule) => (rule.scope === "platform" ? "" : (rule.community ?? "")),
    cell: (rule) =>
      rule.scope === "platform" || rule.community === null ? (
        <b className="platform">{rule.scope}</b>
      ) : (
        <CommunityLink community={rule.community} />
      ),
  },
];

const COUNTS: readonly Column<PlacedRule>[] = [
  {
    key: "cited",
    name: "Cited by",
    value: (rule) => rule.cited,
    cell: (rule) => <Num at={`/report/rules/${rule.place}/cited`} as="whole" />,
    align: "right",
  },
  {
    key: "open",
    name: "Could go either way",
    value: openBothWays,
    cell: (rule) =>
      rule.ambiguity_pure.estimate === null ? (
        <span className="undefined">–</span>
      ) : (
        <Num at={`/report/rules/${rule.place}/ambiguity_pure/k`} as="whole" />
      ),
    align: "right",
  },
];

const RATES: readonly Column<PlacedRule>[] = [
  rate("pure", "Pure ambiguity", "ambiguity_pure"),
  rate("di", "Defensibility", "defensibility_index"),
];

function rate(key: string, name: string, field: "defensibility_index" | "ambiguity_pure"): Column<PlacedRule> {
  return {
    key,
    name,
    value: (rule) => rule[field].estimate,
    cell: (rule) =>
      rule[field].estimate === null ? (
        <span className="undefined">never cited</span>
      ) : (
        <Est at={`/report/rules/${rule.place}/${field}`} with="interval" />
      ),
  };
}
