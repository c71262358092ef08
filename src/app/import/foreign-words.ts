import { type Actions, actionSides, parseAction } from "../../core/records/actions.js";
import type { ColumnSample } from "./sample-columns.js";

/** Words of logs and queues for the action that restricts, and for the other; phrases without their spaces. */
const RESTRICTS = words(
  "remove removed removal removelink removecomment removing spam spamlink spamcomment delete deleted deletion takedown takendown tookdown takesdown takingdown pulleddown hide hides hidden hid lock locked erase erased shadowban shadowbanned reject rejected rejection deny denied decline declined block blocked ban banned suspend suspended disallow disallowed violation violating violates violative unsafe harmful toxic abusive abuse restrict restricted filter filtered quarantine quarantined purge purged withhold withheld refuse refused unpublish unpublished bad flagged postremoved removepost commentremoved removecomments removedcomment removedpost contentremoved removecontent removedcontent itemremoved removeitem postdeleted deletepost deletedpost commentdeleted deletecomment contentdeleted deletecontent messagedeleted deletemessage removedbymoderator removedbymod removedbymods removedbyadmin removedbyautomod removedbyautomoderator deletedbymoderator deletedbymod removedasspam removeasspam markedasspam markasspam takendownbymoderator autoremoved autoremove",
);
const PERMITS = words(
  "approve approved approval approvelink approvecomment allow allowed keep kept leave left ignore ignored ignorereports restore restored reinstate reinstated accept accepted grant granted pass passed permit permitted ok okay fine safe benign publish published unremove unremoved unspam unban unhide unhidden unlock unlocked undelete undeleted letstand letsstand letstay leftstanding leftalone leavealone leftin keptin stayedup remainsup remainedup stands clean ham visible dismiss dismissed compliant good valid none nonviolating noaction noviolation notremoved notviolating noactiontaken leftup leaveup keptup keepup stayup staysup notspam nottoxic nonviolation postapproved approvepost approvedpost commentapproved approvedcomment contentapproved approvecontent itemapproved approveitem approvedbymoderator approvedbymod approvedbymods autoapproved autoapprove keeppost keepcontent contentkept postkept noactionneeded noactionrequired noviolationfound",
);
/** Words in the name of a column that say who decided, or of what; the rest of the name is the action. */
const NEUTRAL = words(
  "is was were has been be by as the post comment content item message mod mods moderator bot model auto human review reviewer reviewed qa final second decision action label verdict",
);

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

/** "removedBy", "Removed by" -> ["removed", "by"]. */
export function tokensOf(name: string): string[] {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/** The action that a word of another system represents; null: not known. The whole value has to be a word of the lists: "undo remove" is no removal. */
function actionOfWord(value: string, actions: Actions): string | null {
  const own = parseAction(actions, value);
  if (own !== null) return own;
  // A question mark, a cross or a struck-out word says something else.
  if (!PLAIN.test(value)) return null;
  const word = tokensOf(value).join("");
  const { restricting, other } = actionSides(actions);
  // "suspended" may be any of several restrictions.
  const only = (side: readonly string[]) => (side.length === 1 ? side[0]! : null);
  return RESTRICTS.has(word) ? only(restricting) : PERMITS.has(word) ? only(other) : null;
}

const PLAIN = /^[\p{L}\p{N}\s_.,:;'"’()[\]-]+!*\s*$/u;

const YES = words("true yes 1 y t x");
const NO = words("false no 0 n f");

export interface ActionValues {
  /** Their value -> our action, where the two are not the same word. */
  known: { theirs: string; ours: string }[];
  /** Values that could not be understood, most frequent first. */
  unknown: { value: string; rows: number }[];
  /** Share of the filled rows that could be. */
  understood: number;
}

/** What the values of a column are as actions. Yes and no are understood by the column's name: `removed`, `approved`. */
export function actionValues(column: ColumnSample, actions: Actions): ActionValues {
  const yes = column.frequent().every(([value]) => YES.has(value.toLowerCase()) || NO.has(value.toLowerCase()))
    ? yesOf(column.name, actions)
    : null;
  const known: ActionValues["known"] = [];
  const unknown: ActionValues["unknown"] = [];
  let rows = 0;
  for (const [value, count] of column.frequent()) {
    const ours = yes ? (YES.has(value.toLowerCase()) ? yes.yes : yes.no) : actionOfWord(value, actions);
    if (ours === null) unknown.push({ value, rows: count });
    else rows += count;
    const isOther = ours !== null && parseAction(actions, value) === null;
    if (isOther && !known.some(({ theirs }) => theirs.toLowerCase() === value.toLowerCase()))
      known.push({ theirs: value, ours });
  }
  return { known, unknown, understood: column.filled === 0 ? 0 : rows / column.filled };
}

/** What "yes" means in a column of this name. */
function yesOf(name: string, actions: Actions): { yes: string; no: string } | null {
  const word = tokensOf(name)
    .filter((token) => !NEUTRAL.has(token))
    .join("");
  const restricts = RESTRICTS.has(word);
  if (!restricts && !PERMITS.has(word)) return null;
  const { positive, negative, all } = actions;
  if (all) return null;
  return restricts ? { yes: positive, no: negative } : { yes: negative, no: positive };
}

/** What other systems call our fields, the likeliest first: Reddit, Lemmy, Mastodon, Discourse, Coop, Ozone, spreadsheets. */
export const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  id: names(
    "decision id, case id, ticket id, log id, action id, event id, item id, content id, post id, comment id, message id, report id, target id, record id, entry id, row id, submission id, uuid, guid, ticket, case, case number, case no, ticket number, reference, ref, key, nr, number, application, post, comment, message, item, submission",
  ),
  decision_id: names("id, item id, case id, post id, content id, ticket id, case, ticket"),
  community: names(
    "subreddit, subreddit name, sub, community name, group, group name, forum, forum name, channel, channel name, board, category, category name, server, guild, space, instance, section, room, site, team, branch, department, market, region, queue, platform, product, area",
  ),
  "content.body": names(
    "content, text, body, selftext, post text, comment text, message text, content text, post body, comment body, post content, message body, message, msg, post, comment, target body, full text, user text, raw, caption, tweet, description, excerpt, snippet, quote, statement, prompt, input, summary",
  ),
  "content.title": names("title, subject, headline, post title, thread title, topic title, target title, heading"),
  "content.language": names("language, lang, locale, language code, content language"),
  "content.url": names("url, link, permalink, post url, content url, href, uri"),
  "content.kind": names("kind, content type, post type, item type, content kind, media type, object type, type"),
  decision: names(
    "action, action taken, mod action, moderation action, final action, bot action, bot decision, model decision, auto action, verdict, outcome, decision made, action id, resolution, disposition, enforcement, enforcement action, ruling, judgement, judgment, result, removed, is removed, was removed, deleted, hidden, approved, violation, is violation, violates, flagged, classification, prediction, predicted, status, state, type, label",
  ),
  human_label: names(
    "human decision, human review, human verdict, human action, human, moderator decision, mod decision, mod review, moderator label, second review, second reader, second opinion, review result, review decision, reviewer decision, reviewed as, review, qa, qa result, qa verdict, qa decision, final decision, true label, truth, ground truth, correct action, expected, annotation, gold label, label",
  ),
  decider: names(
    "moderator, mod, moderator name, mod name, decided by, removed by, actioned by, action by, handled by, moderated by, deleted by, approved by, banned by, closed by, resolved by, actor, actor name, agent, analyst, operator, admin, bot, bot name, model, model name, classifier, assignee, moderator id, mod id, handler, processed by, who, reviewed by, reviewer",
  ),
  "decider.kind": names(
    "decider kind, decider type, actor type, actor kind, moderator type, moderator kind, agent type",
  ),
  "decider.confidence": names(
    "confidence, model confidence, confidence score, bot confidence, certainty, decider confidence",
  ),
  rationale: names(
    "reason, rationale, explanation, justification, removal reason, reasoning, decision reason, reason text, mod note, moderator note, note, notes, details, remarks",
  ),
  cited_rule: names(
    "rule, rule id, rule cited, rule violated, violated rule, rule broken, broken rule, rule number, rule no, policy, policy id, policy violated, violated policy, guideline, clause, policy area, policy name, violation type, violation reason, reason code",
  ),
  rule_id: names("rule, cited rule, rule cited, rule violated, violated rule, rule number, policy, policy id, clause"),
  decided_at: names(
    "decision date, decision time, action time, action date, actioned at, moderated at, removed at, resolved at, closed at, reviewed at, handled at, timestamp, event time, logged at, created at, created, created utc, datetime, date, time, ts, when, at, updated at, posted at, date created",
  ),
  ruleset_version: names("rules version, policy version, guidelines version, rule version, rule set version"),
  thread_id: names(
    "thread, topic id, topic, conversation id, conversation, discussion id, link id, parent id, root id, thread url",
  ),
  "appeal.outcome": names("appeal result, appeal status, appeal decision"),
  "appeal.text": names("appeal message, appeal reason"),
  "appeal.filed_at": names("appealed at, appeal date, appeal time"),
  level: names("defensibility level, rating, score, label"),
  source: names("kind, origin"),
  rater: names("annotator, labeller, labeler, reviewer, rated by, labeled by, user"),
  rated_at: names("labeled at, created at, timestamp, date, time"),
  reviewer: names("reviewed by, moderator, agent, analyst, user"),
  outcome: names("result, review result, decision, status"),
  at: names("reviewed at, closed at, resolved at, created at, timestamp, date, time"),
};

/** Their words for our choices. */
export const OTHER_CHOICES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "decider.kind": {
    bot: "model",
    ai: "model",
    ml: "model",
    llm: "model",
    classifier: "model",
    machine: "model",
    algorithm: "model",
    user: "human",
    person: "human",
    moderator: "human",
    mod: "human",
    staff: "human",
    admin: "human",
    agent: "human",
    manual: "human",
    automod: "rule",
    automoderator: "rule",
    filter: "rule",
    regex: "rule",
    "rule engine": "rule",
  },
  "appeal.outcome": {
    denied: "upheld",
    rejected: "upheld",
    confirmed: "upheld",
    granted: "overturned",
    reversed: "overturned",
    accepted: "overturned",
    open: "pending",
    "in review": "pending",
  },
  outcome: { upheld: "uphold", confirmed: "uphold", overturned: "overturn", reversed: "overturn" },
};

function names(list: string): string[] {
  return list.split(", ");
}
