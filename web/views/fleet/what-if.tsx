import { limitsInWords } from "../../../src/present/figures/page-gate.js";
import { whole } from "../../../src/present/words/numbers.js";
import { isOfCohort, leftOutText } from "../../../src/present/words/word-table.js";
import { isFromFile } from "../../data/from-file.ts";
import { type GateSettings, useGateSettings } from "../../data/gate-settings.ts";
import { usePage } from "../../data/page-context.ts";

/** Says whether these settings are those in force, or a question. */
export function WhatIf({ settings }: { settings: GateSettings }) {
  const page = usePage();
  const { report } = page;
  const { own, changed } = useGateSettings();
  const inForce = report.gate !== undefined;
  const whose = inForce ? "the gate in force" : isFromFile(page) ? "the paper's Standard gate" : "the workspace";
  if (!changed) {
    return (
      <p className="muted">
        These are the settings of {whose}: {words(own)}.
        {inForce || isFromFile(page)
          ? ""
          : isOfCohort(report)
            ? ` ${leftOutText("Gates in force are")}`
            : " No gate in force rests on this run."}
      </p>
    );
  }
  return (
    <p className="what-if">
      <b>What if:</b> {words(settings)}. Nothing of it is in force; {whose} has {words(own)}.
    </p>
  );
}

function words({ di, ai, min_decisions, mode, variable }: GateSettings): string {
  return `${limitsInWords({ di, ai }, variable)}, ${whole(min_decisions)} decisions or more, mode ${mode}`;
}
