import type { Decision } from "../core/records/decision.js";
import { type Adapter, Collector, type Foreign, type ReviewItem } from "./adapter.js";
import {
  actionOf,
  fields,
  htmlText,
  isObject,
  type KnownActions,
  known,
  objectOf,
  objectsOf,
  textOf,
  timeOf,
} from "./values.js";

const STATUS: Readonly<Record<string, string>> = {
  0: "pending",
  1: "approved",
  2: "rejected",
  3: "ignored",
  4: "deleted",
};

/**
 * The meaning of a status depends on the type: an approved flag is one that was agreed with, which hides, deletes or keeps the post; an approved
 * queued post is published.
 */
const ACTIONS: KnownActions = {
  "queued post approved": "allow",
  "queued post rejected": "restrict",
  "flagged post rejected": "allow",
  "flagged post deleted": "restrict",
  "queued post deleted": "restrict",
};

const TYPES: Readonly<Record<string, string>> = {
  ReviewableFlaggedPost: "flagged post",
  ReviewableQueuedPost: "queued post",
};

function contentOf(value: Foreign) {
  const payload = objectOf(value.payload);
  const body = textOf(value.raw) ?? textOf(payload.raw) ?? htmlText(textOf(value.cooked) ?? "");
  const title = textOf(payload.title) ?? textOf(objectOf(value.topic).title);
  const isEmpty = body === "" && title === null;
  return isEmpty ? null : { ...known({ title }), body, kind: "post", ...known({ url: textOf(value.target_url) }) };
}

const communityOf = (value: Foreign) =>
  textOf(value.category_id) === null ? "discourse" : `category-${value.category_id}`;

export const discourse: Adapter = {
  name: "discourse",
  title: "Discourse",
  absent: {
    toRuleSets: "The guidelines of a forum are a page: `defensible import guidelines.md`.",
    toOutcomes: "A reviewable has one status; a history of it was not read from a schema.",
  },
  kinds: {
    page: {
      is: (value) => Array.isArray(value.reviewables) || isObject(value.reviewable),
      fields: fields(
        `reviewables reviewable meta __rest_serializer users topics reviewable_scores bundled_actions actions score_types
        reviewable_conversations conversation_posts claimed_topics`,
      ),
      inside: (value) => (value.reviewables ?? [value.reviewable]) as unknown[],
    },
    reviewable: {
      is: (value) => typeof value.type === "string" && value.type.startsWith("Reviewable"),
      fields: fields(
        `id status type topic_id topic_url target_url target_type target_id topic_tags category_id created_at can_edit score version
        target_created_by_trust_level created_by created_by_id target_created_by target_created_by_id topic editable_fields reviewable_scores
        reviewable_score_ids bundled_actions bundled_action_ids claimed_by removed_topic_id post_id user_id payload cooked raw reply_count
        reply_to_post_number blank_post post_updated_at post_version reject_reason created_from_flag last_performing_username type_source
        target_deleted_at target_deleted_by`,
      ),
    },
  },

  toDecisions(found, options) {
    const out = new Collector<Decision>();
    for (const source of found.of("reviewable")) {
      const { value } = source;
      const kind = TYPES[String(value.type)];
      const status = STATUS[String(value.status)] ?? String(value.status);
      const theirs = `${kind} ${status}`;
      const content = contentOf(value);
      const decision = actionOf([theirs], ACTIONS, options);
      if (status === "pending") continue;
      if (kind === undefined) out.leave("account_decision", String(value.type), source);
      else if (decision === null) out.leave("other_action", theirs, source);
      else if (textOf(value.id) === null) out.reject(source, "id", "a reviewable has an id");
      else if (content === null) out.reject(source, "raw", "the post has no text, as after it was deleted");
      else
        out.add(
          {
            ...{ id: `discourse-${value.id}`, community: options.community ?? communityOf(value), content, decision },
            ...known({ rationale: textOf(value.reject_reason) }),
            ...(textOf(value.last_performing_username) === null
              ? {}
              : { decider: { kind: "human" as const, id: textOf(value.last_performing_username)! } }),
            ...known({ thread_id: textOf(value.topic_id) === null ? null : `topic-${value.topic_id}` }),
          },
          source,
        );
    }
    return out.result();
  },

  toReviewItems(found, options) {
    const out = new Collector<ReviewItem>();
    for (const source of found.of("reviewable")) {
      const { value } = source;
      const content = contentOf(value);
      if (STATUS[String(value.status)] !== "pending" || content === null || TYPES[String(value.type)] === undefined)
        continue;
      const reasons = objectsOf(value.reviewable_scores).flatMap(({ reason }) => textOf(reason) ?? []);
      out.add(
        {
          ...{ id: `discourse-${value.id}`, community: options.community ?? communityOf(value), content },
          source: value.type === "ReviewableQueuedPost" ? "queue" : "report",
          ...known({ waiting_since: timeOf(value.created_at), reason: reasons.join("\n") }),
          ...(typeof value.score === "number" ? { priority: value.score } : {}),
          ...known({ thread_id: textOf(value.topic_id) === null ? null : `topic-${value.topic_id}` }),
        },
        source,
      );
    }
    return out.result();
  },
};
