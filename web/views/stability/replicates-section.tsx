import type { Stability } from "../../../src/experiments/stability/result.js";
import { identicalReplicates } from "../../../src/measures/stability/allocate.js";
import type { Kept } from "../../data/use-experiment.ts";
import { Counted, Num, Shown } from "../../parts/numbers/num.tsx";
import { Section } from "../../parts/text/prose.tsx";

const cellsOf = ({ sequential }: Stability) =>
  (["labels", "probabilities"] as const).filter((kind) => (sequential[kind]?.cells ?? 0) > 0);

/** Without cells there is no such section. */
export const hasReplicates = (result: Stability) => cellsOf(result).length > 0;

/** What stopping early saves, and what it takes to settle a case. */
export function ReplicatesSection({ result, at }: Kept<Stability>) {
  const { settings } = result;
  const kinds = cellsOf(result);
  const [used] = kinds.includes(settings.evidence) ? [settings.evidence] : kinds;
  if (!used) return null;
  const from = `${at}/sequential/${used}`;
  return (
    <Section id="replicates" title="How many replicates it takes">
      <p>
        <Counted at={`${from}/replicates`} one="replicate was" many="replicates were" /> asked for in{" "}
        <Counted at={`${from}/cells`} one="cell" /> (a case under a condition)
        {settings.mode === "sequential" ? (
          <>
            : <Num at={`${from}/saved_against_cap`} /> fewer than the <Num at={`${at}/settings/cap`} as="whole" />{" "}
            allowed for each, <Num at={`${from}/saved_against_paper`} /> fewer than the paper's 1,000.
          </>
        ) : (
          ", a fixed number for each."
        )}
      </p>
      {kinds.map((kind) => (
        <AtBest key={kind} kind={kind} at={at} result={result} />
      ))}
      <p>
        At α = {settings.alpha} it takes{" "}
        <Shown value={identicalReplicates(settings.alpha, "boundary")} as="whole" mark="/stability/identical" /> audits
        with the same level to settle that a case is stable; fewer settle none. What is settled is wrong with
        probability at most {settings.alpha} for each case, however often one looked.
      </p>
    </Section>
  );
}

function AtBest({ kind, at: root, result }: Kept<Stability> & { kind: "labels" | "probabilities" }) {
  const { stop } = result.settings;
  const at = `${root}/sequential/${kind}`;
  const saved = result.sequential[kind]!.at_best.saved_against_paper !== null;
  return (
    <p>
      Counting {kind === "labels" ? "levels" : "probabilities instead (Rao–Blackwell)"},{" "}
      {stop === "boundary" ? "the boundary state is" : "boundary state and class are"} settled in{" "}
      <Num at={`${at}/settled`} as="whole" /> of <Counted at={`${at}/cells`} one="cell" />. Stopping at the very
      replicate that settles it, or at <Num at={`${root}/settings/cap`} as="whole" />, takes{" "}
      <Num at={`${at}/at_best/replicates`} as="whole" /> replicates
      {saved && (
        <>
          , <Num at={`${at}/at_best/saved_against_paper`} /> fewer than 1,000 each
        </>
      )}
      .
    </p>
  );
}
