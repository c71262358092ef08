import { plural } from "../../../../src/present/words/numbers.js";
import { pointerPart } from "../../../../src/present/words/sentence.js";
import { CohortName } from "../../../parts/links.tsx";
import { Num } from "../../../parts/numbers/num.tsx";
import { PlainTable } from "../../../parts/tables/plain-table.tsx";
import { UserText } from "../../../parts/text/written.tsx";
import { STORED, type StoredGate } from "./use-stored-gate.ts";

type Selective = NonNullable<StoredGate["selective"]>;

const MOST_ROWS = 20;

/** Least scores: of any decision, and of those that restrict and the others apart; of a community by itself, or of the rest together. */
export function ThresholdTable({ selective }: { selective: Selective }) {
  const at = `${STORED}/selective`;
  const parts = [
    { key: "any", name: "Any decision", at, set: selective },
    ...(selective.by_decision
      ? (["restricting", "other"] as const).map((key) => ({
          key,
          name: key === "restricting" ? "Decisions that restrict" : "Other decisions",
          at: `${at}/by_decision/${key}`,
          set: selective.by_decision![key],
        }))
      : []),
  ];
  const own = new Set(
    parts.flatMap(({ set }) =>
      Object.entries(set.by_community).flatMap(([community, threshold]) => (threshold === null ? [] : [community])),
    ),
  );
  const shown = [...own].sort().slice(0, MOST_ROWS);
  const withheld = new Set(parts.flatMap(({ set }) => set.withheld ?? []));
  const reasons = new Set(parts.flatMap(({ set }) => (set.reason ? [set.reason] : [])));
  return (
    <>
      <PlainTable
        caption="Least score of an automated decision; – where there is no threshold by itself"
        heads={[
          { key: "who", name: "Communities" },
          ...parts.map(({ key, name }) => ({ key, name, align: "right" as const })),
        ]}
        rows={[
          {
            key: "together",
            cells: [
              own.size > 0 ? "the others together" : "all together",
              ...parts.map((part) => <Num key={part.key} at={`${part.at}/threshold`} as="fine" />),
            ],
          },
          ...shown.map((community) => ({
            key: `of ${community}`,
            cells: [
              <CohortName key="who" name={community} />,
              ...parts.map((part) => (
                <Num key={part.key} at={`${part.at}/by_community/${pointerPart(community)}`} as="fine" />
              )),
            ],
          })),
        ]}
      />
      <p className="muted small">
        {own.size > shown.length && `${plural(own.size - shown.length, "community", "communities")} more have one. `}
        {withheld.size > 0 &&
          `${plural(withheld.size, "community passes", "communities pass")} on all decisions, but not on the part by which communities are chosen for thresholds: no threshold was certified there, for some or all decisions, and these go to review. `}
        {[...reasons].map((reason) => (
          <span key={reason}>
            No threshold: <UserText text={reason} max={200} />.{" "}
          </span>
        ))}
      </p>
    </>
  );
}
