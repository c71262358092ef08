import type { ArmStep } from "../../../src/core/results/paired-change.js";
import { tierText } from "../../../src/present/words/rule-texts.js";
import { EstInText } from "../../parts/numbers/est.tsx";
import { Counted, Num } from "../../parts/numbers/num.tsx";

/** What moved from one text to the next, in words. */
export function TransitionNotes({ steps, at }: { steps: readonly ArmStep[]; at: string }) {
  return (
    <ul className="readings">
      {steps.map(({ from, to }, i) => {
        const place = `${at}/${i}/transitions`;
        return (
          <li key={`${from} ${to}`}>
            From {tierText(from)} to {tierText(to)}: <Counted at={`${place}/l2_to_l1/n`} one="decision" /> went from
            plausibly to robustly defensible, <Num at={`${place}/l1_to_l2/n`} as="whole" /> back;{" "}
            <EstInText at={`${place}/changed`} counts /> of the decisions changed level at all (
            <Num at={`${place}/less_severe`} as="whole" /> for the better,{" "}
            <Num at={`${place}/more_severe`} as="whole" /> for the worse).
          </li>
        );
      })}
    </ul>
  );
}
