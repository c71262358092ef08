import { nameText } from "../../src/present/words/word-table.js";
import { folded } from "../../src/text/words.js";
import { useQuery } from "../route/use-route.ts";
import { Chosen } from "./select-box.tsx";

interface SearchBoxProps {
  /** Its name in the address. */
  name: string;
  label: string;
  placeholder?: string;
  /** Id of the table that it searches. */
  table?: string;
}

/** A search that lives in the address; empty finds everything. */
export function SearchBox({ name, label, placeholder, table }: SearchBoxProps) {
  const [text, setText] = useQuery(name, "", table);
  return (
    <>
      <label>
        {label}
        <input
          type="search"
          value={text}
          placeholder={placeholder}
          size={Math.max(20, placeholder?.length ?? 0)}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {text.trim() !== "" && <Chosen label={label} name={`“${nameText(text.trim(), 60)}”`} />}
    </>
  );
}

/** Whether a text holds what was searched for, whatever the case and the accents of its letters. */
export function found(text: string, search: string): boolean {
  return folded(text).includes(folded(search.trim()));
}
