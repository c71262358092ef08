import { type Block, type Text, table } from "../../present/document/document.js";
import { differenceCell, formOf, referenceCell, valueCell } from "../../present/words/experiment-words.js";
import { numberAt } from "../../present/words/sentence.js";
import { upperFirst } from "../../present/words/vocabulary.js";
import { printable } from "../../text/printable.js";
import type { Compared, StudyValue } from "./result.js";

/** With the pointer to it. */
export type Placed<Row> = Row & { at: string };

/** The numbers by table, in their order; `at`: pointer to their list. */
export function byPlace<Row extends { place: string }>(rows: readonly Row[], at: string): Map<string, Placed<Row>[]> {
  const places = new Map<string, Placed<Row>[]>();
  rows.forEach((one, i) => {
    places.set(one.place, [...(places.get(one.place) ?? []), { ...one, at: `${at}/${i}` }]);
  });
  return places;
}

/** The numbers of a table without a comparison. */
export function valueBlocks(place: string, rows: readonly Placed<StudyValue>[]): Block[] {
  const there = rows.filter(({ value }) => value !== null);
  if (there.length === 0) return [];
  return [
    { kind: "heading", text: place },
    table<Text>(
      ["~", ">here (95% interval)", ">n"],
      there.map((row) => [row.what, valueCell(row.at, row), numberAt(`${row.at}/n`, "whole")]),
    ),
  ];
}

/** One table with the numbers of the reference and ours. */
export function tableBlocks(place: string, rows: readonly Placed<Compared>[], reference: string): Block[] {
  const roles = rows.some(({ role }) => role !== null);
  // Printed numbers that may have meant another quantity.
  const other = rows.find(({ beside }) => beside !== null)?.beside?.what;
  const there = rows.filter(({ ours }) => ours.value !== null);
  const missing = missingText(rows);
  return [
    { kind: "heading", text: place },
    ...(there.length > 0
      ? [
          table<Text>(
            [
              "~",
              ">ours (95% interval)",
              `>${reference}`,
              ">difference",
              "verdict",
              ...(other ? [`>ours, ${other}`] : []),
              ...(roles ? ["role"] : []),
            ],
            there.map((row) => [
              row.what,
              valueCell(`${row.at}/ours`, row),
              referenceCell(row.at, row),
              differenceCell(row.at, row),
              row.verdict ?? "",
              ...(other ? [row.beside ? numberAt(`${row.at}/beside/value`, formOf(row)) : ""] : []),
              ...(roles ? [row.role ?? ""] : []),
            ]),
          ),
        ]
      : []),
    ...caveatBlocks(rows),
    ...reasonBlocks(rows),
    ...(missing ? [{ kind: "text" as const, text: missing }] : []),
  ];
}

/** Caveats of printed numbers, each remark once. */
function caveatBlocks(rows: readonly Compared[]): Block[] {
  const remarks = new Map<string, Set<string>>();
  for (const { caveat, what } of rows) {
    if (caveat === null) continue;
    // One name for the same number at all temperatures, or in all scenarios and cohorts.
    const name = what.replace(/^[^:]+: /, "");
    remarks.set(caveat, new Set([...(remarks.get(caveat) ?? []), name]));
  }
  if (remarks.size === 0) return [];
  const lines = [...remarks].map(([caveat, names]) => `${[...names].join(", ")}: ${caveat}.`);
  return [{ kind: "text", text: `On these numbers. ${lines.join(" ")}` }];
}

/** Why a world with the paper's rates gives other numbers, if it does. */
function reasonBlocks(rows: readonly Compared[]): Block[] {
  const reasons = new Set(rows.flatMap(({ within, why }) => (within === false && why ? [why] : [])));
  if (reasons.size === 0) return [];
  return [{ kind: "text", text: `Where ours differs: ${[...reasons].join("; ")}.` }];
}

/** The missing values, why they are missing, and what would make them. */
function missingText(rows: readonly Compared[]): string {
  const reasons = new Map<string, { names: string[]; command: string | null }>();
  for (const { what, ours, command } of rows) {
    if (ours.value !== null) continue;
    const reason = ours.reason ?? "not known";
    const known = reasons.get(reason) ?? { names: [], command };
    known.names.push(what);
    reasons.set(reason, known);
  }
  return [...reasons]
    .map(([reason, { names, command }]) => {
      const all = names.length === rows.length;
      const which = all ? "None of it has a value here" : `Without a value: ${names.join("; ")}`;
      return `${which}. ${upperFirst(printable(reason, 300))}.${command ? ` To make it: ${printable(command, 300)}` : ""}`;
    })
    .join(" ");
}
