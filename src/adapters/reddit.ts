import type { Decision } from "../core/records/decision.js";
import type { ReviewOutcome } from "../core/records/label.js";
import type { RuleSet } from "../core/records/rule-set.js";
import { serviceDraft, serviceOf } from "../text/guidelines/services.js";
import {
  type Adapter,
  Collector,
  type Foreign,
  type Found,
  type ReviewItem,
  type Shape,
  type Source,
} from "./adapter.js";
import {
  actionOf,
  fields,
  groupBy,
  instant,
  isObject,
  type KnownActions,
  known,
  labelled,
  listed,
  objectOf,
  objectsOf,
  pick,
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

/** Moderators that are Reddit's own programs. Other bots have ordinary names. */
const PROGRAMS = new Set(["automoderator", "reddit"]);

/** Values that Reddit itself writes into `details`. */
const OWN_DETAILS = /^(?:remove|spam|confirm_spam|confirm_ham|unspam)$/;

/** A mod action from Devvit or from the mod log, in one form. */
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

function contentOf(
  title: string | null,
  body: string | null,
  permalink: string | null,
  id: string | null,
  data: Foreign = {},
) {
  const url = permalink?.startsWith("/") ? `https://www.reddit.com${permalink}` : permalink;
  const kind = id?.startsWith("t1_") ? "comment" : id?.startsWith("t3_") ? "post" : null;
  return { ...known({ title }), body: body ?? "", ...listed("context", contextOf(data)), ...known({ kind, url }) };
}

/** The target of a link post, and the options of a poll. A text post's URL is its own address. */
function contextOf(data: Foreign): string[] {
  const link = textOf(data.url_overridden_by_dest ?? data.url);
  const isOwn = data.is_self === true || (link?.includes("/comments/") ?? false);
  const options = objectsOf(objectOf(data.poll_data).options).map(({ text }) => text);
  return [...labelled("link", isOwn ? null : link), ...labelled("poll", ...options)];
}

/** Parts of a post that are not read. */
function unreadIn(data: Foreign): string[] {
  return [
    ...(data.is_gallery === true || isObject(data.gallery_data) ? ["gallery"] : []),
    ...(objectsOf(data.crosspost_parent_list).length > 0 ? ["crosspost"] : []),
  ];
}

/** Fields of posts and comments in listings, combined. */
const THING: Shape = {
  ...fields(
    `all_awardings allow_live_comments approved approved_at_utc approved_by archived associated_award author author_flair_background_color
    author_flair_css_class author_flair_richtext author_flair_template_id author_flair_text author_flair_text_color author_flair_type
    author_fullname author_is_blocked author_patreon_flair author_premium awarders ban_note banned_at_utc banned_by body body_html can_gild
    can_mod_post category clicked collapsed collapsed_because_crowd_control collapsed_reason collapsed_reason_code comment_type
    content_categories contest_mode controversiality created created_utc crosspost_parent crosspost_parent_list discussion_type
    distinguished domain downs edited gallery_data gilded gildings hidden hide_score id ignore_reports is_created_from_ads_ui
    is_crosspostable is_gallery is_meta is_original_content is_reddit_media_domain is_robot_indexable is_self is_submitter is_video likes
    link_author link_flair_background_color link_flair_css_class link_flair_richtext link_flair_template_id link_flair_text
    link_flair_text_color link_flair_type link_id link_permalink link_title link_url locked media media_embed media_metadata media_only
    mod_note mod_reason_by mod_reason_title mod_reports name no_follow num_comments num_crossposts num_reports over_18 parent_id
    parent_whitelist_status permalink pinned poll_data post_hint preview promoted pwls quarantine removal_reason removed removed_by
    removed_by_category replies report_reasons retoration_reason rte_mode saved score score_hidden secure_media secure_media_embed selftext
    selftext_html send_replies spam spoiler stickied subreddit subreddit_id subreddit_name_prefixed subreddit_subscribers subreddit_type
    suggested_sort thumbnail thumbnail_height thumbnail_width title top_awarded_type total_awards_received treatment_tags
    unrepliable_reason ups upvote_ratio url url_overridden_by_dest user_reports user_reports_dismissed mod_reports_dismissed view_count
    visited whitelist_status wls is_call_to_action call_to_action`,
  ),
};

/** Only ids of posts and comments are links; otherwise everything about one account would belong together. */
const postLink = (id: unknown) => (/^t[13]_/.test(textOf(id) ?? "") ? textOf(id) : null);

function threadOf(id: string | null, permalink: string | null): string | null {
  const post = /\/comments\/([a-z0-9]+)/i.exec(permalink ?? "")?.[1];
  return post ? `t3_${post}` : id?.startsWith("t3_") ? id : null;
}

interface Thing {
  title: string | null;
  body: string | null;
  permalink: string | null;
  data: Foreign;
}

/** The texts of posts and comments in the input, by full id. */
function thingsIn(found: Found): Map<string, Thing> {
  return new Map(
    found.of("thing").flatMap(({ value }) => {
      const data = objectOf(value.data);
      const id = textOf(data.name);
      const body = textOf(data.selftext ?? data.body);
      return id ? [[id, { title: textOf(data.title), body, permalink: textOf(data.permalink), data }] as const] : [];
    }),
  );
}

/** Rules by title or by the reason shown to users, in lower case. */
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
      links: ({ data }) => [postLink(objectOf(data).name)],
      fields: { kind: true, data: THING },
    },
    modAction: {
      is: (value) => typeof value.type === "string" && "moderatorName" in value,
      links: ({ target }) => [postLink(objectOf(target).id)],
      fields: {
        ...fields("id type moderatorName moderatorId createdAt subredditName subredditId description details"),
        target: fields("id author body permalink title"),
      },
    },
    modlog: {
      is: (value) => typeof value.action === "string" && "mod" in value,
      links: ({ target_fullname }) => [postLink(target_fullname)],
      fields: fields(
        `id action mod mod_id36 created_utc subreddit subreddit_name_prefixed sr_id36 description details
        target_author target_body target_fullname target_permalink target_title`,
      ),
    },
    rules: {
      is: (value) => serviceOf(value) === "reddit",
      shared: ({ subreddit }) => textOf(subreddit) ?? "",
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
      shared: ({ subredditName, shortName }) => JSON.stringify([subredditName, shortName]),
      fields: fields("shortName description descriptionHtml kind violationReason priority createdUtc subredditName"),
    },
  },

  toDecisions(found, options) {
    const out = new Collector<Decision>();
    const all = actionsIn(found);
    const things = thingsIn(found);
    const names = ruleNames(reddit.toRuleSets!(found, options).records.map(({ record }) => record));
    const byTarget = groupBy(all, ({ target }) => target.id);
    const reasons = new Set(all.map((action) => reasonFor(byTarget, action)));
    for (const action of all) {
      const { source, id, type, moderator, at, target } = action;
      const decision = actionOf([type], ACTIONS, options);
      if (decision === null) {
        if (!reasons.has(action)) out.leave("not_a_decision", type, source);
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
        for (const what of unreadIn(thing?.data ?? {})) out.leave("unread_content", what, source);
        const given = reasonFor(byTarget, action);
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
            content: contentOf(title, body, target.permalink ?? thing?.permalink ?? null, target.id, thing?.data),
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

  /** The result of the next moderator's review of a post or comment that another moderator, or a program, decided about. */
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
      const content = contentOf(textOf(data.title), textOf(data.selftext ?? data.body), permalink, id, data);
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

/** The moderator's reason for a removal, added before the next decision about the same post or comment. */
function reasonFor(byTarget: ReadonlyMap<string, readonly Action[]>, action: Action): Action | undefined {
  const { target, type, moderator } = action;
  if (target.id === null || pick(ACTIONS, type) !== "restrict") return undefined;
  const own = byTarget.get(target.id) ?? [];
  const later = own.slice(own.indexOf(action) + 1);
  const next = later.findIndex((one) => Object.hasOwn(ACTIONS, one.type));
  return (next < 0 ? later : later.slice(0, next)).find(
    (one) => one.type === "addremovalreason" && one.moderator === moderator,
  );
}

/** The next decision by a person about the same post or comment. */
function nextReview(byTarget: ReadonlyMap<string, readonly Action[]>, { target, at }: Action): Action | undefined {
  if (target.id === null || at === null) return undefined;
  const isReview = (one: Action) => Object.hasOwn(ACTIONS, one.type) && !isProgram(one);
  return byTarget.get(target.id)?.find((one) => isReview(one) && instant(one.at) > instant(at));
}
