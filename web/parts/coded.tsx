/** A sentence of ours in which commands stand between backticks, as in the terminal. */
export function Coded({ text }: { text: string }) {
  return text.split("`").map((part, place) => {
    const key = String(place);
    return place % 2 === 1 ? <code key={key}>{part}</code> : <span key={key}>{part}</span>;
  });
}
