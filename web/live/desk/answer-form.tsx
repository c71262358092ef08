import { useRef, useState } from "react";
import { LEVEL_WORDS } from "../../../src/present/words/words.js";
import { ProblemLine } from "../parts.tsx";
import { contradictionIn, type Draft, missingIn, withLevel } from "./item.ts";
import { useKeys } from "./keys.ts";

const LEVELS = [
  { level: 1, name: "Clearly", meaning: LEVEL_WORDS[1].meaning },
  { level: 2, name: "By interpretation", meaning: LEVEL_WORDS[2].meaning },
  { level: 3, name: "No rule supports it", meaning: "Nothing in the rules supports the decision." },
] as const;

const KEYS: readonly (readonly [string, string])[] = [
  ["1 2 3", "how far the rules support it"],
  ["F", "uphold"],
  ["D", "overturn"],
  ["I", "opposite: yes or no"],
  ["R", "to the rules"],
  ["N", "note"],
  ["S", "skip"],
  ["Space", "hold to reveal the content"],
  ["Ctrl Enter", "send and next"],
  ["?", "this list"],
];

const OUTCOMES = [
  { outcome: "uphold", key: "F", title: "Upheld" },
  { outcome: "overturn", key: "D", title: "Overturned" },
] as const;

interface Props {
  draft: Draft;
  seen: boolean;
  onEdit: (next: Partial<Draft>) => void;
  onSubmit: () => void;
  /** null: it cannot be skipped. */
  onSkip: (() => void) | null;
  onCancel: (() => void) | null;
  busy: boolean;
  problem: string | null;
  name: string;
  /** Label of the submit button. */
  send?: string;
}

/** The answer, by pointer or single keys. A level selects its usual outcome until the reviewer chooses one. */
export function AnswerForm({ draft, seen, onEdit, onSubmit, onSkip, onCancel, busy, problem, ...words }: Props) {
  const { name, send: label } = words;
  const [help, setHelp] = useState(false);
  const [tried, setTried] = useState(false);
  const note = useRef<HTMLTextAreaElement>(null);
  const missing = missingIn(draft, seen, onSkip !== null);
  const said = tried ? missing : contradictionIn(draft);
  const send = () => {
    if (busy) return;
    setTried(missing !== null);
    if (missing === null) onSubmit();
  };
  const choose = (level: 1 | 2 | 3) => onEdit(withLevel(draft, level));
  const decide = (outcome: "uphold" | "overturn") => onEdit({ outcome, own_outcome: true });
  useKeys({
    1: () => choose(1),
    2: () => choose(2),
    3: () => choose(3),
    f: () => decide("uphold"),
    d: () => decide("overturn"),
    i: () => onEdit({ inverse: draft.inverse !== true }),
    r: () => document.querySelector<HTMLElement>(".case-rules input")?.focus(),
    n: () => note.current?.focus(),
    s: () => !busy && onSkip?.(),
    "?": () => setHelp((shown) => !shown),
    "ctrl+enter": send,
  });
  return (
    <form
      className="case-answer"
      aria-labelledby="answer-name"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <h2 id="answer-name">{name}</h2>
      <div className="case-questions">
        <Choices
          legend="Do the rules support this decision?"
          of={LEVELS.map(({ level, name: title, meaning: hint }) => ({
            ...{ key: String(level), title, hint, chosen: draft.level === level, choose: () => choose(level) },
          }))}
        />
        <Choices
          legend="Could they also support the opposite? (optional)"
          of={[true, false].map((inverse) => ({
            ...(inverse ? { key: "I", title: "Yes" } : { title: "No" }),
            ...{ chosen: draft.inverse === inverse, choose: () => onEdit({ inverse }) },
          }))}
        />
        <Choices
          legend="The decision is"
          of={OUTCOMES.map(({ outcome, key, title }) => ({
            ...{ key, title, chosen: draft.outcome === outcome, choose: () => decide(outcome) },
          }))}
        />
        <label className="case-note">
          Note <kbd>N</kbd>
          <textarea
            ref={note}
            rows={2}
            maxLength={10_000}
            value={draft.note}
            onChange={(event) => onEdit({ note: event.target.value })}
          />
        </label>
      </div>
      <div className="live-actions">
        <button type="submit" className="primary" aria-disabled={busy || missing !== null}>
          {label ?? (onCancel ? "Save the change" : "Send and next")} <kbd>Ctrl Enter</kbd>
        </button>
        {onSkip && (
          <button type="button" onClick={onSkip} disabled={busy}>
            Skip <kbd>S</kbd>
          </button>
        )}
        {onCancel && (
          <button type="button" onClick={onCancel}>
            Keep it
          </button>
        )}
        <button type="button" className="live-quiet" aria-expanded={help} onClick={() => setHelp(!help)}>
          Keys <kbd>?</kbd>
        </button>
        {said && <span role="alert">{said}</span>}
      </div>
      <ProblemLine of={problem} />
      {help && (
        <dl className="case-keys">
          {KEYS.map(([key, meaning]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      )}
    </form>
  );
}

interface ChoicesProps {
  legend: string;
  of: readonly { key?: string; title: string; hint?: string; chosen: boolean; choose: () => void }[];
}

function Choices({ legend, of }: ChoicesProps) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div className="case-choices">
        {of.map(({ key, title, hint, chosen, choose }) => (
          <label key={title} className={chosen ? "chosen" : undefined} title={hint}>
            <input type="radio" name={legend} checked={chosen} onChange={choose} />
            {key && <kbd>{key}</kbd>} {title}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
