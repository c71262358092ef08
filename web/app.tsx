import { useEffect, useRef } from "react";
import { nameText } from "../src/present/words/word-table.js";
import { Banner } from "./parts/banner.tsx";
import { Menu } from "./parts/menu.tsx";
import { Nothing } from "./parts/nothing.tsx";
import { ViewGuard } from "./parts/view-guard.tsx";
import { goToKeptPlace } from "./route/kept-place.ts";
import { parseRoute, placeOf } from "./route/route.ts";
import { usePlace } from "./route/use-route.ts";
import { VIEWS } from "./views/views.ts";

/** The link in a page that leads to another place. */
function linkTo(main: HTMLElement | null, place: string): HTMLElement | undefined {
  return [...(main?.querySelectorAll("a") ?? [])].find((link) => placeOf(parseRoute(link.hash)) === place);
}

export function App() {
  const { view, place } = usePlace();
  const main = useRef<HTMLElement>(null);
  const entry = VIEWS.find(({ id }) => id === view);
  const last = useRef<string | null>(null);
  useEffect(() => {
    document.title = `${entry?.title ?? "Not found"} · Defensibility report`;
    if (last.current === place) return;
    const left = last.current;
    last.current = place;
    // Another view is another page: it begins at its top, or, after Back, where it was left; keyboard and screen reader begin there too.
    const back = goToKeptPlace();
    if (left === null) return;
    const followed = back ? linkTo(main.current, left) : undefined;
    (followed ?? main.current)?.focus({ preventScroll: true });
  }, [entry, place]);
  return (
    <>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to the report
      </button>
      <Banner />
      <div className="shell">
        <Menu current={entry?.within ?? view} />
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
