import { gateQuery } from "../data/gate-settings.ts";
import { routeHash } from "../route/route.ts";
import { useRoute } from "../route/use-route.ts";
import { VIEWS } from "../views/views.ts";

/** Links to the views. The gate's settings come along, so that every view speaks of the same gate. */
export function Menu({ current }: { current: string }) {
  const settings = gateQuery(useRoute().query);
  return (
    <nav className="menu" aria-label="Views of the report">
      <ul>
        {VIEWS.filter(({ inMenu }) => inMenu).map(({ id, title }) => (
          <li key={id}>
            <a href={routeHash(id, [], settings)} aria-current={current === id ? "page" : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
