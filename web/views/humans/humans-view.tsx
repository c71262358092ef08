import type { Estimate } from "../../../src/core/estimate.js";
import type { Humans } from "../../../src/experiments/humans/result.js";
import { wideInterval } from "../../../src/present/words/numbers.js";
import { isOfCohort } from "../../../src/present/words/word-table.js";
import { usePage } from "../../data/page-context.ts";
import { useExperiment } from "../../data/use-experiment.ts";
import { KeptFigure, NoExperiment, Provenance } from "../../parts/experiment.tsx";
import { Est } from "../../parts/numbers/est.tsx";
import { EstimateTable } from "../../parts/numbers/estimate-tables.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { Remarks, Section } from "../../parts/text/prose.tsx";
import { CorrelationTable } from "./correlation-table.tsx";
import { HumansLead } from "./humans-lead.tsx";
import { Moderators } from "./moderators.tsx";

/** People: their ratings against the auditor's, and their own decisions by the same measure. */
export function HumansView() {
  const kept = useExperiment("humans");
  const { report } = usePage();
  const { humans } = report;
  if (!kept) {
    return (
      <div className="view">
        <h1>People</h1>
        <p className="lead">
          {humans && (
            <>
              By the same measure <Est at="/report/humans/human_defensibility_index" with="value" /> of what human
              moderators decided and <Est at="/report/humans/model_defensibility_index" with="value" /> of what the
              decider decided can be derived from the rules
              {isByChance(humans.difference) && ", a difference that chance alone could explain"}.{" "}
            </>
          )}
          {isOfCohort(report)
            ? "What people's ratings say is about whole runs, so the auditor is not held against people in this report on one cohort."
            : "No person has rated these decisions for this report, so the auditor is not held against people here."}
        </p>
        {humans && <Moderators />}
        <NoExperiment
          kind="humans"
          tells="Draw a sheet of cases, have people rate them without seeing the verdicts, and bring the ratings back with `defensible humans import` and `defensible humans report`."
          command="defensible humans sample --out sheet"
        />
        {!humans && <Moderators />}
      </div>
    );
  }
  const { result, at } = kept;
  return (
    <div className="view">
      <h1>People</h1>
      <HumansLead {...kept} />
      <Remarks of={result.warnings} />
      <Section id="ratings" title="Ratings against the auditor's score">
        <KeptFigure of={result} id="ratings-against-pds" />
        <CorrelationTable {...kept} />
      </Section>
      <Section id="reliability" title={`How far the ${raters(result)} agree among themselves`}>
        <EstimateTable
          id="rater-reliability"
          caption="Agreement of raters; cases drawn with replacement"
          rows={[
            {
              key: "alpha",
              name: "Krippendorff's α, levels (ordinal)",
              at: `${at}/reliability/krippendorff_level`,
              as: "decimal",
            },
            {
              key: "inverse",
              name: "Krippendorff's α, inverse (nominal)",
              at: `${at}/reliability/krippendorff_inverse`,
              as: "decimal",
            },
            { key: "single", name: "ICC(2,1): one rater", at: `${at}/reliability/icc_single`, as: "decimal" },
            {
              key: "average",
              name: "ICC(2,k): the mean of a case's raters",
              at: `${at}/reliability/icc_average`,
              as: "decimal",
            },
          ]}
        />
      </Section>
      <Section id="agreement" title={`The auditor against what most ${raters(result)} said`}>
        <EstimateTable
          id="rater-agreement"
          caption="Shares of the rated cases"
          rows={[
            { key: "level", name: "Same level", at: `${at}/agreement/level` },
            { key: "side", name: "Same side: defensible or not", at: `${at}/agreement/defensible` },
            ...(result.agreement.weighted
              ? [
                  {
                    key: "weighted",
                    name: "The same, for the whole run that the sheet was drawn from",
                    at: `${at}/agreement/weighted/defensible`,
                  },
                ]
              : []),
            {
              key: "inverse",
              name: "Same answer to whether the opposite can be derived",
              at: `${at}/agreement/inverse`,
            },
            { key: "kappa", name: "Cohen's κ of levels", at: `${at}/agreement/kappa_level`, as: "decimal" as const },
            { key: "di-raters", name: "Defensible, say the raters", at: `${at}/indices/defensible_by_raters` },
            { key: "di-auditor", name: "Defensible, says the auditor", at: `${at}/indices/defensible_by_auditor` },
            { key: "ai-raters", name: "Opposite derivable, say the raters", at: `${at}/indices/inverse_by_raters` },
            { key: "ai-auditor", name: "Opposite derivable, says the auditor", at: `${at}/indices/inverse_by_auditor` },
          ]}
        />
        <Power result={result} at={at} />
        <Provenance of={result} />
      </Section>
      <Moderators />
    </div>
  );
}

function isByChance(difference: Estimate): boolean {
  const interval = wideInterval(difference);
  return interval !== null && interval.lower <= 0 && interval.upper >= 0;
}

/** Raters that a simulation made are never called people. */
function raters(humans: Humans): string {
  return "simulated_raters" in humans ? "simulated raters" : "raters";
}

function Power({ result, at }: { result: Humans; at: string }) {
  return (
    <p>
      What <Num at={`${at}/power/cases`} as="whole" /> cases can show:{" "}
      {result.power.detectable === null ? (
        "nothing, they are too few"
      ) : (
        <>
          a correlation of at least <Num at={`${at}/power/detectable`} as="decimal" /> (power 0.8, 5 %)
        </>
      )}
      ; for 0.3 it takes <Num at={`${at}/power/needed_for_0_3`} as="whole" /> cases. More raters make each case's mean
      surer, not the cases more.
    </p>
  );
}
