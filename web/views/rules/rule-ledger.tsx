import { useDeferredValue, useMemo } from "react";
import type { RuleFinding } from "../../../src/measures/grounding/lint/finding.js";
import { byOpenBothWays, FEWEST_CITATIONS, ruleAmbiguityFigure } from "../../../src/present/figures/rule-ambiguity.js";
import { whole } from "../../../src/present/words/numbers.js";
import { type RuleVersion, ruleKey, wordingRemarks } from "../../../src/present/words/rule-texts.js";
import { RULE_KIND_WORDS } from "../../../src/present/words/words.js";
import { usePage } from "../../data/page-context.ts";
import { useRuleRemarks } from "../../data/use-rule-remarks.ts";
import { useRuleTexts } from "../../data/use-rule-texts.ts";
import { Chart } from "../../parts/chart.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { type PlacedRule, RuleTable } from "../../parts/rule-table.tsx";
import { found, SearchBox } from "../../parts/search-box.tsx";
import { SelectBox } from "../../parts/select-box.tsx";
import { Term } from "../../parts/term.tsx";
import { UserText } from "../../parts/user-text.tsx";
import { useQuery } from "../../route/use-route.ts";
import { GainNote } from "./gain-note.tsx";
import { RuleLedgerLead } from "./rule-ledger-lead.tsx";

const TABLE = "rules";

/** Every rule with what it decides and what it leaves open; `asked` is a rule that the address named and nobody has. */
export function RuleLedger({ asked }: { asked?: string }) {
  const page = usePage();
  const texts = useRuleTexts();
  const figure = useMemo(() => ruleAmbiguityFigure(page), [page]);
  const [typed] = useQuery("q");
  const search = useDeferredValue(typed);
  const [scope, setScope] = useQuery("scope", "", TABLE);
  const [kind, setKind] = useQuery("kind", "", TABLE);
  const [wording, setWording] = useQuery("wording", "", TABLE);
  const remarks = useRuleRemarks();
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
        if (wording && isRemarked(remarks.get(ruleKey(rule))) !== wording) return false;
        return search === "" || found(words(rule, versions), search);
      }),
    [rules, texts, search, scope, kind, wording, remarks],
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
          <Term symbol="DI">Defensibility</Term>: the share of the verdicts that cite a rule and follow from the rules.{" "}
          <Term symbol="AI">Ambiguity</Term>: the share whose opposite could be derived too.{" "}
          <Term symbol="AI_pure">Pure ambiguity</Term>: the part of it in which the decision itself is not wrong, so
          that it is the rule that is open. Remarks on its wording: what <code>defensible rules lint</code> finds in its
          words that may leave it open; its page lists them. With fewer than {FEWEST_CITATIONS} citations intervals are
          so wide that they say little.
        </p>
        <GainNote />
        <div className="controls">
          <SearchBox name="q" table={TABLE} label="Search rules" placeholder="id, words, community" />
          <SelectBox
            label="Scope"
            all="all"
            value={scope}
            options={[...new Set(rules.map((rule) => rule.scope))].map((one) => ({
              value: one,
              name: one === "mixed" ? "both at once" : one,
            }))}
            onChange={setScope}
          />
          {texts.size > 0 && <SelectBox label="Kind" all="all" value={kind} options={KINDS} onChange={setKind} />}
          {remarks.size > 0 && (
            <SelectBox label="Wording" all="all" value={wording} options={WORDINGS} onChange={setWording} />
          )}
        </div>
        <RuleTable
          id={TABLE}
          caption={`${whole(shown.length)} of ${whole(rules.length)} rules`}
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

const KINDS = [
  ...Object.entries(RULE_KIND_WORDS).map(([value, { name }]) => ({ value, name })),
  { value: "none", name: "not said" },
];

const WORDINGS = [
  { value: "remarks", name: "with remarks" },
  { value: "none", name: "without remarks" },
];

/** Which of the two a rule is; neither where its wording is not in the report or not read. */
function isRemarked(found: readonly RuleFinding[] | undefined): string | undefined {
  const count = found ? wordingRemarks(found) : null;
  return count === null ? undefined : count > 0 ? "remarks" : "none";
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
