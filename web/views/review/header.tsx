import { isModeration } from "../../../src/core/records/actions.js";
import type { PageDecision } from "../../../src/measures/report-page.js";
import { agreementSentence, judgedSentence, verdictSentence } from "../../../src/present/words/decision-signal.js";
import { wordsOf } from "../../../src/present/words/vocabulary.js";
import { FLAG_WORDS, otherAction, REASON_WORDS } from "../../../src/present/words/words.js";
import { usePage } from "../../data/page-context.ts";
import { LevelBadge } from "../../parts/gate-parts.tsx";
import { CommunityLink } from "../../parts/links.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { Fact, SentenceText } from "../../parts/text/prose.tsx";
import { dateText } from "../../parts/text/words.ts";
import { Visible } from "../../parts/text/written.tsx";

/** What was decided, by whom and when, and the audit's finding. */
export function DecisionHeader({ decision, at }: { decision: PageDecision; at: string }) {
  const { id, community, decider, decided_at, human_label, gold, audit, reasons } = decision;
  const agreement = agreementSentence(decision);
  const judged = judgedSentence(decision);
  const { report } = usePage();
  const { flags, counts, run } = report;
  // A flag on every audit concerns the run: Method and terms lists it.
  const remarks = audit.flags.filter((flag) => counts.attempted < 2 || flags[flag] !== counts.attempted);
  return (
    <>
      <h1>
        <span className="h1-kind">Decision </span>
        <Visible text={id} />
      </h1>
      <p className={`lead verdict-lead verdict-${audit.level ?? "none"}`}>
        <SentenceText of={verdictSentence(decision, at, otherAction(report))} />
        {agreement && ` ${agreement}`}
        {judged && <b>{` ${judged}`}</b>}
      </p>
      <dl className="facts">
        <Fact name="Decided">
          <b>
            <Visible text={decision.decision} />
          </b>
          {decider && (
            <>
              {" "}
              {(decider.kind || decider.id) && "by "}
              {decider.kind && "a "}
              {decider.kind === "human" ? "moderator" : decider.kind && <Visible text={decider.kind} />}
              {decider.id && (
                <>
                  {decider.kind && ", "}
                  <Visible text={decider.id} />
                </>
              )}
              {decider.confidence !== null && (
                <>
                  {(decider.kind || decider.id) && ", "}
                  <Num at={`${at}/decider/confidence`} as="rounded" /> confident
                </>
              )}
            </>
          )}
        </Fact>
        <Fact name="When">{decided_at ? <time dateTime={decided_at}>{dateText(decided_at)}</time> : "not known"}</Fact>
        <Fact name="Community">
          <CommunityLink community={community} />
        </Fact>
        <Fact name={isModeration(run.actions) ? "Moderator's decision" : "Human label"}>
          {human_label === null ? "not known" : <Visible text={human_label} />}
        </Fact>
        {gold && (
          <Fact name="Reference annotation">
            <LevelBadge level={gold.level} />; the rules {gold.inverse ? "could" : "could not"} justify the opposite
          </Fact>
        )}
        <Fact name="Reason to review">
          {reasons.map((reason, place) => (
            <span key={reason} title={REASON_WORDS[reason].meaning}>
              {place > 0 && " · "}
              {place > 0 ? REASON_WORDS[reason].name.toLowerCase() : REASON_WORDS[reason].name}
            </span>
          ))}
        </Fact>
      </dl>
      {remarks.length > 0 && (
        <ul className="flags" aria-label="Remarks on this audit">
          {remarks.map((flag) => {
            const { name, meaning } = wordsOf(FLAG_WORDS, flag);
            return (
              <li key={flag}>
                <b>{name}.</b> {meaning}
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}
