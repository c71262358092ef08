import type { DiffWords } from "./diff/result.js";

/** Beyond this many cells the middle of the two texts counts as replaced: a table of more would take seconds and a gigabyte. */
const MOST_CELLS = 4_000_000;

/** What was changed in a text, word by word: the longest common sequence of words stays, the rest is removed or added. */
export function wordDiff(before: string, after: string): DiffWords[] {
  const a = words(before);
  const b = words(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const parts: DiffWords[] = [];
  const add = (op: DiffWords["op"], some: readonly string[]) => {
    if (some.length === 0) return;
    const last = parts.at(-1);
    if (last?.op === op) last.text += ` ${some.join(" ")}`;
    else parts.push({ op, text: some.join(" ") });
  };
  add("same", a.slice(0, start));
  middle(a.slice(start, a.length - end), b.slice(start, b.length - end), add);
  add("same", a.slice(a.length - end));
  return parts;
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

function middle(
  a: readonly string[],
  b: readonly string[],
  add: (op: DiffWords["op"], some: readonly string[]) => void,
): void {
  const width = b.length + 1;
  if ((a.length + 1) * width > MOST_CELLS) {
    add("removed", a);
    add("added", b);
    return;
  }
  // common[i · width + j]: length of the longest common sequence of a from i on and b from j on.
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i] === b[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
    }
  }
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      add("same", [a[i]!]);
      i++;
      j++;
    } else if (j === b.length || (i < a.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)) {
      add("removed", [a[i++]!]);
    } else add("added", [b[j++]!]);
  }
}
