import type { Words } from "./scan-words.js";
import { saying } from "./word-traits.js";

/** Contact data of a person: digits grouped like a telephone number, an e-mail address, a house number with a street. */
export interface Contacts {
  phone: string | null;
  email: string | null;
  address: string | null;
}

const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}/;
const SPELLED_EMAIL = /\b[a-z0-9]+(?: dot [a-z0-9]+)* at [a-z0-9]+ dot [a-z]+\b/i;
const PHONE =
  /(?<![\d.,/:-])(?:\+?\d{1,3}[ .-]?)?(?:\(\d{2,5}\)[ .-]?)?\d{3,4}[ .-]\d{3,4}(?:[ .-]?\d{2,4})?(?![\d/:]|[.,]\d| ?[€$£%])/;
const LONG_DIGITS = /(?<![\d.,])\+?\d{9,12}(?![\d.,])/;
/** A year range ("2019-2021") looks like a local number. */
const YEARS = /^(?:19|20)\d\d[ .-](?:19|20)\d\d$/;
const STREET = saying(
  /\b(?:street|st|road|rd|lane|ln|avenue|ave|row|close|drive|way|square|court|terrace|hill|yard|place|calle|c|avenida|plaza|rue|via)\b|straße|strasse|weg|gasse/,
  /\b\d{1,4}[a-z]? (?:[A-Z][\p{L}']+ ){1,3}(?:Street|St|Road|Rd|Lane|Ln|Avenue|Ave|Row|Close|Drive|Way|Square|Court|Terrace|Hill|Yard|Place)\b|\b(?:calle|c\/|avenida|plaza|rue|via) [\p{L} ]{3,30},? (?:n[ºo.]+ ?)?\d{1,4}\b|\p{Lu}\p{L}+(?:straße|strasse|weg|gasse) \d{1,4}\b/u,
);
/** Fewer digits than these make no telephone number. */
const LEAST_DIGITS = 6;

export function findContacts(text: string, words: Words, digits: number, hasAt: boolean): Contacts {
  const phone = digits >= LEAST_DIGITS ? (PHONE.exec(text)?.[0] ?? LONG_DIGITS.exec(text)?.[0] ?? null) : null;
  const spelled = text.includes(" dot ") ? SPELLED_EMAIL.exec(text)?.[0] : undefined;
  const email = (hasAt ? EMAIL.exec(text)?.[0] : undefined) ?? spelled ?? null;
  const address = digits > 0 ? STREET.find({ text, words }) : null;
  return { phone: phone !== null && YEARS.test(phone) ? null : phone, email, address };
}
