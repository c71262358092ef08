import { nameText } from "./name-text.js";

/** A closed vocabulary's word for people: a short name for tables, and a sentence for whoever meets it first. */
export interface Words {
  name: string;
  meaning: string;
}

/** The words of a name, also of one that a file of another tool may hold. */
export function wordsOf<Key extends string | number>(table: Readonly<Record<Key, Words>>, key: string | number): Words {
  if (Object.hasOwn(table, key)) return table[key as Key];
  return { name: plain(String(key), 60), meaning: "" };
}

/** The same in a table of names alone. */
export function wordOr<Key extends string>(table: Readonly<Record<Key, string>>, name: string, maxLength = 40): string {
  return Object.hasOwn(table, name) ? table[name as Key] : plain(name, maxLength);
}

/** A name that no table has, made harmless: `made_up` -> "made up". */
function plain(name: string, maxLength: number): string {
  return nameText(name.replaceAll("_", " "), maxLength);
}
