import { capitalised } from "./capitalised.ts";
import { Prose } from "./prose.tsx";

/** What must be known before the numbers are believed, each remark once. */
export function Remarks({ of }: { of: readonly string[] }) {
  if (of.length === 0) return null;
  return (
    <ul className="remarks" aria-label="To keep in mind">
      {[...new Set(of)].map((text) => (
        <li key={text}>
          <Prose text={sentenceOf(text)} max={800} />
        </li>
      ))}
    </ul>
  );
}

function sentenceOf(text: string): string {
  const first = capitalised(text);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
