import type { DraftOptions, PageHeading } from "./draft.js";
import type { Section } from "./outline.js";
import { plain } from "./rule-text.js";

/** What the words of a heading say about the text below it. English first; words for places also in other languages. */

/** A heading without surrounding symbols and without its counter: "📜 The rules", "Part A – The rules", "B1. The rules". */
function wordsOf(title: string): string {
  return title
    .replace(/^[^\p{L}\p{N}#/'"]+|[^\p{L}\p{N})\]'"?!.:]+$/gu, "")
    .replace(/^(?:part|chapter|section)\s+[\p{L}\p{N}]{1,4}\s*[–—:.-]+\s*/iu, "")
    .replace(/^(?:[A-Z]?\d{1,2}(?:\.\d+)*|[IVX]{1,4}|[A-Z])[.):]\s+/, "");
}

const PLACES = "forum|sub-?forum|community|subreddit|board|channel|group|room|category";
const OTHER_PLACES =
  "foro|comunidad|canal|grupo|fórum|comunidade|communauté|groupe|salon|unterforum|gemeinschaft|gruppe|kanal|сообщество|форум|группа|канал";
const NAMED_PLACE = new RegExp(`^(?:${PLACES}|${OTHER_PLACES})\\s*[:–—]\\s*(\\S.{0,99}?)\\s*$`, "iu");
const SUBREDDIT =
  /^(?:(?:the )?(?:rules|guidelines) (?:for|of|in) )?\/?r\/([\w-]{2,50})(?:[ :–—-]+(?:the )?(?:community |subreddit )?(?:rules|guidelines|subreddit|wiki).*)?$/i;

/** The community that a line names explicitly: `Forum: Boats`, `r/boats`. */
export function communityLine(text: string): string | null {
  return NAMED_PLACE.exec(text)?.[1]?.replace(/\s+(?:rules|guidelines)$/i, "") ?? SUBREDDIT.exec(text)?.[1] ?? null;
}

const PLACE_AFTER = new RegExp(
  `^(?:(?:additional |extra |special |specific )?(?:rules|guidelines) (?:for|of|in) |in |for )?(?:the )?(.{2,80}?)[- ](?:${PLACES})s?(?:[- ](?:specific )?(?:rules|guidelines))?$`,
  "i",
);
const CHANNEL =
  /^(?:(?:rules|guidelines) (?:for|of|in) |in )?#([\p{L}\p{N}][\p{L}\p{N}_-]{1,80})(?: channel)?(?: (?:rules|guidelines))?$/iu;
const NO_NAME =
  /\b(?:the|our|your|this|that|a|an|any|each|every|all|whole|entire|of|other|to|and|general|online|specific|individual|per)$/i;

/** The community that a heading may name in passing: "Boats forum", "Rules for the Boats board", "#boats". */
function placeInHeading(title: string): string | null {
  const words = wordsOf(title);
  const name = CHANNEL.exec(words)?.[1] ?? PLACE_AFTER.exec(words)?.[1];
  return name === undefined || NO_NAME.test(name) ? null : name.replace(/^#/, "");
}

const EACH_PLACE = new RegExp(
  `\\b(?:${PLACES}|boards?|section|space)s?[- ]specific\\b|\\b(?:per|by)[- ](?:${PLACES})\\b|\\b(?:each|individual|specific|particular|certain|other|single) (?:${PLACES}|communities|categories)s?\\b|\\b(?:additional|extra|special) (?:rules|guidelines) (?:for|by|in)\\b|^(?:the )?(?:forums|boards|sub-?forums|subreddits|channels|communities)$`,
  "i",
);

function listsPlaces(title: string): boolean {
  return EACH_PLACE.test(wordsOf(title));
}

const EVERYWHERE =
  /^(?:the |our )?(?:site|server|platform|network|instance)[- ]?(?:wide)?(?: (?:rules|guidelines|policies))?$|^(?:global|general|universal|common|shared|basic|house)(?: (?:site|forum|server|community))? (?:rules|guidelines|policies|conduct)|^(?:rules )?(?:for )?(?:all|every|everywhere)\b/i;

/** Whether a heading among those of communities applies to all of them. */
function holdsEverywhere(title: string): boolean {
  return EVERYWHERE.test(wordsOf(title));
}

const RULES =
  "rules?|guidelines?|polic(?:y|ies)|standards|regulations|expectations|etiquette|netiquette|code of conduct|conduct|principles|basics|do'?s and don'?t'?s|normas|reglas|regras|règles|regeln|regole|правила|规则|規則|القواعد";
const GENERIC = new RegExp(
  `^(?:[\\p{L}\\p{N}'’&/]+[ -]){0,5}(?:${RULES})(?:[ :–—-].{0,40})?$|^(?:what|things|please|you|we) .{0,40}(?:rules|guidelines)$`,
  "iu",
);

/** The heading of a list of rules, which is not a rule itself. */
export function headsRules(title: string): boolean {
  return GENERIC.test(wordsOf(title));
}

const POLARITY =
  /^(?:(?:what|things?|content|posts?|topics?|behaviou?r|items?)(?: that (?:is|are)| which (?:is|are))? )?(?:(?:is|are|we) )?(?:not (?:allowed|permitted|welcome|ok|okay|acceptable|tolerated)|(?:strictly )?(?:prohibited|forbidden|banned|disallowed|unacceptable)|don'?t'?s|do not(?:s| post| do)?|please (?:don'?t|do not)|never|you (?:may|must|can|should)(?: not|n't)?|allowed|permitted|encouraged|welcome|required|do'?s?|please do|always|no-?go'?s?)(?: (?:content|posts?|here|items?|topics?|behaviou?r|on .{1,40}|in .{1,40}))?[:.!]?$/i;

const WHAT_MAY =
  /^(?:what|things|items|topics|posts|content|stuff)\b.{0,40}\b(?:may|can|cannot|can't|must|should|shouldn't|not|don't|allowed?|permit(?:ted)?|welcome|ban(?:ned)?|remove[ds]?|forbid(?:den)?|prohibit(?:ed)?)\b.{0,20}$/i;

/** "Welcome" is a greeting; "Welcome topics" lists what is allowed. */
const GREETING = /^welcome\b(?! (?:content|posts?|items?|topics?|behaviou?r)\b)/i;

/** A heading without which the items below it would mean the opposite, or nothing: "Not allowed", "Do", "Please don't". */
export function setsPolarity(title: string): boolean {
  const words = wordsOf(title);
  return !GREETING.test(words) && (POLARITY.test(words) || WHAT_MAY.test(words));
}

const INTRODUCTION = [
  "intro(?:duction)?\\b.*",
  "welcome\\b.*",
  "(?:a )?(?:foreword|preamble|preface|overview|summary|background|purpose|mission|philosophy|conclusion|tl;?dr)",
  "(?:our|the|about) (?:mission|values|goals?|purpose|philosophy|history|story)",
  "about(?: us| this (?:page|site|forum|board|server|document|community)| the .*| these .*| .{1,30})?",
  "einleitung|willkommen.*|introducci[óo]n|bienvenid.*",
];
const headings = (words: readonly string[]) => new RegExp(`^(?:${words.join("|")})[.:!]*$`, "i");
const INTRODUCES = headings(INTRODUCTION);

const NO_RULE = headings([
  ...INTRODUCTION,
  "why .*",
  "(?:table of )?contents|on this page|in this (?:article|section)|quick links|navigation|menu",
  "contact(?: us| info(?:rmation)?| the .*| details)?|how to (?:contact|reach|report|appeal)\\b.*",
  "(?:any |have |got )?(?:more )?(?:questions|feedback|suggestions)(?: (?:and|or) .*|\\?.*)?|faqs?|frequently asked .*|need help.*|getting help|help|support",
  "credits?|acknowledge?ments?|attribution|licen[cs]e|copyright.*|legal notice|disclaimer",
  "change ?log|changes|history|revision history|version history|updates?|last (?:updated|modified|revised|change).*|effective date.*",
  "see also|further reading|related(?: .{1,30})?|(?:more |useful |other )?(?:resources|links|information)|learn more",
  "enforcement\\b.*|(?:how )?(?:we|moderators|mods) (?:enforce|moderate)\\b.*|how (?:we (?:decide|handle|review|deal)|the mod|moderat|enforcement|these rules|this works|it works|rules are)\\b.*",
  "consequences\\b.*|sanctions|penalt(?:y|ies)|what happens\\b.*|(?:if|when) (?:a|you|someone|somebody|the|these) .{0,30}(?:broken|break|breaks|breach|violated?)\\b.*|(?:breaking|violating|breaches of|violations? of) .{0,20}(?:rules|guidelines|policy)|violations?|strikes?|(?:the )?(?:three|3)[- ]strikes?\\b.*|warnings?(?: and bans)?|bans?",
  "appeals?|appealing .*|appeals? (?:process|policy|procedure)|appeal a .*",
  "report(?:ing)?(?: (?:problems?|issues?|violations?|content|abuse|bad .*|rule.*|concerns?|a .*|to .*))?",
  "moderation(?: (?:team|staff|policy|process|log|actions?|and .*))?|moderators?|(?:our |the |meet (?:the|our) )?(?:mod(?:erat(?:or|ion))? ?)?(?:staff|team|mods|admins|moderators)(?: members)?",
  "thanks?\\b.*|final(?:ly| words?| notes?| thoughts)|closing(?: .*)?|a (?:final|quick) (?:note|word)|(?:a )?notes?",
  "share(?: this.*)?|follow us.*|comments|leave a .*|search|sign in|log ?in|subscribe.*|newsletter|recent .*|categories|tags|archives?|sponsors?",
  "impressum|kontakt|fragen|contacto?|preguntas.*|contato",
]);

/** A heading over text that is not a rule: welcome, contact, enforcement, page history. */
export function headsNoRule(title: string): boolean {
  return NO_RULE.test(wordsOf(title));
}

/** Whether a heading is an introduction: what is listed below it may still be rules. */
export function introduces(title: string): boolean {
  return INTRODUCES.test(wordsOf(title));
}

const ASKS =
  /^(?:no|not|never|don'?t|do not|please|only|be|keep|use|avoid|respect|treat|stay|post|share)\b|\b(?:must(?:n'?t)?|should(?:n'?t)?|may not|can ?not|can't|not (?:allowed|permitted|welcome|tolerated)|prohibited|forbidden|banned)\b/i;

/** Whether a list item reads like a rule: it begins with a request or forbids something. */
export function readsLikeRule(text: string): boolean {
  return ASKS.test(plain(text).replaceAll("’", "'"));
}

const ASPECT =
  /^(?:(?:some |good |bad |more )?examples?\b.*|for example|exceptions?\b.*|exemptions?|details?|(?:more )?explanation|rationale|reason(?:ing)?|why\b.*|what (?:this|it|that|counts|does)\b.*|in (?:practice|short|other words|detail)|(?:key )?definitions?|notes?|clarifications?|scope|applies to\b.*|(?:not |what is (?:not )?|what's (?:not )?)?(?:allowed|permitted|acceptable|ok|okay|prohibited|unacceptable|included|excluded)|(?:please )?do'?s?|(?:please )?don'?t'?s?|consequences?|penalt(?:y|ies)|tips?|guidance|(?:this )?includes?|background|good|bad|yes|no|remember|tl;?dr)[.:?!]*$/i;

/** A heading inside a rule: "Examples", "Exceptions", "What this means". */
export function isAspect(title: string): boolean {
  return ASPECT.test(wordsOf(title));
}

const CLOSING =
  /^[*_(]*(?:last (?:updated|modified|revised|change)|updated|revised|effective|version\b|thank|questions|contact|if you (?:have|need|see|want|disagree|feel|believe|think|are (?:unsure|banned))|these (?:rules|guidelines)|(?:the|our) (?:rules|guidelines|mod|moderat|admin|staff)|all (?:of )?(?:the|these) |any (?:breach|violation)|breaking|break\b|violat|failure|fail(?:ing)? to|repeat|anyone (?:who|breaking)|members? who|users? who|copyright|©|by (?:using|posting|joining|continuing|taking)|moderators? |mods |we (?:reserve|may|hope|will update|thank)|remember|happy|enjoy|have fun|see you|signed|yours|cheers|[–—-] ?the\b)/i;

/** How a paragraph begins that closes the page instead of continuing the last rule. */
export function isClosing(text: string): boolean {
  return CLOSING.test(text);
}

/** Whether a text has words that ask something of people. */
export function isNormative(text: string): boolean {
  return /\b(?:don'?t|do not|no|not|never|must|mustn'?t|may|should|shouldn'?t|please|pls|only|allowed|ask|keep|be|use|avoid|cannot|can'?t|required?|need)\b/i.test(
    text.replaceAll("’", "'"),
  );
}

/** A sentence before a list without which its items would mean the opposite, or nothing. */
export function leadsIn(text: string): boolean {
  if (!/[:：]$/.test(text) || text.length > 200) return false;
  if (/\b(?:follow|read|obey|respect|agree|abide|comply)\b/i.test(text)) return false;
  return /\b(?:not|never|don'?t|no|prohibit|forbid|ban|allow|permit|may|must|should|remove|delet|require|can|cannot|can't|avoid|refrain|welcome)/i.test(
    text,
  );
}

/** Names each heading that represents a community: by its words, by its neighbours' words, or by its level. */
export function nameCommunities(sections: readonly Section[], { communityLevel }: DraftOptions): void {
  if (communityLevel !== undefined) {
    for (const section of sections) {
      const { level, title } = section;
      const isName = level === communityLevel && !holdsEverywhere(title) && !headsNoRule(title);
      section.community = isName ? (section.community ?? nameIn(title)) : null;
    }
    return;
  }
  for (const siblings of families(sections)) {
    const [{ parent }] = siblings as [Section, ...Section[]];
    if (parent !== null && parent.community === null && (listsPlaces(parent.title) || isNextToAll(parent, sections))) {
      nameAll(siblings);
    } else nameAlike(siblings);
  }
}

/** Headings that are not taken as communities but could be, by their level. */
export function unnamedHeadings(sections: readonly Section[]): PageHeading[] {
  return sections.flatMap(({ level, title, community }) => {
    const isOpen = community === null && Number.isInteger(level) && level >= 1 && level <= 6;
    return isOpen && !holdsEverywhere(title) && !headsNoRule(title) ? [{ level, name: nameIn(title) }] : [];
  });
}

/** "Forum rules" next to "Platform-wide rules" is the heading of a forum; alone it is a heading over rules. */
function isNextToAll(section: Section, sections: readonly Section[]): boolean {
  if (!/\b(?:forum|board|channel|community|group|subreddit|room)s?['’]? (?:rules|guidelines)$/i.test(section.title))
    return false;
  const siblings = section.parent?.children ?? sections;
  return siblings.some((one) => one !== section && one.level === section.level && holdsEverywhere(one.title));
}

/** The community's name in a heading, without its number and explanation: "B1. Boats (and ships)". */
function nameIn(title: string): string {
  return placeInHeading(title) ?? (wordsOf(title).replace(/\s*\([^()]*\)$/, "") || title);
}

/** Groups headings with the same parent and level. */
function families(sections: readonly Section[]): Section[][] {
  const all = new Map<Section | null, Map<number, Section[]>>();
  for (const section of sections) {
    if (section.level === 0) continue;
    const levels = all.get(section.parent) ?? new Map<number, Section[]>();
    all.set(section.parent, levels);
    const family = levels.get(section.level);
    if (family) family.push(section);
    else levels.set(section.level, [section]);
  }
  return [...all.values()].flatMap((levels) => [...levels.values()]);
}

/** Below "Rules for individual forums", every non-empty heading is a forum unless it looks like a rule. */
function nameAll(siblings: readonly Section[]): void {
  const filled = siblings.filter((section) => hasRulesBelow(section) && section.marker === null);
  if (filled.length === 0) return;
  for (const section of filled) {
    if (headsNoRule(section.title) || holdsEverywhere(section.title)) continue;
    section.community ??= nameIn(section.title);
  }
}

/** Several neighbouring headings such as "Boats forum" name communities; a single one may be the page's title. */
function nameAlike(siblings: readonly Section[]): void {
  const named = siblings.filter(({ community, title }) => community === null && placeInHeading(title) !== null);
  const known = siblings.filter(({ community }) => community !== null).length;
  const isOther = ({ title }: Section) => !headsNoRule(title) && !headsRules(title) && placeInHeading(title) === null;
  const others = siblings.filter(isOther);
  if (named.length + known < 2 || named.length + known < others.length - known) return;
  for (const section of named) {
    if (hasRulesBelow(section) && !holdsEverywhere(section.title)) section.community = placeInHeading(section.title);
  }
}

function hasRulesBelow({ children, entries }: Section): boolean {
  return children.length > 0 || entries.length > 0;
}
