import { useEffect, useState } from "react";
import type { PageDecision } from "../../../src/measures/report-page.js";
import { nameText } from "../../../src/present/words/vocabulary.js";
import { RevealControls, useContentShown } from "../../parts/controls/content-shown.tsx";
import { listen } from "../../parts/listen.ts";
import { Written } from "../../parts/text/written.tsx";
import { ContentPart, ContentParts } from "../../views/review/content.tsx";

interface Props {
  decision: PageDecision;
  greyscale: boolean;
  /** Called once the content was readable. */
  onSeen: (seen: true) => void;
}

const revealed = new Set<string>();

/** The content, blurred until it is shown, or revealed with the button or the space bar. */
export function CaseContent({ decision, greyscale, onSeen }: Props) {
  const [setting] = useContentShown();
  const [held, setHeld] = useState(false);
  useSpace(setHeld);
  const shown = setting || held;
  const { id, title, body, context, url, rationale, cited_rule, appeal } = decision;
  const isBlank = [title, body, ...context].every((part) => !part?.text);
  useEffect(() => {
    if (shown) revealed.add(id);
    if (isBlank || revealed.has(id)) onSeen(true);
  }, [shown, id, isBlank, onSeen]);
  return (
    <section className={`case-panel${greyscale ? " greyscale" : ""}`} aria-labelledby="case-content">
      <div className="live-panel-head">
        <h2 id="case-content">Content</h2>
        <RevealControls held={held} onHold={setHeld} />
      </div>
      <ContentParts of={decision} shown={shown} media="not loaded" />
      <ContentPart name="Address" of={url} shown={shown} />
      {appeal?.text && (
        <div className="case-decider">
          <h3>Appeal that came with the decision</h3>
          <Written of={appeal.text} shown={shown} />
        </div>
      )}
      {(rationale || cited_rule) && (
        <div className="case-decider">
          <h3>Reason given for the decision</h3>
          {cited_rule && <p>Rule {nameText(cited_rule, 60)}</p>}
          {rationale && <Written of={rationale} shown={shown} />}
        </div>
      )}
    </section>
  );
}

/** The space bar, held where it has no other function. */
function useSpace(onHold: (held: boolean) => void): void {
  useEffect(() => {
    const isOurs = ({ key, target }: KeyboardEvent) =>
      key === " " && !(target instanceof HTMLElement && target.closest("button, input, select, textarea, a, summary"));
    const down = (event: KeyboardEvent) => {
      if (!isOurs(event)) return;
      event.preventDefault();
      if (!event.repeat) onHold(true);
    };
    const up = ({ key }: KeyboardEvent) => key === " " && onHold(false);
    return listen({ keydown: down, keyup: up, blur: () => onHold(false) });
  }, [onHold]);
}
