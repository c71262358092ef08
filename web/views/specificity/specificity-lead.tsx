import type { Tiers } from "../../../src/experiments/rules/tiers/result.js";
import { wideInterval } from "../../../src/present/words/numbers.js";
import { tierText } from "../../../src/present/words/rule-texts.js";
import { type Kept, useExperiment } from "../../data/use-experiment.ts";
import { Est, EstInText } from "../../parts/numbers/est.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { Term } from "../../parts/text/term.tsx";

/** What was found: does more rule text settle more decisions? */
export function SpecificityLead() {
  const kept = useExperiment("tiers");
  if (!kept) {
    return (
      <p className="lead">
        Whether longer rules settle more decisions is seen by auditing the same decisions under less and more of the
        rules' text.
      </p>
    );
  }
  return <TiersLead {...kept} />;
}

function TiersLead({ result, at }: Kept<Tiers>) {
  const last = result.steps.length - 1;
  const { changes, from, to } = result.steps[last]!;
  const change = changes.ambiguity_index;
  const interval = wideInterval(change.difference);
  const step = `${at}/steps/${last}/changes/ambiguity_index`;
  const sure = interval && (interval.upper < 0 || interval.lower > 0);
  return (
    <p className="lead">
      Reading {tierText(from)}, the auditor could derive the opposite of <Est at={`${step}/a`} with="value" /> of{" "}
      <Num at={`${at}/n`} as="whole" /> decisions; reading {tierText(to)}, of <Est at={`${step}/b`} with="value" />: the{" "}
      <Term symbol="AI">Ambiguity Index</Term> changes by <EstInText at={`${step}/difference`} as="points" />.{" "}
      {!sure
        ? "Chance alone could explain that."
        : change.difference.estimate! < 0
          ? "More text settles more."
          : "More text opens more than it settles, which rules should not do."}{" "}
      Open both ways, decision and opposite, are <Est at={`${at}/tiers/0/ambiguity_pure`} with="value" /> with the
      shortest and <Est at={`${at}/tiers/${result.tiers.length - 1}/ambiguity_pure`} with="value" /> with the longest
      text. Indefensible decisions go from <Num at={`${at}/tiers/0/indefensible`} as="whole" /> to{" "}
      <Num at={`${at}/tiers/${result.tiers.length - 1}/indefensible`} as="whole" />
      {(result.tiers.at(-1)?.indefensible ?? 0) > (result.tiers[0]?.indefensible ?? 0)
        ? ": what the text adds is also held against decisions."
        : "."}
    </p>
  );
}
