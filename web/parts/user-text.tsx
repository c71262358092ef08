import { nameText } from "../../src/present/words/word-table.js";

/** What somebody wrote or named, on one line: what cannot be seen is shown by its number, and nothing turns its surroundings. */
export function UserText({ text, max = 200 }: { text: string; max?: number }) {
  return <bdi>{nameText(text, max)}</bdi>;
}
