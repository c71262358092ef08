import type { Decision } from "../core/records/decision.js";
import type { RuleSet } from "../core/records/rule-set.js";
import type { ReviewOutcome } from "../core/records/truth.js";
import { serviceDraft, serviceOf } from "../text/guidelines/services.js";
import { type Adapter, Collector, type Found, type ReviewItem, type Source } from "./adapter.js";
import {
  actionOf,
  fields,
  groupBy,
  instant,
  isObject,
  type KnownActions,
  known,
  objectOf,
  ruleSetOf,
  textOf,
  timeOf,
} from "./values.js";

const ACTIONS: KnownActions = {
  removelink: "restrict",
  spamlink: "restrict",
  removecomment: "restrict",
  spamcomment: "restrict",
  approvelink: "allow",
  approvecomment: "allow",
};

/** Moderators that are programs of Reddit itself. Other bots have names like people. */
const PROGRAMS = new Set(["automoderator", "reddit"]);

/** What Reddit writes into `details` of its own accord. */
const OWN_DETAILS = /^(?:remove|spam|confirm_spam|confirm_ham|unspam)$/;

/** A mod action of Devvit or of the mod log, in one form. */
interface Action {
  source: Source;
  id: string | null;
  type: string;
  moderator: string | null;
  community: string | null;
  at: string | null;
  reason: string | null;
  target: { id: string | null; title: string | null; body: string | null; permalink: string | null };
}

function actionsIn(found: Found): Action[] {
  const all = [...found.of("modAction"), ...found.of("modlog")].map((source): Action => {
    const { value } = source;
    const target = objectOf(value.target);
    const details = textOf(value.details);
    return {
      source,
      id: textOf(value.id),
      type: textOf(value.type ?? value.action) ?? "",
      moderator: textOf(value.moderatorName ?? value.mod),
      community: textOf(value.subredditName ?? value.subreddit)?.replace(/^\/?r\//, "") ?? null,
      at: timeOf(value.createdAt ?? value.created_utc),
      reason: textOf(value.description) ?? (details !== null && OWN_DETAILS.test(details) ? null : details),
      target: {
        id: textOf(target.id ?? value.target_fullname),
        title: textOf(target.title ?? value.target_title),
        body: textOf(target.body ?? value.target_body),
        permalink: textOf(target.permalink ?? value.target_permalink),
      },
    };
  });
  return all.sort((a, b) => instant(a.at) - instant(b.at));
}

const isProgram = ({ moderator }: Action) => moderator !== null && PROGRAMS.has(moderator.toLowerCase());

function contentOf(title: string | null, body: string | null, permalink: string | null, id: string | null) {
  const url = permalink?.startsWith("/") ? `https://www.reddit.com${permalink}` : permalink;
  const kind = id?.startsWith("t1_") ? "comment" : id?.startsWith("t3_") ? "post" : null;
  return { ...known({ title }), body: body ?? "", ...known({ kind, url }) };
}

function threadOf(id: string | null, permalink: string | null): string | null {
  const post = /\/comments\/([a-z0-9]+)/i.exec(permalink ?? "")?.[1];
  return post ? `t3_${post}` : id?.startsWith("t3_") ? id : null;
}

/** The texts of posts and comments that are in the input, by their full id. */
function thingsIn(found: Found): Map<string, { title: string | null; body: string | null; permalink: string | null }> {
  return new Map(
    found.of("thing").flatMap(({ value }) => {
      const data = objectOf(value.data);
      const id = textOf(data.name);
      const body = textOf(data.selftext ?? data.body);
      return id ? [[id, { title: textOf(data.title), body, permalink: textOf(data.permalink) }] as const] : [];
    }),
  );
}

/** Rule by its title or by the reason that people are shown, in lower case. */
function ruleNames(sets: readonly RuleSet[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { rules } of sets)
    for (const rule of rules)
      for (const name of [rule.title, rule.x_violation_reason])
        if (typeof name === "string") names.set(name.trim().toLowerCase(), rule.id);
  return names;
}

export const reddit: Adapter = {
  name: "reddit",
  title: "Reddit",
  absent: {},
  kinds: {
    listing: {
      is: (value) => value.kind === "Listing" && isObject(value.data),
      fields: { kind: true, data: fields("children after before dist modhash geo_filter") },
      inside: (value) => (objectOf(value.data).children as unknown[]) ?? [],
    },
    wrapped: {
      is: (value) => value.kind === "modaction" && isObject(value.data),
      fields: fields("kind data"),
      inside: (value) => [value.data],
    },
    thing: {
      is: (value) => (value.kind === "t1" || value.kind === "t3") && isObject(value.data),
      fields: fields("kind data"),
    },
    modAction: {
      is: (value) => typeof value.type === "string" && "moderatorName" in value,
      fields: {
        ...fields("id type moderatorName moderatorId createdAt subredditName subredditId description details"),
        target: fields("id author body permalink title"),
      },
    },
    modlog: {
      is: (value) => typeof value.action === "string" && "mod" in value,
      fields: fields(
        `id action mod mod_id36 created_utc subreddit subreddit_name_prefixed sr_id36 description details
        target_author target_body target_fullname target_permalink target_title`,
      ),
    },
    rules: {
      is: (value) => serviceOf(value) === "reddit",
      fields: {
        ...fields("site_rules site_rules_flow subreddit"),
        rules: fields(
          `short_name shortName description description_html descriptionHtml kind violation_reason violationReason priority
          created_utc createdUtc subredditName`,
        ),
      },
    },
    rule: {
      is: (value) => typeof value.shortName === "string" && "subredditName" in value,
      fields: fields("shortName description descriptionHtml kind violationReason priority createdUtc subredditName"),
    },
  },

  toDecisions(found, options) {
    const out = new Collector<Decision>();
    const all = actionsIn(found);
    const things = thingsIn(found);
    const names = ruleNames(reddit.toRuleSets!(found, options).records.map(({ record }) => record));
    const byTarget = groupBy(all, ({ target }) => target.id);
    for (const action of all) {
      const { source, id, type, moderator, at, target } = action;
      const decision = actionOf([type], ACTIONS, options);
      if (decision === null) {
        const isUsed = type === "addremovalreason" && byTarget.get(target.id ?? "")?.some((one) => one.type in ACTIONS);
        if (!isUsed) out.leave("not_a_decision", type, source);
        continue;
      }
      const thing = things.get(target.id ?? "");
      const title = target.title ?? thing?.title ?? null;
      const body = target.body ?? thing?.body ?? null;
      const community = options.community ?? action.community;
      if (id === null) out.reject(source, "id", "a mod action has an id");
      else if (community === null) out.reject(source, "subreddit", "the subreddit is not named");
      else if (title === null && body === null)
        out.reject(source, "target", "neither title nor body; add the listing with the post or comment");
      else {
        const after = byTarget.get(target.id ?? "")?.filter((one) => instant(one.at) >= instant(at)) ?? [];
        const given = after.find((one) => one.type === "addremovalreason");
        const rationale = [action.reason, given?.reason].filter(Boolean).join("\n");
        const cited = [given?.reason, action.reason].flatMap(
          (text) => names.get(text?.trim().toLowerCase() ?? "") ?? [],
        );
        const later = isProgram(action) ? nextReview(byTarget, action) : undefined;
        const kind = moderator === null ? null : isProgram(action) ? ("rule" as const) : ("human" as const);
        out.add(
          {
            id,
            community,
            content: contentOf(title, body, target.permalink ?? thing?.permalink ?? null, target.id),
            decision,
            ...known({ human_label: later ? actionOf([later.type], ACTIONS, options) : null }),
            ...(moderator === null ? {} : { decider: known({ kind, id: moderator }) }),
            ...known({ rationale, cited_rule: cited[0], decided_at: at }),
            ...known({ thread_id: threadOf(target.id, target.permalink ?? thing?.permalink ?? null) }),
          },
          source,
        );
      }
    }
    return out.result();
  },

  toRuleSets(found, options) {
    const out = new Collector<RuleSet>();
    const single = groupBy(found.of("rule"), ({ value }) => textOf(value.subredditName));
    const lists = [...single.values()].map((sources) => ({
      source: sources[0]!,
      value: sources.map(({ value }) => value),
    }));
    for (const { source, value } of [
      ...found.of("rules").map((source) => ({ source, value: source.value })),
      ...lists,
    ]) {
      const draft = serviceDraft(value, "reddit", known({ community: options.community }));
      if (draft === null) out.reject(source, "subreddit", "the rules do not name their subreddit; give the community");
      for (const { reason } of draft?.unread ?? []) out.leave("unread_text", reason, source);
      for (const { community, rules } of draft?.books ?? [])
        out.add(
          ruleSetOf(
            "reddit",
            community,
            rules.map(({ rule }) => rule),
          ),
          source,
        );
    }
    return out.result();
  },

  /** What the next moderator made of a post or comment that another one, or a program, decided about. */
  toOutcomes(found, options) {
    const out = new Collector<ReviewOutcome>();
    const all = actionsIn(found);
    const byTarget = groupBy(all, ({ target }) => target.id);
    for (const action of all) {
      const ours = actionOf([action.type], ACTIONS, options);
      const later = ours === null ? undefined : nextReview(byTarget, action);
      if (!later || later.moderator === action.moderator || action.id === null || later.at === null) continue;
      const theirs = actionOf([later.type], ACTIONS, options);
      const outcome = theirs === ours ? ("uphold" as const) : ("overturn" as const);
      out.add({ decision_id: action.id, outcome, ...known({ reviewer: later.moderator }), at: later.at }, later.source);
    }
    return out.result();
  },

  /** Posts and comments of a listing such as `about/modqueue`. */
  toReviewItems(found, options) {
    const out = new Collector<ReviewItem>();
    for (const source of found.of("thing")) {
      const data = objectOf(source.value.data);
      const id = textOf(data.name);
      const community = options.community ?? textOf(data.subreddit);
      const reports = [data.user_reports, data.mod_reports].flatMap((list) => (Array.isArray(list) ? list : []));
      const waits = reports.length > 0 || (typeof data.num_reports === "number" && data.num_reports > 0);
      if (!waits || id === null || community === null) continue;
      const permalink = textOf(data.permalink);
      const content = contentOf(textOf(data.title), textOf(data.selftext ?? data.body), permalink, id);
      const reason = reports.flatMap((one) => (Array.isArray(one) ? (textOf(one[0]) ?? []) : [])).join("\n");
      out.add(
        {
          ...{ id, community, content, source: "report" },
          ...known({ reason, waiting_since: timeOf(data.created_utc), thread_id: threadOf(id, permalink) }),
        },
        source,
      );
    }
    return out.result();
  },
};

/** The next decision of a person about the same post or comment. */
function nextReview(byTarget: ReadonlyMap<string, readonly Action[]>, { target, at }: Action): Action | undefined {
  if (target.id === null || at === null) return undefined;
  const isReview = (one: Action) => Object.hasOwn(ACTIONS, one.type) && !isProgram(one);
  return byTarget.get(target.id)?.find((one) => isReview(one) && instant(one.at) > instant(at));
}
