import { usePage } from "../../data/page-context.ts";
import { useRoute } from "../../route/use-route.ts";
import { RuleLedger } from "./rule-ledger.tsx";
import { RulePage } from "./rule-page.tsx";

/** One rule, or the ledger of all. */
export function RulesView() {
  const { report } = usePage();
  const [scope, owner, ruleId] = useRoute().about;
  if (scope === undefined) return <RuleLedger />;
  const place = report.rules.findIndex(
    (rule) =>
      rule.scope === scope && rule.rule_id === ruleId && (scope === "platform" || (rule.community ?? "") === owner),
  );
  return place < 0 ? <RuleLedger asked={ruleId ?? scope} /> : <RulePage key={place} place={place} />;
}
