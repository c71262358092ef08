import type { SelectionReport } from "../../../../src/measures/gate/gate-report.js";
import { Est } from "../../../parts/numbers/est.tsx";
import { Num } from "../../../parts/numbers/num.tsx";
import { PlainTable } from "../../../parts/tables/plain-table.tsx";
import { Prose } from "../../../parts/text/prose.tsx";
import { Term } from "../../../parts/text/term.tsx";
import { STORED } from "./use-stored-gate.ts";

const AT = `${STORED}/selection`;

/** How much automation by score would let through, and how well the score puts good decisions first. */
export function SelectionDetails({ selection }: { selection: SelectionReport }) {
  const { split, aurc, coverage_at_risk: covered } = selection;
  return (
    <>
      <p>
        <Num at={`${AT}/automated`} as="whole" /> of <Num at={`${AT}/rows_in_all`} as="whole" /> decisions in
        communities that pass reach their threshold. The thresholds rest on <Num at={`${AT}/rows`} as="whole" /> of them
        {split && (
          <>
            , which had no part in choosing the communities: <Num at={`${AT}/split/chosen`} as="whole" /> communities
            were chosen on the others, <Num at={`${AT}/split/withheld`} as="whole" /> pass on all decisions but not
            there and have no threshold
          </>
        )}
        .
      </p>
      {covered.length > 0 && (
        <PlainTable
          caption="Share of the decisions that could be automated at a given risk"
          heads={[
            { key: "risk", name: "Indefensible at most" },
            { key: "seen", name: "As seen", align: "right" },
            { key: "certified", name: "Certified", align: "right" },
          ]}
          rows={covered.map(({ risk, certified }, i) => ({
            key: String(risk),
            cells: [
              <Num key="risk" at={`${AT}/coverage_at_risk/${i}/risk`} as="limit" />,
              <Est key="seen" at={`${AT}/coverage_at_risk/${i}/empirical/coverage`} with="interval" />,
              certified.threshold === null ? (
                <span key="none" className="undefined">
                  no threshold
                </span>
              ) : (
                <Est key="certified" at={`${AT}/coverage_at_risk/${i}/certified/coverage`} with="interval" />
              ),
            ],
          }))}
        />
      )}
      {aurc.aurc !== null && (
        <p className="muted small">
          How well the score puts good decisions first: on average <Num at={`${AT}/aurc/aurc`} as="risk" /> indefensible
          among those automated, over all thresholds (<Term symbol="AURC, E-AURC">area under the curve</Term>;{" "}
          <Num at={`${AT}/aurc/best`} as="risk" /> for the best possible order,{" "}
          <Num at={`${AT}/aurc/random`} as="risk" /> for chance).
        </p>
      )}
      {selection.notes.map((note) => (
        <p key={note} className="muted small">
          <Prose text={note} />
        </p>
      ))}
    </>
  );
}
