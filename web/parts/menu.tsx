import { useEffect, useRef } from "react";
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
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current entry is another one when `current` is
  useEffect(() => bringIntoView(nav.current), [current]);
  return (
    <nav className="menu" ref={nav} aria-label="Views of the report">
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

/** Where the menu is longer than its room it scrolls to the current entry, and the page stays where it is. */
function bringIntoView(nav: HTMLElement | null): void {
  const entry = nav?.querySelector("[aria-current]")?.getBoundingClientRect();
  if (!nav || !entry) return;
  const room = nav.getBoundingClientRect();
  if (entry.left < room.left || entry.right > room.right) {
    nav.scrollLeft += entry.left + entry.width / 2 - (room.left + room.width / 2);
  }
  if (entry.top < room.top || entry.bottom > room.bottom) {
    nav.scrollTop += entry.top + entry.height / 2 - (room.top + room.height / 2);
  }
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
