import { useEffect, useRef } from "react";
import type { DocumentPage } from "../src/present/document/document.js";
import { nameText } from "../src/present/words/vocabulary.js";
import { usePage } from "./data/page-context.ts";
import { DocumentView } from "./parts/document.tsx";
import { Nothing } from "./parts/nothing.tsx";
import { Banner, ThemeSwitch } from "./parts/shell/banner.tsx";
import { ViewGuard } from "./parts/shell/guards.tsx";
import { Menu } from "./parts/shell/menu.tsx";
import { goToKeptPlace, replaceAddress } from "./route/kept-place.ts";
import { parseRoute, placeOf, routeHash } from "./route/route.ts";
import { usePlace } from "./route/use-route.ts";
import { VIEWS } from "./views/views.ts";

function linkTo(main: HTMLElement | null, place: string): HTMLElement | undefined {
  return [...(main?.querySelectorAll("a") ?? [])].find((link) => placeOf(parseRoute(link.hash)) === place);
}

export function App() {
  const { view, place } = usePlace();
  const { platform } = usePage();
  const main = useRef<HTMLElement>(null);
  const entry = VIEWS.find(({ id }) => id === view);
  const last = useRef<string | null>(null);
  useEffect(() => {
    const of = platform ? ` · ${nameText(platform, 80)}` : "";
    document.title = `${entry?.title ?? "Not found"}${of} · Defensibility report`;
    if (last.current === place) return;
    const left = last.current;
    last.current = place;
    // Rewrites an old report's address to the current form.
    if (entry && !window.location.hash.startsWith(`#/${entry.id}`)) {
      const { view: id, about, query } = parseRoute(window.location.hash);
      replaceAddress(routeHash(id, about, query));
    }
    // Another view begins at its top, or after Back where it was left; keyboard focus moves there too.
    const back = goToKeptPlace();
    if (left === null) return;
    const followed = back ? linkTo(main.current, left) : undefined;
    (followed ?? main.current)?.focus({ preventScroll: true });
  }, [entry, place, platform]);
  return (
    <>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to the report
      </button>
      <Banner />
      <div className="shell">
        <Menu />
        <main id="main" ref={main} tabIndex={-1}>
          {entry ? (
            <ViewGuard key={place}>
              <entry.View />
            </ViewGuard>
          ) : (
            <div className="view">
              <h1>Not found</h1>
              <Nothing why={`There is no view called "${nameText(view, 60)}" in this report.`} />
            </div>
          )}
        </main>
      </div>
    </>
  );
}

/** A result that is a document instead of a report: a comparison or a single experiment. */
export function DocumentApp({ page: { document: shown, figures, made_by } }: { page: DocumentPage }) {
  useEffect(() => {
    document.title = `${shown.title} · Defensibility`;
  }, [shown.title]);
  return (
    <>
      <header className="banner">
        <div>
          <p className="product">{shown.title}</p>
          <p className="run">
            <bdi>{shown.subtitle}</bdi> · {made_by}
          </p>
        </div>
        <ThemeSwitch />
      </header>
      <main id="main" className="alone">
        <div className="view">
          <h1>{shown.title}</h1>
          <DocumentView of={shown} at="" figures={figures} open />
        </div>
      </main>
    </>
  );
}
