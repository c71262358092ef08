import type { ReactNode } from "react";

export interface ContentsEntry {
  /** Of the heading that it leads to. */
  id: string;
  title: string;
}

/** What a long view holds. The address after # is the view's own, so these are buttons: they go to the heading and put the focus there. */
export function Contents({ of: entries }: { of: readonly ContentsEntry[] }) {
  return (
    <nav className="contents" aria-label="On this page">
      <ul>
        {entries.map(({ id, title }) => (
          <li key={id}>
            <button type="button" onClick={() => goTo(id)}>
              {title}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A word in a sentence that leads to a heading of the same view; on paper the word alone. */
export function GoTo({ id, children }: { id: string; children: ReactNode }) {
  return (
    <>
      <button type="button" className="go-to" onClick={() => goTo(id)}>
        {children}
      </button>
      <span className="on-paper">{children}</span>
    </>
  );
}

function goTo(id: string) {
  const heading = document.getElementById(id);
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  heading.scrollIntoView({ block: "start" });
}
