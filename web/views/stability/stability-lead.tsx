import type { Stability } from "../../../src/experiments/stability/result.js";
import type { Kept } from "../../data/use-experiment.ts";
import { EstInText } from "../../parts/numbers/est.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { Term } from "../../parts/text/term.tsx";

/** What was found, in two sentences. */
export function StabilityLead(kept: Kept<Stability>) {
  const [first] = kept.result.temperatures;
  if (!first) return <p className="lead">No case was audited often enough to say anything.</p>;
  return (
    <p className="lead">
      {kept.result.settings.mode === "sequential" ? <Settled {...kept} /> : <AsTheyAre {...kept} />}{" "}
      <Governance {...kept} />
    </p>
  );
}

const temperatureOf = ({ temperatures: [first] }: Stability) =>
  first?.temperature == null ? "" : ` at temperature ${first.temperature}`;

/** States are told only where the replicates have settled them. */
function Settled({ result, at }: Kept<Stability>) {
  const { boundaries } = result.temperatures[0]!;
  const zones = `${at}/temperatures/0/boundaries`;
  return (
    <>
      Asked again and again{temperatureOf(result)}, the auditor is shown to change sides between defensible and not on{" "}
      <Num at={`${zones}/boundary_unstable`} as="whole" /> of <Num at={`${at}/temperatures/0/cases`} as="whole" /> cases
      (level 3 in more than 10 % and less than 90 % of its answers), and to stay with its verdict on{" "}
      <Num at={`${zones}/stably_defensible`} as="whole" /> defensible and{" "}
      <Num at={`${zones}/stably_indefensible`} as="whole" /> indefensible ones
      {(boundaries.undetermined ?? 0) > 0 && (
        <>
          . Of the other <Num at={`${zones}/undetermined`} as="whole" /> it is not known yet
        </>
      )}
      .
    </>
  );
}

/** States by the shares as they are, as in the paper. */
function AsTheyAre({ result, at }: Kept<Stability>) {
  const { boundary_flip_rate } = result.temperatures[0]!;
  const rate = `${at}/temperatures/0/boundary_flip_rate/all`;
  if (boundary_flip_rate.all.estimate === null) {
    return (
      <>
        On how many cases it changes sides cannot be said: {boundary_flip_rate.all.reason}. With few repetitions every
        case seems stable.
      </>
    );
  }
  return (
    <>
      Asked again and again{temperatureOf(result)}, the auditor changes sides between defensible and not on{" "}
      <EstInText at={rate} counts /> of the cases: level 3 in more than 10 % and less than 90 % of their audits.
    </>
  );
}

/** Governance ambiguity against sampling noise. */
function Governance({ result, at }: Kept<Stability>) {
  const place = result.decomposition.findIndex(({ of }) => of === "p_defensible");
  const { components } = result.decomposition[place] ?? { components: [] };
  const share = (source: string) => components.findIndex((one) => one.source === source);
  const [ofCases, ofTraces] = [share("case"), share("trace")];
  if (ofCases < 0 || ofTraces < 0) return null;
  const from = `${at}/decomposition/${place}/components`;
  return (
    <>
      Of the variance of <Term symbol="p_defensible">P(defensible)</Term>, <EstInText at={`${from}/${ofCases}/share`} />{" "}
      lies between cases, which is what the case and its rules decide; <EstInText at={`${from}/${ofTraces}/share`} />{" "}
      lies between repetitions of one question, which is sampling noise.
    </>
  );
}
