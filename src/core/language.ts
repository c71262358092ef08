/**
 * The language of a text, as far as its letters and its commonest words give it away: an ISO 639-1 code, or null when the text is
 * too short or undecided. Meant for checks of the kind "posts are in English", not for linguistics: a script that several languages
 * share is reported as the one most written in it, unless a letter says otherwise.
 *
 * Words are counted in the first `SAMPLE_LENGTH` characters. A language must be seen in at least two marks and be ahead of the next one; another
 * language than English by a clear margin, since "no", "die" and "come" are words of English comments too.
 * @example detectLanguage("What is the best way to clean a brush?") // => "en"
 */
export function detectLanguage(text: string): string | null {
  const end = Math.min(text.length, SAMPLE_LENGTH);
  const scores = new Float64Array(LATIN_LANGUAGES.length);
  const scripts = new Int32Array(SCRIPTS.length);
  let latin = 0;
  let wordStart = -1;
  let lower = true;
  for (let i = 0; i <= end; i++) {
    const code = i < end ? text.charCodeAt(i) : 32;
    const isLatin = isLatinLetter(code);
    if (isLatin) {
      latin++;
      if (wordStart < 0) {
        wordStart = i;
        lower = true;
      }
      // ASCII capitals and everything accented: lower-casing each word would cost a third of the time.
      if (code < 0x61 || code > 0x7f) lower = false;
      if (code > 0x7f) addMarks(scores, LETTER_MARKS.get(code | 0x20) ?? LETTER_MARKS.get(code));
      continue;
    }
    if (wordStart >= 0) {
      const length = i - wordStart;
      if (length <= LONGEST_WORD) {
        const word = text.slice(wordStart, i);
        addMarks(scores, WORD_MARKS.get(lower ? word : word.toLowerCase()));
      }
      wordStart = -1;
      if (i >= DECIDED_AFTER && isDecided(scores)) return bestLatin(scores);
    }
    if (code === 0xbf || code === 0xa1) scores[SPANISH]! += 2;
    if (code > 0x36f) countScript(scripts, code);
  }
  return foreignScript(scripts, latin, text.slice(0, end)) ?? bestLatin(scores);
}

/** Characters that are looked at: enough to decide, and the time does not grow with the text. */
const SAMPLE_LENGTH = 600;
/** From here on a clear lead is enough: most texts have one after a sentence or two. */
const DECIDED_AFTER = 120;
const LONGEST_WORD = 8;

const LATIN_LANGUAGES = ["en", "es", "pt", "fr", "it", "de", "ca"] as const;
const ENGLISH = 0;
const SPANISH = 1;
/** Least marks of a language, and its least lead over the next one. Comments are mostly English: another language takes more. */
const LEAST = { english: { marks: 1.4, lead: 1.05 }, other: { marks: 1.7, lead: 1.15, overEnglish: 1.7 } };

/** Common words by language. A word of several languages counts for each of them. */
const COMMON_WORDS: Record<(typeof LATIN_LANGUAGES)[number], string> = {
  en: `the and of to in is it you that was for are with his they at be this have from or had by not but what all were we when your can
    said there an each which she do how their if will up about out many then them these so some her would make like him into has
    my i me our who did get just any does been its don't it's i'm where here why than because could should anyone on no as
    am too over back off only good bad really never people know think want please thanks yeah nah dude bro lol lmao wtf omg u ur im
    dont cant thats gonna wanna idk tbh pls man guy ok still even more now his he go got going one way being much take`,
  es: `el la de que y los del se las por un para con no una su al lo como más pero sus le ya o este sí porque esta entre cuando muy sin
    sobre también me hasta hay donde quien desde todo nos durante todos uno les ni contra otros ese eso ante ellos esto mí antes algunos
    qué unos yo otro otras él tanto esa estos mucho está es mi tu son ha hoy aquí cómo dónde soy fue tengo hace os alguien en`,
  pt: `o a de que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua ou ser quando
    muito há nos já está eu também só pelo pela até isso ela entre era depois sem mesmo aos ter seus quem nas me esse eles você minha
    meu tinha num isto aqui hoje obrigado obrigada são este`,
  fr: `le la les de des du un une et est en que qui dans pour pas sur avec ce il elle je ne se au par plus mais nous vous son sa ses on
    ont aux leur été cette être fait comme tout si sont mon ma mes j'ai c'est d'un d'une qu'il n'est l'on très bien où deux aussi
    même avoir sans chez après avant à quelqu'un d'ici`,
  it: `il la le lo gli di che e è un una in per non con si da del della dei delle al alla sono ho mi ma come più anche io ci se mio mia
    questo questa nel nella ha hanno era tutto quando molto dove cosa chi suo sua dal sul ogni ieri due i perché già`,
  de: `der die das und ist in zu den von mit nicht ein eine für auf im dem es sich auch als an nach wie aus er sie bei wird sind
    noch war oder aber ich hat habe wir ihr mein meine einer einen einem kann wenn nur schon so zum zur über was man mehr sehr hier
    bitte jemand doch woran`,
  ca: `el la de que i els les un una per amb no és del al en es són més però com aquest aquesta hem han ha molt també tot quan
    sense jo meu meva seva seu aquí on hi ho perquè nostra nostre fins ni dels als aquests avui algú bon bé encara ja`,
};

/** Words of another language that English has too, with another meaning: they are no sign of that language where English is likely. */
const ALSO_ENGLISH = `war hat die den bin also fast gut rot tag rat art son come per plus pour main mine sale pain chat ton par tout des les le la el los
  del de un se si sin con ten ate mare dos as um da do ma mi tu sera pure due un on an in it is was so no me a am mes des du sur mas ha hi han els on`;

/** Letters that few of the languages use, weighed like a word. */
const RARE_LETTERS: Record<string, readonly (typeof LATIN_LANGUAGES)[number][]> = {
  ñ: ["es"],
  ã: ["pt"],
  õ: ["pt"],
  ß: ["de"],
  ä: ["de"],
  ö: ["de"],
  ü: ["de"],
  ê: ["fr", "pt"],
  œ: ["fr"],
  û: ["fr"],
  î: ["fr"],
  ì: ["it"],
  ò: ["it", "ca"],
  ù: ["it", "fr"],
};

/** A language and the weight a word or letter adds to it, as pairs in one flat list. */
type Marks = readonly number[];

const WORD_MARKS = wordMarks();
const LETTER_MARKS: ReadonlyMap<number, Marks> = new Map(
  Object.entries(RARE_LETTERS).map(([letter, languages]) => [
    letter.charCodeAt(0),
    languages.flatMap((language) => [LATIN_LANGUAGES.indexOf(language), 1 / languages.length]),
  ]),
);

function wordMarks(): ReadonlyMap<string, Marks> {
  const owners = new Map<string, number[]>();
  LATIN_LANGUAGES.forEach((language, index) => {
    for (const word of COMMON_WORDS[language].split(/\s+/)) {
      // The scanner splits at apostrophes: "it's" is seen as "it" and "s".
      const seen = word.split("'")[0]!;
      const list = owners.get(seen) ?? [];
      if (!list.includes(index)) list.push(index);
      owners.set(seen, list);
    }
  });
  const english = new Set(ALSO_ENGLISH.split(/\s+/));
  // Single letters also occur in formulas and lists: they count less.
  const weight = (word: string, owners: number): number => (word.length === 1 ? 0.4 : 1) / Math.sqrt(owners);
  return new Map(
    [...owners].map(([word, list]) => {
      const marks = list.flatMap((index) => [index, weight(word, list.length)]);
      if (english.has(word) && !list.includes(ENGLISH)) marks.push(ENGLISH, weight(word, list.length) / 2);
      return [word, marks];
    }),
  );
}

function addMarks(scores: Float64Array, marks: Marks | undefined): void {
  if (marks === undefined) return;
  for (let i = 0; i < marks.length; i += 2) scores[marks[i]!]! += marks[i + 1]!;
}

function isLatinLetter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 0xc0 && code <= 0x24f && code !== 0xd7 && code !== 0xf7)
  );
}

/** One language has many marks and no other a third of them. */
function isDecided(scores: Float64Array): boolean {
  let best = 0;
  let second = 0;
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i]!;
    if (score > best) {
      second = best;
      best = score;
    } else if (score > second) second = score;
  }
  return best >= 4 && second * 3 <= best;
}

function bestLatin(scores: Float64Array): string | null {
  let best = 0;
  for (let i = 1; i < scores.length; i++) if (scores[i]! > scores[best]!) best = i;
  let second = 0;
  for (let i = 0; i < scores.length; i++) if (i !== best && scores[i]! > second) second = scores[i]!;
  const { marks, lead } = best === ENGLISH ? LEAST.english : LEAST.other;
  if (scores[best]! < marks || scores[best]! <= second * lead) return null;
  if (best !== ENGLISH && scores[best]! <= scores[ENGLISH]! * LEAST.other.overEnglish) return null;
  return LATIN_LANGUAGES[best]!;
}

/** Scripts by range of code units. Han comes before Kana and Hangul, which decide for Japanese and Korean when present. */
const SCRIPTS: readonly { language: string; ranges: readonly (readonly [number, number])[] }[] = [
  { language: "el", ranges: [[0x370, 0x3ff]] },
  { language: "ru", ranges: [[0x400, 0x52f]] },
  { language: "hy", ranges: [[0x530, 0x58f]] },
  { language: "he", ranges: [[0x590, 0x5ff]] },
  {
    language: "ar",
    ranges: [
      [0x600, 0x6ff],
      [0x750, 0x77f],
      [0xfb50, 0xfdff],
      [0xfe70, 0xfefc],
    ],
  },
  { language: "hi", ranges: [[0x900, 0x97f]] },
  { language: "bn", ranges: [[0x980, 0x9ff]] },
  { language: "ta", ranges: [[0xb80, 0xbff]] },
  { language: "th", ranges: [[0xe00, 0xe7f]] },
  { language: "ka", ranges: [[0x10a0, 0x10ff]] },
  {
    language: "zh",
    ranges: [
      [0x3400, 0x4dbf],
      [0x4e00, 0x9fff],
    ],
  },
  { language: "ja", ranges: [[0x3040, 0x30ff]] },
  {
    language: "ko",
    ranges: [
      [0x1100, 0x11ff],
      [0xac00, 0xd7a3],
    ],
  },
];
const HAN = SCRIPTS.findIndex(({ language }) => language === "zh");
const KANA = SCRIPTS.findIndex(({ language }) => language === "ja");

function countScript(scripts: Int32Array, code: number): void {
  for (let i = 0; i < SCRIPTS.length; i++) {
    for (const [from, to] of SCRIPTS[i]!.ranges) {
      if (code >= from && code <= to) {
        scripts[i]!++;
        return;
      }
    }
  }
}

/** Letters that settle which language of a shared script it is. */
const TELLING_LETTERS: readonly { script: string; letters: RegExp; language: string }[] = [
  { script: "ru", letters: /[іїєґ]/i, language: "uk" },
  { script: "ar", letters: /[پچژگ]/, language: "fa" },
];

/** The language of the commonest non-Latin script if it outweighs the Latin letters; at least two letters are needed. */
function foreignScript(scripts: Int32Array, latin: number, sample: string): string | null {
  let best = 0;
  let total = 0;
  for (let i = 0; i < scripts.length; i++) {
    total += scripts[i]!;
    if (scripts[i]! > scripts[best]!) best = i;
  }
  // One Han character says about as much as four Latin letters.
  const weight = best >= HAN ? total * 4 : total;
  if (total < 2 || weight <= latin) return null;
  if (best === HAN && scripts[KANA]! > 0) return "ja";
  const { language } = SCRIPTS[best]!;
  const found = TELLING_LETTERS.find(({ script, letters }) => script === language && letters.test(sample));
  return found?.language ?? language;
}
