import { type Check, type CheckCompiler, NO_CHECKS, speaksAgainst } from "../clause.js";
import type { ContentView } from "../content-view.js";
import type { Zone } from "../zone.js";

const CAPITALS = /\b(?:all caps|all-caps|capitals|capital letters|uppercase|upper case|shouting|may[uú]sculas)\b/i;
const ROW = /more than (\d+|two|three|four|five) words in a row/;
const MARKS = /more than one (?:exclamation|question)|\bexclamation marks\b/;

/** Capitals and piled-up marks: "no ALL CAPS", "more than 3 words in a row in capitals". */
export const compileCapitalsChecks: CheckCompiler = (clause) => {
  if (!speaksAgainst(clause.role) && clause.role !== "requirement") return NO_CHECKS;
  const checks: Check[] = [];
  const titleOnly = /\btitles?\b/.test(clause.lower);
  if (CAPITALS.test(clause.text)) {
    const row = ROW.exec(clause.lower);
    const most = row ? ({ two: 2, three: 3, four: 4, five: 5 }[row[1]!] ?? Number(row[1])) : 2;
    checks.push({
      property: "capitals",
      judge: (view) => capitalsVerdict(zoneOf(view, titleOnly), most),
      tell: (view) => `has ${zoneOf(view, titleOnly).capitalsRun} words in a row in capitals`,
    });
  }
  if (MARKS.test(clause.lower)) {
    checks.push({
      property: "marks in a row",
      judge: (view) => (zoneOf(view, titleOnly).markRun > 1 ? 0.9 : 0),
      tell: (view) => `has ${zoneOf(view, titleOnly).markRun} question or exclamation marks in a row`,
    });
  }
  return checks;
};

function zoneOf(view: ContentView, titleOnly: boolean): Zone {
  return view.hasTitle && (titleOnly || view.title.capitals > view.body.capitals) ? view.title : view.body;
}

function capitalsVerdict(zone: Zone, most: number): number {
  if (zone.words < 3) return 0;
  if (zone.capitalsRun > most && zone.capitals * 2 > zone.letters) return 1;
  if (zone.capitalsRun > most) return 0.8;
  return zone.capitalsRun >= 2 ? 0.1 : -0.2;
}
