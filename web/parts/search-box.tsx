import { useQuery } from "../route/use-route.ts";

/** A search that lives in the address under `name`; empty finds everything. */
export function SearchBox({ name, label, placeholder }: { name: string; label: string; placeholder?: string }) {
  const [text, setText] = useQuery(name);
  return (
    <label>
      {label}
      <input type="search" value={text} placeholder={placeholder} onChange={(event) => setText(event.target.value)} />
    </label>
  );
}

/** Whether a text holds what was searched for, whatever the case of its letters. */
export function found(text: string, search: string): boolean {
  return text.toLocaleLowerCase("en").includes(search.trim().toLocaleLowerCase("en"));
}
