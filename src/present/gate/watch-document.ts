import type { WatchKeyState, WatchState } from "../../measures/gate/drift/watch-types.js";
import type { GateReport, StandingWatch } from "../../measures/gate/gate-report.js";
import { printable } from "../../text/printable.js";
import { type Block, type Text, table } from "../document/document.js";
import { plural, whole } from "../words/numbers.js";
import { communityLink, numberAt, sentence } from "../words/sentence.js";
import { names } from "./verdict-document.js";

const STATISTICS =
  "Statistics of an alarm are on a logarithmic scale (nats): how much better the decisions up to then are explained by a rate above the limit than by the limit itself; at 6.9 a thousand times. `defensible gate reinstate` lifts a suspension after a mistaken alarm.";

function outcome(type: string, kept: boolean): string {
  const done = type === "suspended" ? "suspended." : "reinstated.";
  return kept ? `${done[0]!.toUpperCase()}${done.slice(1)}` : `Would be ${done}`;
}

/** Changes over time, alarms first. */
export function watchSection({ watch }: GateReport, rows: number): Block[] {
  if (!watch) return [];
  const alarms = watch.events.filter((event) => event.type === "suspended");
  const returned = watch.events.filter((event) => event.type === "reinstated");
  const above = watch.events.filter((event) => event.type === "above");
  const resets = watch.events.filter((event) => event.type === "reset");
  const seen = `${plural(watch.rows, "verdict")} of ${plural(watch.communities, "community", "communities")} watched in the order of time${watch.rows_in_all > watch.rows ? ` (${whole(watch.rows_in_all)} since the watch began)` : ""}`;
  const blocks: Block[] = [
    { kind: "heading", text: "Watch" },
    {
      kind: "text",
      text: `${seen}: ${plural(alarms.length, "alarm")}, ${plural(returned.length, "reinstatement")}. Promise: ${watch.promise}.${watch.kept ? " The next watch goes on from here." : " Nothing was kept: this is what a watch would do."}`,
    },
  ];
  if (watch.reviews) {
    const { threads, promise } = watch.reviews;
    blocks.push({
      kind: "text",
      text: `${plural(threads, "reviewed thread")} of automated decisions watched as well. Promise: ${promise}.`,
    });
  }
  const { waiting = 0, late = 0 } = watch;
  if (waiting + late > 0) {
    blocks.push({
      kind: "text",
      text: `${plural(waiting, "verdict")} of threads that are still open wait for the next watch; ${plural(late, "verdict")} came after the thread was closed and ${late === 1 ? "is" : "are"} left out.`,
    });
  }
  const shown = [...alarms, ...returned].slice(0, rows);
  if (shown.length > 0) {
    blocks.push(
      table(
        ["time", "community", "~what"],
        shown.map((event) => [
          printable((event.at ?? "unknown").slice(0, 16).replace("T", " "), 16),
          printable(event.community, 40),
          printable(`${outcome(event.type, watch.kept)} ${event.text} ${event.remedy ?? ""}`.trim(), 600),
        ]),
      ),
      { kind: "text", text: STATISTICS },
    );
  }
  if (above.length > 0) {
    blocks.push({
      kind: "text",
      text: aboveText(above.map((event) => event.community)),
    });
  }
  if (resets.length > 0) {
    const affected = new Set(resets.map((event) => event.community)).size;
    blocks.push({
      kind: "text",
      text: `${plural(resets.length, "change")} of auditor, prompt or rules in ${plural(affected, "community", "communities")}: there the watch began anew.`,
    });
  }
  for (const note of watch.notes) blocks.push({ kind: "text", text: printable(note, 1000) });
  blocks.push(...namedBlocks(watch, rows));
  if (watch.open_runs.length > 0) {
    blocks.push({
      kind: "text",
      text: `Not finished, and left for the next time: ${watch.open_runs.map((run) => `run ${run}`).join(", ")}.`,
    });
  }
  return blocks;
}

/** Communities above a limit by all their verdicts. */
function namedBlocks({ named }: Pick<StandingWatch, "named">, rows: number): Block[] {
  if (named.length === 0) return [];
  return [
    table<Text>(
      ["above a limit, by all its verdicts", ">n", ">L3", ">ambiguous", ">q"],
      named
        .slice(0, rows)
        .map(({ community }, i) => [
          communityLink(community),
          ...["n", "indefensible", "ambiguous"].map((field) => numberAt(`/watch/named/${i}/${field}`, "whole")),
          numberAt(`/watch/named/${i}/q`, "probability"),
        ]),
    ),
    {
      kind: "text",
      as: "note",
      text: "q: share of false names among those with at most this q, over the whole fleet (e-BH).",
    },
  ];
}

/** The workspace's watch so far, for a page about run `own`. */
export function standingWatchSection(watch: StandingWatch | null, own: string | null): Block[] {
  const heading: Block = { kind: "heading", text: "Watch over time" };
  if (!watch) {
    const why =
      "This workspace has not been watched yet: a watch goes through verdicts in the order of time and suspends communities that drift above a limit.";
    return [heading, { kind: "empty", why, command: "defensible gate watch" }];
  }
  const { runs, events, events_in_all: all, above, notes } = watch;
  const here = own !== null && runs.includes(own);
  const which =
    runs.length === 1 && here ? "this run" : `${plural(runs.length, "run")}, this one ${here ? "" : "not "}among them,`;
  return [
    heading,
    {
      kind: "text",
      text: sentence`${numberAt("/watch/rows", "whole")} verdicts of ${which} have been watched in the order of time. Promise: ${watch.promise}.${events.length === 0 ? " It has suspended no community." : ""}`,
    },
    ...(events.length > 0
      ? [
          table<Text>(
            ["community", "time", "~what"],
            events.map((event) => [
              communityLink(event.community),
              printable((event.decision_time ?? event.at).slice(0, 16).replace("T", " "), 20),
              printable(`${event.type}${event.by_hand ? " by hand" : ""}. ${event.text}`, 600),
            ]),
            `Changes to the gate, the newest first${events.length < all ? `, ${events.length} of ${whole(all)}` : ""}`,
          ),
        ]
      : []),
    ...(above.length > 0 ? [{ kind: "text" as const, text: aboveText(above) }] : []),
    ...namedBlocks(watch, Number.POSITIVE_INFINITY),
    ...notes.map((note): Block => ({ kind: "text", text: printable(note, 1000) })),
  ];
}

const aboveText = (above: readonly string[]) => `Above a limit from the start, and not automated: ${names(above, 30)}.`;

/** More version changes than this, and in more than one decision in a hundred, are not releases. */
const MANY_CHANGES = 10;
const OFTEN = 0.01;

const LISTED = 5;

/** Notes about a watch in addition to its events. `suspended`: communities that the gate counts as suspended. */
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
  const shown = keys.slice(0, LISTED).map((key) => `${key.key} (${tell(key)})`);
  return `${shown.join(", ")}${keys.length > LISTED ? ` and ${keys.length - LISTED} more` : ""}`;
}
