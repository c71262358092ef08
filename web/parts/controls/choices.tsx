import { nameText } from "../../../src/present/words/vocabulary.js";
import { folded } from "../../../src/text/words.js";
import { useQuery } from "../../route/use-route.ts";

interface SelectBoxProps {
  label: string;
  value: string;
  /** Name of the choice "", which is everything, if it exists. */
  all?: string;
  options: readonly { value: string; name: string }[];
  onChange: (value: string) => void;
}

/** A list to choose from; on paper only the choice. */
export function SelectBox({ label, value, all, options, onChange }: SelectBoxProps) {
  const chosen = options.find((option) => option.value === value);
  return (
    <>
      <label>
        {label}
        <select value={value} onChange={(event) => onChange(event.target.value)}>
          {all !== undefined && <option value="">{all}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.name}
            </option>
          ))}
        </select>
      </label>
      {chosen && <Chosen label={label} name={chosen.name} />}
    </>
  );
}

/** A setting's value, only on paper. */
export function Chosen({ label, name }: { label: string; name: string }) {
  return (
    <span className="on-paper chosen">
      {label}:{" "}
      <bdi>
        <span>{name}</span>
      </bdi>
    </span>
  );
}

interface SearchBoxProps {
  /** Name in the address. */
  name: string;
  label: string;
  placeholder?: string;
  /** Id of the table that it searches. */
  table?: string;
}

/** A search kept in the address; empty matches everything. */
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

/** Whether a text contains the search, ignoring case and accents. */
export function found(text: string, search: string): boolean {
  return folded(text).includes(folded(search.trim()));
}
