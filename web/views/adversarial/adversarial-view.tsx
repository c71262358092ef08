import { ATTACK_LIMITS } from "../../../src/present/words/experiments/attack-words.js";
import { useExperiment } from "../../data/use-experiment.ts";
import { KeptFigure, KeptFigures, NoExperiment, Provenance } from "../../parts/experiment.tsx";
import { Remarks, Section } from "../../parts/text/prose.tsx";
import { AdversarialLead } from "./adversarial-lead.tsx";
import { AmbiguousRules } from "./ambiguous-rules.tsx";
import { AreaTable } from "./area-table.tsx";
import { DetectionTable } from "./detection-table.tsx";
import { EscapeTable } from "./escape-table.tsx";
import { LayerTable } from "./layer-table.tsx";
import { PairTable } from "./pair-table.tsx";
import { SubsetTable } from "./subset-table.tsx";

/** Can a wrong decision pass for a defensible one? What each layer notices, and how often it cries wolf. */
export function AdversarialView() {
  const kept = useExperiment("attack");
  if (!kept) {
    return (
      <div className="view">
        <h1>Adversarial</h1>
        <NoExperiment
          kind="attack"
          tells="It makes wrong decisions that look right, has them audited beside clean ones, and shows what each layer of defence notices and how often it raises a false alarm."
          command="defensible attack build --out attacks.jsonl && defensible attack run attacks.jsonl"
        />
      </div>
    );
  }
  const { result } = kept;
  return (
    <div className="view">
      <h1>Adversarial</h1>
      <AdversarialLead {...kept} />
      <Remarks of={result.warnings} />
      <Section id="detection" title="What is noticed, by kind of attack and layer">
        <KeptFigure of={result} id="attack-detection" />
        <DetectionTable {...kept} target="input" />
        <DetectionTable {...kept} target="trace" />
      </Section>
      <LayerTable {...kept} />
      <Section id="scores" title="How well each score tells attacks from clean cases">
        <KeptFigure of={result} id="attack-roc" />
        <AreaTable {...kept} />
        <PairTable {...kept} />
      </Section>
      <Section id="escapes" title="What escapes">
        <KeptFigures of={result} ids={["attack-entropy", "attack-escapes"]} />
        <SubsetTable {...kept} />
        <EscapeTable {...kept} />
        <AmbiguousRules {...kept} />
      </Section>
      <Section id="limits" title="What this can and cannot show">
        <p>{ATTACK_LIMITS}</p>
        <p>
          The third layer asks whether the cited rule, with its scope and exceptions, carries the step to the verdict.
          It compares words and is weak: under rules that it had never met it noticed about a quarter of the attacks
          from a rule's penumbra, at false alarms on 5 % of clean cases. It is reported apart so that nobody counts on
          it.
        </p>
        <Provenance of={result} />
      </Section>
    </div>
  );
}
