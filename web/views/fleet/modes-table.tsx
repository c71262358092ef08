import { memo } from "react";
import type { GateMode } from "../../../src/domain/gate.js";
import { MODE_WORDS } from "../../../src/figures/words.js";
import type { GateEvaluation } from "../../../src/gate/gate-evaluation.js";
import { Shown } from "../../parts/num.tsx";

const MODES: readonly GateMode[] = ["paper", "shrunk", "certified"];

/** The same limits in the three modes: who passes, how much is automated, and what is promised. */
export const ModesTable = memo(function ModesTable({ gate }: { gate: GateEvaluation }) {
  return (
    <div className="table-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the screen must scroll by keyboard too */}
      <section className="table-scroll" tabIndex={0} aria-label="Modes of the gate">
        <table id="fleet-modes">
          <caption>The same limits in every mode; the one in use is in bold</caption>
          <thead>
            <tr>
              <th scope="col">Mode</th>
              <th scope="col" className="right">
                Communities that pass
              </th>
              <th scope="col" className="right">
                Of all decisions
              </th>
              <th scope="col" className="right">
                Indefensible among them
              </th>
              <th scope="col">Promise</th>
            </tr>
          </thead>
          <tbody>
            {MODES.map((mode) => {
              const result = gate.by_mode[mode];
              const at = `/gate/by_mode/${mode}`;
              return (
                <tr key={mode} className={mode === gate.mode ? "in-use" : undefined}>
                  <th scope="row">{MODE_WORDS[mode].name}</th>
                  <td className="right">
                    <Shown value={result.passing} as="whole" mark={`${at}/passing`} />
                  </td>
                  <td className="right">
                    <Shown value={result.decision_coverage_all} mark={`${at}/decision_coverage_all`} />
                  </td>
                  <td className="right">
                    <Shown value={result.automated_indefensible_rate} mark={`${at}/automated_indefensible_rate`} />
                  </td>
                  <td className="meaning-cell">{gate.methods[mode]}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
    </div>
  );
});
