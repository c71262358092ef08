import { useMemo } from "react";
import type { PageDecision, ReportPage } from "../../../src/measures/report-page.js";
import { openBothWays } from "../../../src/present/figures/rule-ambiguity.js";
import { inverseOf, levelsOf } from "../../../src/present/words/decision-list.js";
import { type RuleReference, ruleKey } from "../../../src/present/words/rule-texts.js";
import { tokenise } from "../../../src/text/words.js";
import { usePage } from "../../data/page-context.ts";
import { useRuleRemarks, useRuleTexts } from "../../data/use-rules.ts";
import { useContentShown } from "../../parts/controls/content-shown.tsx";
import { CommunityLink, DecisionLink, RuleLink } from "../../parts/links.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import type { PlacedRule } from "../../parts/tables/rule-table.tsx";
import { capitalised } from "../../parts/text/words.ts";
import { UserText } from "../../parts/text/written.tsx";
import { citesRule } from "./rule-decisions.tsx";

const MOST_RULES = 4;
/** Most decisions compared, for each action. */
const MOST_COMPARED = 40;

/** The rules with the most decisions open both ways: their text, a remark on it, and two contradictory decisions. */
export function FixList({ rules }: { rules: readonly PlacedRule[] }) {
  const worst = rules.filter((rule) => openBothWays(rule) > 1).slice(0, MOST_RULES);
  if (worst.length === 0) return <p>No rule leaves more than one decision open.</p>;
  return (
    <ol className="fix-list">
      {worst.map((rule) => (
        <li key={rule.place}>
          <Fix rule={rule} />
        </li>
      ))}
    </ol>
  );
}

function Fix({ rule }: { rule: PlacedRule }) {
  const page = usePage();
  const text = useRuleTexts().get(ruleKey(rule))?.[0]?.rule;
  const [remark] = useRuleRemarks().get(ruleKey(rule)) ?? [];
  const pair = useMemo(() => contradictoryPair(page, rule), [page, rule]);
  const at = `/report/rules/${rule.place}`;
  return (
    <>
      <h3>
        <RuleLink rule={rule} title={rule.title} />
        {rule.scope !== "platform" && rule.community !== null && (
          <>
            {" of "}
            <CommunityLink community={rule.community} />
          </>
        )}
      </h3>
      <p>
        <Num at={`${at}/ambiguity_pure/k`} as="whole" /> of <Num at={`${at}/cited`} as="whole" /> decisions could go
        either way.
        {remark && (
          <>
            {" "}
            {remark.quote && (
              <>
                <q>
                  <UserText text={remark.quote} max={80} />
                </q>
                :{" "}
              </>
            )}
            <UserText text={remark.quote ? remark.message : capitalised(remark.message)} max={200} />.
          </>
        )}
      </p>
      {text?.description && (
        <blockquote className="quoted rule-quote">
          <UserText text={text.description} max={300} />
        </blockquote>
      )}
      {pair && (
        <div className="pair">
          {pair.map((decision) => (
            <Side key={decision.id} of={decision} />
          ))}
        </div>
      )}
    </>
  );
}

/** One decision of a pair, with its content. */
function Side({ of: { id, decision, title, body } }: { of: PageDecision }) {
  const [shown] = useContentShown();
  const text = [title?.text, body?.text].filter(Boolean).join(" — ");
  return (
    <p>
      <b>
        <UserText text={decision} max={30} />
      </b>{" "}
      <DecisionLink id={id} />
      {shown && text !== "" && (
        <span className="excerpt">
          <UserText text={text} max={180} />
        </span>
      )}
    </p>
  );
}

/** The two most similar decisions open both ways under a rule that were decided differently; null without such a pair. */
function contradictoryPair({ decisions }: ReportPage, rule: RuleReference): [PageDecision, PageDecision] | null {
  const open = decisions.filter(
    (one) => citesRule(one, rule) && inverseOf(one) === "yes" && levelsOf(one).includes("defensible"),
  );
  const first = open[0]?.decision;
  const [same, other] = [
    (one: PageDecision) => one.decision === first,
    (one: PageDecision) => one.decision !== first,
  ].map((of) =>
    open
      .filter(of)
      .slice(0, MOST_COMPARED)
      .map((decision) => ({ decision, words: wordsOf(decision) })),
  );
  let best: { pair: [PageDecision, PageDecision]; alike: number } | null = null;
  for (const a of same!) {
    for (const b of other!) {
      const alike = overlap(a.words, b.words);
      if (!best || alike > best.alike) best = { pair: [a.decision, b.decision], alike };
    }
  }
  return best?.pair ?? null;
}

function wordsOf({ title, body }: PageDecision): ReadonlySet<string> {
  return new Set(tokenise(`${title?.text ?? ""} ${body?.text ?? ""}`));
}

/** Share of words that two texts have in common (Jaccard). */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  return common === 0 ? 0 : common / (a.size + b.size - common);
}
