import type { Estimate } from "../../../core/estimate.js";
import { finding, type PlacedRule, partsOf, type RuleFinding, sentences } from "./finding.js";

/** The deciders, as rules name them. */
const DECIDERS = "(?:mods?|moderators?|moderation team|staff|team|admins?|administrators?)";

/** Words that leave the decision entirely to the decider: with them every decision is derivable, and its opposite too. */
const CATCH_ALL = new RegExp(
  `\\b(?:${[
    `at (?:the |our |their )?(?:sole |full )?${DECIDERS}['’]?s? (?:sole )?discretion`,
    "at (?:our|their) (?:sole )?discretion",
    `discretion of (?:the )?${DECIDERS}`,
    "for any (?:or no )?reason",
    `(?:we|${DECIDERS}) reserve the right`,
    `anything else (?:that )?(?:we|${DECIDERS})`,
    `whatever (?:we|(?:the )?${DECIDERS}) (?:deem|consider|feel)`,
    `(?:we|${DECIDERS}) (?:deem|see|think|consider|find|judge)s? (?:it |them |this |to be )?(?:fit|(?:in)?appropriate|(?:un)?necessary|(?:un)?suitable|(?:un)?acceptable|best)`,
    `${DECIDERS} may (?:remove|delete|lock) (?:anything|whatever)`,
    `${DECIDERS}['’]? (?:word|decision|judge?ment) is final`,
    `${DECIDERS}(?: on duty)? (?:(?:will|may|can|shall|then) )?decides?`,
    `(?:it is |is |left )?up to (?:the |our )?${DECIDERS}`,
    `left to (?:the |our )?${DECIDERS}`,
    "including but not limited to",
    "use your (?:common sense|best judge?ment)",
    "common sense applies",
    "spirit of the (?:rules|community)",
  ].join("|")})\\b`,
  "giu",
);

const NEGATION =
  /\b(?:no(?:t|body| one)?|never|cannot|don['’]?t|can['’]?t|won['’]?t|mustn['’]?t|isn['’]?t|aren['’]?t|forbidden|prohibited)\b/iu;

/** An action on posts or people. */
const ACTED_ON = new RegExp(
  `\\b(?:(?:be|is|are|gets?) (?:removed|deleted|locked|banned|muted|closed|rejected|refused)|(?:may|can|will) (?:remove|delete|lock|ban|mute|close|reject|refuse)|(?:we|${DECIDERS}) (?:may|can|will))\\b`,
  "iu",
);

/** "Do not post for any reason" is a prohibition without exceptions; "removed for any reason" leaves the decision to the decider. */
function isProhibition(sentence: string, { 0: words, index }: RegExpMatchArray): boolean {
  if (!/^for any reason$/iu.test(words)) return false;
  const clause = sentence
    .slice(0, index)
    .split(/[;:.!?]/)
    .at(-1)!;
  return NEGATION.test(clause) && !ACTED_ON.test(clause);
}

/** Discretion that is limited to cases of doubt. */
const IN_DOUBT = /\b(?:in doubt|doubtful|unclear|not clear|borderline|unsure|disputed)\b/iu;

/** Words that leave open whether the rule applies at all. */
const HEDGES =
  /\b(?:generally|usually|normally|typically|in most cases|as a rule|more or less|please try to|try not to|where possible|if possible|when possible|ideally|preferably|please (?:consider|avoid|try)|should (?:generally|usually|normally)|may be (?:removed|deleted|locked|banned)|might be (?:removed|deleted|locked)|can be (?:removed|deleted)|and so on|and the like|etc\.?|or similar|too (?:much|many|often|long|short)|excessive(?:ly)?|within reason|reasonabl[ey]|appropriate(?:ly)?|as needed)(?=[\s.,;:!?)"”]|$)/giu;

/** A reference to a place with the rest of the rule. */
const ELSEWHERE =
  /\b(?:see|read|check|refer to|consult|described in|listed in|explained in|found in|in) (?:the |our )?(?:full )?(?:wiki|faq|sidebar|side bar|pinned post|sticky|stickied post|guidelines page|rules page|mod post)\b/giu;

/** Catch-all discretion. A rule of kind `discretion` declares it, so its catch-all is a note, not a warning. */
export function catchAll(placed: PlacedRule): RuleFinding[] {
  const open = placed.rule.kind === "discretion";
  return quotes(placed, CATCH_ALL, isProhibition).map(({ part, quote, sentence }) =>
    finding(placed, {
      check: "catch_all",
      severity: open ? "note" : "warning",
      part,
      quote,
      message: IN_DOUBT.test(sentence)
        ? "gives cases of doubt to whoever decides: they can be derived either way"
        : "gives the decision to whoever decides: any decision can be derived from it, and its opposite too",
      remedy: open
        ? "Say on which grounds, and mark the rule never_automate."
        : "Name the grounds, or make it a rule of kind `discretion` that is never automated.",
    }),
  );
}

/** Hedges. They count more in a title or a description than in a detail, which is there for nuances. */
export function hedges(placed: PlacedRule): RuleFinding[] {
  return quotes(placed, HEDGES).map(({ part, quote }) =>
    finding(placed, {
      check: "hedge",
      severity: part === "detail" ? "note" : "warning",
      part,
      quote,
      message: "leaves open when the rule holds",
      remedy: "Say when it does: a number, a list or a test that two people would answer alike.",
    }),
  );
}

/** The rule's text is in a place that auditors do not read. */
export function elsewhere(placed: PlacedRule): RuleFinding[] {
  const complete = (placed.rule.detail?.trim() ?? "") !== "";
  return quotes(placed, ELSEWHERE).map(({ part, quote }) =>
    finding(placed, {
      check: "elsewhere",
      severity: complete ? "note" : "warning",
      part,
      quote,
      message: complete
        ? "sends the reader elsewhere"
        : "sends the reader to a text that is not in this rule: nothing can be derived from it",
      remedy: "Put the text into `detail`.",
    }),
  );
}

/** Each distinct match once per part, in sentences that are not quoted examples. */
function quotes(
  placed: PlacedRule,
  pattern: RegExp,
  isOther: (sentence: string, match: RegExpMatchArray) => boolean = () => false,
) {
  return partsOf(placed.rule).flatMap(({ part, text }) => {
    const found = new Map<string, { quote: string; sentence: string }>();
    for (const sentence of sentences(text)) {
      for (const match of sentence.matchAll(pattern)) {
        if (insideQuotes(sentence, match.index) || isOther(sentence, match)) continue;
        found.set(match[0].toLowerCase(), { quote: match[0], sentence });
      }
    }
    return [...found.values()].map((one) => ({ part, ...one }));
  });
}

/** Whether a sentence leaves the decision to the decider and so explains nothing. */
export function givesAway(sentence: string): boolean {
  return [...sentence.matchAll(CATCH_ALL)].some((match) => !isProhibition(sentence, match));
}

/** Whether a position is inside a quoted example, which is not the rule's own wording. */
export function insideQuotes(sentence: string, index: number): boolean {
  const before = sentence.slice(0, index);
  const straight = (before.match(/"/g) ?? []).length % 2 === 1;
  return straight || before.lastIndexOf("“") > before.lastIndexOf("”");
}

/** How a run used a rule. */
export interface RuleUse {
  cited: number;
  /** Share of the decisions citing it that are defensible both ways. */
  open: Estimate;
  /** Verdicts of the communities to which the rule applies. */
  verdicts: number;
}

/** With fewer verdicts, a rule that was never cited is not reported. */
const ENOUGH_VERDICTS = 30;
/** With fewer decisions that cite a rule, its share of open decisions is not reported. */
const ENOUGH_CITING = 10;

/** Findings about a rule from a run: never cited, or leaving too many decisions open. */
export function useFindings(placed: PlacedRule, use: RuleUse, greatestOpen: number): RuleFinding[] {
  if (use.cited === 0) {
    if (use.verdicts < ENOUGH_VERDICTS) return [];
    return [
      finding(placed, {
        check: "never_cited",
        severity: "note",
        message: `none of ${use.verdicts} audits cites it`,
        remedy: "Ask whether it is needed; a rule for rare harm may well stay.",
      }),
    ];
  }
  if (use.open.estimate === null || use.open.n < ENOUGH_CITING || use.open.lower <= greatestOpen) return [];
  return [
    finding(placed, {
      check: "often_open",
      severity: "warning",
      message: `${use.open.k} of ${use.open.n} decisions citing it are open (${percent(use.open.lower)}–${percent(use.open.upper)}%)`,
      remedy: "Read those decisions, and say in `detail` which way they go.",
    }),
  ];
}

function percent(share: number): string {
  return (share * 100).toFixed(0);
}
