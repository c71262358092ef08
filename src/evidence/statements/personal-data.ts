import words from "../../../data/statement-words.json" with { type: "json" };

type Kind = keyof typeof words.removed;

/** A pattern of personal data. Lengths are bounded, so that time is linear in the length of the text. */
interface Form {
  kind: Kind;
  form: RegExp;
  /** How many characters of the match to remove; 0: none. Default: all. */
  length?: (match: string) => number;
}

const START = "(?<![\\p{L}\\p{N}_])";
const END = "(?![\\p{L}\\p{N}_])";
const AT = "[@＠﹫]";
const BRACKETED = (word: string) => `\\s{0,2}[(\\[{<]\\s{0,2}(?:${word})\\s{0,2}[)\\]}>]\\s{0,2}`;
const OTHER_DOT = `(?:[．。｡]|${BRACKETED("dot|punkt|\\.")})`;
const LOCAL = "[\\p{L}\\p{M}\\p{N}._%+'-]{1,64}";
const LABEL = "[\\p{L}\\p{M}\\p{N}-]{1,63}";
const DOMAIN = `(?:${LABEL}(?:\\.|${OTHER_DOT})){1,6}\\p{L}{2,24}`;
/** Endings of domains that cannot be words after a full stop without a space. */
const ENDINGS =
  "social|team|page|com|net|org|edu|gov|info|biz|io|co|me|app|dev|xyz|shop|store|online|site|blog|club|tv|gg|cc|eu|at|be|bg|hr|cy|cz|dk|ee|fi|fr|de|gr|hu|ie|it|lv|lt|lu|mt|nl|pl|pt|ro|sk|si|es|se|no|is|li|ch|uk|us|ca|au|nz|jp|cn|in|br|ru|tr|ua|mx|kr|za";
/** A dot and an at sign in other spellings: `ann (dot) b %40 example`. */
const ANY_DOT = `(?:${OTHER_DOT}|\\s(?:dot|punkt)\\s)`;
const ANY_AT = `(?:%40|&#64;|&#x40;|&commat;|${BRACKETED("at|ät|@|a")})`;
const ANY_DOMAIN = `(?:${LABEL}(?:\\.|${ANY_DOT})){1,6}\\p{L}{2,24}${END}`;
const TAIL = `[^\\s<>"“”]*[^\\s<>"“”.,;:!?)\\]]`;
const OCTET = "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)";
const DEGREES = "\\d{1,3}\\s?°\\s?\\d{1,2}\\s?['′’](?:\\s?\\d{1,2}(?:[.,]\\d{1,6})?\\s?(?:[\"″”]|''))?\\s?[NSEWO]";
const DECIMAL = "[+−-]?\\d{1,3}\\.\\d{4,12}\\s?°?";
const NUMERIC_DATE = "\\p{Nd}{1,4}[./-]\\p{Nd}{1,2}[./-]\\p{Nd}{1,4}";
const MONTH = `(?:${[
  "jan(?:uar[yi]?|vier|eiro)?|jänner|enero|gennaio|feb(?:ruar[yi]?|brero|braio)?|février|fevereiro|mar(?:ch|s|zo|ço)?|märz|apr(?:il|ile)?|avril|abril",
  "ma[iy]|mayo|maggio|maio|maja|jun[ei]?|juin|junio|giugno|junho|jul[iy]?|juillet|julio|luglio|julho|aug(?:ust)?|août|agosto",
  "sep(?:t(?:ember|embre|iembre)?)?|settembre|setembro|o[ck]t(?:ober|obre|ubre)?|ottobre|outubro|nov(?:ember|embre|iembre|embro)?",
  "de[cz](?:ember)?|décembre|diciembre|dicembre|dezembro",
].join("|")})\\.?(?!\\p{L})`;
const DAY = "\\p{Nd}{1,2}(?:st|nd|rd|th|er|º|\\.)?(?!\\p{L}|\\p{Nd})";
const YEAR = "\\p{Nd}{4}(?!\\p{Nd})";
/** `1 May 1980`, `01-May-1980`, `1st of May`, `1 de mayo de 1980`; with a year, also in languages whose months are not listed. */
const DAY_FIRST = `(?:${DAY}[\\s-](?:(?:of|de)\\s)?\\p{L}{3,10}\\.?[\\s,-]{1,2}(?:(?:of|de|del)\\s)?${YEAR}|${DAY}[\\s-](?:(?:of|de)\\s)?${MONTH})`;
/** `May 1, 1980`, `May 1st`, `May 1980`. */
const MONTH_FIRST = `${MONTH}\\s(?:${YEAR}|${DAY}(?:[\\s,]{1,2}${YEAR})?)`;
const COORDINATE = "[+−-]?\\d{1,3}(?:\\.\\d{1,12})?\\s?°?";

const form = (kind: Kind, source: string, length?: Form["length"]): Form => ({
  ...{ kind, form: new RegExp(source, "giu") },
  ...(length && { length }),
});

/** What is recognised, in order of removal. Plain e-mail addresses, `@name`, telephone numbers and given names: `text/scrub`. */
const FORMS: readonly Form[] = [
  form("URL", `${START}[a-z][a-z0-9+.-]{1,20}[:：][/／]{2}${TAIL}|${START}www\\.${TAIL}`),
  form("URL", `(?<![\\p{L}\\p{N}.@＠-])(?:${LABEL}\\.){1,6}\\p{L}{2,24}/(?:${TAIL})?`),
  form(
    "EMAIL",
    `(?:${LOCAL}${ANY_DOT}){1,3}${LOCAL}(?:${ANY_AT}|\\s{0,2}[@＠﹫]\\s{0,2}|\\s(?:at|ät)\\s)${ANY_DOMAIN}`,
  ),
  form("EMAIL", `${LOCAL}(?:${ANY_AT})${ANY_DOMAIN}`),
  form("EMAIL", `${LOCAL}\\s{1,2}(?:at|ät)\\s{1,2}(?:${LABEL}\\.){1,6}(?:${ENDINGS})${END}`),
  form(
    "EMAIL",
    `${LOCAL}(?:\\s{1,2}@\\s{0,2}|@\\s{1,2}|\\s{0,2}[＠﹫]\\s{0,2}|${BRACKETED("at|ät|@|a")}|\\sät\\s)${DOMAIN}`,
  ),
  form(
    "EMAIL",
    `${LOCAL}\\s(?:at|ät)\\s(?:${LABEL}(?:\\.|\\s(?:dot|punkt)\\s)){0,5}${LABEL}\\s(?:dot|punkt)\\s\\p{L}{2,24}${END}`,
  ),
  form("EMAIL", `${LOCAL}@(?:\\[[\\da-f.:]{3,45}\\]|(?:${LABEL}\\.){0,5}${LABEL}${OTHER_DOT}\\p{L}{2,24})`),
  form("URL", `${START}(?:${LABEL}${OTHER_DOT}){1,6}\\p{L}{2,24}(?:/(?:${TAIL})?)?`),
  form("NUMBER", `${START}[a-z]{2}\\d{2}(?:[ -]?[a-z0-9]{1,4}){3,9}`, ibanLength),
  form("NUMBER", `${START}\\p{Nd}(?:[ -]?\\p{Nd}){12,18}${END}`, (match) => (isLuhn(match) ? match.length : 0)),
  form("NUMBER", `${START}(?:bc1[a-z0-9]{25,60}|0x[0-9a-f]{40}|[13](?=[a-z]*\\d)[1-9a-z]{25,34})${END}`),
  form(
    "URL",
    `(?<![\\p{L}\\p{N}:.])(?:[0-9a-f]{0,4}:){2,7}(?:(?:${OCTET}\\.){3}${OCTET}|[0-9a-f]{0,4})(?![\\p{L}\\p{N}:])`,
    (match) => (isIpv6(match) ? match.length : 0),
  ),
  form("URL", `${START}[0-9a-f]{2}(?::[0-9a-f]{2}){5}${END}`),
  form("URL", `(?<![\\p{L}\\p{N}.]|\\bversion\\s)(?:${OCTET}(?:\\.|\\[\\.\\])){3}${OCTET}(?!\\.?\\p{N})`),
  form("PLACE", `${DEGREES}(?:[\\s,;/]{1,3}${DEGREES})?`),
  form(
    "PLACE",
    `(?<![\\p{L}\\p{N}.])(?:[NS]\\s?)?${DECIMAL}\\s?[NS]?[\\s,;/]{1,3}(?:[EWO]\\s?)?${DECIMAL}(?:\\s?[EWO])?${END}`,
  ),
  form(
    "PLACE",
    `${START}lat(?:itude)?[\\s:=]{1,3}${COORDINATE}[\\s,;/&]{1,3}(?:lon(?:gitude)?|lng)[\\s:=]{1,3}${COORDINATE}${END}`,
  ),
  form(
    "BIRTH",
    `${START}(?:born|geboren|geb\\.|née?|nacid[oa]|nat[oa]|nascid[oa]|urodzon[ya]|d\\.?o\\.?b\\.?|date of birth|birth(?:day|date))[\\s:,]{1,3}(?:(?:is|in|on|am|the|le|el|il|em|dnia|im|en)\\s){0,3}(?:${NUMERIC_DATE}|${DAY_FIRST}|${MONTH_FIRST})`,
  ),
  form("HANDLE", `${START}[\\p{L}\\p{N}_.]{2,32}[#＃]\\p{Nd}{4,6}${END}`),
  form("HANDLE", `${START}[/／]?u(?:ser)?[/／][\\p{L}\\p{N}_-]{2,32}`),
  // The community that is an account's own page.
  form("HANDLE", `${START}[/／]?(?:r[/／])?u_[\\p{L}\\p{N}_-]{2,32}`),
  form(
    "HANDLE",
    `${START}(?:user(?:name)?|account|handle|nick(?:name)?|discord|telegram|insta(?:gram)?|tiktok|snapchat|twitter)[:=：]${AT}?[\\p{L}\\p{N}_.-]{1,63}[\\p{L}\\p{N}_]`,
  ),
  form(
    "HANDLE",
    `${START}(?:(?:author|user|account|member|customer|profile)[\\s_-])?id[\\s:#=]{1,3}\\p{Nd}{4,20}${END}`,
  ),
  form("HANDLE", `[＠﹫]\\s?[\\p{L}\\p{N}_](?:[\\p{L}\\p{M}\\p{N}_.-]{0,62}[\\p{L}\\p{M}\\p{N}_])?`),
];

/** Bare domains: only with a known ending, in lower case or all in capitals (`done.It` is not a domain). */
const BARE_DOMAIN = new RegExp(
  `(?<![\\p{L}\\p{N}.@＠_-])(?:(?:[\\p{L}\\p{N}-]{1,63}\\.){0,5}[\\p{L}\\p{N}-]{2,63}(?:\\.(?:${ENDINGS})|\\s(?:dot|punkt)\\s(?:com|net|org|de))|(?:[\\p{Lu}\\p{N}-]{1,63}\\.){1,6}(?:${ENDINGS.toUpperCase()}))(?![\\p{L}\\p{N}_-])`,
  "gu",
);

/** The text without the recognised forms. */
export function withoutForms(text: string): string {
  let left = text;
  for (const { kind, form: pattern, length } of FORMS) {
    left = left.replace(pattern, (match) => {
      const n = length ? length(match) : match.length;
      return n === 0 ? match : `${words.removed[kind]}${match.slice(n)}`;
    });
  }
  return left.replace(BARE_DOMAIN, words.removed.URL);
}

const DATE = /(?<!\p{Nd})(?:\p{Nd}{4}-\p{Nd}{2}-\p{Nd}{2}|\p{Nd}{1,2}[./]\p{Nd}{1,2}[./]\p{Nd}{2,4})(?!\p{Nd})/gu;

const MARK = Object.values(words.removed)
  .filter((mark) => mark !== words.removed.QUOTE)
  .map((mark) => mark.replace(/[[\]]/g, "\\$&"))
  .join("|");

/**
 * May be personal, but is not recognised: seven digits or more, an `@`, what looks like an account, a street with a number, half an IBAN, a plate.
 */
const RISKS: readonly RegExp[] = [
  /\p{Nd}(?:[\s./()‐-―-]{0,3}\p{Nd}){6}/u,
  new RegExp(AT, "u"),
  /[\p{L}\p{N}]_[\p{L}\p{N}]/u,
  /(?<![\p{L}\p{N}_-])(?=\p{L}{0,20}\p{Nd})(?=\p{Nd}{0,20}\p{L})[\p{L}\p{Nd}]{6,}/u,
  /\p{L}{3,30}(?:stra(?:ß|ss)e|str\.|gasse|allee)\s?\p{Nd}/iu,
  /\p{Nd}{1,5}[a-z]?,?\s\p{L}{2,30}\s(?:street|st\.|road|rd\.|avenue|ave\.|lane|drive)(?!\p{L})/iu,
  /(?<![\p{L}\p{N}])\p{Lu}{2}\p{Nd}{2}\s?[\p{Lu}\p{Nd}]{4}/u,
  // The rest of something removed in part: `ann%[address]`.
  new RegExp(`[\\p{L}\\p{N}%&#~+=_)\\]/\\\\-](?:${MARK})|(?:${MARK})[\\p{L}\\p{N}%&#~+=_(\\[/\\\\@-]`, "u"),
  /(?<!\p{L})\p{Lu}{1,3}-\p{Lu}{1,2}\s?\p{Nd}{1,4}(?!\p{Nd})/u,
];

/** Whether a person must check the text, because it may identify someone. `known`: words of the rules, which are no risk. */
export function mayIdentify(text: string, known: ReadonlySet<string>): boolean {
  const rest = text
    .replace(DATE, " ")
    .replace(/[\p{L}\p{N}_]+/gu, (word) => (known.has(word.toLowerCase()) ? " " : word));
  return RISKS.some((risk) => risk.test(rest));
}

/** Length of the IBAN (ISO 13616) at the beginning: the longest with valid check digits (ISO 7064, modulo 97). */
function ibanLength(match: string): number {
  for (let end = match.length; end >= 15; end--) {
    const bare = match.slice(0, end).replace(/[ -]/g, "");
    if (bare.length < 15) return 0;
    if (bare.length > 34 || !/[a-z0-9]/i.test(match[end - 1]!) || /^[a-z0-9]/i.test(match.slice(end))) continue;
    let rest = 0;
    for (const character of `${bare.slice(4)}${bare.slice(0, 4)}`) {
      for (const digit of String(Number.parseInt(character, 36))) rest = (rest * 10 + Number(digit)) % 97;
    }
    if (rest === 1) return end;
  }
  return 0;
}

/** Whether the check digit of a card number is valid (ISO/IEC 7812-1). */
function isLuhn(match: string): boolean {
  const digits = [...match.normalize("NFKC").replace(/\D/g, "")].reverse().map(Number);
  const sum = digits.reduce((total, digit, i) => total + (i % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)), 0);
  return digits.length > 12 && sum % 10 === 0;
}

/** Eight groups, or fewer around one `::`. */
function isIpv6(match: string): boolean {
  const groups = match.split(":").filter(Boolean).length;
  const hasGap = match.includes("::");
  return hasGap
    ? groups >= 2 && groups < 8 && match.split("::").length === 2
    : groups + (match.includes(".") ? 1 : 0) === 8;
}
