import { claimIn } from "./claims.js";
import { CUE } from "./cues.js";
import { encodedTexts } from "./encoded.js";
import { type Folded, foldText } from "./fold.js";
import { type Form, form } from "./form.js";
import { findForms } from "./forms.js";
import { hiddenRanges, type Range } from "./hidden.js";
import { bitOf } from "./kinds.js";
import { ENOUGH, scoreSegment } from "./score.js";
import { type Segment, segmentsOf } from "./tokens.js";

/** A segment with what was found in it. */
export interface Reading extends Segment {
  points: number;
  /** Bits of kinds. */
  kinds: number;
  /** It is left unread. */
  taken: boolean;
  /** It lies in a form that is left unread as a whole. */
  isForm: boolean;
}

/** A text as it was read. */
export interface PartReading {
  original: string;
  folded: Folded;
  readings: Reading[];
  /** Places of the original that nobody sees, or sees in another order. */
  hidden: readonly Range[];
  /** It speaks to the auditor by name. */
  addresses: boolean;
}

/** Reads a text. `honourQuotes`: what is quoted counts half, except in code and markup. */
export function readPart(original: string, honourQuotes: boolean): PartReading {
  const hidden = hiddenRanges(original);
  const folded = foldText(original);
  const forms = [...findForms(folded.text), ...encodedForms(original, folded)];
  for (const { start, end } of hidden) {
    const [from, to] = [foldedPlace(folded.at, start), foldedPlace(folded.at, end)];
    if (to > from) forms.push(form("hidden_characters", from, to, 0));
  }
  const units = forms.filter(({ cuts }) => cuts);
  const isInUnit = coveredBy(units);
  const borders = [...new Set(units.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  let addresses = false;
  const readings = segmentsOf(folded, original, borders).map((segment): Reading => {
    const score = scoreSegment(segment, folded.text, honourQuotes && !isInUnit(segment.start));
    addresses ||= score.addresses;
    const reading = {
      start: segment.start,
      end: segment.end,
      tokens: segment.tokens,
      newLine: segment.newLine,
      points: score.points,
      kinds: score.kinds,
      taken: false,
      isForm: false,
    };
    if (segment.tokens.some(({ cues }) => (cues & CLAIMING) !== 0)) addClaim(reading, folded.text);
    return reading;
  });
  for (const one of forms) applyForm(one, readings);
  return { original, folded, readings, hidden, addresses };
}

/** Tells for places in rising order whether some unit holds them. */
function coveredBy(units: readonly Form[]): (place: number) => boolean {
  const sorted = [...units].sort((a, b) => a.start - b.start);
  let next = 0;
  let end = 0;
  return (place) => {
    for (; next < sorted.length && sorted[next]!.start <= place; next++) end = Math.max(end, sorted[next]!.end);
    return place < end;
  };
}

/** Encoded texts that are attempts when they are decoded. */
function encodedForms(original: string, folded: Folded): Form[] {
  const forms: Form[] = [];
  for (const { start, end, decoded } of encodedTexts(original)) {
    const inner = foldText(decoded);
    const readings = segmentsOf(inner, decoded, []).map((segment) => scoreSegment(segment, inner.text, false));
    if (readings.some(({ points }) => points >= ENOUGH - 1)) {
      forms.push(form("disguise", foldedPlace(folded.at, start), foldedPlace(folded.at, end), ENOUGH));
    }
  }
  return forms;
}

/** The first folded character at or after a place of the original. */
function foldedPlace(at: Int32Array, original: number): number {
  let low = 0;
  let high = at.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at[middle]! < original) low = middle + 1;
    else high = middle;
  }
  return low;
}

const LONGEST_LINE = 600;
/** Words without which nothing is a rule or a precedent. */
const CLAIMING =
  CUE.rules | CUE.orders | CUE.approve | CUE.complies | CUE.decision | CUE.skip | CUE.follow | CUE.moderator;

function addClaim(reading: Reading, text: string): void {
  const ahead = text.slice(reading.start, reading.start + LONGEST_LINE);
  const newLine = ahead.indexOf("\n", 1);
  const sentence = ahead.slice(0, reading.end - reading.start);
  const claim = claimIn(sentence, newLine < 0 ? ahead : ahead.slice(0, Math.max(newLine, sentence.length)));
  if (claim === null) return;
  reading.points += claim.points;
  reading.kinds |= bitOf(claim.kind);
}

/** A unit that is an attempt with what stands in it takes all of that; a weaker one lends its points. */
function applyForm({ kind, start, end, points, bonus, cuts, isHead }: Form, readings: readonly Reading[]): void {
  let most = 0;
  const first = firstEndingAfter(readings, start);
  let last = first;
  for (; last < readings.length && readings[last]!.start < end; last++) most = Math.max(most, readings[last]!.points);
  const isAttempt = cuts && !isHead && points + bonus > 0 && points + most + (most > 0 ? bonus : 0) >= ENOUGH;
  for (let k = first; k < (cuts ? last : Math.min(last, first + 1)); k++) {
    const reading = readings[k]!;
    if (isHead) reading.points = points;
    else reading.points = isAttempt ? Math.max(ENOUGH, reading.points) : reading.points + points;
    reading.isForm ||= isAttempt;
    if (points > 0 || isAttempt) reading.kinds |= bitOf(kind);
  }
}

function firstEndingAfter(readings: readonly Reading[], place: number): number {
  let low = 0;
  let high = readings.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (readings[middle]!.end <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}
