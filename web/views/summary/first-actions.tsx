import { useMemo } from "react";
import type { FirstAction } from "../../../src/present/words/first-actions/action.js";
import { firstActions } from "../../../src/present/words/first-actions/first-actions.js";
import { FEW_VERDICTS } from "../../../src/present/words/meaning.js";
import { plural } from "../../../src/present/words/numbers.js";
import { usePage } from "../../data/page-context.ts";
import { SentenceText } from "../../parts/sentence.tsx";
import { routeHash } from "../../route/route.ts";

/** What the numbers ask for, in order. */
export function FirstActions() {
  const page = usePage();
  const { verdicts } = page.report.counts;
  const actions = useMemo(() => firstActions(page), [page]);
  return (
    <section aria-labelledby="first">
      <h2 id="first">What to do first</h2>
      {actions.length === 0 ? (
        <p>
          Nothing is large enough for this list
          {verdicts < FEW_VERDICTS && `, which ${plural(verdicts, "verdict")} could hardly fill`}. That says nothing of
          how far the auditor's verdicts can be trusted.
        </p>
      ) : (
        <ol className="first-actions">
          {actions.map((action) => (
            <li key={action.id}>
              <Action action={action} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Action({ action: { title, why, link, command } }: { action: FirstAction }) {
  return (
    <>
      <h3>
        <bdi>{title}</bdi>
      </h3>
      <p>
        <SentenceText of={why} />
      </p>
      {(link || command) && (
        <p className="ways">
          {link && <a href={routeHash(link.view, link.about, link.query)}>See {link.text}</a>}
          {command && <code>{command}</code>}
        </p>
      )}
    </>
  );
}
