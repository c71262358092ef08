import type { ExperimentKind } from "../../../src/core/names.js";
import { useExperiment } from "../../data/use-experiment.ts";
import { NoExperiment, Provenance } from "../../parts/experiment.tsx";
import { Remarks } from "../../parts/text/prose.tsx";
import { useRoute } from "../../route/use-route.ts";
import { PAGES } from "./pages.ts";

/** One experiment: the second part of the address names it. */
export function ExperimentView() {
  const [about] = useRoute().about;
  const page = PAGES.find(({ kind }) => kind === about)!;
  const kept = useExperiment(page.kind);
  return (
    <div className="view">
      <h1>{page.title}</h1>
      {kept ? (
        <>
          <page.Lead className="lead" />
          <Remarks of={kept.result.warnings} />
          <page.Body />
          <Provenance of={kept.result} />
        </>
      ) : (
        <NoExperiment kind={page.kind as ExperimentKind} tells={page.tells} />
      )}
    </div>
  );
}
