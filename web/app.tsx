import { useEffect, useRef } from "react";
import { printable } from "../src/figures/printable.js";
import { Banner } from "./parts/banner.tsx";
import { Menu } from "./parts/menu.tsx";
import { Nothing } from "./parts/nothing.tsx";
import { ViewGuard } from "./parts/view-guard.tsx";
import { useRoute } from "./route/use-route.ts";
import { VIEWS } from "./views/views.ts";

export function App() {
  const route = useRoute();
  const main = useRef<HTMLElement>(null);
  const entry = VIEWS.find(({ id }) => id === route.view);
  const place = [route.view, ...route.about].join("/");
  const last = useRef(place);
  useEffect(() => {
    document.title = `${entry?.title ?? "Not found"} · Defensibility report`;
    // Another view is another page: it begins at its top, and keyboard and screen reader begin there too.
    if (last.current === place) return;
    last.current = place;
    window.scrollTo(0, 0);
    main.current?.focus();
  }, [entry, place]);
  return (
    <>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to the report
      </button>
      <Banner />
      <div className="shell">
        <Menu current={route.view} />
        <main id="main" ref={main} tabIndex={-1}>
          {entry ? (
            <ViewGuard key={place}>
              <entry.View />
            </ViewGuard>
          ) : (
            <div className="view">
              <h1>Not found</h1>
              <Nothing why={`There is no view called "${printable(route.view, 60)}" in this report.`} />
            </div>
          )}
        </main>
      </div>
    </>
  );
}
