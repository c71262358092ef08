import { gateQuery } from "../data/gate-settings.ts";
import { usePage } from "../data/page-context.ts";
import { routeHash } from "../route/route.ts";
import { useRoute } from "../route/use-route.ts";
import { VIEWS, type ViewEntry } from "../views/views.ts";

/** Links to the views. The gate's settings come along, so that every view speaks of the same gate. Views without data stand apart. */
export function Menu({ current }: { current: string }) {
  const page = usePage();
  const inMenu = VIEWS.filter((view) => view.inMenu);
  const empty = inMenu.filter(({ has }) => has !== undefined && !has(page));
  return (
    <nav className="menu" aria-label="Views of the report">
      <MenuList views={inMenu.filter((view) => !empty.includes(view))} current={current} />
      {empty.length > 0 && (
        <div className="menu-empty">
          <p id="menu-empty">Not in this report</p>
          <MenuList views={empty} current={current} labelledBy="menu-empty" />
        </div>
      )}
    </nav>
  );
}

interface MenuListProps {
  views: readonly ViewEntry[];
  current: string;
  labelledBy?: string;
}

function MenuList({ views, current, labelledBy }: MenuListProps) {
  const settings = gateQuery(useRoute().query);
  return (
    <ul aria-labelledby={labelledBy}>
      {views.map(({ id, title }) => (
        <li key={id}>
          <a href={routeHash(id, [], settings)} aria-current={current === id ? "page" : undefined}>
            {title}
          </a>
        </li>
      ))}
    </ul>
  );
}
