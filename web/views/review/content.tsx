import { useState } from "react";
import type { PageDecision, PageText } from "../../../src/measures/report-page.js";
import { plural } from "../../../src/present/words/numbers.js";
import { printable } from "../../../src/text/printable.js";
import { usePage } from "../../data/page-context.ts";
import { BlurContent, HoldButton, useContentShown } from "../../parts/controls/content-shown.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { ChangedRemark, Section } from "../../parts/text/prose.tsx";
import { Written } from "../../parts/text/written.tsx";

interface Props {
  decision: PageDecision;
  command: string | undefined;
}

/** The post, or whatever was decided about. The reader may blur it. */
export function DecisionContent({ decision, command }: Props) {
  const { redacted } = usePage();
  const [setting] = useContentShown();
  const [held, setHeld] = useState(false);
  const shown = setting || held;
  const { title, body, context, context_of, url, kind, language, media } = decision;
  if (!body) {
    return (
      <Section id="decision-content" title="Content">
        <Nothing why="This report does not have the content: it was made from audits alone, or the decision is no longer in the workspace." />
      </Section>
    );
  }
  const about = [
    kind && printable(kind, 60),
    language && `language ${printable(language, 20)}`,
    media > 0 && `${plural(media, "picture or recording", "pictures and recordings")}, not in this report`,
  ].filter(Boolean);
  const text = (name: string, of: PageText) => (
    <div className="content-part">
      <h3>{name}</h3>
      <Written of={of} shown={shown} command={command} />
    </div>
  );
  return (
    <Section id="decision-content" title="Content">
      <ChangedRemark of="decisions" />
      {!redacted && (
        <div className="content-controls">
          {!setting && (
            <HoldButton held={held} onHold={setHeld}>
              Hold to reveal
            </HoldButton>
          )}
          <BlurContent />
        </div>
      )}
      {about.length > 0 && <p className="muted small">{about.join(" · ")}</p>}
      {title && text("Title", title)}
      {text("Text", body)}
      {context.map((one, place) => (
        // Parts of the context have no names but their places.
        <div key={String(place)}>
          {text(context_of === 1 ? "Context" : `Context, ${place + 1} of ${context_of}`, one)}
        </div>
      ))}
      {context_of > context.length && (
        <p className="muted small">
          {plural(context_of - context.length, "more part", "more parts")} of the context are left out here.
          {command && (
            <>
              {" "}
              All of it: <code>{command}</code>
            </>
          )}
        </p>
      )}
      {url && text("Address", url)}
    </Section>
  );
}
