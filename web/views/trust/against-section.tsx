import { labelNotes } from "../../../src/measures/metrics/label-sample.js";
import { againstWords } from "../../../src/present/words/outcome-words.js";
import { valueAt } from "../../../src/present/words/sentence.js";
import { usePage } from "../../data/page-context.ts";
import { EstimateTable } from "../../parts/numbers/estimate-tables.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { ScrollFrame } from "../../parts/tables/plain-table.tsx";
import { Term } from "../../parts/text/term.tsx";
import { UserText } from "../../parts/text/written.tsx";

/** What reports of earlier versions do not have. */
const INDICES = [
  { key: "di", name: "Defensibility Index by that judgement", at: "/report/against/defensibility_index" },
  { key: "ai", name: "Ambiguity Index by that judgement", at: "/report/against/ambiguity_index" },
  {
    key: "errors",
    name: "Confirmed: disagreements that the auditor calls defensible",
    at: "/report/against/confirmed/disagreements_defensible",
  },
  {
    key: "successes",
    name: "Confirmed: agreements that the auditor calls indefensible",
    at: "/report/against/confirmed/agreed_indefensible",
  },
];

/** The auditor measured against gold, people or another run. */
export function AgainstSection() {
  const page = usePage();
  const { against } = page.report;
  if (!against) return null;
  const { title, by } = againstWords(against.target);
  return (
    <section aria-labelledby="against">
      <h2 id="against">
        The auditor against <UserText text={title} max={40} />
      </h2>
      {against.n === 0 ? (
        <p className="nothing">
          No verdict has a judgement by <UserText text={by} max={40} />.
        </p>
      ) : (
        <>
          {against.sample && (
            <ul className="remarks" aria-label="How the labels were drawn">
              {labelNotes(against.sample, "defensible report --against human").map((text) => (
                <li key={text}>
                  <UserText text={text} max={400} />
                </li>
              ))}
            </ul>
          )}
          <p>
            The auditor finds the level by <UserText text={by} max={40} /> in{" "}
            <Num at="/report/against/level_accuracy/k" as="whole" /> of <Num at="/report/against/n" as="whole" />{" "}
            decisions, and the same answer to the inverse check in{" "}
            <Num at="/report/against/inverse_accuracy/k" as="whole" /> of{" "}
            <Num at="/report/against/n_inverse" as="whole" />. κ corrects both for chance.
          </p>
          <div className="columns">
            <Matrix field="levels" head={["Level 1", "Level 2", "Level 3"]} what="Level" />
            <Matrix field="inverse" head={["Yes", "No"]} what="Could the opposite be derived" />
          </div>
          <EstimateTable
            id="against-numbers"
            caption="How often, and how far beyond chance, they agree"
            rows={[
              ...INDICES.filter(({ at }) => valueAt(page, at) !== undefined),
              { key: "accuracy", name: "Same level", at: "/report/against/level_accuracy" },
              {
                key: "balanced",
                name: <Term symbol="balanced accuracy">Same level, each level counting alike (chance: 33 %)</Term>,
                at: "/report/against/level_balanced_accuracy",
              },
              {
                key: "kappa",
                name: <Term symbol="κ (Cohen)">Beyond chance, levels (Cohen's κ)</Term>,
                at: "/report/against/level_kappa",
                as: "decimal",
              },
              {
                key: "auroc",
                name: <Term symbol="AUROC">Telling level 3 apart (AUROC of 1 − P(defensible), chance: 0.50)</Term>,
                at: "/report/against/level3_auroc",
                as: "decimal",
              },
              { key: "inverse", name: "Same inverse check", at: "/report/against/inverse_accuracy" },
              {
                key: "inverse-kappa",
                name: "Beyond chance, inverse check (Cohen's κ)",
                at: "/report/against/inverse_kappa",
                as: "decimal",
              },
            ]}
          />
        </>
      )}
    </section>
  );
}

function Matrix({ field, head, what }: { field: "levels" | "inverse"; head: readonly string[]; what: string }) {
  const { against } = usePage().report;
  return (
    <ScrollFrame label={`${what}: table of both judgements`}>
      <table className="matrix">
        <caption>
          {what}: rows by <UserText text={againstWords(against!.target).by} max={40} />, columns by the auditor
        </caption>
        <thead>
          <tr>
            <td />
            {head.map((name) => (
              <th key={name} scope="col" className="right">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {head.map((name, row) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {head.map((column, place) => (
                <td key={column} className={row === place ? "right same" : "right"}>
                  <Num at={`/report/against/${field}/${row}/${place}`} as="whole" />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}
