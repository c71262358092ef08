import { printable } from "../../src/text/printable.js";

/** A sentence of a command's output: what stands between backticks is a command or an option. */
export function Prose({ text, max = 600 }: { text: string; max?: number }) {
  const parts = printable(text, max).split("`");
  // An odd number of backticks: the last one is no more than a character.
  const paired = parts.length % 2 === 1;
  if (!paired) return <bdi>{parts.join("`")}</bdi>;
  return (
    <bdi>
      {parts.map((part, place) => {
        const key = String(place);
        return place % 2 === 1 ? <code key={key}>{part}</code> : <span key={key}>{part}</span>;
      })}
    </bdi>
  );
}
