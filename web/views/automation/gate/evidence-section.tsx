import { useMemo } from "react";
import type { GateMode } from "../../../../src/core/names.js";
import type { CommunityEvaluation, GateEvaluation } from "../../../../src/measures/gate/gate-evaluation.js";
import { formatNumber } from "../../../../src/present/words/numbers.js";
import { VARIABLE_WORDS } from "../../../../src/present/words/words.js";
import { CohortName } from "../../../parts/links.tsx";
import { Shown } from "../../../parts/numbers/num.tsx";
import { type Column, DataTable } from "../../../parts/tables/data-table.tsx";
import { Term } from "../../../parts/text/term.tsx";

type Row = CommunityEvaluation & { at: string };

/** Every community in the three modes, with the evidence for each. */
export function EvidenceSection({ evaluation }: { evaluation: GateEvaluation }) {
  const { communities, delta, threads } = evaluation;
  const rows = useMemo(
    () => communities.map((one, i): Row => ({ ...one, at: `/gate/communities/${i}` })),
    [communities],
  );
  const columns = useMemo(() => columnsFor(evaluation), [evaluation]);
  if (communities.length === 0) return null;
  const level = formatNumber(1 - delta, "limit");
  return (
    <section aria-labelledby="evidence">
      <h2 id="evidence">How sure that is</h2>
      <DataTable
        id="evidence-table"
        caption="Every community in the three modes, the largest first"
        columns={columns}
        rows={rows}
        rowKey={(row) => row.community}
        sort="-n"
        first={15}
      />
      <p className="muted small">
        A certified pass says: {threads.claim} It rests on{" "}
        <Shown value={threads.threads} as="whole" mark="/gate/threads/threads" /> threads with{" "}
        <Shown value={threads.decisions} as="whole" mark="/gate/threads/decisions" /> decisions,{" "}
        <Shown value={threads.beyond_cap} as="percent" mark="/gate/threads/beyond_cap" /> of them beyond the cap.
        {threads.independence_assumed > 0
          ? " Communities without thread ids are certified on the assumption that their decisions are independent."
          : ""}
      </p>
      <p className="muted small">
        Bounds hold at every look at {level}, each for one community by itself. Breach: the probability that a limit is
        really broken, if the community is like the others of the fleet. p: at most how often a community that breaks a
        limit would look as good as this one; small is good. Adjusted p: the same with all communities tested together;
        at {formatNumber(delta, "probability")} or below it is certified.
      </p>
    </section>
  );
}

function columnsFor({ variable }: GateEvaluation): Column<Row>[] {
  const passes = (mode: GateMode, name: string): Column<Row> => ({
    key: mode,
    name,
    value: (row) => (row.passes[mode] ? 1 : 0),
    cell: (row) =>
      row.state === "insufficient" ? <span className="muted">few</span> : row.passes[mode] ? "pass" : "no",
  });
  const number = (
    key: string,
    name: string,
    field: (row: Row) => number | null,
    path: string,
    as: "whole" | "percent" | "probability",
    head?: Column<Row>["head"],
  ): Column<Row> => ({
    key,
    name,
    ...(head ? { head } : {}),
    align: "right",
    value: field,
    cell: (row) => <Shown value={field(row)} as={as} mark={`${row.at}/${path}`} />,
  });
  const open = variable === "ai" ? ("inverse_yes" as const) : ("inverse_yes_pure" as const);
  return [
    {
      key: "community",
      name: "Community",
      value: (row) => row.community,
      cell: (row) => <CohortName name={row.community} />,
    },
    number("n", "Verdicts", (row) => row.n, "n", "whole"),
    number("l3", "Level 3", (row) => row.indefensible, "indefensible", "whole"),
    number("open", "Opposite holds too", (row) => row[open], open, "whole"),
    passes("paper", "As seen"),
    passes("shrunk", "Shrunk"),
    passes("certified", "Certified"),
    number(
      "l3-upper",
      "Level 3 at most",
      (row) => row.certified.indefensible_upper,
      "certified/indefensible_upper",
      "percent",
    ),
    number(
      "ai-upper",
      `${VARIABLE_WORDS[variable].name} at most`,
      (row) => row.certified.ambiguity_upper,
      "certified/ambiguity_upper",
      "percent",
    ),
    number(
      "breach",
      "Breach",
      (row) => row.shrunk.f_c,
      "shrunk/f_c",
      "probability",
      <Term symbol="f_c, q">Breach</Term>,
    ),
    number("p", "p", (row) => row.certified.p, "certified/p", "probability", <Term symbol="p_c, δ">p</Term>),
    number("adjusted", "Adjusted p", (row) => row.certified.adjusted_p, "certified/adjusted_p", "probability"),
  ];
}
