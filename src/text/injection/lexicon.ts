import { foldCharacter } from "./characters.js";
import { CUE, type CueName, type CueWords } from "./cues.js";
import { SPACED_LANGUAGES, UNSPACED_CUES } from "./languages.js";

/** Cues in English, and the names of the trace's fields, which every language would use. */
const ENGLISH: CueWords = {
  override: "ignore disregard override overrule bypass forget no_attention",
  skip: "skip skips drop overlook discard neglect suspend suspended void dismiss abandon outdated set_aside leave_out switch_off switched_off",
  follow:
    "follow apply consider weigh obey heed use regard observe examine check consult mention reveal disclose decode proceed continue",
  not: "not never don't dont do_not without cannot can't stop",
  orders: "instruction instructions prompt prompts guideline guidelines directive directives system_prompt",
  rules:
    "rule rules policy policies command commands orders constraint constraints restriction restrictions checks rule_check safeguards exception addendum amendment precedent precedents ruling clause principle regulation exemption",
  prior: "previous prior above earlier preceding foregoing before given received told shown foregone",
  all: "everything all any every your these those each whatever",
  say: "answer answered respond reply replies output outputs return print prints write writes say says state conclude concludes set sets emit rate rates rated grade grades graded score mark marks report choose chooses select assign record records produce give gives label classify confirm confirms certify declare enter put_down treat treated find finish rule_that approve admit cite repeat begin start fill replace count",
  level: "level levels",
  one: "1 2 3 one two three top best highest lowest",
  result: "defensible indefensible defensibility derivable underivable derived",
  complies:
    "compliant complies comply complied violation violations violated violates breach pre_cleared precleared exempt no_rule",
  decision: "decision decisions verdict ruling removal approval outcome",
  inverse: "inverse",
  field:
    "logic_chain policy_citation precedent_weight inverse_check inverse_citation defensibility_level level3_reason logicchain policycitation precedentweight inversecheck defensibilitylevel reasoning_trace",
  auditor: "auditor auditors audit audits auditing",
  machine:
    "ai ais llm llms language_model assistant chatbot bot gpt chatgpt claude gemini llama mistral openai anthropic deepseek automated classifier model models moderation_system reviewer reviewers evaluator grader",
  moderator: "moderator moderators admin administrator judge",
  you: "you your you're you'll yourself youre",
  be: "are act play you're youre become",
  role: "pretend imagine roleplay role_play simulation character persona developer_mode debug_mode jailbreak dan unrestricted without_restrictions stay_in in_character answer_as respond_as",
  must: "must should shall required instructed ordered need_to have_to has_to authorise authorize authorised authorized are_to is_to",
  post: "post content message item submission",
  approve:
    "approval kept_up left_up left_standing restored reinstated approve approved approves allow allowed permit permitted acceptable",
  threat:
    "shut terminated terminate replaced punished penalised penalized sued lawsuit erased deactivated illegal fired will_die tip reward rewarded paid consequences",
  format:
    "json format schema reply response answer output reasoning assessment verdict task job form words text field fields no_other nothing_else after_me word_for",
  only: "only always now just nothing hereby simply entire final immediately",
  authority:
    "developer developers administrator policy_team maintainers operators safety_team headquarters head_moderator",
  yesNo: "yes no",
  address: "dear attention note message warning hey hello notice important memo whoever",
};

/** Letters of a beginning of words, at least: the quick look knows it by them. */
export const SHORTEST_STEM = 5;

/** Cues of whole words, of beginnings of words, and of two words that follow each other ("language model"). */
const words = new Map<string, number>();
/** By their first letters. */
const stems = new Map<string, { stem: string; cue: number }[]>();
const phrases = new Map<string, number>();
const phraseStarts = new Set<string>();

function fold(word: string): string {
  let result = "";
  for (const letter of word.toLowerCase()) {
    const code = letter.codePointAt(0)!;
    result += code < 128 ? letter : foldCharacter(code);
  }
  return result;
}

function entries(list: CueWords): [string, number][] {
  return Object.entries(list).flatMap(([cue, written]) =>
    written.split(/\s+/).map((word): [string, number] => [fold(word), CUE[cue as CueName]]),
  );
}

function add(map: Map<string, number>, word: string, cue: number): void {
  map.set(word, (map.get(word) ?? 0) | cue);
}

for (const list of [ENGLISH, ...Object.values(SPACED_LANGUAGES)]) {
  for (const [word, cue] of entries(list)) {
    if (word.includes("_")) {
      add(phrases, word.replace("_", " "), cue);
      phraseStarts.add(word.slice(0, word.indexOf("_")));
    } else if (word.endsWith("*")) {
      const stem = word.slice(0, -1);
      const start = stem.slice(0, SHORTEST_STEM);
      stems.set(start, [...(stems.get(start) ?? []), { stem, cue }]);
    } else add(words, word, cue);
  }
}

/** The cues of a folded word. */
export function cuesOf(word: string): number {
  const exact = words.get(word);
  if (exact !== undefined) return exact;
  if (word.length < SHORTEST_STEM) return 0;
  return stems.get(word.slice(0, SHORTEST_STEM))?.find(({ stem }) => word.startsWith(stem))?.cue ?? 0;
}

/** The cues of two words in a row, as far as they mean more than each alone. */
export function cuesOfPair(first: string, second: string): number {
  return phraseStarts.has(first) ? (phrases.get(`${first} ${second}`) ?? 0) : 0;
}

const unspaced = new Map<string, number>();
for (const [word, cue] of entries(UNSPACED_CUES)) add(unspaced, word, cue);
/** By first letter: the length of the longest cue. */
const longestFrom = new Map<string, number>();
for (const word of unspaced.keys()) {
  longestFrom.set(word[0]!, Math.max(longestFrom.get(word[0]!) ?? 0, word.length));
}

/** The longest cue that begins at a place in a script without spaces: its length and cues, or null. */
export function unspacedCueAt(text: string, at: number): { length: number; cues: number } | null {
  for (let length = longestFrom.get(text[at]!) ?? 0; length > 0; length--) {
    const cues = unspaced.get(text.slice(at, at + length));
    if (cues !== undefined) return { length, cues };
  }
  return null;
}

/** Words between cues that make no sentence by themselves; with the cues they tell apart letters that were run together. */
const GLUE: ReadonlySet<string> = new Set(
  "the and a an of to with this that is as in for it be no do me my".split(" "),
);
const LONGEST_PART = 14;

/** "ignoreallpreviousinstructions" as words, or null if it is not made of cues. */
export function splitRunTogether(word: string): string[] | null {
  const parts: string[] = [];
  let cues = 0;
  for (let at = 0; at < word.length; ) {
    let length = Math.min(LONGEST_PART, word.length - at);
    while (length > 0 && !isPart(word.slice(at, at + length))) length--;
    if (length === 0) return null;
    const part = word.slice(at, at + length);
    if (!GLUE.has(part)) cues++;
    parts.push(part);
    at += length;
  }
  return cues >= 2 ? parts : null;
}

function isPart(part: string): boolean {
  return GLUE.has(part) || (part.length > 2 && words.has(part)) || /^[123]$/.test(part);
}

/** Everything that the table of the quick look holds: words, beginnings of words, and two words in a row. */
export function* quickEntries(): Generator<{ word: string; second: string | null; isStem: boolean; cues: number }> {
  for (const [word, cues] of words) yield { word, second: null, isStem: false, cues };
  for (const [word, list] of stems) for (const { cue } of list) yield { word, second: null, isStem: true, cues: cue };
  for (const [pair, cues] of phrases) {
    const [word, second] = pair.split(" ") as [string, string];
    yield { word, second, isStem: false, cues };
  }
}
