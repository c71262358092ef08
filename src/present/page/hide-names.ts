import {
  BOUNDARY_STATES,
  GATE_KEYS,
  GATE_MODES,
  GATE_STATES,
  STABILITY_CLASSES,
  STABILITY_GROUPS,
} from "../../core/names.js";
import { FLAGS } from "../../core/records/audit.js";
import { RULE_KINDS, TIERS } from "../../core/records/rule-set.js";
import { ATTACK_KINDS } from "../../experiments/attack/result.js";

/** Words of the program, with spaces: a person's name for something that is one of them shows nothing. */
const VOCABULARY: ReadonlySet<string> = new Set(
  [
    BOUNDARY_STATES,
    GATE_KEYS,
    GATE_MODES,
    GATE_STATES,
    STABILITY_CLASSES,
    STABILITY_GROUPS,
    FLAGS,
    RULE_KINDS,
    TIERS,
    ATTACK_KINDS,
  ].flatMap((names) => names.flatMap((name) => [name.replaceAll("_", " "), ...name.split("_")])),
);

/** Ids stay whatever they are made of. */
const IDS = new Set(["id", "ids", "decision_id", "run_id", "runs", "rule_id"]);

/** Fewest characters of a name that was cut short with `…`, by which it is still known. */
const LEAST_CUT = 4;

/**
 * Replaces names wherever they are a word of their own: in any case, with `_` or a space, and cut short. Ids, members, words that the program uses
 * itself and `kept` names stay.
 */
export function hideNames<Value>(value: Value, names: ReadonlyMap<string, string>, kept: Iterable<string> = []): Value {
  const all = flat(JSON.stringify(value));
  const saysNothing = (name: string) => VOCABULARY.has(name) || /^(?:[\d.,%-]{0,4}|\p{L})$/u.test(name);
  const found = new Map<string, string | null>();
  for (const [name, shown] of names) {
    const plain = flat(name);
    if (!saysNothing(plain) && all.includes(plain.slice(0, LEAST_CUT))) found.set(plain, shown);
  }
  if (found.size === 0) return value;
  const hidden = [...found.keys()];
  for (const name of kept) if (hidden.some((one) => flat(name).includes(one))) found.set(flat(name), null);
  const longest = [...found.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longest.map(edged).join("|"), "giu");
  const replaced = (text: string) =>
    text.replace(pattern, (match) => {
      const start = flat(match.replace(/…$/, ""));
      const name = found.has(start) ? start : longest.find((one) => one.startsWith(start));
      return found.get(name ?? "") ?? match;
    });
  const walk = (one: unknown): unknown => {
    if (typeof one === "string") return replaced(one);
    if (Array.isArray(one)) return one.map(walk);
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(
      Object.entries(one).map(([name, member]) => [name, IDS.has(name) ? member : walk(member)]),
    );
  };
  return walk(value) as Value;
}

function flat(text: string): string {
  return text.trim().toLowerCase().replace(/[_\s]/g, " ");
}

/** Most characters by which a name that was cut short is compared. */
const MOST_CUT = 100;

/** A pattern for a name in lower case, whole or cut short, not inside another word. */
function edged(name: string): string {
  const signs = [...name].map((sign) => (sign === " " ? "[_\\s]" : sign.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&")));
  const end = /[\p{L}\p{N}_-]$/u.test(name) ? "(?![\\p{L}\\p{N}_-])" : "";
  const tail = signs.slice(MOST_CUT).join("") + end;
  const rest = signs.slice(LEAST_CUT, MOST_CUT).reduceRight((after, sign) => `(?:…|${sign}${after})`, tail);
  return (/^[\p{L}\p{N}_-]/u.test(name) ? "(?<![\\p{L}\\p{N}_-])" : "") + signs.slice(0, LEAST_CUT).join("") + rest;
}
