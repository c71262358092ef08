import { routeHash } from "../route/route.ts";
import { VIEWS } from "../views/views.ts";

export function Menu({ current }: { current: string }) {
  return (
    <nav className="menu" aria-label="Views of the report">
      <ul>
        {VIEWS.filter(({ inMenu }) => inMenu).map(({ id, title }) => (
          <li key={id}>
            <a href={routeHash(id)} aria-current={current === id ? "page" : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
