import { UserText } from "./user-text.tsx";

/** What must be known before the numbers are believed, each remark once. */
export function Remarks({ of }: { of: readonly string[] }) {
  if (of.length === 0) return null;
  return (
    <ul className="remarks" aria-label="To keep in mind">
      {[...new Set(of)].map((text) => (
        <li key={text}>
          <UserText text={sentenceOf(text)} max={800} />
        </li>
      ))}
    </ul>
  );
}

function sentenceOf(text: string): string {
  const first = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
