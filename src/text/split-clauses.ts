/** One statement of a rule. `lead` is the heading it stands under ("Exception", "Allowed", "Removed" …), as it was written. */
export interface ClauseText {
  text: string;
  lead: string | null;
}

/**
 * A rule's text cut into statements: at line ends, at the ` // ` between two language versions, at sentence ends and at semicolons, never
 * inside quotation marks or brackets. A heading ("Allowed: a; b. Also c.") holds for its own sentence, through its semicolons.
 */
export function splitClauses(text: string): ClauseText[] {
  const clauses: ClauseText[] = [];
  for (const block of text.split(/\n| \/\/ |^\/\/ /)) {
    for (const sentence of sentences(block.replace(/\s+/g, " ").trim())) addClauses(sentence, clauses);
  }
  return clauses;
}

const LEAD = /^([\p{L} ,/-]{3,48}?):\s+(?=\S)/u;

function addClauses(sentence: string, clauses: ClauseText[]): void {
  const lead = LEAD.exec(sentence)?.[1]?.toLowerCase() ?? null;
  for (const part of cut(sentence, isSemicolon)) clauses.push({ text: part, lead });
}

function sentences(text: string): string[] {
  return cut(text, isSentenceEnd);
}

/** Cuts after each position where `isEnd` holds, outside quotation marks and brackets. */
function cut(text: string, isEnd: (text: string, at: number) => boolean): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (character === '"') quoted = !quoted;
    else if (character === "“" || character === "„" || character === "«") quoted = true;
    else if (character === "”" || character === "»") quoted = false;
    else if (character === "(") depth++;
    else if (character === ")") depth = Math.max(0, depth - 1);
    if (!quoted && depth === 0 && isEnd(text, i)) {
      push(parts, text.slice(start, i + 1));
      start = i + 1;
    }
  }
  push(parts, text.slice(start));
  return parts;
}

function push(parts: string[], part: string): void {
  const trimmed = part.replace(/^[\s;]+|[\s;.]+$/g, "");
  if (trimmed !== "") parts.push(trimmed);
}

const ABBREVIATION = /(?:\b(?:e\.g|i\.e|etc|vs|no|st|mr|mrs|dr|ca|St|Mr|Mrs|Dr)|(?:^|[\s(])\p{Lu})$/u;

function isSentenceEnd(text: string, at: number): boolean {
  const character = text[at]!;
  if (character !== "." && character !== "!" && character !== "?") {
    // A closing quotation mark right after the full stop ends the sentence with it.
    if (!/["”»]/.test(character) || !/[.!?]/.test(text[at - 1] ?? "")) return false;
  } else if (character === "." && ABBREVIATION.test(text.slice(Math.max(0, at - 4), at))) return false;
  return at + 1 >= text.length || (text[at + 1] === " " && /[\p{Lu}\p{N}"“„«¿¡([]/u.test(text[at + 2] ?? ""));
}

function isSemicolon(text: string, at: number): boolean {
  return text[at] === ";";
}

/** Words that say nothing about what a rule or a post is about, and the deontic words of rules, which are read elsewhere. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again all also always am among an and another any anybody anyone anything are as at away back be because been
  before being below between both but by can could did do does doing down during each either else even ever every everybody everyone
  everything few for from further get gets getting give given gives go goes going good got had has have having he her here hers him
  his how however i if in into is it its itself just keep know let like likes lot made make makes making many may me mean merely might
  mine more most much must my myself near need needs never next no nobody none nor not nothing now of off often on once one ones only
  onto or other others our ours out over own part per perhaps place put puts quite rather really right said same say saying says see
  seem seems shall she should show shows since so some somebody someone something sort stand stands still such sure take taken takes
  tell tells than that the their theirs them then there these they thing things this those though through thus time to together told
  too under until up upon us use used uses using very want wants was way we well went were what whatever when where whether which while
  who whoever whole whom whose why will with within without word words would yes yet you your yours yourself
  allowed allow allows exception exceptions removed remove removes removal rule rules post posts posted posting comment comments member
  members moderator moderators community content text title titles body apply applies covered cover covers count counts counted
  stay stays stayed moved move locked neither
  tag tags tagged marked begin begins beginning start starts answer answers reply replies critique critiques feedback thread front
  different particular concrete plain plainly expressly example examples reason reasons case cases
  el la los las un una unos unas de del al y o u que en con por para sin no se su sus es son lo le les como mas pero ya este esta estos
  estas eso esto ese esa mi mis tu tus muy tambien si ni ser estar hay haber ha han he hemos va van ir todo toda todos todas uno dos
  texto titulo publicacion publicaciones comentario comentarios regla excepcion permitido retira retiran`.split(/\s+/),
);

/**
 * Everyday words that stand in any text: sharing one of them with a rule says little. They count {@link COMMON_WEIGHT} of a rarer word.
 * General English and Spanish, from no particular source.
 */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  `able across actually add age ago air answer area arm around ask asked asks asking baby bad bag bed begin behind best better big bit
  black blue book books born box boy break bring brother brown build built business busy buy car card care carry cause change check
  child children choose city class clean clear close closed cold colour come comes coming common complete cook cool cost country couple
  course cut dad dark date daughter day days dear decide deep door dozen draw dream drink drive drop dry early easy eat eight end
  enough evening exactly eye eyes face fact fall family far fast father feel feels felt fill final find fine finish fire first five
  floor follow food foot form found four free fresh friend friends front full fun game garden girl glad glass green group grow guess
  hair half hand hands happen happened happens happy hard hat hate head hear heard heart help high hold home hope hot hour hours house
  human hundred husband idea important inside job keep kept key kid kids kind kitchen knew large last late later laugh lead learn least
  leave left less letter level life light line list listen little live lived living local long look looked looking looks lose lost loud
  love low main man mark matter maybe meet men message middle milk mind minute minutes miss moment money month months morning mother
  mouth move moved mum music name named names neighbour neighbours new nice night nine noise normal note number old open order outside
  page paid paper parents park part party past pay people person phone photo pick picture piece plan play please point poor possible
  power pretty price probably problem public pull push question questions quick quiet rain read ready real red rest ring road room
  round run safe school second send sense serious set seven share short side sign simple single sister sit site six size sleep slow
  small someone song sound space speak special spend spring stay step stop story street strong stuff summer sun talk talking tea
  teacher ten thank thanks thank-you think thinking third thought three today tomorrow tonight top total touch town train tree tried
  true trust try trying turn turned turns twice two type usual usually wait walk wall want warm watch water weather week weekend weeks
  white wife wind window winter woman women wonder wood work worked working works world worse worst worth write writes writing written
  wrong wrote year years yellow yesterday young
  año años bien cada casa casi cosa cosas cuando decir dia dias donde gente hacer hoy luego mismo mucho nada noche nombre nuevo otra otro
  parte persona poco puede quien semana siempre tan tanto tiempo tres vez veces vida`.split(/\s+/),
);

export const COMMON_WEIGHT = 0.3;
