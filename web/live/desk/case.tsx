import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { ReportPage } from "../../../src/measures/report-page.js";
import { nameText } from "../../../src/present/words/vocabulary.js";
import { PageContext } from "../../data/page-context.ts";
import { dateText } from "../../parts/text/words.ts";
import { UserText, Visible } from "../../parts/text/written.tsx";
import { useQuery, useRoute } from "../../route/use-route.ts";
import { api } from "../api.ts";
import { Empty, Head, Missing, Panel, ProblemLine, useAction } from "../parts.tsx";
import { useMe } from "../person.ts";
import { useFetched } from "../use-fetched.ts";
import { OUTCOME_NAMES, reasonName } from "../words.ts";
import { AnswerForm } from "./answer-form.tsx";
import { type AuditedCase, FoldedAudit, ShownAudit } from "./case-audit.tsx";
import { CaseContent } from "./case-content.tsx";
import { CaseRules } from "./case-rules.tsx";
import {
  answerBody,
  type CaseData,
  claim,
  type Draft,
  draftOf,
  EMPTY,
  type Item,
  keepDraft,
  keptDraft,
  mainReason,
  type OwnReview,
  openCase,
  standing,
} from "./item.ts";
import { useClaim } from "./keys.ts";

/** The last answer in this tab, which can be undone from the next case. */
let last: { review_id: number; item_id: number; outcome: "uphold" | "overturn" } | null = null;

export function CaseView() {
  const [id] = useRoute().about;
  const number = Number(id);
  if (id === undefined || !Number.isSafeInteger(number) || number < 1) return <NextCase />;
  return <Case key={number} id={number} />;
}

/** Shown when no case is open: the claimed case, or the next. */
function NextCase() {
  const mine = useFetched<{ items: Item[] }>("/v1/queue/mine", 5000);
  const counts = useFetched<{ items: { state: string; n: number }[] }>("/v1/queue", 4000);
  const { busy, problem, run } = useAction();
  const waiting = counts.data?.items.find(({ state }) => state === "open")?.n ?? 0;
  const [held] = mine.data?.items ?? [];
  if (!mine.data) return <Missing failed={mine.failed} what="your cases" />;
  const [title, note] = held
    ? [`You hold case ${held.item_id}.`, "It is yours until its claim runs out."]
    : waiting === 0
      ? ["Nothing waits for you.", "New cases appear here by themselves."]
      : [
          waiting === 1 ? "One case is waiting." : `${waiting} cases are waiting.`,
          "A case that you open is yours for ten minutes.",
        ];
  return (
    <div className="view">
      <Head title="Case" lead={last ? "Done with the last one." : "Cases come one at a time, longest waiting first."} />
      <LastAnswer />
      <Empty title={title}>{note}</Empty>
      <div className="live-actions">
        {held ? (
          <button type="button" className="primary" onClick={() => openCase(held)}>
            Go on with case {held.item_id}
          </button>
        ) : (
          <button
            type="button"
            className="primary"
            disabled={busy || waiting === 0}
            onClick={() =>
              run(async () => {
                const item = await claim();
                if (!item) throw new Error("Nothing waits for you.");
                openCase(item);
              })
            }
          >
            Review the next case
          </button>
        )}
      </div>
      <ProblemLine of={problem} />
    </div>
  );
}

function LastAnswer() {
  if (!last) return null;
  return (
    <p className="live-toast" role="status">
      Case {last.item_id}: {OUTCOME_NAMES[last.outcome]?.toLowerCase()}.{" "}
      <a href={`#/case/${last.item_id}?change=yes`}>Undo</a> ·{" "}
      <a href={`#/case/${last.item_id}`}>What the audit says</a>
    </p>
  );
}

function Case({ id }: { id: number }) {
  const me = useMe();
  const found = useFetched<CaseData>(`/v1/items/${id}`, 10_000);
  const own = useFetched<{ items: OwnReview[] }>("/v1/reviews?mine=true&limit=200", 10_000);
  const [change, setChange] = useQuery("change");
  const [began] = useState(() => Date.now());
  const { busy, problem, run } = useAction();
  const head = useRef<HTMLHeadingElement>(null);
  const loaded = found.data !== null;
  useEffect(() => {
    if (loaded) head.current?.focus({ preventScroll: true });
  }, [loaded]);
  const [draft, setDraft] = useState<Draft>(() => keptDraft(id));
  const edit = useCallback(
    (next: Partial<Draft>) =>
      setDraft((old) => {
        const changed = { ...old, ...next };
        keepDraft(id, changed);
        return changed;
      }),
    [id],
  );
  const item = found.data?.item;
  const mine = item?.state === "claimed" && item.claim_by === me.name && item.claim !== null;
  const hold = useClaim(mine ? item : null, found.again);
  const answered = standing(own.data?.items ?? []).find(({ item_id }) => item_id === id) ?? null;
  const changing = answered !== null && change === "yes";
  const [audit, setAudit] = useState<AuditedCase | null>(null);
  const [seen, setSeen] = useState(false);
  const shown = audit ?? found.data;
  const page = useMemo(() => (shown ? casePage(shown) : null), [shown]);
  if (!found.data || !page || !item || !own.data) return <Missing failed={found.failed} what="the case" />;
  const seconds = () => Math.min(86_400, Math.round((Date.now() - began) / 1000));
  const body = () => ({ ...answerBody(draft, false), seconds: seconds() });
  const submit = () =>
    run(async () => {
      if (changing) {
        await api.post(`/v1/reviews/${answered.review_id}/correction`, body());
        keepDraft(id, null);
        setDraft(EMPTY);
        last = null;
        setChange("");
        own.again();
        found.again();
        return;
      }
      const { body: made } = await api.post<{ review_id: number }>(`/v1/items/${id}/decision`, {
        claim: item.claim,
        ...body(),
      });
      last = { review_id: made.review_id, item_id: id, outcome: draft.outcome! };
      keepDraft(id, null);
      openCase(await claim().catch(() => null));
    });
  const skip = () =>
    run(async () => {
      await api.post(`/v1/items/${id}/release`, { claim: item.claim, skip: true });
      keepDraft(id, null);
      openCase(await claim());
    });
  const { decision } = shown!;
  const reason = mainReason(item);
  const isOpen = mine || changing;
  return (
    <PageContext value={page}>
      <div className="view decision case">
        {last && last.item_id !== id && <LastAnswer />}
        <header className="live-head">
          <div>
            <h1 ref={head} tabIndex={-1}>
              Case {id}
            </h1>
            <p className="case-facts">
              <span>
                Decided <b>{<Visible text={decision.decision} />}</b>
                {decision.decider?.kind && (
                  <> by a {decision.decider.kind === "human" ? "moderator" : nameText(decision.decider.kind, 30)}</>
                )}
              </span>
              <span>
                in <UserText text={item.community} max={60} />
              </span>
              {decision.decided_at && <span className="muted">{dateText(decision.decided_at)}</span>}
              {reason && <span className="muted">{reasonName(reason)}</span>}
            </p>
          </div>
          <ClaimState
            item={item}
            mine={mine}
            left={hold.left}
            lost={hold.lost}
            onTaken={found.again}
            answered={answered !== null}
          />
        </header>
        <div className="case-grid">
          <CaseContent decision={decision} greyscale={me.settings.greyscale} onSeen={setSeen} />
          <CaseRules
            decision={decision}
            picked={draft.rule_ids}
            onPick={isOpen ? (rule_ids) => edit({ rule_ids }) : null}
          />
        </div>
        {isOpen && (
          <AnswerForm
            draft={draft}
            seen={seen}
            onEdit={edit}
            onSubmit={submit}
            onSkip={changing ? null : skip}
            onCancel={changing ? () => setChange("") : null}
            busy={busy}
            problem={problem}
            name={changing ? "Change your answer" : "Your answer"}
          />
        )}
        {!isOpen && answered && (
          <Answered
            review={answered}
            onChange={() => {
              setDraft(draftOf(answered));
              setChange("yes");
            }}
          />
        )}
        {!isOpen &&
          answered &&
          found.data.audited &&
          (audit ? (
            <ShownAudit of={audit} outcome={answered.outcome} />
          ) : (
            <FoldedAudit path={`/v1/items/${id}/audit`} onShown={setAudit} />
          ))}
        {mine && (
          <p className="muted small case-blind">
            {found.data.audited
              ? "What the audit says is shown after your answer, so that it does not steer it."
              : "This decision has no audit yet."}
          </p>
        )}
      </div>
    </PageContext>
  );
}

interface ClaimStateProps {
  item: Item;
  mine: boolean;
  left: number | null;
  lost: boolean;
  answered: boolean;
  onTaken: () => void;
}

/** Who has claimed the case, and for how long. */
function ClaimState({ item, mine, left, lost, answered, onTaken }: ClaimStateProps) {
  const { busy, problem, run } = useAction();
  if (mine && !lost) {
    return (
      <p className="case-claim" role="timer">
        Yours for <b>{left === null ? "–" : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`}</b>
      </p>
    );
  }
  const other = item.state === "claimed" && !mine && (item.claim_seconds ?? 0) > 0;
  const why =
    item.state === "done"
      ? `Answered${answered ? "" : " by another reviewer"}`
      : item.state === "withdrawn"
        ? "No longer needs a review"
        : other && <>Claimed by {<UserText text={item.claim_by ?? "another reviewer"} max={40} />}</>;
  if (why) return <p className="case-claim done">{why}</p>;
  return (
    <div className="live-actions">
      <button
        type="button"
        className="primary"
        disabled={busy}
        onClick={() =>
          run(async () => {
            const taken = await claim(item.item_id);
            onTaken();
            if (!taken) throw new Error("Another reviewer has taken it.");
          })
        }
      >
        {lost ? "Claim it again" : "Claim this case"}
      </button>
      <ProblemLine of={problem} />
    </div>
  );
}

function Answered({ review, onChange }: { review: OwnReview; onChange: () => void }) {
  return (
    <Panel
      title={`Your answer: ${OUTCOME_NAMES[review.outcome]?.toLowerCase()}`}
      note={
        <button type="button" onClick={onChange}>
          Change it
        </button>
      }
    >
      <p className="muted small">{dateText(review.at)}. A change is a new answer; this one stays in the log.</p>
    </Panel>
  );
}

/** A minimal page for the parts of the report's views. */
export function casePage({ decision, rule_sets }: Pick<CaseData, "decision" | "rule_sets">): ReportPage {
  return {
    ...{ format: 1, made_by: "", redacted: false, platform: null, changed_since_run: null, timeline: null },
    ...{ report: { run: { run_id: "live" }, communities: [] }, gate_input: { by: [], cohorts: [] }, communities: [] },
    ...{ rule_sets, precedents: [], decisions: [decision], decisions_of: 1, notes: [] },
  } as unknown as ReportPage;
}
