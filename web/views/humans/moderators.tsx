import { usePage } from "../../data/page-context.ts";
import { Nothing } from "../../parts/nothing.tsx";
import { EstimateTable } from "../../parts/numbers/estimate-tables.tsx";
import { Section } from "../../parts/text/prose.tsx";

/** Decider and human moderators by the same measure, where people's decisions were audited too. */
export function Moderators() {
  const { humans } = usePage().report;
  return (
    <Section id="moderators" title="Decider and people by the same measure">
      {humans ? (
        <>
          <EstimateTable
            id="moderators-table"
            caption="Defensibility Index on the same labelled decisions"
            rows={[
              { key: "model", name: "The decider", at: "/report/humans/model_defensibility_index" },
              { key: "human", name: "People", at: "/report/humans/human_defensibility_index" },
              {
                key: "difference",
                name: "Difference, decider − moderators",
                at: "/report/humans/difference",
                as: "points",
              },
            ]}
          />
          <p className="small muted">
            Where the two differ, the person's decision was audited as well. The auditor does not know whose decision it
            reads.
          </p>
        </>
      ) : (
        <Nothing why="People's own decisions were not audited in this run." command="defensible audit --humans" />
      )}
    </Section>
  );
}
