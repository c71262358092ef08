import { useDeferredValue, useMemo } from "react";
import type { RuleFinding } from "../../../src/measures/grounding/lint/finding.js";
import {
  byOpenBothWays,
  contradicted,
  FEWEST_CITATIONS,
  openBothWays,
  ruleAmbiguityFigure,
} from "../../../src/present/figures/rule-ambiguity.js";
import { byCount, plural, whole } from "../../../src/present/words/numbers.js";
import { type RuleVersion, ruleKey, wordingRemarks } from "../../../src/present/words/rule-texts.js";
import { RULE_KIND_WORDS } from "../../../src/present/words/words.js";
import { usePage } from "../../data/page-context.ts";
import { useExperiment } from "../../data/use-experiment.ts";
import { useRuleRemarks, useRuleTexts } from "../../data/use-rules.ts";
import { Chart } from "../../parts/chart/chart.tsx";
import { found, SearchBox, SelectBox } from "../../parts/controls/choices.tsx";
import { RuleLink } from "../../parts/links.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { type PlacedRule, RuleTable } from "../../parts/tables/rule-table.tsx";
import { Section } from "../../parts/text/prose.tsx";
import { Term } from "../../parts/text/term.tsx";
import { UserText } from "../../parts/text/written.tsx";
import { useQuery } from "../../route/use-route.ts";
import { FixList } from "./fix-list.tsx";

const TABLE = "rules";

/** Every rule with what it decides and leaves open; `asked`: an unknown rule in the address. */
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
      <h1>Which rules need work?</h1>
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
      <Section id="fix-first" title="Fix these first">
        <FixList rules={rules} />
      </Section>
      <Section id="open-rules" title="Ambiguity by rule">
        <Chart figure={figure} />
      </Section>
      <NeverCited rules={rules} />
      <Section id="all-rules" title="All rules">
        <p>
          <Term symbol="AI_pure">Pure ambiguity</Term>: the share of citing decisions that could go either way. Remarks:
          what <code>defensible rules lint</code> finds in the wording. With fewer than {FEWEST_CITATIONS} citations a
          rate says little.
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
          first={25}
          paged
          empty={<Nothing why="No rule fits these filters." />}
        />
      </Section>
    </div>
  );
}

function NeverCited({ rules }: { rules: readonly PlacedRule[] }) {
  const unused = rules.filter(({ cited }) => cited === 0);
  if (unused.length === 0) return null;
  return (
    <details>
      <summary>{plural(unused.length, "rule is", "rules are")} never cited</summary>
      <ul className="plain">
        {unused.slice(0, 50).map((rule) => (
          <li key={rule.place}>
            <RuleLink rule={rule} title={rule.title} />{" "}
            <span className="muted">
              <UserText text={rule.community ?? "platform"} max={60} />
            </span>
          </li>
        ))}
      </ul>
    </details>
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

/** Whether a rule has remarks; undefined if its wording is not in the report or not read. */
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
      <h1>Which rules need work?</h1>
      <Nothing
        why="No audit of this run says which rule it cites, and the report was made without rules. A workspace with rule sets has them."
        command="defensible import rules.yaml"
      />
    </div>
  );
}

export function RuleLedgerLead() {
  const { report } = usePage();
  const counts = useMemo(() => {
    const cited = report.rules.filter((rule) => rule.cited > 0);
    const open = cited.map(openBothWays);
    const all = open.reduce((sum, k) => sum + k, 0);
    const wrong = cited.reduce((sum, rule) => sum + contradicted(rule), 0);
    return { rules: report.rules.length, cited: cited.length, all, wrong, ...leastForHalf(open, all) };
  }, [report]);
  const { rules, cited, all, wrong, half, held } = counts;
  return (
    <p className="lead">
      {all > 0
        ? all === 1
          ? "1 decision could go either way under the rule that it cites."
          : `${plural(half, "rule")} of ${whole(rules)} ${byCount(half, "holds", "hold")} ${whole(held)} of the ${whole(all)} decisions that could go either way.`
        : "Under no rule could a decision go either way."}
      {wrong > 0 &&
        ` In ${whole(wrong)} ${all > 0 ? "others" : byCount(wrong, "decision", "decisions")} the rule is clear and the decision breaks it.`}
      {cited < rules && ` ${plural(rules - cited, "rule is", "rules are")} never cited.`}
    </p>
  );
}

/** The fewest rules that hold half of the open verdicts, and how many they hold. */
function leastForHalf(open: readonly number[], all: number): { half: number; held: number } {
  let held = 0;
  const sorted = [...open].sort((a, b) => b - a);
  const at = sorted.findIndex((k) => {
    held += k;
    return 2 * held >= all;
  });
  return { half: at + 1, held };
}

/** How to read the column of gains: which rules have one, and what remains after correction for many rules. */
function GainNote() {
  const tiers = useExperiment("tiers")?.result;
  if (!tiers || tiers.rules.by_finest.rules.length === 0) return null;
  const { rules } = tiers.rules.by_finest;
  const sure = rules.filter(
    ({ adjusted_p, gain }) => adjusted_p !== null && adjusted_p < 0.05 && (gain.estimate ?? 0) > 0,
  );
  return (
    <p>
      How much the detailed wording helps: how far ambiguity falls when the auditor reads the rule's description and
      detail too, for the {plural(rules.length, "rule")} that at least{" "}
      <Num at="/report/experiments/tiers/rules/min_decisions" as="whole" /> decisions cite. Each interval is for its
      rule alone; of {whole(rules.length)} some would look clear by chance, and corrected for that{" "}
      {sure.length === 0 ? "none gains" : `${whole(sure.length)} ${sure.length === 1 ? "gains" : "gain"}`} beyond
      chance.
    </p>
  );
}
