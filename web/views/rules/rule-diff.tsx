import { Fragment } from "react";
import type { DiffWords } from "../../../src/experiments/rules/diff/result.js";
import { type RuleReference, referenceKey } from "../../../src/present/words/rule-texts.js";
import { useExperiment } from "../../data/use-experiment.ts";
import { EstInText } from "../../parts/est-in-text.tsx";
import { Num } from "../../parts/num.tsx";
import { UserText } from "../../parts/user-text.tsx";
import { Pieces } from "../../parts/visible.tsx";

/** How the workspace's newest comparison of two rule texts changed this rule, and what became of past decisions. */
export function RuleDiff({ rule }: { rule: RuleReference }) {
  const diff = useExperiment("diff")?.result;
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
      {place >= 0 && <Effect at={at} measured={effects[place]!.ambiguity.difference.estimate !== null} />}
    </section>
  );
}

function Effect({ at, measured }: { at: string; measured: boolean }) {
  const become = (
    <>
      <Num at={`${at}/new_indefensible`} as="whole" /> of <Num at={`${at}/n`} as="whole" /> decisions that cite it would
      become indefensible
    </>
  );
  if (!measured) return <p>{become}; they are too few for changes of defensibility and ambiguity.</p>;
  return (
    <p>
      {become}. Defensibility would go from <EstInText at={`${at}/defensibility/before`} /> to{" "}
      <EstInText at={`${at}/defensibility/after`} />, a change of{" "}
      <EstInText at={`${at}/defensibility/difference`} as="points" />; ambiguity from{" "}
      <EstInText at={`${at}/ambiguity/before`} /> to <EstInText at={`${at}/ambiguity/after`} />, a change of{" "}
      <EstInText at={`${at}/ambiguity/difference`} as="points" />.
    </p>
  );
}

/** Stretches of words, with the space between them that belongs to neither. */
function diffPart({ op, text }: DiffWords, place: number) {
  const words = <Pieces text={text} />;
  return (
    <Fragment key={String(place)}>
      {place > 0 && " "}
      {op === "removed" ? <del>{words}</del> : op === "added" ? <ins>{words}</ins> : words}
    </Fragment>
  );
}
