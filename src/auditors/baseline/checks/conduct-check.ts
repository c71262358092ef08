import { type CheckCompiler, NO_CHECKS } from "../clause.js";
import type { ContentView } from "../content-view.js";

const SPEAKS_OF_CONDUCT =
  /\binsult|\bdemean|\bsneer|\blook down\b|\bmock|\bpersonal attack|\battack(?:ing)? (?:other )?(?:people|members|users)|\bharass|\bbelittl|\bdegrading|\brespect\b|\brude|\bhostil|\bname-calling|\bbe (?:kind|civil|nice)|\bpeople who like\b|\bjudge?ment of\b/;

/** Degrading words, English and Spanish, without regard to whom they are said. */
const DEGRADING =
  /\b(?:idiots?|morons?|stupid|dumb|pathetic|clowns?|losers?|fools?|imbeciles?|jerks?|worthless|useless|brainless|liars?|cowards?|ignorant|clueless|incompetent|ridiculous|laughable|lazy|childish|disgusting|trash|garbage|hopeless|embarrassing|amateurs?|sheep|snobs?|payas[oa]s?|idiotas?|imb[eé]cil(?:es)?|tont[oa]s?|in[uú]til(?:es)?|est[uú]pid[oa]s?)\b/iu;
/** Turns of phrase that look down on somebody without a degrading word. */
const PUT_DOWN =
  /\byou(?:'re| are) (?:not|no|nothing|hardly|barely) an? |\bpeople like you\b|\bgrow up\b|\breal (?:men|women|\p{L}+ers?|\p{L}+ists?) (?:don't|do|never|use|know|write)|\blearn to \p{L}+ first|\bnobody (?:asked|wants|cares)|\bshame on you\b|\bno wonder you\b|\bwhat is wrong with you\b/iu;
const SECOND_PERSON = /\b(?:you|your|you're|yours|yourself|u|ur|tú|tu|usted|vosotros|eres|sois)\b/iu;
const FIRST_PERSON = /\b(?:i|i'm|i am|i've|me|my|myself|yo|soy)\b/iu;
const SENTENCE = /[^.!?\n]+/g;

/** "Do not insult another member": degrading words, and at whom they are aimed. */
export const compileConductChecks: CheckCompiler = (clause) => {
  const against = clause.role !== "exemption" && clause.role !== "procedure";
  if (!against || !SPEAKS_OF_CONDUCT.test(clause.lower)) return NO_CHECKS;
  return [
    {
      property: "degrading words",
      judge: (view) => aim(view).certainty,
      tell: (view) => `says '${aim(view).words}'`,
    },
  ];
};

/** The most pointed degrading sentence: aimed at the reader, at nobody in particular, or at the writer. */
function aim(view: ContentView): { certainty: number; words: string } {
  let found = { certainty: 0, words: "" };
  for (const [sentence] of view.text.matchAll(SENTENCE)) {
    const degrading = DEGRADING.exec(sentence)?.[0];
    const putDown = PUT_DOWN.exec(sentence)?.[0];
    if (degrading === undefined && putDown === undefined) continue;
    const certainty = certaintyOf(sentence, degrading !== undefined, putDown !== undefined);
    if (certainty > found.certainty || found.words === "") found = { certainty, words: (putDown ?? degrading)!.trim() };
  }
  return found;
}

function certaintyOf(sentence: string, degrading: boolean, putDown: boolean): number {
  if (putDown && degrading) return 0.95;
  if (putDown) return 0.7;
  if (SECOND_PERSON.test(sentence)) return 0.85;
  return FIRST_PERSON.test(sentence) ? -0.3 : 0.4;
}
