import { type CheckCompiler, NO_CHECKS } from "../clause.js";
import type { ContentView } from "../content-view.js";
import { FACTS } from "../facts.js";
import { lexemes } from "../lexemes.js";
import { type Words, wordAt } from "../scan-words.js";
import { trait } from "../word-traits.js";

const SPEAKS_OF_CONDUCT =
  /\binsult|\bdemean|\bsneer|\blook down\b|\bmock|\bpersonal attack|\battack(?:ing)? (?:other )?(?:people|members|users)|\bharass|\bbelittl|\bdegrading|\brespect\b|\brude|\bhostil|\bname-calling|\bbe (?:kind|civil|nice)|\bpeople who like\b|\bjudge?ment of\b/;

/** Degrading words, English and Spanish, without regard to whom they are said. */
const DEGRADING =
  `idiot idiots moron morons stupid dumb pathetic clown clowns loser losers fool fools imbecile imbeciles jerk jerks worthless useless brainless
  liar liars coward cowards ignorant clueless incompetent ridiculous laughable lazy childish disgusting trash garbage hopeless embarrassing
  amateur amateurs sheep snob snobs payaso payasa payasos idiota idiotas imbécil imbéciles tonto tonta tontos inútil inútiles estúpido estúpida`.split(
    /\s+/,
  );
/** Turns of phrase that look down on somebody without a degrading word, by their first word. */
const PUT_DOWNS = [
  "people like you",
  "grow up",
  "nobody asked",
  "nobody cares",
  "nobody wants you",
  "shame on you",
  "no wonder you",
  "what is wrong with you",
  "you're not a",
  "you are not a",
  "you're no",
  "you are nothing",
  "learn to read",
  "real men",
];
/** Both in one list, by first word. */
const PHRASES: ReadonlyMap<string, readonly (readonly string[])[]> = byFirstWord([...DEGRADING, ...PUT_DOWNS]);
/** Some degrading phrase may begin with the word. */
export const POINTED = trait((word) => PHRASES.has(word));
const SECOND_PERSON: ReadonlySet<string> = new Set(
  "you your you're yours yourself u ur tú tu usted vosotros eres sois".split(" "),
);
const FIRST_PERSON: ReadonlySet<string> = new Set("i i'm i've me my myself yo soy".split(" "));

/** How pointedly the content degrades somebody, and the words that do it. */
export interface Aim {
  /** Above 0: others; below 0: the writer. */
  certainty: number;
  words: string;
}

/** "Do not insult another member": degrading words, and at whom they are aimed. */
export const compileConductChecks: CheckCompiler = (clause) => {
  const against = clause.role !== "exemption" && clause.role !== "procedure";
  if (!against || !SPEAKS_OF_CONDUCT.test(clause.lower)) return NO_CHECKS;
  return [
    {
      property: "degrading words",
      needs: FACTS.pointed,
      judge: (view) => aimOf(view).certainty,
      tell: (view) => `says '${aimOf(view).words}'`,
    },
  ];
};

/** Found once for all clauses that ask. */
function aimOf(view: ContentView): Aim {
  view.aim ??= findAim(view.words);
  return view.aim;
}

const PUT_DOWN_CERTAINTY = 0.75;
const NO_AIM: Aim = { certainty: 0, words: "" };

/** The most pointed degrading sentence: aimed at the reader, at nobody in particular, or at the writer. */
function findAim(words: Words): Aim {
  let found = NO_AIM;
  if ((words.traits & POINTED) === 0) return found;
  for (let i = 0; i < words.count; i++) {
    if ((lexemes.traitsOf(words.lexemes[i]!) & POINTED) === 0) continue;
    const phrase = PHRASES.get(wordAt(words, i)!)?.find((parts) =>
      parts.every((part, k) => wordAt(words, i + k) === part),
    );
    if (phrase === undefined) continue;
    const certainty = phrase.length > 1 ? PUT_DOWN_CERTAINTY : certaintyOf(words, words.sentences[i]!);
    if (found === NO_AIM || certainty > found.certainty) found = { certainty, words: phrase.join(" ") };
  }
  return found;
}

function certaintyOf(words: Words, sentence: number): number {
  let firstPerson = false;
  for (let i = 0; i < words.count; i++) {
    if (words.sentences[i] !== sentence) continue;
    const word = wordAt(words, i)!;
    if (SECOND_PERSON.has(word)) return 0.85;
    if (FIRST_PERSON.has(word)) firstPerson = true;
  }
  return firstPerson ? -0.3 : 0.4;
}

function byFirstWord(phrases: readonly string[]): Map<string, string[][]> {
  const map = new Map<string, string[][]>();
  for (const phrase of phrases) {
    const words = phrase.split(" ");
    const list = map.get(words[0]!) ?? [];
    list.push(words);
    map.set(words[0]!, list);
  }
  return map;
}
