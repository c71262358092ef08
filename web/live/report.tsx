import { Fragment, type ReactNode, useMemo } from "react";
import { isArmsOnly } from "../../src/core/names.js";
import type { Manifest } from "../../src/core/records/manifest.js";
import type { PageDecision, PagePrecedent, ReportPage } from "../../src/measures/report-page.js";
import { realisedSection } from "../../src/present/report/trust-document.js";
import { plural } from "../../src/present/words/numbers.js";
import { PageContext, usePage } from "../data/page-context.ts";
import { DocumentSections } from "../parts/document.tsx";
import { dateText } from "../parts/text/words.ts";
import { useRoute } from "../route/use-route.ts";
import { VIEWS } from "../views/views.ts";
import { DecisionsView } from "./decisions.tsx";
import { RawGate } from "./gates/raw-gate.tsx";
import { Empty, Head, Missing } from "./parts.tsx";
import { useMe } from "./person.ts";
import { useFetched } from "./use-fetched.ts";
import { ago } from "./words.ts";

interface FetchedPage {
  mark: string;
  made_at: string;
  listed: number;
  page: ReportPage;
}

/** The page's data from the server instead of the file. Views fetch single decisions themselves. */
function FetchedPage({ children, what }: { children: ReactNode; what: string }) {
  const { scopes } = useMe();
  const { data, failed } = useFetched<FetchedPage>("/v1/page", 15_000);
  if (!data) {
    if (failed?.code === "no_page")
      return <Empty title="The report is being made.">It appears here within a minute of the first audits.</Empty>;
    return <Missing failed={failed} what={what} />;
  }
  return (
    <PageContext value={data.page}>
      {children}
      <p className="muted small live-made">
        Computed {ago(data.made_at)}; again each minute while something changes.{" "}
        {scopes.includes("content:read") && (
          <>
            <a href="/v1/report">Download as one file</a>
            <EarlierRuns now={data.page.report.run.run_id} />
          </>
        )}
      </p>
    </PageContext>
  );
}

/** Earlier runs linked. */
const EARLIER = 5;
/** Includes runs of experiments, which have no report. */
const ASKED = 20;

/** The live report is that of the newest run; earlier runs have their own pages. */
function EarlierRuns({ now }: { now: string | null }) {
  const { data } = useFetched<{ items: Pick<Manifest, "run_id" | "created_at" | "counts" | "experiment">[] }>(
    `/v1/runs?limit=${ASKED}`,
  );
  const earlier =
    data?.items.filter(({ run_id, experiment }) => run_id !== now && !isArmsOnly(experiment)).slice(0, EARLIER) ?? [];
  if (earlier.length === 0) return null;
  return (
    <>
      {" · "}Earlier runs:{" "}
      {earlier.map(({ run_id, created_at, counts }, i) => (
        <Fragment key={run_id}>
          {i > 0 ? ", " : null}
          <a href={`/v1/runs/${encodeURIComponent(run_id)}/report`}>{dateText(created_at)}</a> (
          {plural(counts.verdicts, "audit")})
        </Fragment>
      ))}
    </>
  );
}

export function ReportView() {
  const { view, about, query } = useRoute();
  const { workspace } = useMe();
  const entry = VIEWS.find(({ id }) => id === view)!;
  if (view === "review" && about[0] === undefined) {
    return (
      <FetchedPage what="the report">
        <DecisionsView />
      </FetchedPage>
    );
  }
  return (
    <FetchedPage what="the report">
      {about.length === 0 && (view === "overview" || view === "automation") && <RawGate />}
      <WithDecisions wanted={wantedBy(view, about, query)}>
        <entry.View />
      </WithDecisions>
      {(view === "trust" || view === "rules") && (
        <p className="muted small">
          Commands named here run on a folder: <code>defensible tenant export {workspace} --out DIR</code> makes one,{" "}
          <code>defensible tenant import {workspace} --from DIR</code> brings labels and results back.
        </p>
      )}
    </FetchedPage>
  );
}

/** Most decisions of one community or rule that are fetched; the list has the rest. */
const MOST = 200;

/** Address of the decisions that a place shows; null: it shows none of its own. */
function wantedBy(view: string, about: readonly string[], query: URLSearchParams): string | null {
  const listed = (filters: Record<string, string>) =>
    `/v1/page/decisions?${new URLSearchParams({ limit: String(MOST), ...filters })}`;
  if (view === "review") return `/v1/page/decisions/${encodeURIComponent(about[0]!)}`;
  if (view === "automation" && about[0] === "community" && about[1] !== undefined) {
    return listed({ community: about[1], reason: query.get("reason") ?? "" });
  }
  if (view === "rules" && about.length === 3) {
    const [scope, community, rule] = about as [string, string, string];
    return listed({ rule: `${scope}/${community === "-" ? "" : community}/${rule}` });
  }
  return null;
}

type Wanted =
  | { items: PageDecision[]; precedents: PagePrecedent[] }
  | { decision: PageDecision; precedents: PagePrecedent[] };

/** Shown in place of a decision that cannot be shown. */
const INSTEAD: Readonly<Record<string, { head: string; title: string; text: string }>> = {
  not_listed: {
    head: "Not in the report yet",
    title: "The report does not list this decision.",
    text: "It lists the most urgent ones, and takes up new ones within a minute of their audit.",
  },
  answer_first: {
    head: "Answer it first",
    title: "You have claimed this case.",
    text: "The audit is shown after your answer, so that it does not steer it.",
  },
};

function WithDecisions({ wanted, children }: { wanted: string | null; children: ReactNode }) {
  const page = usePage();
  const { data, failed } = useFetched<Wanted>(wanted, 20_000);
  const shown = useMemo(() => {
    if (!data) return page;
    return { ...page, decisions: "items" in data ? data.items : [data.decision], precedents: data.precedents };
  }, [page, data]);
  if (wanted !== null && !data) {
    const why = INSTEAD[failed?.code ?? ""];
    if (!why) return <Missing failed={failed} what="the decisions" />;
    return (
      <div className="view">
        <h1>{why.head}</h1>
        <Empty title={why.title}>{why.text}</Empty>
        {failed?.code === "answer_first" && <a href="#/case">To the case</a>}
      </div>
    );
  }
  return <PageContext value={shown}>{children}</PageContext>;
}

/** What random reviews found about automated decisions. */
export function RealisedRiskView() {
  return (
    <div className="view live-risk">
      <FetchedPage what="the realised risk">
        <RealisedRisk />
      </FetchedPage>
    </div>
  );
}

function RealisedRisk() {
  const { report } = usePage();
  return (
    <>
      <Head
        title="Realised risk"
        lead="Some decisions that would have been automated are drawn at random and reviewed blind. What reviewers find there is the risk of the rest."
      />
      {report.realised_risk ? (
        <DocumentSections blocks={realisedSection(report.realised_risk, 15)} data={report} at="/report" />
      ) : (
        <Empty title="No random review has been answered yet.">
          The gate draws a share of what it would automate; these cases wait in the queue, unmarked.
        </Empty>
      )}
    </>
  );
}
