import type { AblationClass } from "../../../src/experiments/rules/scopes/result.js";
import { type RuleReference, referenceKey } from "../../../src/present/words/rule-texts.js";
import { useExperiment } from "../../data/use-experiment.ts";
import { EstInText } from "../../parts/est-in-text.tsx";
import { Num } from "../../parts/num.tsx";

const CLASSES: readonly [AblationClass, string][] = [
  ["platform", "could with the platform's rules alone, too, but not with the community's"],
  ["community", "could with the community's rules alone, too, but not with the platform's"],
  ["either", "could with either of the two alone, too"],
  ["together", "could only where both meet"],
];

/** What the openness of its decisions rests on, where the workspace has audited under each scope alone. */
export function RuleScopes({ rule }: { rule: RuleReference }) {
  const scopes = useExperiment("scopes")?.result;
  const place = scopes?.rules.cited.findIndex((one) => referenceKey(one) === referenceKey(rule)) ?? -1;
  if (place < 0) return null;
  const at = `/report/experiments/scopes/rules/cited/${place}`;
  return (
    <section aria-labelledby="scopes-head">
      <h2 id="scopes-head">Whose rules leave it open</h2>
      <p>
        The same decisions were audited with all rules, with the platform's alone and with the community's alone. With
        all rules, the opposite could be derived for <Num at={`${at}/ambiguity/k`} as="whole" /> of{" "}
        <Num at={`${at}/n`} as="whole" /> decisions that cite this rule, wrong ones among them:{" "}
        <EstInText at={`${at}/ambiguity`} />. Of these,
      </p>
      <ul className="plain">
        {CLASSES.map(([name, words]) => (
          <li key={name}>
            <Num at={`${at}/classes/${name}`} as="whole" /> {words}
          </li>
        ))}
      </ul>
    </section>
  );
}
