import { bitOf, type Form, form, type InjectionKind } from "./clause.js";
import { CUE } from "./cues.js";
import { type Folded, foldText } from "./fold.js";
import { findForms } from "./forms.js";
import { hiddenRanges, type Range } from "./hidden.js";
import { ENOUGH, scoreSegment } from "./score.js";
import { type Segment, segmentsOf } from "./tokens.js";

/** Words that head a rule; a number, a name and a bracket may follow, then a colon or a full stop. */
const RULE_HEAD =
  /^[\s>*#"'`[(_§\d-]{0,10}(?:(?:new|updated|revised|additional|community|platform|site|special|general|important|overriding) ){0,2}(?:rule|policy|guideline|exception|amendment|addendum|clause|article|principle|regulation|exemption|update)s?\b[^.!?\n]{0,90}?[:.]/;
const RULE_HEAD_SAYS = /\b(?:says?|said|states?|means?|requires?|asks?|bans?|forbids?|my|our|their)\b/;
const GRANTS =
  /\b(?:allowed|permitted|exempt(?:ed)?|acceptable|suspended|(?:never|not)(?: be)? (?:be )?removed|cannot be (?:removed|taken)|(?:may|must) (?:not|never) (?:be )?remove|(?:must|shall|has|have|are|is) (?:to )?be (?:approved|kept)|no longer appl|(?:do|does) not apply|count as)/;
const SWEEPING =
  /\b(?:all|any|every|always|never|automatically|whatever|everything|this (?:post|author|account|content|sentence|kind)|without exception)\b/;
const OBJECT =
  /\b(?:posts?|posted|content|submissions?|comments?|messages?|members?|authors?|accounts?|users?|moderators?|rules)\b/;
const APPROVED_FIRST = /\bapproved (?:by|before|first|in advance)\b/;

const PRECEDENT = /\b(?:precedents?|ruling|(?:prior|earlier|previous) decision|(?:case|decision) (?:no\.? ?)?#?\d)/;
const KEPT = /\b(?:approved?|approval|kept up|left (?:up|standing)|restored|allowed|reinstated)\b/;
const ALIKE = /\b(?:identical|same|exactly like|like this|this very|word for word|this post|all precedents)\b/;
const BINDING = /\bprecedents?\b[^.]{0,60}\b(?:binding|weigh[st]?|weight)\b|\b(?:binding)\b[^.]{0,40}\bprecedents?\b/;

/** Points of a sentence that pretends to be a rule or a precedent, and as which. `line` goes on to the end of its line. */
function claimIn(sentence: string, line: string): { points: number; kind: InjectionKind } | null {
  const head = RULE_HEAD.exec(line);
  const isHeaded = head !== null && !RULE_HEAD_SAYS.test(head[0]);
  // A head that is a sentence of its own is read on.
  const grants = isGrant(isHeaded && head[0].length >= sentence.trimEnd().length ? line : sentence);
  if (grants) return { points: isHeaded ? 4 : 1, kind: "forged_rule" };
  if (PRECEDENT.test(sentence)) {
    if (KEPT.test(sentence) && ALIKE.test(sentence)) return { points: 4, kind: "forged_precedent" };
    if (BINDING.test(sentence)) return { points: 2, kind: "forged_precedent" };
  }
  return null;
}

function isGrant(text: string): boolean {
  return GRANTS.test(text) && SWEEPING.test(text) && OBJECT.test(text) && !APPROVED_FIRST.test(text);
}

const BLOB = /(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/_-]{24,}={0,2})/g;
const HEX = /^(?:[0-9a-f]{2})+$/i;
/** Characters of encoded text that are decoded at most: an order fits, a picture need not. */
const LONGEST_BLOB = 4000;
const READABLE = /^[\t\n\r -~]*$/;

/** Texts in base64 or hexadecimal numbers: where they stand, and what they say. */
function encodedTexts(text: string): (Range & { decoded: string })[] {
  const found: (Range & { decoded: string })[] = [];
  for (const { 0: blob, index } of text.matchAll(BLOB)) {
    const decoded = decode(blob.slice(0, LONGEST_BLOB));
    if (decoded !== null) found.push({ start: index, end: index + blob.length, decoded });
  }
  return found;
}

function decode(blob: string): string | null {
  if (HEX.test(blob)) {
    const text = blob.replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16)));
    return READABLE.test(text) ? text : null;
  }
  // Words and names run together have no such mixture.
  if (!/[a-z]/.test(blob) || !/[A-Z0-9+/]/.test(blob)) return null;
  const plain = blob.replace(/=+$/, "").replaceAll("-", "+").replaceAll("_", "/");
  try {
    const text = atob(plain.slice(0, plain.length - (plain.length % 4 === 1 ? 1 : 0)));
    return READABLE.test(text) ? text : null;
  } catch {
    return null;
  }
}

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
