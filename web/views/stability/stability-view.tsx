import { DISJOINT_NOTE, STABILITY_LIMITS } from "../../../src/present/words/experiments/experiment-words.js";
import { useExperiment } from "../../data/use-experiment.ts";
import { Contents } from "../../parts/contents.tsx";
import { KeptFigure, KeptFigures, NoExperiment, Provenance } from "../../parts/experiment.tsx";
import { Prose, Remarks, Section } from "../../parts/text/prose.tsx";
import { CaseTable } from "./case-table.tsx";
import { GroupSection } from "./group-section.tsx";
import { hasReplicates, ReplicatesSection } from "./replicates-section.tsx";
import { StabilityLead } from "./stability-lead.tsx";
import { StateTable } from "./state-table.tsx";
import { TemperatureSection } from "./temperature-section.tsx";
import { VarianceSection } from "./variance-section.tsx";
import { WhatToDo } from "./what-to-do.tsx";

const UNDRAWN = "There is nothing to draw: no case has enough audits with this value.";

const CONTENTS = [
  { id: "levels", title: "How often each case was found at each level" },
  { id: "temperatures", title: "By temperature" },
  { id: "spread", title: "Spread of the score, and how often the level stays" },
  { id: "spread-of-s", title: "The same for S, as the paper draws it" },
  { id: "foretelling", title: "What goes with instability" },
  { id: "threshold", title: "What a threshold on one audit lets through" },
  { id: "groups", title: "Flippers against Stable" },
  { id: "variance", title: "Where the variance comes from" },
  { id: "replicates", title: "How many replicates it takes" },
  { id: "cases", title: "Cases" },
  { id: "limits", title: "What these figures cannot show" },
] as const;

const titleOf = (wanted: (typeof CONTENTS)[number]["id"]) => CONTENTS.find(({ id }) => id === wanted)!.title;

/** The same cases audited again and again: whose verdict stays, whose is a matter of luck. */
export function StabilityView() {
  const kept = useExperiment("stability");
  if (!kept) {
    return (
      <div className="view">
        <h1>Stability</h1>
        <NoExperiment
          kind="stability"
          tells="It audits the same cases many times and at several temperatures, and shows which verdicts stay and which are a matter of luck."
        />
      </div>
    );
  }
  const { result } = kept;
  return (
    <div className="view">
      <h1>Stability</h1>
      <StabilityLead {...kept} />
      <WhatToDo {...kept} />
      {result.groups.pilot && (
        <p>
          Flippers are cases that changed in a short pilot before anything was measured, Stable ones those that did not.
        </p>
      )}
      <Remarks of={result.warnings} />
      <Contents of={CONTENTS.filter(({ id }) => id !== "replicates" || hasReplicates(result))} />
      <Section id="levels" title={titleOf("levels")}>
        <KeptFigure of={result} id="stability-levels" missing={UNDRAWN} />
        <StateTable {...kept} />
      </Section>
      <TemperatureSection {...kept} />
      <Section id="spread" title={titleOf("spread")}>
        <KeptFigure of={result} id="stability-consistency" missing={UNDRAWN} />
        <KeptFigures of={result} ids={["stability-level-3", "stability-inverse"]} />
        <KeptFigure of={result} id="stability-classes" />
      </Section>
      <Section id="spread-of-s" title={titleOf("spread-of-s")}>
        <KeptFigure of={result} id="stability-pds-consistency" missing={UNDRAWN} />
        <KeptFigures of={result} ids={["stability-pds-level-3", "stability-pds-inverse"]} />
      </Section>
      <Section id="foretelling" title={titleOf("foretelling")}>
        <p>{DISJOINT_NOTE}</p>
        <KeptFigure of={result} id="stability-signal-correlations" missing={UNDRAWN} />
        <KeptFigures
          of={result}
          ids={["stability-single-spread", "stability-mean-spread", "stability-single-consistency"]}
        />
      </Section>
      <Section id="threshold" title={titleOf("threshold")}>
        <KeptFigure of={result} id="stability-threshold-mix" missing={UNDRAWN} />
      </Section>
      <GroupSection {...kept} />
      <VarianceSection {...kept} />
      <ReplicatesSection {...kept} />
      <CaseTable {...kept} />
      <Section id="limits" title={titleOf("limits")}>
        <p>
          <Prose text={STABILITY_LIMITS} />
        </p>
        <Provenance of={result} />
      </Section>
    </div>
  );
}
