import type { Figure } from "../../src/core/figure.js";
import { plural, whole } from "../../src/present/words/numbers.js";
import { type Chosen, chosenValues } from "./choose-rows.ts";
import type { Undrawn } from "./place-rows.ts";
import { columnName, valueName } from "./value-name.ts";

interface Drawn {
  chosen: Chosen;
  rows: number;
  undrawn: Undrawn;
  /** Intervals are too many to draw. */
  crossed: boolean;
  names: number;
  namesOf: number;
  panels: number;
  panelsOf: number;
}

/** What the reader must know of title and picture: where they tell of different choices, and what is left out. Nothing is left out silently. */
export function planNotes(figure: Figure, drawn: Drawn): string[] {
  const { rows, undrawn, names, namesOf, panels, panelsOf } = drawn;
  const notes = titleNotes(figure, drawn.chosen);
  if (figure.of !== undefined && figure.of > figure.rows.length) {
    notes.push(`${whole(figure.rows.length)} of ${whole(figure.of)} rows are in this figure.`);
  }
  if (namesOf > 0) notes.push(`Drawn: the first ${whole(names)} of ${whole(namesOf)}; the data have all.`);
  if (panelsOf > panels) notes.push(`Drawn: ${plural(panels, "panel")} of ${whole(panelsOf)}; the data have all.`);
  if (undrawn.undefined > 0) notes.push(`${whole(undrawn.undefined)} of ${whole(rows)} not drawn: undefined.`);
  if (undrawn.outside > 0) notes.push(`${whole(undrawn.outside)} of ${whole(rows)} not drawn: outside the axes.`);
  if (drawn.crossed) notes.push("Intervals are in the data, not in the picture.");
  return notes;
}

/** A title tells of the first choice; where another is looked at, that is said. */
function titleNotes(figure: Figure, chosen: Chosen): string[] {
  const first = Object.entries(chosenValues(figure));
  if (figure.title_of_all || first.every(([field, value]) => chosen[field] === value)) return [];
  const names = first.map(([field, value]) => {
    const name = valueName(field, value);
    return name.includes("=") ? name : `${columnName(field)} ${name}`;
  });
  return [`The title tells of ${names.join(", ")}, not of what is chosen here.`];
}
