import { gateQuery } from "../../data/gate-settings.ts";
import { routeHash } from "../../route/route.ts";
import { useRoute } from "../../route/use-route.ts";
import { VIEWS } from "../../views/views.ts";

/** Links to the views. They keep the gate's settings, so that every view shows the same gate. */
export function Menu() {
  const { view, query } = useRoute();
  return (
    <nav className="menu" aria-label="Views of the report">
      <ul>
        {VIEWS.map(({ id, title }) => (
          <li key={id}>
            <a href={routeHash(id, [], gateQuery(query))} aria-current={view === id ? "page" : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export interface Tab {
  /** Second part of the address; "": the view itself. */
  id: string;
  title: string;
  has?: boolean;
  /** Screens below it without a tab of their own. */
  holds?: readonly string[];
}

/** The screens of a view. Those without data come last, in grey, and explain how to get it. */
export function Tabs({ of: tabs, label }: { of: readonly Tab[]; label: string }) {
  const { view, about, query } = useRoute();
  const [here = ""] = about;
  const ordered = [...tabs.filter(({ has = true }) => has), ...tabs.filter(({ has = true }) => !has)];
  return (
    <nav className="tabs" aria-label={label}>
      <ul>
        {ordered.map(({ id, title, has = true, holds = [] }) => (
          <li key={id} className={has ? undefined : "without"}>
            <a
              href={routeHash(view, id === "" ? [] : [id], gateQuery(query))}
              aria-current={here === id || holds.includes(here) ? "page" : undefined}
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
