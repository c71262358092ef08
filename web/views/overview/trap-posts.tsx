import { type ReactNode, useMemo } from "react";
import { isModeration } from "../../../src/core/records/actions.js";
import { valueAt } from "../../../src/present/words/sentence.js";
import {
  NO_LABELS,
  TRAP_KINDS,
  TRAP_WORDS,
  type TrapExample,
  type TrapKind,
  trapExamples,
} from "../../../src/present/words/trap-examples.js";
import { usePage } from "../../data/page-context.ts";
import { useContentShown } from "../../parts/controls/content-shown.tsx";
import { DecisionLink, RuleLink } from "../../parts/links.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { UserText, Veil } from "../../parts/text/written.tsx";

/** The agreement trap by example: one decision of this run for each way in which label and rules differ. */
export function TrapPosts() {
  const page = usePage();
  const examples = useMemo(() => trapExamples(page), [page]);
  if (page.decisions.length === 0) return null;
  const labelled = page.report.trap.accurate_but_indefensible.joint.n > 0;
  return (
    <ul className="trap-posts" aria-label="Decisions of this run">
      {!labelled && (
        <li className="trap-post">
          <p className="muted">{NO_LABELS}</p>
        </li>
      )}
      {TRAP_KINDS.filter((kind) => labelled || kind === "both_allowed").map((kind) => (
        <li key={kind} className="trap-post">
          <Card kind={kind} of={examples[kind]} />
        </li>
      ))}
    </ul>
  );
}

function Card({ kind, of }: { kind: TrapKind; of: TrapExample | null }) {
  const { at, card, none } = TRAP_WORDS[kind];
  const count = valueAt(usePage().report, at);
  if (!count) return <p className="muted">{none}</p>;
  return (
    <>
      <h2>
        <Num at={`/report${at}`} as="whole" /> {card[count === 1 ? 0 : 1]}
      </h2>
      {of ? <Post of={of} /> : <p className="muted">The texts of such decisions are not in this report.</p>}
    </>
  );
}

function Post({ of: { decision, title, text, quote, rule } }: { of: TrapExample }) {
  const moderation = isModeration(usePage().report.run.actions);
  const [shown] = useContentShown();
  const written = (content: string) => (shown ? <UserText text={content} max={90} /> : <Veil text={content} />);
  return (
    <>
      <blockquote className="quoted post">
        {title && <p className="post-title">{written(title)}</p>}
        {text && <p>{written(text)}</p>}
        <cite>
          <DecisionLink id={decision.id} />
        </cite>
      </blockquote>
      <p className="post-sides">
        <Side name="decided">{decision.decision}</Side>
        {decision.human_label !== null && (
          <>
            {" · "}
            <Side name={moderation ? "moderator" : "label"}>{decision.human_label}</Side>
          </>
        )}
      </p>
      <p className="post-rule quoted">
        {rule && (
          <>
            <RuleLink rule={rule} />{" "}
          </>
        )}
        <q>
          <UserText text={quote} max={90} />
        </q>
      </p>
    </>
  );
}

function Side({ name, children }: { name: ReactNode; children: string }) {
  return (
    <span className="unbroken">
      {name}{" "}
      <b>
        <UserText text={children} max={30} />
      </b>
    </span>
  );
}
