import { CONCEPTS } from "../../grounding/lexicon.js";
import type { ContentView } from "./content-view.js";
import { saying } from "./word-traits.js";

const NUMBERS = new Map(Object.keys(CONCEPTS).map((concept, index) => [concept, index]));
const numberOf = (concept: keyof typeof CONCEPTS & string): number => NUMBERS.get(concept)!;
const LINK = numberOf("link");
const MEDIA = numberOf("media");
const QUESTION = numberOf("question");
const PHONE = numberOf("phone");
const EMAIL = numberOf("email");
const ADDRESS = numberOf("address");
const SHOUTING = numberOf("shouting");
const LIST = numberOf("list");
const MONEY = numberOf("money");
const FIGURE = numberOf("figure");
const RECIPE = numberOf("recipe");
const REPORT = numberOf("report");
const DISCOUNT = numberOf("discount");
const SCORED = numberOf("score");

/** "We walked …": somebody tells what they did. */
const TOLD = saying(
  /\b(?:walked|hiked|went|started|climbed|did|took|visited|camped|set|rode|ran|reached|descended)\b/i,
  /\b(?:we|i) (?:walked|hiked|went|started|climbed|did|took|visited|camped|set off|rode|ran|reached|descended)\b/i,
);
const COOKING_UNITS: ReadonlySet<string> = new Set(["gram", "millilitre", "spoon", "litre", "degree"]);
const PERCENT_OFF = /\d\s?% ?(?:off|discount|cheaper|reduction|de descuento)/i;
const SCORE = /\b\d{1,2}(?:[.,]\d)? ?(?:\/|out of) ?(?:10|5|100)\b|⭐/;

/** Concepts, by number, that the content shows by what it is, not by what it says. */
export function shownConcepts(view: ContentView): number[] {
  const shown: number[] = [];
  if (view.links.count > view.links.images) shown.push(LINK);
  if (view.hasMedia) shown.push(MEDIA);
  if (view.title.questionMarks + view.body.questionMarks > 0) shown.push(QUESTION);
  if (view.contacts.phone !== null) shown.push(PHONE);
  if (view.contacts.email !== null) shown.push(EMAIL);
  if (view.contacts.address !== null) shown.push(ADDRESS);
  if (view.title.capitalsRun > 2 || view.body.capitalsRun > 3) shown.push(SHOUTING);
  if (view.body.listItems >= 3) shown.push(LIST);
  let measures = 0;
  for (const { unit, value } of view.amounts) {
    if (unit !== null && COOKING_UNITS.has(unit)) measures++;
    if (unit === "money") shown.push(MONEY);
    else if (unit === "percent" || (unit === null && value >= 1000 && !(value >= 1850 && value <= 2100)))
      shown.push(FIGURE);
  }
  if (measures >= 2) shown.push(RECIPE);
  if (TOLD.isIn(view)) shown.push(REPORT);
  if (view.text.includes("%") && PERCENT_OFF.test(view.text)) shown.push(DISCOUNT);
  if ((view.amounts.length > 0 || view.body.emoji > 0) && SCORE.test(view.text)) shown.push(SCORED);
  return shown;
}
