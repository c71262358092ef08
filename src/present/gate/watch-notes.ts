import type { WatchKeyState, WatchState } from "../../measures/gate/drift/watch-types.js";
import { plural } from "../words/numbers.js";

/** So many changes of version, and more often than one decision in a hundred: these are no releases. */
const MANY_CHANGES = 10;
const OFTEN = 0.01;

const LISTED = 5;

/** What one has to know of a watch beside its events. `suspended`: communities whose suspension is one for the gate. */
export function watchNotes({ keys }: WatchState, suspended: ReadonlySet<string>): string[] {
  const changing = keys.filter(({ changes, rows }) => changes >= MANY_CHANGES && changes > OFTEN * rows);
  const waiting = keys.filter(({ key, suspended: alarm }) => suspended.has(key) && alarm && alarm.not_counted > 0);
  const notes: string[] = [];
  if (changing.length > 0) {
    const list = listed(changing, ({ changes, rows, resets }) => {
      return `${plural(changes, "change")} in ${plural(rows, "decision")}, ${plural(resets, "new start")}`;
    });
    notes.push(
      `Versions of auditor, prompt or rules alternate in ${list}. A version that was there before starts nothing anew, and of many new ones only a few do: the detectors run over all of them together, and an alarm does not tell which one it is about.`,
    );
  }
  if (waiting.length > 0) {
    const list = listed(waiting, ({ suspended: alarm }) => plural(alarm!.not_counted, "decision"));
    notes.push(
      `Not counted towards a return, because decided before the alarm or without a readable \`decided_at\`: ${list}.`,
    );
  }
  return notes;
}

function listed(keys: readonly WatchKeyState[], tell: (key: WatchKeyState) => string): string {
  const told = keys.slice(0, LISTED).map((key) => `${key.key} (${tell(key)})`);
  return `${told.join(", ")}${keys.length > LISTED ? ` and ${keys.length - LISTED} more` : ""}`;
}
