import { pointerPart } from "../../../src/present/words/sentence.js";
import { useExperiment } from "../../data/use-experiment.ts";
import { KeptFigure, NoExperiment, Provenance } from "../../parts/experiment.tsx";
import { Remarks, Section } from "../../parts/text/prose.tsx";
import { LadderTable } from "./ladder-table.tsx";
import { RuleGainTable } from "./rule-gain-table.tsx";
import { TextTable } from "./text-table.tsx";
import { TransitionNotes } from "./transition-notes.tsx";
import { Underspecified } from "./underspecified.tsx";

/** The same decisions under titles alone, with descriptions, and with all of the text. */
export function TierSections() {
  const kept = useExperiment("tiers");
  if (!kept) {
    return (
      <Section id="ladder" title="More or less of the rules' text">
        <NoExperiment
          kind="tiers"
          tells="It audits the same decisions under titles alone, with descriptions and with all of the rules' text, and shows what each text settles."
        />
      </Section>
    );
  }
  const { result, at } = kept;
  return (
    <>
      <Section id="ladder" title="More or less of the rules' text">
        <Remarks of={result.warnings} />
        <KeptFigure of={result} id="tiers-ladder" />
        <LadderTable {...kept} />
        {Object.entries(result.by_decision).map(([action, group]) =>
          group.n > 0 ? (
            <LadderTable key={action} result={group} at={`${at}/by_decision/${pointerPart(action)}`} of={action} />
          ) : null,
        )}
      </Section>
      <Section id="transitions" title="From level to level">
        <KeptFigure of={result} id="tiers-transitions" />
        <TransitionNotes steps={result.steps} at={`${at}/steps`} />
      </Section>
      <Underspecified {...kept} />
      <TextTable {...kept} />
      <Section id="gains" title="Which rule gains from which text">
        <KeptFigure of={result} id="tiers-rule-gain" missing="No rule is cited by enough decisions for a picture." />
        <RuleGainTable {...kept} />
        <Provenance of={result} />
      </Section>
    </>
  );
}
