import { useMemo, useState } from "react";
import { plural } from "../../../src/present/words/numbers.js";
import { PageContext } from "../../data/page-context.ts";
import { dateText } from "../../parts/text/words.ts";
import { UserText, Visible } from "../../parts/text/written.tsx";
import { useRoute } from "../../route/use-route.ts";
import { api } from "../api.ts";
import { Empty, Head, Missing, NameCell, Panel, Rows, useAction } from "../parts.tsx";
import { useFetched } from "../use-fetched.ts";
import { ago, OUTCOME_NAMES } from "../words.ts";
import { AnswerForm } from "./answer-form.tsx";
import { casePage } from "./case.tsx";
import { type AuditedCase, FoldedAudit, ShownAudit } from "./case-audit.tsx";
import { CaseContent } from "./case-content.tsx";
import { CaseRules } from "./case-rules.tsx";
import { answerBody, type CaseData, type Draft, EMPTY, type Item } from "./item.ts";

interface Appeal {
  appeal_id: number;
  decision_id: string;
  community: string;
  state: "open" | "decided";
  filed_at: string;
  text: string | null;
  reviewer: string | null;
  outcome: string | null;
  decided_at: string | null;
}

/** Contested decisions, each decided by a person who has not decided it before. */
export function AppealsView() {
  const [id] = useRoute().about;
  const number = Number(id);
  return id !== undefined && Number.isSafeInteger(number) ? <AppealCase key={number} id={number} /> : <AppealList />;
}

function AppealList() {
  const waiting = useFetched<{ items: Appeal[] }>("/v1/appeals?state=open&limit=100", 6000);
  const decided = useFetched<{ items: Appeal[] }>("/v1/appeals?state=decided&limit=100", 10_000);
  const queued = useFetched<{ items: Item[] }>("/v1/queue/items?reason=appeal&limit=100", 6000);
  if (!waiting.data || !queued.data) return <Missing failed={waiting.failed ?? queued.failed} what="the appeals" />;
  const filed = waiting.data.items.map(({ appeal_id, ...one }) => waitingRow("Appeal", appeal_id, one, one.filed_at));
  const cases = queued.data.items.map(({ item_id, ...one }) => waitingRow("Case", item_id, one, one.created_at));
  const items = [...filed, ...cases].sort((a, b) => (a.since < b.since ? -1 : 1));
  return (
    <div className="view">
      <Head title="Appeals" lead="A decision under appeal is never automated. Another person than before decides it." />
      <Panel title="Waiting" note={items.length > 0 && plural(items.length, "appeal")}>
        {items.length === 0 ? (
          <Empty title="No appeal waits." />
        ) : (
          <Rows caption="Waiting appeals" heads={["Appeal", "Community", "Since", ""]}>
            {items.map(({ name, href, community, since }) => (
              <tr key={name}>
                <td>{name}</td>
                <NameCell text={community} />
                <td className="muted nowrap">{ago(since)}</td>
                <td className="right">
                  <a href={href} aria-label={`Open ${name.toLowerCase()}`}>
                    Open
                  </a>
                </td>
              </tr>
            ))}
          </Rows>
        )}
        {cases.length > 0 && (
          <p className="muted small">A case is a decision that came with its appeal. It is also in the queue.</p>
        )}
      </Panel>
      {decided.data && decided.data.items.length > 0 && (
        <Panel title="Decided">
          <Rows caption="Decided appeals" heads={["Appeal", "Community", "Outcome", "By", "When"]}>
            {[...decided.data.items].reverse().map(({ appeal_id, community, outcome, reviewer, decided_at }) => (
              <tr key={appeal_id}>
                <td>
                  <a href={`#/appeals/${appeal_id}`}>Appeal {appeal_id}</a>
                </td>
                <NameCell text={community} />
                <td>{outcome === "overturn" ? "Granted: decision overturned" : "Rejected: decision upheld"}</td>
                <td>{reviewer && <UserText text={reviewer} max={40} />}</td>
                <td className="muted nowrap">{decided_at && ago(decided_at)}</td>
              </tr>
            ))}
          </Rows>
        </Panel>
      )}
    </div>
  );
}

/** A filed appeal, or the case of a decision that came with one. */
function waitingRow(kind: "Appeal" | "Case", id: number, { community }: { community: string }, since: string) {
  const view = kind === "Appeal" ? "appeals" : "case";
  return { name: `${kind} ${id}`, href: `#/${view}/${id}`, community, since };
}

interface AppealCaseData extends Omit<CaseData, "item"> {
  appeal: Appeal;
  may_decide: boolean;
}

function AppealCase({ id }: { id: number }) {
  const found = useFetched<AppealCaseData>(`/v1/appeals/${id}/case`, 10_000);
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const [audit, setAudit] = useState<AuditedCase | null>(null);
  const [seen, setSeen] = useState(false);
  const { busy, problem, run } = useAction();
  const shown = audit ?? found.data;
  const page = useMemo(() => shown && casePage(shown), [shown]);
  if (!found.data || !page) return <Missing failed={found.failed} what="the appeal" />;
  const { appeal, may_decide, audited } = found.data;
  const { decision } = shown!;
  const isOpen = appeal.state === "open" && may_decide;
  return (
    <PageContext value={page}>
      <div className="view decision case">
        <p className="back">
          <a href="#/appeals">All appeals</a>
        </p>
        <Head
          title={`Appeal ${id}`}
          lead={
            <>
              Filed {dateText(appeal.filed_at)} against the decision “<Visible text={decision.decision} />” in{" "}
              <UserText text={appeal.community} max={60} />.
            </>
          }
        />
        <Panel title="What the appeal says">
          {appeal.text ? (
            <div className="written-body">
              <Visible text={appeal.text} />
            </div>
          ) : (
            <p className="muted">No text was given.</p>
          )}
        </Panel>
        <div className="case-grid">
          <CaseContent decision={decision} greyscale onSeen={setSeen} />
          <CaseRules
            decision={decision}
            picked={draft.rule_ids}
            onPick={isOpen ? (rule_ids) => setDraft({ ...draft, rule_ids }) : null}
          />
        </div>
        {appeal.state === "decided" ? (
          <Empty title={`${OUTCOME_NAMES[appeal.outcome ?? ""] ?? "Decided"} by ${appeal.reviewer ?? "a reviewer"}.`}>
            {appeal.decided_at && dateText(appeal.decided_at)}
          </Empty>
        ) : may_decide ? (
          <AnswerForm
            draft={draft}
            seen={seen}
            onEdit={(next) => setDraft((old) => ({ ...old, ...next }))}
            onSubmit={() =>
              run(async () => {
                await api.post(`/v1/appeals/${id}/decision`, answerBody(draft, audit !== null));
                found.again();
              })
            }
            onSkip={null}
            onCancel={null}
            busy={busy}
            problem={problem}
            name="Decide the appeal"
            send="Decide the appeal"
          />
        ) : (
          <Empty title="Another person decides this appeal.">
            You filed it, made or reviewed the decision that it is about, or have claimed its case.
          </Empty>
        )}
        {(isOpen || appeal.state === "decided") &&
          audited &&
          (audit ? (
            <ShownAudit of={audit} outcome={appeal.outcome} />
          ) : (
            <FoldedAudit path={`/v1/appeals/${id}/audit`} onShown={setAudit} />
          ))}
      </div>
    </PageContext>
  );
}
