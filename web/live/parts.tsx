import { type ReactNode, useState } from "react";
import { nameText } from "../../src/present/words/vocabulary.js";
import { ScrollFrame } from "../parts/tables/scroll-frame.tsx";
import { UserText } from "../parts/text/written.tsx";
import { type Refused, whyNot } from "./api.ts";
import type { Fetched } from "./use-fetched.ts";

/** A view's name, summary line and actions. */
export function Head({ title, lead, children }: { title: ReactNode; lead?: ReactNode; children?: ReactNode }) {
  return (
    <header className="live-head">
      <div>
        <h1>{title}</h1>
        {lead && <p className="muted">{lead}</p>}
      </div>
      {children && <div className="live-actions">{children}</div>}
    </header>
  );
}

export function Figure({ name, value, note }: { name: string; value: ReactNode; note?: ReactNode }) {
  return (
    <div className="live-figure">
      <dt>{name}</dt>
      <dd>
        <span className="live-value">{value}</span>
        {note && <span className="muted small">{note}</span>}
      </dd>
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="live-empty">
      <p>
        <b>{title}</b>
      </p>
      {children && <p className="muted">{children}</p>}
    </div>
  );
}

/** Shown in place of a view whose data are missing. */
export function Missing({ failed, what }: { failed: Refused | null; what: string }) {
  if (!failed) return <p className="muted live-wait">Loading {what}…</p>;
  if (failed.status === 403)
    return <Empty title="Your role does not include this.">{nameText(failed.message, 200)}</Empty>;
  return <Empty title={`Cannot show ${what}.`}>{nameText(failed.message, 200)}</Empty>;
}

interface PanelProps {
  title: string;
  note?: ReactNode;
  children: ReactNode;
  id?: string;
}

export function Panel({ title, note, children, id }: PanelProps) {
  const name = id ?? title.toLowerCase().replaceAll(/[^a-z]+/g, "-");
  return (
    <section className="live-panel" aria-labelledby={name}>
      <div className="live-panel-head">
        <h2 id={name}>{title}</h2>
        {note && <span className="muted small">{note}</span>}
      </div>
      {children}
    </section>
  );
}

/** Runs one action at a time, and keeps the reason if it failed. */
export function useAction(): {
  busy: boolean;
  problem: string | null;
  run: (work: () => Promise<unknown>) => Promise<boolean>;
  clear: () => void;
} {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  return {
    busy,
    problem,
    clear: () => setProblem(null),
    run: async (work) => {
      setBusy(true);
      setProblem(null);
      try {
        await work();
        return true;
      } catch (cause) {
        setProblem(whyNot(cause));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

export function ProblemLine({ of }: { of: string | null }) {
  return (
    <p className="live-problem" role="alert">
      {of && nameText(of, 400)}
    </p>
  );
}

interface ListedProps<T> {
  of: Pick<Fetched<{ items: readonly T[] }>, "data" | "failed">;
  what: string;
  empty: string;
  children: (items: readonly T[]) => ReactNode;
}

/** The items of a list, or why the list is missing. */
export function Listed<T>({ of: { data, failed }, what, empty, children }: ListedProps<T>) {
  if (!data) return <Missing failed={failed} what={what} />;
  return data.items.length === 0 ? <Empty title={empty} /> : children(data.items);
}

interface LiveListProps<T> {
  of: { items: readonly T[] } | null;
  empty: string;
  children: (one: T, place: number) => ReactNode;
}

export function LiveList<T>({ of, empty, children }: LiveListProps<T>) {
  if (!of || of.items.length === 0) return <Empty title={empty} />;
  return <ul className="live-list">{of.items.map(children)}</ul>;
}

/** A table of given rows; a head that begins with `>` is of numbers. */
export function Rows({ caption, heads, children }: { caption: string; heads: readonly string[]; children: ReactNode }) {
  return (
    <ScrollFrame label={caption}>
      <table className="live-table">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className={head.startsWith(">") ? "right" : undefined}>
                {head.replace(/^>/, "")}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </ScrollFrame>
  );
}

interface PagerProps {
  label: string;
  words: readonly [string, string];
  /** Cursors of the previous pages. */
  cursors: readonly string[];
  next: string | null;
  onGo: (cursors: string[]) => void;
  children?: ReactNode;
}

/** Previous and next page of a list that the server pages. */
export function Pager({ label, words: [back, on], cursors, next, onGo, children }: PagerProps) {
  const first = cursors.length === 0;
  return (
    <nav className="pager" aria-label={label}>
      <button type="button" aria-disabled={first} onClick={() => first || onGo(cursors.slice(0, -1))}>
        {back}
      </button>
      {children}
      <button type="button" aria-disabled={next === null} onClick={() => next !== null && onGo([...cursors, next])}>
        {on}
      </button>
    </nav>
  );
}

export function NameCell({ text }: { text: string }) {
  return (
    <td>
      <UserText text={text} max={50} />
    </td>
  );
}

/** The form appears where the reader has just pressed its button. */
const takeFocus = (field: HTMLInputElement | null) => field?.focus();

interface WithReasonProps {
  label: string;
  title: string;
  danger?: boolean;
  onDo: (reason: string) => Promise<unknown>;
}

/** Asks for a reason before an action that affects others. */
export function WithReason({ label, title, danger = false, onDo }: WithReasonProps) {
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const { busy, problem, run } = useAction();
  if (!open) {
    return (
      <button type="button" className={danger ? "danger" : undefined} onClick={() => setOpen(true)}>
        {label}
      </button>
    );
  }
  return (
    <form
      className="live-reason"
      onSubmit={async (event) => {
        event.preventDefault();
        if (await run(() => onDo(reason))) {
          setOpen(false);
          setReason("");
        }
      }}
    >
      <label>
        {title}
        <input
          type="text"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
          required
          maxLength={500}
          ref={takeFocus}
          placeholder="Reason, for the log"
        />
      </label>
      <div className="live-actions">
        <button type="submit" className={danger ? "danger" : "primary"} disabled={busy || reason.trim() === ""}>
          {label}
        </button>
        <button type="button" onClick={() => setOpen(false)}>
          Cancel
        </button>
      </div>
      <ProblemLine of={problem} />
    </form>
  );
}
