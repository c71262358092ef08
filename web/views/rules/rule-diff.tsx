import type { DiffWords, RulesDiff } from "../../../src/domain/rules-diff.js";
import { type RuleReference, referenceKey } from "../../../src/figures/rule-texts.js";
import { usePage } from "../../data/page-context.ts";
import { EstInText } from "../../parts/est-in-text.tsx";
import { Num } from "../../parts/num.tsx";
import { UserText } from "../../parts/user-text.tsx";
import { Pieces } from "../../parts/visible.tsx";

/** How the workspace's newest comparison of two rule texts changed this rule, and what became of past decisions. */
export function RuleDiff({ rule }: { rule: RuleReference }) {
  const diff = usePage().report.experiments?.diff as RulesDiff | undefined;
  if (!diff) return null;
  const is = (one: RuleReference) => referenceKey(one) === referenceKey(rule);
  const change = diff.changes?.rules.find(is);
  const effects = diff.effect?.rules.by_old.rules ?? [];
  const place = effects.findIndex(is);
  if (!change && place < 0) return null;
  const at = `/report/experiments/diff/effect/rules/by_old/rules/${place}`;
  return (
    <section aria-labelledby="diff-head">
      <h2 id="diff-head">What another wording would change</h2>
      <p>
        From <UserText text={diff.old} max={80} /> to <UserText text={diff.new} max={80} />
        {change ? `, the rule was ${change.change}:` : ", the rule itself stays as it is."}
      </p>
      {change?.fields.map(({ field, words }) => (
        <p key={field} className="diff">
          <b>{field}</b>{" "}
          <bdi dir="auto" className="written">
            {words.map(diffPart)}
          </bdi>
        </p>
      ))}
      {place >= 0 && (
        <ul className="plain">
          <li>
            DI before <EstInText at={`${at}/defensibility/before`} />, after{" "}
            <EstInText at={`${at}/defensibility/after`} />: change{" "}
            <EstInText at={`${at}/defensibility/difference`} as="points" />
          </li>
          <li>
            AI before <EstInText at={`${at}/ambiguity/before`} />, after <EstInText at={`${at}/ambiguity/after`} />:
            change <EstInText at={`${at}/ambiguity/difference`} as="points" />
          </li>
          <li>
            Decisions that would become indefensible: <Num at={`${at}/new_indefensible`} as="whole" />
          </li>
        </ul>
      )}
    </section>
  );
}

function diffPart({ op, text }: DiffWords, place: number) {
  const key = String(place);
  if (op === "removed") {
    return (
      <del key={key}>
        <Pieces text={text} />
      </del>
    );
  }
  return op === "added" ? (
    <ins key={key}>
      <Pieces text={text} />
    </ins>
  ) : (
    <Pieces key={key} text={text} />
  );
}
