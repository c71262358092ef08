import { useEffect, useState } from "react";
import type { PageDecision, PageText } from "../../../src/measures/report-page.js";
import { plural } from "../../../src/present/words/numbers.js";
import { nameText } from "../../../src/present/words/word-table.js";
import { BlurContent, HoldButton, useContentShown } from "../../parts/controls/content-shown.tsx";
import { Written } from "../../parts/text/written.tsx";

/** The content, blurred until it is held or shown: by the button, or the space bar. */
export function CaseContent({ decision, greyscale }: { decision: PageDecision; greyscale: boolean }) {
  const [setting] = useContentShown();
  const [held, setHeld] = useState(false);
  useSpace(setHeld);
  const shown = setting || held;
  const { title, body, context, context_of, url, kind, language, media, rationale, cited_rule } = decision;
  const about = [
    kind && nameText(kind, 40),
    language && `language ${nameText(language, 20)}`,
    media > 0 && `${plural(media, "picture or recording", "pictures and recordings")}, not loaded`,
  ].filter(Boolean);
  const part = (name: string, of: PageText | null) =>
    of && (
      <div className="content-part">
        <h3>{name}</h3>
        <Written of={of} shown={shown} />
      </div>
    );
  return (
    <section className={`case-panel${greyscale ? " greyscale" : ""}`} aria-labelledby="case-content">
      <div className="live-panel-head">
        <h2 id="case-content">Content</h2>
        <div className="content-controls">
          {!setting && (
            <HoldButton held={held} onHold={setHeld}>
              Hold to reveal
            </HoldButton>
          )}
          <BlurContent />
        </div>
      </div>
      {about.length > 0 && <p className="muted small">{about.join(" · ")}</p>}
      {part("Title", title)}
      {part("Text", body)}
      {context.map((one, place) => (
        // Parts of the context have no names but their places.
        <div key={String(place)}>
          {part(context_of === 1 ? "Context" : `Context, ${place + 1} of ${context_of}`, one)}
        </div>
      ))}
      {part("Address", url)}
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

/** The space bar, held where it does nothing else. */
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
    const leave = () => onHold(false);
    window.addEventListener("keydown", down);
    window.addEventListener("keyup", up);
    window.addEventListener("blur", leave);
    return () => {
      window.removeEventListener("keydown", down);
      window.removeEventListener("keyup", up);
      window.removeEventListener("blur", leave);
    };
  }, [onHold]);
}
