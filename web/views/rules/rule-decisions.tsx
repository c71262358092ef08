import { useMemo } from "react";
import type { PageDecision } from "../../../src/measures/report-page.js";
import { inverseOf, levelOf, levelsOf, ruleFilter } from "../../../src/present/words/decision-list.js";
import { plural, whole } from "../../../src/present/words/numbers.js";
import type { RuleReference } from "../../../src/present/words/rule-texts.js";
import { usePage } from "../../data/page-context.ts";
import { NoDecisions } from "../../parts/nothing.tsx";
import { Shown } from "../../parts/numbers/num.tsx";
import { Term } from "../../parts/text/term.tsx";
import { DecisionTable } from "../review/decision-table.tsx";

const COLUMNS = ["reason", "decision", "human", "level", "inverse", "p_defensible", "overlap"];

/** The decisions that made it ambiguous, those that no rule supports, and how its words were cited. */
export function RuleDecisions({ rule }: { rule: RuleReference & { cited: number } }) {
  const { decisions: all } = usePage();
  const citing = useMemo(() => all.filter((decision) => citesRule(decision, rule)), [all, rule]);
  const open = useMemo(
    () => citing.filter((one) => levelsOf(one).includes("defensible") && inverseOf(one) === "yes"),
    [citing],
  );
  const wrong = useMemo(() => citing.filter((one) => levelOf(one) === "3"), [citing]);
  if (rule.cited === 0) return null;
  const key = ruleFilter(rule.scope, rule.scope === "platform" ? null : rule.community, rule.rule_id);
  const columns = rule.scope === "platform" ? ["community", ...COLUMNS] : COLUMNS;
  return (
    <>
      <section aria-labelledby="open-head">
        <h2 id="open-head">Decisions that made it ambiguous</h2>
        {citing.length === 0 && <NoDecisions of="those that cite this rule" />}
        {citing.length > 0 && citing.length < rule.cited && (
          <p className="muted">
            {`This report lists ${whole(citing.length)} of the ${plural(rule.cited, "verdict")} that cite it: those most worth a look.`}
          </p>
        )}
        {open.length > 0 && (
          <DecisionTable
            id="open"
            caption="Decisions that cite the rule and follow, and whose opposite follows too"
            decisions={open}
            list={{ rule: key, inverse: "yes", level: "defensible" }}
            columns={columns}
          />
        )}
        {citing.length > 0 && open.length === 0 && <p>None of those listed could have gone either way.</p>}
      </section>
      {wrong.length > 0 && (
        <section aria-labelledby="wrong-head">
          <h2 id="wrong-head">Decisions under it that no rule supports</h2>
          <p>
            These are the decider's errors, or ask for a rule that is not written. Where the opposite follows, the rule
            is clear and was not kept.
          </p>
          <DecisionTable
            id="wrong"
            caption="Decisions that cite the rule and are indefensible"
            decisions={wrong}
            list={{ rule: key, level: "3" }}
            columns={columns}
          />
        </section>
      )}
      {citing.length > 0 && <RuleCitations decisions={citing} />}
    </>
  );
}

/** Whether the audit of a decision cites a rule. */
export function citesRule({ community, audit: { citation } }: PageDecision, rule: RuleReference): boolean {
  if (!citation || citation.rule_id !== rule.rule_id || citation.scope !== rule.scope) return false;
  return rule.scope === "platform" || community === rule.community;
}

const BANDS = [
  { from: 1, words: "with every word of the citation in the rule" },
  { from: 0.8, words: "with nearly all (80 % or more)" },
  { from: 0.5, words: "with half or more" },
  { from: 0, words: "with less than half" },
] as const;

/** How far audits cite the rule in its own words. */
function RuleCitations({ decisions }: { decisions: readonly PageDecision[] }) {
  const overlaps = decisions.flatMap(({ audit }) => audit.citation?.overlap ?? []);
  const grounded = decisions.filter(({ audit }) => audit.citation?.grounded).length;
  if (overlaps.length === 0) {
    return (
      <section aria-labelledby="citations-head">
        <h2 id="citations-head">How its words were cited</h2>
        <p className="muted">The audits name the rule, but do not say which of its words they cite.</p>
      </section>
    );
  }
  return (
    <section aria-labelledby="citations-head">
      <h2 id="citations-head">How its words were cited</h2>
      <p>
        <Shown value={grounded} as="whole" /> of <Shown value={decisions.length} as="whole" /> listed citations are{" "}
        <Term symbol="grounded, scope">grounded</Term> in it: the quoted words appear in the rule. By the share of cited
        words that the rule has (<Term symbol="overlap">overlap</Term>):
      </p>
      <ul className="plain">
        {BANDS.map(({ from, words }, i) => {
          const below = i === 0 ? Infinity : BANDS[i - 1]!.from;
          const n = overlaps.filter((overlap) => overlap >= from && overlap < below).length;
          return (
            <li key={from}>
              <Shown value={n} as="whole" /> {words}
            </li>
          );
        })}
      </ul>
      {overlaps.length < decisions.length && (
        <p className="muted small">
          {decisions.length - overlaps.length} citations name the rule without an overlap that could be measured.
        </p>
      )}
    </section>
  );
}
