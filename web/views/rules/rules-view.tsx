import { usePage } from "../../data/page-context.ts";
import { ExperimentScreen } from "../../parts/experiment.tsx";
import { Tabs } from "../../parts/shell/menu.tsx";
import { useRoute } from "../../route/use-route.ts";
import { RuleLedger } from "./rule-ledger.tsx";
import { RulePage } from "./rule-page.tsx";

/** Experiments on the text of the rules. */
const SCREENS = [
  { id: "wording", title: "More text", kind: "tiers", heading: "Does more rule text settle more decisions?" },
  { id: "scopes", title: "Platform or community", kind: "scopes", heading: "Whose rules leave decisions open?" },
  { id: "rewrite", title: "Rewrite", kind: "diff", heading: "What a rewrite does to past decisions" },
] as const;

/** One rule, the list of all, or what their wording does. */
export function RulesView() {
  const { report } = usePage();
  const [scope, owner, ruleId] = useRoute().about;
  const screen = SCREENS.find(({ id }) => id === scope);
  if (scope === undefined || screen) {
    const tabs = SCREENS.map(({ id, title, kind }) => ({ id, title, has: report.experiments?.[kind] !== undefined }));
    return (
      <>
        <Tabs label="Rules" of={[{ id: "", title: "All rules" }, ...tabs]} />
        {screen ? (
          <div className="view">
            <h1>{screen.heading}</h1>
            <ExperimentScreen key={screen.id} kind={screen.kind} />
          </div>
        ) : (
          <RuleLedger />
        )}
      </>
    );
  }
  const place = report.rules.findIndex(
    (rule) =>
      rule.scope === scope && rule.rule_id === ruleId && (scope === "platform" || (rule.community ?? "") === owner),
  );
  return place < 0 ? <RuleLedger asked={ruleId ?? scope} /> : <RulePage key={place} place={place} />;
}
