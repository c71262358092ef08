import type { ContentView } from "../content-view.js";
import { saying } from "../word-traits.js";

/** A piece of information that rules demand of posts: how a rule names it, and how a post shows it. */
export interface Element {
  name: string;
  named: RegExp;
  present(view: ContentView): boolean;
}

const hasUnit = (view: ContentView, ...units: string[]): boolean =>
  view.amounts.some(({ unit }) => unit !== null && units.includes(unit));

const PLACE =
  /\b(?:in|at|near|from|on|by|behind|around|towards|en|cerca de|de) (?:the )?(?:old |upper |lower )?\p{Lu}[\p{L}'’]+|\b(?:street|lane|road|square|station|bridge|park|stop|avenue|village|town|city|valley|coast|calle|plaza|parque)\b/u;
const WHEN =
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|\b(?:yesterday|today|tonight|this morning|last (?:night|week|month|year|spring|summer|autumn|winter)|lunes|martes|miércoles|jueves|viernes|sábado|domingo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|ayer|hoy)\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}(?:st|nd|rd|th)\b/iu;
const SINCE = saying(
  /\b(?:since|ago|for|started|began|last|desde|hace|lleva)\b/iu,
  /\b(?:since|ago|for (?:a|two|three|some|the last|\d+)|started|began|last (?:week|month|year)|desde|hace|lleva)\b/iu,
);
const MODEL =
  /\b\p{Lu}[\p{L}&]+(?: \p{Lu}?[\p{L}]+)? (?:[A-Z]{0,4}-?\d{1,4}[A-Za-z]?\b|[A-Z]{1,3}\d*\b)|\b[A-Z]{1,4}-?\d{1,4}\b/u;
const TRIED = saying(
  /\b(?:tried|attempted|already|far|cleaned|checked|changed|replaced|opened|took|put|tightened|swapped|used|got|get|wrote|drew|set|read|looked|tested|measured|calculated|luck|success|probado|intentado|versucht|essayé)\b/iu,
  /\b(?:tried|attempted|already|so far|i (?:have |had |'ve )?(?:cleaned|checked|changed|replaced|opened|took|put|tightened|swapped|used|got|get|wrote|drew|set|read|looked|tested|measured|calculated)|no luck|without success|probado|intentado|versucht|essayé)\b/iu,
);
const WATERED = saying(
  /\bwater(?:ed|ing)?\b|\brieg[oau]|\bregar\b/iu,
  /\bwater(?:ed|ing)?\b|\brieg[oau]\w*|\bregar\b/iu,
);
const FRAME_SIZE =
  /\b(?:size|frame size) ?:? ?(?:\d{2}|[smlx]{1,3})\b|\b\d{2} ?(?:cm|inch|")|\b(?:small|medium|large|x-?large|xs|xl)\b|\btalla\b/iu;
const CAMERA = /\bf ?\/ ?\d|\b1\/\d{2,4}\b|\biso ?\d{2,5}\b|\b\d{2,3} ?mm\b/iu;
const CONDITION = saying(
  /\b(?:condition|used|new|mint|worn|scratch\w*|rust\w*|works?|working|broken|serviced|estado)\b/iu,
  /\b(?:condition|used|new|mint|worn|scratch\w*|rust\w*|works?|working|broken|as new|like new|serviced|estado)\b/iu,
);
const WANTED = /\?|\b(?:feedback|critique|tell me|let me know|want to know|i'd like to hear|curious|looking for)\b/iu;
const INGREDIENT = saying(
  /\b(?:flour|sugar|salt|butter|eggs?|oil|onions?|garlic|water|milk|cheese|rice|pepper|yeast)\b/iu,
  /\b(?:flour|sugar|salt|butter|eggs?|oil|onions?|garlic|water|milk|cheese|rice|pepper|yeast)\b/iu,
);
const PLATFORM = saying(
  /\b(?:windows|mac|macos|linux|browser|android|ios|phones?|mobile|console|pc|steam|web)\b/iu,
  /\b(?:windows|mac|macos|linux|browser|android|ios|phones?|mobile|console|pc|steam deck|web)\b/iu,
);

/** Elements that community rules commonly demand; each is recognised by form, not by understanding. */
export const ELEMENTS: readonly Element[] = [
  { name: "price", named: /\b(?:asking )?price\b|\bprecio\b/, present: (view) => hasUnit(view, "money") },
  {
    name: "telephone number",
    named: /\b(?:tele)?phone number\b/,
    present: (view) => view.contacts.phone !== null || view.contacts.email !== null,
  },
  {
    name: "e-mail address",
    named: /\be-?mail address\b/,
    present: (view) => view.contacts.email !== null || view.contacts.phone !== null,
  },
  {
    name: "place",
    named:
      /\b(?:says? where|what, where|and where|where and when|where it|where the|place|location|town|region|country|city|area|neighbourhood|d[oó]nde|trailhead)\b/,
    present: (view) => PLACE.test(view.text),
  },
  {
    name: "day",
    named: /\b(?:what, where and when|where and when|the day|date|when it|when you)\b/,
    present: (view) => WHEN.test(view.text),
  },
  { name: "since when", named: /\bsince when\b|\bdesde cu[aá]ndo\b/, present: (view) => SINCE.isIn(view) },
  { name: "watering", named: /\bwatered\b|\briega\b/, present: (view) => WATERED.isIn(view) },
  {
    name: "make and model",
    named: /\bmake\b.*\bmodel\b|\bmodel\b.*\bmake\b|\bbrand\b/,
    present: (view) => MODEL.test(view.text),
  },
  { name: "what was tried", named: /\btried\b|\battempt\b/, present: (view) => TRIED.isIn(view) },
  { name: "platform", named: /\bplatform\b/, present: (view) => PLATFORM.isIn(view) },
  {
    name: "duration",
    named: /\b(?:playing time|running time|duration|cooking time|how long|walking time|minutes)\b/,
    present: (view) => hasUnit(view, "minute", "hour"),
  },
  {
    name: "feedback wanted",
    named: /\bfeedback\b|\bcritique (?:is )?wanted\b|\bwhat (?:kind of )?(?:feedback|critique)\b/,
    present: (view) => WANTED.test(view.text),
  },
  {
    name: "distance",
    named: /\bdistance\b|\bkilomet|\bmiles\b|\blength of the (?:route|trail|hike)\b/,
    present: (view) => hasUnit(view, "kilometre", "mile", "metre"),
  },
  {
    name: "ascent",
    named: /\b(?:elevation|ascent|altitude|height)\b/,
    present: (view) => hasUnit(view, "metre", "foot"),
  },
  { name: "temperature", named: /\b(?:oven )?temperature\b/, present: (view) => hasUnit(view, "degree") },
  {
    name: "amounts",
    named: /\b(?:amounts?|quantit(?:y|ies)|measures?|measurements?)\b/,
    present: (view) =>
      hasUnit(view, "gram", "kilogram", "litre", "millilitre", "spoon") ||
      (view.body.listItems >= 3 && view.amounts.length >= 3),
  },
  {
    name: "ingredients",
    named: /\bingredients?\b/,
    present: (view) => INGREDIENT.isIn(view) || view.body.listItems >= 3,
  },
  {
    name: "size",
    named: /\b(?:frame )?size\b|\btalla\b/,
    present: (view) => FRAME_SIZE.test(view.text) || hasUnit(view, "centimetre", "inch"),
  },
  { name: "condition", named: /\bcondition\b/, present: (view) => CONDITION.isIn(view) },
  {
    name: "camera settings",
    named: /\b(?:settings|aperture|shutter|exposure|lens|iso)\b/,
    present: (view) => CAMERA.test(view.text),
  },
  {
    name: "picture",
    named: /\b(?:a|one|own) (?:photo|picture|image)\b|\bphotos? (?:is|are) (?:needed|required)\b/,
    present: (view) => view.hasMedia || view.links.images > 0,
  },
  {
    name: "source",
    named: /\bsources?\b|\bwhere it comes from\b/,
    present: (view) =>
      view.links.count > 0 || /\b(?:according to|minutes of|report(?:ed)? (?:of|by|in))\b/i.test(view.text),
  },
];
