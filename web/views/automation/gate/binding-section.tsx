import type { GateEvaluation } from "../../../../src/measures/gate/gate-evaluation.js";
import { percent, plural, whole } from "../../../../src/present/words/numbers.js";
import { VARIABLE_WORDS } from "../../../../src/present/words/words.js";
import { Shown } from "../../../parts/numbers/num.tsx";
import { PlainTable } from "../../../parts/tables/plain-table.tsx";
import { Term } from "../../../parts/text/term.tsx";

/** Which limit blocks communities, and how much of that is arithmetic. */
export function BindingSection({ evaluation }: { evaluation: GateEvaluation }) {
  const { binding: analysis, fleet, variable, communities, thresholds } = evaluation;
  if (fleet.counts.eligible_communities === 0) return null;
  const ambiguity = VARIABLE_WORDS[variable].name.toLowerCase();
  const few = communities.filter((one) => one.state === "insufficient");
  const rows = [
    ["di", "defensibility alone"],
    ["ai", `${ambiguity} alone`],
    ["both", "both"],
  ] as const;
  return (
    <section aria-labelledby="binding">
      <h2 id="binding">
        Which <Term symbol="binding constraint">limit</Term> blocks communities
      </h2>
      <p>
        {analysis.binding === null
          ? "Neither limit alone blocks more decisions than the other."
          : `The limit that matters is ${analysis.binding === "di" ? "defensibility" : ambiguity}: without it more decisions would pass than without the other.`}{" "}
        <Mechanical evaluation={evaluation} /> <Degenerate evaluation={evaluation} />
      </p>
      <PlainTable
        caption="Communities blocked by each limit, by the observed rates"
        heads={[
          { key: "by", name: "Blocked by" },
          { key: "communities", name: "Communities", align: "right" },
          { key: "decisions", name: "Decisions", align: "right" },
          { key: "indefensible", name: "Indefensible", align: "right" },
        ]}
        rows={[
          ...rows.map(([key, name]) => ({
            key,
            cells: [
              name,
              ...(["communities", "decisions", "indefensible"] as const).map((field) => (
                <Shown
                  key={field}
                  value={analysis.excluded[key][field]}
                  as="whole"
                  mark={`/gate/binding/excluded/${key}/${field}`}
                />
              )),
            ],
          })),
          {
            key: "few",
            cells: [
              `fewer than ${whole(thresholds.min_decisions)} decisions`,
              <Shown key="communities" value={few.length} as="whole" />,
              <Shown key="decisions" value={few.reduce((sum, one) => sum + one.n, 0)} as="whole" />,
              <Shown key="indefensible" value={few.reduce((sum, one) => sum + one.indefensible, 0)} as="whole" />,
            ],
          },
        ]}
      />
    </section>
  );
}

/** AI counts level-3 verdicts whose opposite holds, so the two limits are tied by arithmetic. */
function Mechanical({ evaluation: { binding, variable, thresholds } }: { evaluation: GateEvaluation }) {
  const { mechanical } = binding;
  if (variable !== "ai" || mechanical.contradiction_share === null) return null;
  const at = "/gate/binding/mechanical";
  const exceed = mechanical.contradictions_exceed_limit.communities;
  return (
    <>
      <Shown value={mechanical.contradictions} as="whole" mark={`${at}/contradictions`} /> of{" "}
      <Shown value={mechanical.indefensible} as="whole" mark={`${at}/indefensible`} /> indefensible decisions (
      <Shown value={mechanical.contradiction_share} mark={`${at}/contradiction_share`} />) also count as ambiguous,
      because their opposite holds
      {mechanical.implied_di !== null && (
        <>
          {"; "}by that alone, ambiguity of at most {percent(thresholds.ai, 0)} asks for a defensibility of at least{" "}
          <Shown value={mechanical.implied_di} mark={`${at}/implied_di`} />
        </>
      )}
      .
      {exceed > 0 && (
        <>
          {" "}
          In <Shown value={exceed} as="whole" mark={`${at}/contradictions_exceed_limit/communities`} />{" "}
          {exceed === 1 ? "community" : "communities"} they alone exceed the limit: that is wrong decisions, not unclear
          rules; pure ambiguity leaves them out.
        </>
      )}
    </>
  );
}

/** In the paper two of the four settings admit the same. The mode that counts may see it otherwise than the rates do. */
function Degenerate({ evaluation }: { evaluation: GateEvaluation }) {
  const { same, between } = evaluation.binding.moderate_is_standard;
  const seen = same ? (
    <>By the observed rates Moderate (85 %) and Standard (90 %) admit the same, as in the paper</>
  ) : (
    <>
      By the observed rates, {plural(between.communities, "community", "communities")} that ambiguity does not block{" "}
      {between.communities === 1 ? "lies" : "lie"} between Moderate (85 %) and Standard (90 %)
    </>
  );
  const moderate = evaluation.scenarios.find((row) => row.name === "Moderate");
  const standard = evaluation.scenarios.find((row) => row.name === "Standard");
  if (evaluation.mode === "paper" || !moderate || !standard) return <>{seen}.</>;
  const alike =
    moderate.passing === standard.passing &&
    moderate.counts.automated_decisions === standard.counts.automated_decisions;
  return (
    <>
      {seen}
      {"; "}
      in mode {evaluation.mode}{" "}
      {alike
        ? `both admit ${standard.passing}`
        : `Moderate admits ${moderate.passing} and Standard ${standard.passing}`}
      .
    </>
  );
}
