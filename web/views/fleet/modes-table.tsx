import { memo } from "react";
import { GATE_MODES } from "../../../src/core/names.js";
import type { GateEvaluation } from "../../../src/measures/gate/gate-evaluation.js";
import { MODE_WORDS } from "../../../src/present/words/words.js";
import { Shown } from "../../parts/num.tsx";
import { PlainTable } from "../../parts/plain-table.tsx";

const HEADS = [
  { key: "mode", name: "Mode" },
  { key: "passing", name: "Communities that pass", align: "right" },
  { key: "coverage", name: "Of all decisions", align: "right" },
  { key: "rate", name: "Indefensible among them", align: "right" },
  { key: "promise", name: "Promise" },
] as const;

/** The same limits in the three modes: who passes, how much is automated, and what is promised. */
export const ModesTable = memo(function ModesTable({ gate }: { gate: GateEvaluation }) {
  return (
    <PlainTable
      caption="The same limits in every mode; the one in use is in bold"
      heads={HEADS}
      rows={GATE_MODES.map((mode) => {
        const { passing, decision_coverage_all, automated_indefensible_rate } = gate.by_mode[mode];
        const at = `/gate/by_mode/${mode}`;
        return {
          key: mode,
          chosen: mode === gate.mode,
          cells: [
            MODE_WORDS[mode].name,
            <Shown key="passing" value={passing} as="whole" mark={`${at}/passing`} />,
            <Shown key="coverage" value={decision_coverage_all} mark={`${at}/decision_coverage_all`} />,
            <Shown key="rate" value={automated_indefensible_rate} mark={`${at}/automated_indefensible_rate`} />,
            <span key="promise" className="meaning-cell">
              {gate.methods[mode]}
            </span>,
          ],
        };
      })}
    />
  );
});
