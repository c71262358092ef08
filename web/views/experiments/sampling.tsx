import type { SamplingComparison, SignalExperiment } from "../../../src/experiments/signal/result.js";
import { printable } from "../../../src/text/printable.js";
import { KeptFigure } from "../../parts/experiment.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { Est } from "../../parts/numbers/est.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { PlainTable } from "../../parts/tables/plain-table.tsx";
import { Section } from "../../parts/text/prose.tsx";

/** Probabilities of one pass against frequencies of samples. */
export function SamplingSection({ result, at }: { result: SignalExperiment; at: string }) {
  const { sampling } = result;
  return (
    <Section id="sampling" title="One pass with probabilities against repeated answers">
      {sampling.available ? (
        <>
          <KeptFigure of={result} id="samples-that-match" />
          {sampling.comparisons.map((one, i) => (
            <Comparison key={one.name} of={one} at={`${at}/sampling/comparisons/${i}`} />
          ))}
          <p className="small muted">
            Errors are against how often level 3 comes in repetitions that estimate nothing else. One pass sees only its
            own trace: probabilities at its end cannot say what another trace would have concluded.
          </p>
        </>
      ) : (
        <Nothing
          why={`Not available: ${printable(sampling.reason, 300)}.`}
          command="defensible audit --replicates 20 && defensible experiment signal"
        />
      )}
    </Section>
  );
}

function Comparison({ of, at }: { of: SamplingComparison; at: string }) {
  const rows = [
    { key: "raw", name: "One pass, p(L3) as read", mse: "logprob/raw_mse", auroc: null },
    {
      key: "tempered",
      name: `One pass, p(L3) at T = ${of.temperature ?? "?"}`,
      mse: "logprob/tempered_mse",
      auroc: "logprob/auroc",
    },
    ...of.frequency.map(({ samples }, i) => ({
      key: String(samples),
      name: `${samples} ${samples === 1 ? "answer" : "answers"}`,
      mse: `frequency/${i}/mse`,
      auroc: `frequency/${i}/auroc`,
    })),
  ];
  return (
    <>
      <p>
        {of.samples_that_match === null ? (
          `${printable(of.name, 60)}: ${of.reason ?? "nothing to compare"}.`
        ) : (
          <>
            {printable(of.name, 60)}: <Num at={`${at}/samples_that_match`} as="whole" />{" "}
            {of.samples_that_match === 1 ? "answer estimates" : "answers estimate"} how often level 3 is drawn at least
            as well as one pass with probabilities, over <Num at={`${at}/decisions`} as="whole" /> decisions.
          </>
        )}{" "}
        {of.equivalent_samples !== null && (
          <>
            One pass is worth <Num at={`${at}/equivalent_samples`} as="decimal" /> answers.
          </>
        )}
      </p>
      <PlainTable
        caption="Estimates of how often level 3 is drawn"
        heads={[
          { key: "by", name: "By" },
          { key: "mse", name: "Mean squared error", align: "right" },
          { key: "auroc", name: "AUROC", align: "right" },
        ]}
        rows={rows.map(({ key, name, mse, auroc }) => ({
          key,
          cells: [
            name,
            <Est key="mse" at={`${at}/${mse}`} as="fine" with="interval" />,
            auroc && <Est key="auroc" at={`${at}/${auroc}`} as="decimal" with="interval" />,
          ],
        }))}
      />
    </>
  );
}
