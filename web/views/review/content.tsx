import { useState } from "react";
import type { PageDecision, PageText } from "../../../src/measures/report-page.js";
import { plural } from "../../../src/present/words/numbers.js";
import { printable } from "../../../src/text/printable.js";
import { usePage } from "../../data/page-context.ts";
import { RevealControls, useContentShown } from "../../parts/controls/content-shown.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { ChangedRemark, Section } from "../../parts/text/prose.tsx";
import { Written } from "../../parts/text/written.tsx";

interface Props {
  decision: PageDecision;
  command: string | undefined;
}

/** The content of the decision, which the reader may blur. */
export function DecisionContent({ decision, command }: Props) {
  const { redacted } = usePage();
  const [setting] = useContentShown();
  const [held, setHeld] = useState(false);
  const shown = setting || held;
  const { body, context, context_of } = decision;
  if (!body) {
    return (
      <Section id="decision-content" title="Content">
        <Nothing why="This report does not have the content: it was made from audits alone, or the decision is no longer in the workspace." />
      </Section>
    );
  }
  return (
    <Section id="decision-content" title="Content">
      <ChangedRemark of="decisions" />
      {!redacted && <RevealControls held={held} onHold={setHeld} />}
      <ContentParts of={decision} shown={shown} command={command} />
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
      <ContentPart name="Address" of={decision.url} shown={shown} command={command} />
    </Section>
  );
}

interface Shown {
  shown: boolean;
  command?: string | undefined;
}

interface PartsProps extends Shown {
  of: PageDecision;
  /** What happened to pictures and recordings. */
  media?: string;
}

/** The kind of content, its title, text and context. */
export function ContentParts({ of, media: left = "not in this report", ...shown }: PartsProps) {
  const { title, body, context, context_of, kind, language, media } = of;
  const about = [
    kind && printable(kind, 60),
    language && `language ${printable(language, 20)}`,
    media > 0 && `${plural(media, "picture or recording", "pictures and recordings")}, ${left}`,
  ].filter(Boolean);
  return (
    <>
      {about.length > 0 && <p className="muted small">{about.join(" · ")}</p>}
      <ContentPart name="Title" of={title} {...shown} />
      <ContentPart name="Text" of={body} {...shown} />
      {context.map((one, place) => (
        // Parts of the context are identified by position.
        <div key={String(place)}>
          <ContentPart
            name={context_of === 1 ? "Context" : `Context, ${place + 1} of ${context_of}`}
            of={one}
            {...shown}
          />
        </div>
      ))}
    </>
  );
}

export function ContentPart({ name, of, ...shown }: Shown & { name: string; of: PageText | null }) {
  return (
    of && (
      <div className="content-part">
        <h3>{name}</h3>
        <Written of={of} {...shown} />
      </div>
    )
  );
}
