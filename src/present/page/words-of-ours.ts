import { GATE_KEYS, GATE_MODES, GATE_STATES } from "../../core/gate-names.js";
import { FLAGS } from "../../core/records/audit.js";
import { RULE_KINDS, TIERS } from "../../core/records/rule-set.js";
import { ATTACK_KINDS } from "../../core/results/attack.js";
import { EXPERIMENT_KINDS } from "../../core/results/experiment-names.js";
import { BOUNDARY_STATES, STABILITY_CLASSES, STABILITY_GROUPS } from "../../core/results/stability-names.js";

/** Words that hold sentences together, and those that the program's own tables are made of. */
const COMMON = `a about above after again all almost alone also always among an and another any are as at be because been before below
  beside better between beyond both but by can cannot case cases chance clean could did differ do does each either enough escaped every
  false few fewer first for from further gold good had half has have here high how if in index is it its kind kinds known last least less like
  low made make many may mean measured more most much must no none nor not nothing now of off often on once one only open or other others
  our out over own part per point pure rate right same score second self set several share show shown shows so some such than that the their
  them then there these they this those three to true truth two under unit until up use used was way what when where whether which while who
  why will with within without word words worse yes yet you di ai pp bits nats human humans model people person`;

const NAMES: readonly string[] = [
  ...ATTACK_KINDS,
  ...BOUNDARY_STATES,
  ...EXPERIMENT_KINDS,
  ...FLAGS,
  ...GATE_KEYS,
  ...GATE_MODES,
  ...GATE_STATES,
  ...RULE_KINDS,
  ...STABILITY_CLASSES,
  ...STABILITY_GROUPS,
  ...TIERS,
];

/**
 * Words that tell nothing of anybody, because the program uses them itself: its vocabularies, the names of a report's members, and the words in
 * both. `named`: members whose names are people's, such as the languages.
 */
export function wordsOfOurs(report: object, named: ReadonlySet<string>): Set<string> {
  const words = new Set([...COMMON.split(/\s+/), ...NAMES]);
  gather(report, named, words);
  for (const word of [...words]) for (const part of word.split("_")) words.add(part.toLowerCase());
  return words;
}

function gather(value: unknown, named: ReadonlySet<string>, words: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const one of value) gather(one, named, words);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    words.add(name);
    if (named.has(name) && typeof member === "object" && member !== null && !Array.isArray(member)) {
      for (const one of Object.values(member)) gather(one, named, words);
    } else gather(member, named, words);
  }
}
