import { printable } from "../../src/figures/printable.js";
import { Coded } from "./coded.tsx";

/** What must be known before the numbers are believed, each remark once. */
export function Remarks({ of }: { of: readonly string[] }) {
  if (of.length === 0) return null;
  return (
    <ul className="remarks" aria-label="To keep in mind">
      {[...new Set(of)].map((text) => (
        <li key={text}>
          <bdi>
            <Coded text={printable(sentenceOf(text), 800)} />
          </bdi>
        </li>
      ))}
    </ul>
  );
}

function sentenceOf(text: string): string {
  const first = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
