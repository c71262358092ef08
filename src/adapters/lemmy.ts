import { InputError } from "../core/errors.js";
import type { Decision } from "../core/records/decision.js";
import type { ReviewOutcome } from "../core/records/label.js";
import type { RuleSet } from "../core/records/rule-set.js";
import { readGuidelines } from "../text/guidelines/read-guidelines.js";
import { type Adapter, Collector, type Foreign, type Found, type Source } from "./adapter.js";
import {
  actionOf,
  fields,
  groupBy,
  instant,
  isObject,
  known,
  labelled,
  listed,
  objectOf,
  ruleSetOf,
  textOf,
  timeOf,
} from "./values.js";

/** Lists of the mod log in API version 3 (Lemmy 0.19). */
const LISTS = [
  ...[
    "removed_posts",
    "locked_posts",
    "featured_posts",
    "removed_comments",
    "removed_communities",
    "banned_from_community",
    "banned",
  ],
  ...["added_to_community", "transferred_to_community", "added", "admin_purged_persons", "admin_purged_communities"],
  ...["admin_purged_posts", "admin_purged_comments", "hidden_communities"],
];

const VIEW = ["mod_remove_post", "mod_remove_comment"];

/** Fields of posts and comments, in both versions. */
const POST = fields(
  `id name url body creator_id community_id removed locked published updated deleted nsfw embed_title embed_description thumbnail_url
  ap_id local embed_video_url language_id featured_community featured_local url_content_type alt_text scheduled_publish_time
  published_at updated_at edited_at scheduled_publish_time_at newest_comment_time_at comments score upvotes downvotes report_count
  unresolved_report_count federation_pending embed_video_width embed_video_height`,
);
const COMMENT = fields(
  `id creator_id post_id content removed published updated deleted ap_id local path distinguished language_id published_at updated_at
  edited_at score upvotes downvotes child_count report_count unresolved_report_count federation_pending locked`,
);

/** A removal or restoration, in one form for API versions 3 and 4. */
interface Entry {
  source: Source;
  kind: string;
  id: string | null;
  removed: boolean;
  reason: string | null;
  at: string | null;
  moderator: string | null;
  post: Foreign;
  comment: Foreign | null;
  community: Foreign;
}

function entriesIn(found: Found): Entry[] {
  const old = found.of("view").map((source): Entry => {
    const { value } = source;
    const kind = VIEW.find((name) => isObject(value[name]))!;
    const entry = objectOf(value[kind]);
    return {
      ...{ source, kind, id: textOf(entry.id), removed: entry.removed === true, reason: textOf(entry.reason) },
      ...{ at: timeOf(entry.when_), moderator: textOf(objectOf(value.moderator).name), post: objectOf(value.post) },
      ...{ comment: isObject(value.comment) ? value.comment : null, community: objectOf(value.community) },
    };
  });
  const now = found.of("modlog").map((source): Entry => {
    const { value } = source;
    const entry = objectOf(value.modlog);
    return {
      ...{
        source,
        kind: textOf(entry.kind) ?? "",
        id: textOf(entry.id),
        removed: entry.is_revert !== true,
        reason: textOf(entry.reason),
      },
      ...{
        at: timeOf(entry.published_at),
        moderator: textOf(objectOf(value.moderator).name),
        post: objectOf(value.target_post),
      },
      ...{
        comment: isObject(value.target_comment) ? value.target_comment : null,
        community: objectOf(value.target_community),
      },
    };
  });
  return [...old, ...now].sort((a, b) => instant(a.at) - instant(b.at));
}

/** The target of a link post with its preview text, and the description of an image. */
function contextOf({ url, embed_title, embed_description, alt_text }: Foreign): string[] {
  return [...labelled("link", url, embed_title, embed_description), ...labelled("image", alt_text)];
}

function targetLink(comment: unknown, post: unknown): string | null {
  const [ofComment, ofPost] = [textOf(objectOf(comment).id), textOf(objectOf(post).id)];
  return ofComment !== null ? `comment ${ofComment}` : ofPost === null ? null : `post ${ofPost}`;
}

const idOf = ({ kind, id }: Entry) => `lemmy-${kind}-${id}`;
const targetOf = ({ kind, post, comment }: Entry) =>
  VIEW.includes(kind) ? JSON.stringify([kind, textOf(comment?.id ?? post.id)]) : null;

export const lemmy: Adapter = {
  name: "lemmy",
  title: "Lemmy",
  absent: { toReviewItems: "Reports were not read from a schema; the mod log has decisions alone." },
  kinds: {
    view: {
      is: (value) => VIEW.some((name) => isObject(value[name])),
      links: ({ post, comment }) => [targetLink(comment, post)],
      fields: {
        ...fields("moderator commenter community"),
        ...{ post: POST, comment: COMMENT },
        ...{ mod_remove_post: fields("id mod_person_id post_id reason removed when_") },
        ...{ mod_remove_comment: fields("id mod_person_id comment_id reason removed when_") },
      },
    },
    modlog: {
      is: (value) => isObject(value.modlog) && "kind" in objectOf(value.modlog),
      links: ({ target_post, target_comment }) => [targetLink(target_comment, target_post)],
      fields: {
        ...fields("moderator target_person target_instance target_community"),
        ...{ target_post: POST, target_comment: COMMENT },
        modlog: fields("id kind is_revert reason expires_at published_at bulk_action_parent_id child_count"),
      },
    },
    response: {
      is: (value) => LISTS.some((name) => Array.isArray(value[name])),
      fields: fields(LISTS.join(" ")),
      inside: (value) => LISTS.flatMap((name) => value[name] ?? []),
    },
    page: {
      is: (value) => Array.isArray(value.modlog) || Array.isArray(value.items),
      fields: fields("modlog items next_page prev_page"),
      inside: (value) => (value.modlog ?? value.items) as unknown[],
    },
    site: { is: (value) => isObject(value.site_view), fields: { site_view: true, ...siteFields() } },
    community: {
      is: (value) => isObject(value.community_view),
      fields: fields("community_view site moderators discussion_languages"),
    },
  },

  toDecisions(found, options) {
    const out = new Collector<Decision>();
    for (const entry of entriesIn(found)) {
      const { source, kind, id, removed, reason, at, moderator, post, comment, community } = entry;
      if (!VIEW.includes(kind)) {
        out.leave("not_a_decision", kind, source);
        continue;
      }
      const decision = actionOf(
        [removed ? kind : `restore ${kind}`, removed ? "removed" : "restored"],
        { removed: "restrict", restored: "allow" },
        options,
      )!;
      const isComment = kind === "mod_remove_comment";
      const body = textOf(isComment ? comment?.content : post.body);
      const title = isComment ? null : textOf(post.name);
      const name = options.community ?? textOf(community.name);
      if (id === null) out.reject(source, "id", "an entry of the mod log has an id");
      else if (name === null) out.reject(source, "community", "the community is not named");
      else if (body === null && title === null)
        out.reject(source, isComment ? "comment" : "post", "neither title nor text");
      else
        out.add(
          {
            ...{ id: idOf(entry), community: name, decision },
            content: {
              ...known({ title }),
              body: body ?? "",
              ...listed("context", isComment ? [] : contextOf(post)),
              kind: isComment ? "comment" : "post",
              ...known({ url: textOf(isComment ? comment?.ap_id : (post.ap_id ?? post.url)) }),
            },
            ...(moderator === null ? {} : { decider: { kind: "human" as const, id: moderator } }),
            ...known({
              rationale: reason,
              decided_at: at,
              thread_id: textOf(post.id) === null ? null : `post-${post.id}`,
            }),
          },
          source,
        );
    }
    return out.result();
  },

  /** The sidebars of the site and of communities, read as pages of rules. */
  toRuleSets(found, options) {
    const out = new Collector<RuleSet>();
    const read = (source: Source, text: string | null, community: string | null) => {
      if (text === null) return out.leave("missing_text", "sidebar without text", source);
      try {
        const { books, unread } = readGuidelines(text, { name: ".md", platform: true });
        for (const { reason } of unread) out.leave("unread_text", reason, source);
        for (const { rules } of books)
          out.add(
            ruleSetOf(
              "lemmy",
              community,
              rules.map(({ rule }) => rule),
            ),
            source,
          );
      } catch (cause) {
        if (!(cause instanceof InputError)) throw cause;
        out.reject(source, "sidebar", cause.message.replace(/^rules: /, ""));
      }
    };
    for (const source of found.of("site"))
      read(source, textOf(objectOf(objectOf(source.value.site_view).site).sidebar), null);
    for (const source of found.of("community")) {
      const community = objectOf(objectOf(source.value.community_view).community);
      read(
        source,
        textOf(community.sidebar) ?? textOf(community.description),
        options.community ?? textOf(community.name),
      );
    }
    return out.result();
  },

  /** Removals reversed by another entry. */
  toOutcomes(found) {
    const out = new Collector<ReviewOutcome>();
    for (const entries of groupBy(entriesIn(found), targetOf).values()) {
      let removal: Entry | null = null;
      for (const entry of entries) {
        if (!entry.removed && removal !== null && entry.at !== null && removal.id !== null)
          out.add(
            { decision_id: idOf(removal), outcome: "overturn", ...known({ reviewer: entry.moderator }), at: entry.at },
            entry.source,
          );
        removal = entry.removed ? entry : null;
      }
    }
    return out.result();
  },
};

function siteFields() {
  return fields(
    "admins version my_user all_languages discussion_languages taglines custom_emojis blocked_urls tagline oauth_providers admin_oauth_providers",
  );
}
