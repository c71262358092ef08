interface SelectBoxProps {
  label: string;
  value: string;
  /** What "" means, where it may be chosen: everything. */
  all?: string;
  options: readonly { value: string; name: string }[];
  onChange: (value: string) => void;
}

/** A list to choose from. Paper, on which nothing can be chosen, says what was. */
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

/** What somebody set, for paper alone. */
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
