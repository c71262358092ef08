import { printable } from "../../src/figures/printable.js";

/** What somebody wrote or named, on one line: invisible and turning characters taken out, and kept from turning its surroundings. */
export function UserText({ text, max = 200 }: { text: string; max?: number }) {
  return <bdi>{printable(text, max)}</bdi>;
}
