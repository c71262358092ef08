import { usePage } from "../../data/page-context.ts";
import { Tabs } from "../../parts/shell/menu.tsx";
import { useRoute } from "../../route/use-route.ts";
import { SpecificityView } from "../specificity/specificity-view.tsx";
import { RuleLedger } from "./rule-ledger.tsx";
import { RulePage } from "./rule-page.tsx";

const TABS = [
  { id: "", title: "All rules" },
  { id: "wording", title: "Wording" },
];

/** One rule, the list of all, or what their wording does. */
export function RulesView() {
  const { report } = usePage();
  const [scope, owner, ruleId] = useRoute().about;
  if (scope === undefined || scope === "wording") {
    return (
      <>
        <Tabs label="Rules" of={TABS} />
        {scope ? <SpecificityView /> : <RuleLedger />}
      </>
    );
  }
  const place = report.rules.findIndex(
    (rule) =>
      rule.scope === scope && rule.rule_id === ruleId && (scope === "platform" || (rule.community ?? "") === owner),
  );
  return place < 0 ? <RuleLedger asked={ruleId ?? scope} /> : <RulePage key={place} place={place} />;
}
