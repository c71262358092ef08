import { Fragment, useMemo } from "react";
import type { DiffWords } from "../../../src/experiments/rules/diff/result.js";
import type { AblationClass } from "../../../src/experiments/rules/scopes/result.js";
import { ruleTiersFigure } from "../../../src/present/figures/rule-ambiguity.js";
import { pText } from "../../../src/present/words/numbers.js";
import { type RuleReference, referenceKey } from "../../../src/present/words/rule-texts.js";
import { estAt, numberAt, sentence } from "../../../src/present/words/sentence.js";
import { wordsOf } from "../../../src/present/words/vocabulary.js";
import { TIER_WORDS } from "../../../src/present/words/words.js";
import { usePage } from "../../data/page-context.ts";
import { useExperiment } from "../../data/use-experiment.ts";
import { useTierGains } from "../../data/use-rules.ts";
import { Chart } from "../../parts/chart/chart.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { Section, SentenceText } from "../../parts/text/prose.tsx";
import { Pieces, UserText } from "../../parts/text/written.tsx";

/** How its decisions change when the auditor reads more of its text. */
export function RuleTiers({ rule }: { rule: RuleReference }) {
  const page = usePage();
  const gain = useTierGains().get(referenceKey(rule));
  const figure = useMemo(() => ruleTiersFigure(page, rule), [page, rule]);
  return (
    <Section id="tiers-head" title="What more of its text settles">
      <Chart figure={figure} />
      {gain && (
        <ul className="plain">
          {gain.gains.map((step, i) => (
            <li key={`${step.from} ${step.to}`}>
              <SentenceText
                of={sentence`${wordsOf(TIER_WORDS, step.from).name} → ${wordsOf(TIER_WORDS, step.to).name.toLowerCase()}: settles ${estAt(`${gain.at}/gains/${i}/gain`, "points")} of ambiguity${step.text_differs === false ? ", though the text is the same: the change is chance" : ""}`}
              />
            </li>
          ))}
          <li>
            <SentenceText
              of={sentence`In all: ${estAt(`${gain.at}/gain`, "points")}, ${pText(gain.mid_p)}${gain.adjusted_p === null ? "" : `, ${pText(gain.adjusted_p)} corrected for the number of rules`}`}
            />
          </li>
        </ul>
      )}
    </Section>
  );
}

const CLASSES: readonly [AblationClass, string][] = [
  ["platform", "could with the platform's rules alone, too, but not with the community's"],
  ["community", "could with the community's rules alone, too, but not with the platform's"],
  ["either", "could under either set alone"],
  ["together", "could only where both meet"],
];

/** What the openness of its decisions rests on, if the workspace has audited under each scope alone. */
export function RuleScopes({ rule }: { rule: RuleReference }) {
  const scopes = useExperiment("scopes")?.result;
  const place = scopes?.rules.cited.findIndex((one) => referenceKey(one) === referenceKey(rule)) ?? -1;
  if (place < 0) return null;
  const at = `/report/experiments/scopes/rules/cited/${place}`;
  return (
    <Section id="scopes-head" title="Whose rules leave it open">
      <p>
        <SentenceText
          of={sentence`The same decisions were audited with all rules, with the platform's alone and with the community's alone. With all rules, the opposite could be derived for ${numberAt(`${at}/ambiguity/k`, "whole")} of ${numberAt(`${at}/n`, "whole")} decisions that cite this rule, wrong ones among them: ${estAt(`${at}/ambiguity`)}. Of these,`}
        />
      </p>
      <ul className="plain">
        {CLASSES.map(([name, words]) => (
          <li key={name}>
            <Num at={`${at}/classes/${name}`} as="whole" /> {words}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** How the newest comparison of two rule texts changed this rule and past decisions. */
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
    <Section id="diff-head" title="What another wording would change">
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
    </Section>
  );
}

function Effect({ at, measured }: { at: string; measured: boolean }) {
  const become = sentence`${numberAt(`${at}/new_indefensible`, "whole")} of ${numberAt(`${at}/n`, "whole")} decisions that cite it would become indefensible`;
  const change = (rate: string) =>
    sentence`from ${estAt(`${at}/${rate}/before`)} to ${estAt(`${at}/${rate}/after`)}, a change of ${estAt(`${at}/${rate}/difference`, "points")}`;
  const text = measured
    ? sentence`${become}. Defensibility would go ${change("defensibility")}; ambiguity ${change("ambiguity")}.`
    : sentence`${become}; they are too few for changes of defensibility and ambiguity.`;
  return (
    <p>
      <SentenceText of={text} />
    </p>
  );
}

/** Runs of words; the space between two runs belongs to neither. */
function diffPart({ op, text }: DiffWords, place: number) {
  const words = <Pieces text={text} />;
  return (
    <Fragment key={String(place)}>
      {place > 0 && " "}
      {op === "removed" ? <del>{words}</del> : op === "added" ? <ins>{words}</ins> : words}
    </Fragment>
  );
}
