import type { ExperimentKind } from "../../../src/core/names.js";
import { useExperiment } from "../../data/use-experiment.ts";
import { KeptFigure, NoExperiment, Provenance } from "../../parts/experiment.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { Remarks } from "../../parts/remarks.tsx";
import { Section } from "../../parts/section.tsx";
import { routeHash } from "../../route/route.ts";
import { useRoute } from "../../route/use-route.ts";
import { type ExperimentPage, PAGES } from "./pages.ts";

/** What else the workspace has tried: each with its finding and its first figure, and a page of its own. */
export function ExperimentsView() {
  const [about] = useRoute().about;
  if (about === undefined) return <Overview />;
  const page = PAGES.find(({ kind }) => kind === about);
  return (
    <div className="view">
      {page ? (
        <Whole page={page} />
      ) : (
        <>
          <h1>Other experiments</h1>
          <Nothing why={`There is no experiment called "${about}" here.`} />
        </>
      )}
    </div>
  );
}

function Overview() {
  return (
    <div className="view">
      <h1>Other experiments</h1>
      <p className="lead">
        Six questions about the numbers themselves: what agreement hides, which signal tells, whether opposites hold,
        whether the auditor only confirms itself, whether the instruments find a known truth, and what the paper
        printed.
      </p>
      {PAGES.map((page) => (
        <Section key={page.kind} id={page.kind} title={page.title}>
          <Short page={page} />
        </Section>
      ))}
    </div>
  );
}

function Short({ page }: { page: ExperimentPage }) {
  const kept = useExperiment(page.kind);
  if (!kept) return <NoExperiment kind={page.kind as ExperimentKind} tells={page.tells} />;
  return (
    <>
      <page.Lead />
      {page.figure && <KeptFigure of={kept.result} id={page.figure} />}
      {page.Glance && <page.Glance />}
      <p>
        <a href={routeHash("experiments", [page.kind])}>{page.more}</a>
      </p>
    </>
  );
}

function Whole({ page }: { page: ExperimentPage }) {
  const kept = useExperiment(page.kind);
  return (
    <>
      <p className="back">
        <a href={routeHash("experiments")}>Other experiments</a>
      </p>
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
    </>
  );
}
