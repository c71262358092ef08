import { actionSides, parseAction } from "../core/records/actions.js";
import type { Rule, RuleSet } from "../core/records/rule-set.js";
import { isTime } from "../core/text-checks.js";
import { hashSeed } from "../stats/random/create-rng.js";
import { cleanText } from "../text/guidelines/draft.js";
import { decodeEntities } from "../text/guidelines/html-tokens.js";
import type { AdapterOptions, Foreign, Shape } from "./adapter.js";

export function isObject(value: unknown): value is Foreign {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is an object, otherwise an empty one. */
export function objectOf(value: unknown): Foreign {
  return isObject(value) ? value : {};
}

export function objectsOf(value: unknown): Foreign[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A text that is not blank, or a number as text; otherwise null. */
export function textOf(value: unknown): string | null {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

export function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : []).flatMap((one) => textOf(one) ?? []);
}

/** A time as ISO 8601, from such a text, or from Unix time in seconds or milliseconds. Null: unknown. */
export function timeOf(value: unknown): string | null {
  if (isTime(value)) return value;
  const number = typeof value === "string" && /^\d{9,13}(?:\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number) || number <= 0) return null;
  const ms = number < 1e11 ? number * 1000 : number;
  return ms < 8.64e15 ? new Date(ms).toISOString() : null;
}

/** The visible text of an HTML fragment. */
export function htmlText(html: string): string {
  const broken = html.replace(/<br\s*\/?>/gi, "\n").replace(/<\/(?:p|div|li|blockquote|h[1-6])\s*>/gi, "\n\n");
  const text = decodeEntities(cleanText(broken.replace(/<\/?[a-z!][^>]*>/gi, "")));
  return text.replace(/\n{3,}/g, "\n\n").trim();
}

/** The table's value for a key, or undefined. */
export function pick<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** What the adapter knows of actions: `restrict` is the restricting one, `allow` the other. Of several restrictions it does not know which. */
export type KnownActions = Readonly<Record<string, "restrict" | "allow">>;

/** Our action for one of theirs, under any of its names; null: neither. Explicit mappings take precedence over the adapter's knowledge. */
export function actionOf(names: readonly string[], known: KnownActions, options: AdapterOptions): string | null {
  const { actions, values } = options;
  for (const name of names) {
    const said = values?.get(name.trim().toLowerCase());
    if (said !== undefined) return said;
  }
  const same = names.map((name) => parseAction(actions, name)).find((action) => action !== null);
  // With several restrictions, the name identifies which.
  if (same !== undefined && actions.all) return same;
  const { restricting, other } = actionSides(actions);
  for (const name of names) {
    const meaning = pick(known, name);
    const side = meaning === "restrict" ? restricting : other;
    if (meaning !== undefined) return side.length === 1 ? side[0]! : null;
  }
  return same ?? null;
}

/** A version for rules without one: equal rules have equal versions. */
export function versionOf(name: string, rules: readonly Rule[]): string {
  const text = JSON.stringify(rules);
  const hex = (seed: string) => (hashSeed(seed) >>> 0).toString(16).padStart(8, "0");
  return `${name}-${hex(text)}${hex(`${text.length}${text}`).slice(0, 4)}`;
}

/** A rule set with unique ids; a repeated id gets a number. */
export function ruleSetOf(name: string, community: string | null, given: readonly Rule[]): RuleSet {
  const seen = new Set<string>();
  const rules = given.map((rule) => {
    let id = rule.id;
    for (let n = 2; seen.has(id); n++) id = `${rule.id}-${n}`;
    seen.add(id);
    return { ...rule, id };
  });
  const scope = community === null ? { scope: "platform" as const } : { scope: "community" as const, community };
  return { ...scope, version: versionOf(name, rules), rules };
}

/** The members that are not null, undefined or empty text. */
export function known<T extends object>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(members).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}

/** Lines of context with a label, such as `link: …`, for the texts that are not blank. */
export function labelled(label: string, ...texts: readonly unknown[]): string[] {
  return texts.flatMap((text) => {
    const said = textOf(text);
    return said === null ? [] : [`${label}: ${said}`];
  });
}

/** A list as a member of an object; no member if the list is empty. */
export function listed<K extends string, T>(name: K, list: readonly T[]): { [P in K]?: T[] } {
  return (list.length > 0 ? { [name]: [...list] } : {}) as { [P in K]?: T[] };
}

/** A shape of known fields whose content is not checked. */
export function fields(names: string): Shape {
  return Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, true as const]),
  );
}

/** Groups items by a key, keeping their order. Items without a key are left out. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string | null): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === null) continue;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** A time as a number for sorting; 0 if unknown. */
export function instant(time: string | null): number {
  return time === null ? 0 : Date.parse(time);
}
