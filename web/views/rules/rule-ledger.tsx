import { useDeferredValue, useMemo } from "react";
import { FEWEST_CITATIONS, ruleAmbiguityFigure } from "../../../src/figures/rule-ambiguity.js";
import { byOpenBothWays } from "../../../src/figures/rule-points.js";
import { type RuleVersion, ruleKey } from "../../../src/figures/rule-texts.js";
import { RULE_KIND_WORDS } from "../../../src/figures/words.js";
import { usePage } from "../../data/page-context.ts";
import { useRuleTexts } from "../../data/use-rule-texts.ts";
import { Chart } from "../../parts/chart.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { type PlacedRule, RuleTable } from "../../parts/rule-table.tsx";
import { found, SearchBox } from "../../parts/search-box.tsx";
import { Term } from "../../parts/term.tsx";
import { UserText } from "../../parts/user-text.tsx";
import { useQuery } from "../../route/use-route.ts";
import { GainNote } from "./gain-note.tsx";
import { RuleLedgerLead } from "./rule-ledger-lead.tsx";

/** Every rule with what it decides and what it leaves open; `asked` is a rule that the address named and nobody has. */
export function RuleLedger({ asked }: { asked?: string }) {
  const page = usePage();
  const texts = useRuleTexts();
  const figure = useMemo(() => ruleAmbiguityFigure(page), [page]);
  const [typed] = useQuery("q");
  const search = useDeferredValue(typed);
  const [scope, setScope] = useQuery("scope");
  const [kind, setKind] = useQuery("kind");
  const rules = useMemo(
    () => page.report.rules.map((rule, place) => ({ ...rule, place })).sort(byOpenBothWays),
    [page],
  );
  const shown = useMemo(
    () =>
      rules.filter((rule) => {
        const versions = texts.get(ruleKey(rule));
        if (scope && rule.scope !== scope) return false;
        if (kind && (versions?.[0]?.rule.kind ?? "none") !== kind) return false;
        return search === "" || found(words(rule, versions), search);
      }),
    [rules, texts, search, scope, kind],
  );
  if (rules.length === 0) return <NoRules />;
  return (
    <div className="view">
      <h1>Rules</h1>
      {asked && (
        <p className="lead" role="status">
          There is no rule{" "}
          <b>
            <UserText text={asked} max={80} />
          </b>{" "}
          at this address in the report; look for it below.
        </p>
      )}
      <RuleLedgerLead />
      <section aria-labelledby="open-rules">
        <h2 id="open-rules">Rules that leave most open</h2>
        <Chart figure={figure} />
      </section>
      <section aria-labelledby="all-rules">
        <h2 id="all-rules">All rules</h2>
        <p>
          <Term symbol="DI">DI</Term>: the share of the verdicts that cite a rule and follow from the rules.{" "}
          <Term symbol="AI">AI</Term>: the share whose opposite could be derived too.{" "}
          <Term symbol="AI_pure">Pure AI</Term>: the part of AI in which the decision itself is not wrong, so that it is
          the rule that is open. With fewer than {FEWEST_CITATIONS} citations intervals are so wide that they say
          little.
        </p>
        <GainNote />
        <div className="controls">
          <SearchBox name="q" label="Search rules" placeholder="id, words, community" />
          <label>
            Scope
            <select value={scope} onChange={(event) => setScope(event.target.value)}>
              <option value="">all</option>
              {[...new Set(rules.map((rule) => rule.scope))].map((one) => (
                <option key={one} value={one}>
                  {one === "mixed" ? "both at once" : one}
                </option>
              ))}
            </select>
          </label>
          {texts.size > 0 && (
            <label>
              Kind
              <select value={kind} onChange={(event) => setKind(event.target.value)}>
                <option value="">all</option>
                {Object.entries(RULE_KIND_WORDS).map(([one, { name }]) => (
                  <option key={one} value={one}>
                    {name}
                  </option>
                ))}
                <option value="none">not said</option>
              </select>
            </label>
          )}
        </div>
        <RuleTable
          id="rules"
          caption={`${shown.length.toLocaleString("en")} of ${rules.length.toLocaleString("en")} rules`}
          rules={shown}
          sort="-open"
          first={100}
          paged
          empty={<Nothing why="No rule fits these filters." />}
        />
      </section>
    </div>
  );
}

function words(rule: PlacedRule, versions: readonly RuleVersion[] | undefined): string {
  const texts = versions?.flatMap(({ rule: { title, description, detail } }) => [title, description, detail]) ?? [];
  return [rule.rule_id, rule.title, rule.community, ...texts].filter(Boolean).join("\n");
}

function NoRules() {
  return (
    <div className="view">
      <h1>Rules</h1>
      <Nothing
        why="No audit of this run says which rule it cites, and the report was made without rules. A workspace with rule sets has them."
        command="defensible import rules.yaml"
      />
    </div>
  );
}
