import { DROP_CAVEAT, FLIP_WARNING_WORDS } from "../../../src/present/words/outcome-words.js";
import { usePage } from "../../data/page-context.ts";
import { EstimateTable } from "../../parts/numbers/estimate-tables.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { Term } from "../../parts/text/term.tsx";

const AT = "/report/flip_control";

/** Whether the auditor notices that a decision was inverted. */
export function FlipSection() {
  const flip = usePage().report.flip_control;
  if (!flip || flip.n === 0) return null;
  return (
    <section aria-labelledby="flip-control">
      <h2 id="flip-control">Does the auditor notice an inverted decision?</h2>
      <p>
        <Num at={`${AT}/n`} as="whole" /> decisions were also audited with the opposite action.{" "}
        {flip.warnings.map((warning) => FLIP_WARNING_WORDS[warning]).join(" ")}
      </p>
      <EstimateTable
        id="flip-numbers"
        caption="Decisions and their opposites"
        rows={[
          { key: "own", name: "Defensible as decided", at: `${AT}/defensibility_index` },
          { key: "opposite", name: "Defensible when inverted", at: `${AT}/opposite_defensibility_index` },
          { key: "drop", name: <Term symbol="drop">Drop</Term>, at: `${AT}/drop`, as: "points" },
          { key: "apart", name: <Term symbol="told apart">Told apart</Term>, at: `${AT}/told_apart` },
          {
            key: "contradiction",
            name: <Term symbol="self-contradiction">Contradicts itself</Term>,
            at: `${AT}/self_contradiction`,
          },
        ]}
      />
      <p className="muted small">{DROP_CAVEAT}</p>
    </section>
  );
}

/** The warnings alone, where a decision rests on the index. */
export function FlipWarnings() {
  const warnings = usePage().report.flip_control?.warnings ?? [];
  if (warnings.length === 0) return null;
  return <p className="note">{warnings.map((warning) => FLIP_WARNING_WORDS[warning]).join(" ")}</p>;
}
