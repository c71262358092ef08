import { useMemo } from "react";
import { contradicted } from "../../../src/present/figures/rule-ambiguity.js";
import { whole } from "../../../src/present/words/numbers.js";
import { ruleKey } from "../../../src/present/words/rule-texts.js";
import { otherAction } from "../../../src/present/words/words.js";
import { usePage } from "../../data/page-context.ts";
import { keptResult } from "../../data/use-experiment.ts";
import { useRuleTexts } from "../../data/use-rules.ts";
import { ExperimentScreen, screensOf } from "../../parts/experiment.tsx";
import { CommunityLink } from "../../parts/links.tsx";
import { KeyFigures } from "../../parts/numbers/key-figures.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { Tabs } from "../../parts/shell/menu.tsx";
import { UserText } from "../../parts/text/written.tsx";
import { routeHash } from "../../route/route.ts";
import { useRoute } from "../../route/use-route.ts";
import { RuleDecisions } from "./rule-decisions.tsx";
import { RuleDiff, RuleScopes, RuleTiers } from "./rule-experiments.tsx";
import { RuleLedger } from "./rule-ledger.tsx";
import { RuleText } from "./rule-text.tsx";

const SCREENS = screensOf("rules");

/** One rule, the list of all, or an experiment on their wording. */
export function RulesView() {
  const page = usePage();
  const { report } = page;
  const [scope, owner, ruleId] = useRoute().about;
  const screen = SCREENS.find(({ id }) => id === scope);
  if (scope === undefined || screen) {
    const tabs = SCREENS.map(({ id, tab, kind }) => ({ id, title: tab, has: keptResult(page, kind) !== null }));
    return (
      <>
        <Tabs label="Rules" of={[{ id: "", title: "All rules" }, ...tabs]} />
        {screen ? <ExperimentScreen key={screen.id} of={screen} /> : <RuleLedger />}
      </>
    );
  }
  const place = report.rules.findIndex(
    (rule) =>
      rule.scope === scope && rule.rule_id === ruleId && (scope === "platform" || (rule.community ?? "") === owner),
  );
  return place < 0 ? <RuleLedger asked={ruleId ?? scope} /> : <RulePage key={place} place={place} />;
}

/** One rule; `place` is its index in the report. */
function RulePage({ place }: { place: number }) {
  const { report } = usePage();
  const texts = useRuleTexts();
  const rule = report.rules[place]!;
  const versions = useMemo(() => texts.get(ruleKey(rule)) ?? [], [texts, rule]);
  const at = `/report/rules/${place}`;
  const wrong = contradicted(rule);
  return (
    <div className="view rule-page">
      <p className="back">
        <a href={routeHash("rules")}>All rules</a>
      </p>
      <h1>
        <UserText text={rule.title ?? rule.rule_id} max={120} />
      </h1>
      <p className="lead">
        Rule <UserText text={rule.rule_id} max={40} />
        {rule.scope === "platform" ? " of the platform" : " of "}
        {rule.scope !== "platform" && rule.community && <CommunityLink community={rule.community} />}
        {rule.scope === "mixed" && ", cited together with rules of the platform"}.{" "}
        {rule.ambiguity_index.estimate === null ? (
          "No verdict cites it, so nothing can be said of what it leaves open."
        ) : (
          <>
            <Num at={`${at}/cited`} as="whole" /> {rule.cited === 1 ? "verdict cites" : "verdicts cite"} it; in{" "}
            <Num at={`${at}/ambiguity_pure/k`} as="whole" /> {otherAction(report)} would follow just as well
            {rule.scope === "platform" && ", counted over all communities"}.
            {wrong > 0 && ` In ${whole(wrong)} others the rule is clear and the decision breaks it.`}
          </>
        )}
      </p>
      <KeyFigures
        of={[
          { name: "Verdicts that cite it", at: `${at}/cited` },
          { term: "DI", name: "Defensibility Index", at: `${at}/defensibility_index` },
          { term: "AI", name: "Ambiguity Index", at: `${at}/ambiguity_index` },
          { term: "AI_pure", name: "Pure ambiguity", at: `${at}/ambiguity_pure` },
        ]}
      />
      <RuleText rule={rule} versions={versions} />
      <RuleTiers rule={rule} />
      <RuleScopes rule={rule} />
      <RuleDiff rule={rule} />
      <RuleDecisions rule={rule} />
    </div>
  );
}
