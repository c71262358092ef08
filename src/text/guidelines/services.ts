import type { Rule } from "../../core/records/rule-set.js";
import { isObject } from "../../core/text-checks.js";
import {
  cleanText,
  type Draft,
  type DraftOptions,
  type PlacedRule,
  type RuleBook,
  refuseMany,
  type UnreadText,
} from "./draft.js";
import { decodeEntities } from "./html-tokens.js";
import { bodyText, itemText } from "./rule-text.js";

type Json = Readonly<Record<string, unknown>>;

/** Recognises a service's output by its keys; null: not a known service. */
export function serviceOf(value: unknown): "reddit" | "mastodon" | null {
  const rules = rulesIn(value);
  if (rules.length === 0) return isObject(value) && Array.isArray(value.site_rules) ? "reddit" : null;
  // A rule without text is no reason to refuse the list: it is skipped and reported.
  const filled = rules.filter((rule) => !isEmptyRule(rule));
  if (filled.length === 0) return null;
  if (filled.every((rule) => isText(rule.short_name ?? rule.shortName))) return "reddit";
  const isPlain = (rule: Json) =>
    isText(rule.text) && !("community" in rule) && !("decision" in rule) && !("content" in rule);
  return filled.every(isPlain) && rules.every((rule) => "id" in rule) ? "mastodon" : null;
}

/** A rule of a service without any text. */
function isEmptyRule(rule: Json): boolean {
  const texts = [rule.short_name, rule.shortName, rule.text, rule.description, rule.hint, rule.title];
  return !texts.some(isText) && ["short_name", "shortName", "text"].some((key) => key in rule);
}

/** The rules with text, each with its index in the list; the others are listed as unread. */
function filledRules(value: unknown, unread: UnreadText[]): { rule: Json; i: number }[] {
  const rules = rulesIn(value).map((rule, i) => ({ rule, i }));
  for (const { rule, i } of rules)
    if (isEmptyRule(rule)) unread.push({ line: 1, text: `rule ${i + 1} of the list`, reason: "empty_rule" });
  return rules.filter(({ rule }) => !isEmptyRule(rule));
}

function rulesIn(value: unknown): Json[] {
  const list = isObject(value) ? value.rules : value;
  return Array.isArray(list) && list.every(isObject) ? (list as Json[]) : [];
}

/** The rules in a service's output. null: they are a Reddit community's, and the community is not known. */
export function serviceDraft(value: unknown, service: "reddit" | "mastodon", options: DraftOptions): Draft | null {
  return service === "reddit" ? redditDraft(value, options) : mastodonDraft(value, options);
}

/** From `/r/NAME/about/rules.json`, or from Devvit: a community's rules (without its name) and the platform's. */
function redditDraft(value: unknown, options: DraftOptions): Draft | null {
  const unread: UnreadText[] = [];
  const given = filledRules(value, unread).map(({ rule, i }) => ({ rule, at: number(rule.priority) ?? i, i }));
  const rules = given.sort((a, b) => a.at - b.at || a.i - b.i).map(({ rule }, i) => redditRule(rule, i + 1));
  const named =
    given.map(({ rule }) => rule.subredditName ?? rule.subreddit).find(isText) ??
    (isObject(value) ? value.subreddit : undefined);
  const community = options.platform ? null : (options.community ?? (isText(named) ? named : undefined));
  if (community === undefined && rules.length > 0) return null;
  const whole = isObject(value) ? value : {};
  const site = (Array.isArray(whole.site_rules) ? whole.site_rules : [])
    .filter(isText)
    .map((text, i) => placed(`S${i + 1}`, itemOf(text)));
  for (const text of menuTexts(whole.site_rules_flow)) {
    if (!site.some(({ rule }) => rule.title === text)) unread.push({ line: 1, text, reason: "report_menu" });
  }
  return draft(
    "reddit",
    null,
    [
      { community: community ?? null, rules },
      { community: null, rules: site },
    ],
    unread,
  );
}

function redditRule(rule: Json, n: number): PlacedRule {
  const title = clean(rule.short_name ?? rule.shortName);
  const body = bodyText(linesOf(clean(rule.description)));
  const reason = clean(rule.violation_reason ?? rule.violationReason);
  const scope = { link: "Applies to posts only.", comment: "Applies to comments only." }[clean(rule.kind)] ?? "";
  const detail = [body.detail, scope].filter((part) => part !== "").join("\n\n");
  const own = reason !== "" && reason !== title ? { x_violation_reason: reason } : {};
  return placed(String(n), { title, description: body.description, detail }, own);
}

/** The texts of the report menu, step by step. */
function menuTexts(flow: unknown): string[] {
  const texts = new Set<string>();
  const left: unknown[] = [flow];
  while (left.length > 0 && texts.size < 1_000) {
    const one = left.pop();
    if (Array.isArray(one)) left.push(...one.slice(0, 1_000).reverse());
    else if (isObject(one)) {
      for (const key of ["reasonTextToShow", "reasonText", "requestCrisisSupport", "fileComplaint"]) {
        const text = one[key];
        if (isText(text)) texts.add(clean(text));
      }
      left.push(one.nextStepReasons);
    }
  }
  return [...texts];
}

/** From `/api/v1/instance/rules`, or from the instance itself: a server's rules, which apply to all of it. */
function mastodonDraft(value: unknown, options: DraftOptions): Draft {
  const unread: UnreadText[] = [];
  const rules = filledRules(value, unread).map(({ rule, i }) => {
    const text = itemOf(clean(rule.text));
    const hint = clean(rule.hint);
    const own =
      text.description === ""
        ? { ...text, ...bodyText(linesOf(hint)) }
        : { ...text, detail: [text.detail, hint].filter((part) => part !== "").join("\n\n") };
    for (const translated of translations(rule.translations))
      unread.push({ line: 1, text: translated, reason: "translation" });
    return placed(clean(rule.id) || String(i + 1), own);
  });
  const whole = isObject(value) ? value : {};
  const title = clean(whole.title ?? whole.domain ?? whole.uri) || null;
  return draft(
    "mastodon",
    title,
    [{ community: options.platform ? null : (options.community ?? null), rules }],
    unread,
  );
}

/** "de: Kein Spam. Werbung wird entfernt." */
function translations(value: unknown): string[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([language, one]) => {
    const text = isObject(one) ? [clean(one.text), clean(one.hint)].filter((part) => part !== "").join(" ") : "";
    return text === "" ? [] : [`${language}: ${text}`];
  });
}

function draft(
  format: "reddit" | "mastodon",
  title: string | null,
  books: readonly RuleBook[],
  unread: UnreadText[],
): Draft {
  const merged = new Map<string | null, RuleBook>();
  for (const { community, rules } of books) {
    if (rules.length === 0) continue;
    const known = merged.get(community);
    if (known) known.rules.push(...rules);
    else merged.set(community, { community, rules: [...rules] });
  }
  for (const { rules } of merged.values()) refuseMany({ rules: rules.length });
  for (const { rules } of merged.values()) makeUnique(rules);
  const own = merged.get(null);
  const named = [...merged.values()].filter((book) => book !== own);
  return { format, title, books: own ? [own, ...named] : named, unread };
}

function makeUnique(rules: readonly PlacedRule[]): void {
  const seen = new Set<string>();
  for (const { rule } of rules) {
    const id = rule.id;
    for (let n = 2; seen.has(rule.id); n++) rule.id = `${id}-${n}`;
    seen.add(rule.id);
  }
}

function placed(
  id: string,
  { title, description, detail }: { title: string; description: string; detail: string },
  own: Partial<Rule> = {},
): PlacedRule {
  const rule = {
    id,
    title: title || id,
    ...(description ? { description } : {}),
    ...(detail ? { detail } : {}),
    ...own,
  };
  return { line: 1, rule };
}

function itemOf(text: string): { title: string; description: string; detail: string } {
  return itemText(linesOf(text));
}

function linesOf(text: string) {
  return text.split("\n").map((line, i) => ({ number: i + 1, text: line }));
}

/** A text as displayed: services write `&` as an entity. */
function clean(value: unknown): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? cleanText(decodeEntities(value)).trim() : "";
}

function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
