import type { Content, Decision } from "../core/records/decision.js";
import type { ReviewOutcome } from "../core/records/label.js";
import type { RuleSet } from "../core/records/rule-set.js";
import { serviceDraft } from "../text/guidelines/services.js";
import { type Adapter, Collector, type Foreign, type Found, type ReviewItem, type Shape } from "./adapter.js";
import {
  actionOf,
  fields,
  htmlText,
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
  textsOf,
  timeOf,
} from "./values.js";

/** The effect of a moderator's action on the posts of a report. Other actions affect the account, or only warn. */
const ACTIONS: KnownActions = { delete_statuses: "restrict" };

/** Codes of the actions in the table `account_warnings`. */
const NUMBERS: Readonly<Record<string, string>> = {
  0: "none",
  1000: "disable",
  1250: "mark_statuses_as_sensitive",
  1500: "delete_statuses",
  2000: "sensitive",
  3000: "silence",
  4000: "suspend",
};

const APPEALS = { approved: "overturned", rejected: "upheld", pending: "pending" } as const;

const RULE: Shape = fields("id text hint translations");

const POST: Shape = {
  ...fields(
    `id created_at edited_at in_reply_to_id in_reply_to_account_id sensitive spoiler_text visibility language uri url
    replies_count reblogs_count favourites_count quotes_count content text reblog application account media_attachments mentions tags
    emojis quote quote_approval favourited reblogged muted bookmarked pinned filtered local_only`,
  ),
  poll: {
    ...fields("id expires_at expired multiple votes_count voters_count emojis voted own_votes"),
    options: fields("title votes_count"),
  },
  card: fields(
    `url title description language type author_name author_url authors provider_name provider_url html width height image
    image_description embed_url blurhash published_at history missing_attribution`,
  ),
};

const STATUS: Shape = { ...POST, quote: { ...fields("state quoted_status_id"), quoted_status: POST } };

/** A strike: from the API, or a row of the table. Only the row has `report`. */
interface Warning {
  id: string | null;
  action: string;
  report: string | null;
  statuses: ReadonlySet<string>;
  value: Foreign;
}

function warningsIn(found: Found): Warning[] {
  return found.of("warning").map(({ value }) => {
    const action = textOf(value.action) ?? "";
    return {
      id: textOf(value.id),
      action: pick(NUMBERS, action) ?? action,
      report: textOf(value.report_id),
      statuses: new Set(textsOf(value.status_ids)),
      value,
    };
  });
}

/** The strike that resolved a report, for one of its posts. */
function warningFor(warnings: readonly Warning[], report: string | null, status: string | null): Warning | undefined {
  const linked = warnings.filter((one) => one.report !== null && one.report === report);
  const naming = (one: Warning) => status !== null && one.statuses.has(status);
  // A strike that names no post is about the whole report.
  return (
    linked.find(naming) ??
    linked.find(({ statuses }) => statuses.size === 0) ??
    warnings.find((one) => one.report === null && naming(one))
  );
}

function contentOf(status: Foreign): Content | null {
  const body = htmlText(textOf(status.content) ?? "");
  const title = textOf(status.spoiler_text);
  const media = objectsOf(status.media_attachments);
  const context = contextOf(status);
  if (body === "" && title === null && media.length === 0 && context.length === 0) return null;
  return {
    ...known({ title }),
    body,
    ...listed("context", context),
    kind: "status",
    ...known({ language: textOf(status.language), url: textOf(status.url ?? status.uri) }),
    ...(media.length > 0 ? { media: media.map(({ type, description }) => known({ type, description })) } : {}),
  };
}

/** What a post shows in addition to its text: the options of a poll, the card of a link, the quoted post. */
function contextOf({ poll, card, quote }: Foreign): string[] {
  const options = objectsOf(objectOf(poll).options).map(({ title }) => title);
  const link = objectOf(card);
  const quoted = objectOf(objectOf(quote).quoted_status);
  return [
    ...labelled("poll", ...options),
    ...labelled("card", link.title, link.description, link.url),
    ...labelled("quote", quoted.spoiler_text, htmlText(textOf(quoted.content) ?? "")),
  ];
}

/** Parts of a post that are not read: a quoted post whose text is missing, a boosted post. */
function unreadIn({ quote, reblog }: Foreign): string[] {
  const isUnread = isObject(quote) && textOf(objectOf(quote.quoted_status).content) === null;
  return [...(isUnread ? ["quote"] : []), ...(isObject(reblog) ? ["reblog"] : [])];
}

/** Times in the table are UTC, without saying so. */
const utcOf = (value: unknown) => timeOf(value)?.replace(/(T[\d:.]+)$/, "$1Z") ?? null;

const idOf = (report: string | null, status: string | null) => `report-${report}-status-${status}`;

const reportLink = (id: unknown) => (textOf(id) === null ? null : `report ${textOf(id)}`);
const statusLink = (id: unknown) => (textOf(id) === null ? null : `status ${textOf(id)}`);

const nameOf = (account: unknown) => {
  const { username, account: inner, id } = objectOf(account);
  return textOf(objectOf(inner).acct) ?? textOf(username) ?? textOf(id);
};

export const mastodon: Adapter = {
  name: "mastodon",
  title: "Mastodon",
  absent: {},
  kinds: {
    webhook: {
      is: (value) => typeof value.event === "string" && isObject(value.object),
      fields: fields("event created_at object"),
      inside: (value) => [value.object],
    },
    report: {
      is: (value) => "action_taken" in value && "target_account" in value,
      links: ({ id, statuses }) => [reportLink(id), ...objectsOf(statuses).map((one) => statusLink(one.id))],
      fields: {
        ...fields("id action_taken action_taken_at category comment forwarded created_at updated_at"),
        ...fields("account target_account assigned_account action_taken_by_account collections"),
        statuses: STATUS,
        rules: RULE,
      },
    },
    warning: {
      is: (value) => "status_ids" in value && "action" in value,
      links: ({ report_id, status_ids }) => [reportLink(report_id), ...textsOf(status_ids).map(statusLink)],
      fields: {
        ...fields("id action text status_ids target_account created_at"),
        ...fields("account_id target_account_id report_id updated_at overruled_at"),
        appeal: fields("text state"),
      },
    },
    rule: { is: (value) => "text" in value && "id" in value && !("content" in value), fields: RULE },
    instance: {
      is: (value) => Array.isArray(value.rules) && ("domain" in value || "uri" in value),
      fields: {
        ...fields(
          "domain uri title version source_url description short_description email usage urls stats thumbnail icon",
        ),
        ...fields(
          "languages configuration registrations approval_required invites_enabled api_versions contact contact_account",
        ),
        rules: RULE,
      },
      inside: (value) => value.rules as unknown[],
    },
  },

  toDecisions(found, options) {
    const out = new Collector<Decision>();
    const warnings = warningsIn(found);
    for (const source of found.of("report")) {
      const { value } = source;
      if (value.action_taken !== true) continue;
      const report = textOf(value.id);
      const statuses = objectsOf(value.statuses);
      const rules = objectsOf(value.rules).flatMap((rule) => textOf(rule.id) ?? []);
      if (report === null) out.reject(source, "id", "a report has an id");
      else if (statuses.length === 0) out.leave("account_decision", "report without posts", source);
      else if (rules.length > 1) out.leave("several_rules", `report on ${rules.length} rules`, source);
      for (const status of report === null ? [] : statuses) {
        const warning = warningFor(warnings, report, textOf(status.id));
        // A report says that it was resolved, but not how.
        const theirs = warning?.action ?? "resolved";
        const decision = actionOf([theirs], ACTIONS, options);
        const content = contentOf(status);
        if (decision === null) out.leave("other_action", theirs, source);
        else if (content === null) out.reject(source, "statuses", "a post has neither text nor media");
        else {
          for (const what of unreadIn(status)) out.leave("unread_content", what, source);
          const appeal = objectOf(warning?.value.appeal);
          const outcome = pick(APPEALS, textOf(appeal.state) ?? "");
          const decider = nameOf(value.action_taken_by_account) ?? textOf(warning?.value.account_id);
          out.add(
            {
              id: idOf(report, textOf(status.id)),
              community: options.community ?? "mastodon",
              content,
              decision,
              ...(decider === null ? {} : { decider: { kind: "human" as const, id: decider } }),
              ...known({ rationale: textOf(warning?.value.text), cited_rule: rules.length === 1 ? rules[0] : null }),
              ...known({ decided_at: utcOf(warning?.value.created_at) ?? utcOf(value.action_taken_at) }),
              thread_id: `report-${report}`,
              ...(outcome === undefined ? {} : { appeal: known({ text: textOf(appeal.text), outcome }) }),
            },
            source,
          );
        }
      }
    }
    const used = new Set(
      found
        .of("report")
        .flatMap(({ value }) =>
          objectsOf(value.statuses).map((status) => warningFor(warnings, textOf(value.id), textOf(status.id))?.value),
        ),
    );
    for (const source of found.of("warning"))
      if (!used.has(source.value)) out.leave("account_decision", "warning without a report in the input", source);
    return out.result();
  },

  toRuleSets(found, options) {
    const out = new Collector<RuleSet>();
    const [first] = found.of("rule");
    if (first === undefined) return out.result();
    const draft = serviceDraft(
      found.of("rule").map(({ value }) => value),
      "mastodon",
      known({ community: options.community }),
    );
    for (const { reason } of draft?.unread ?? []) out.leave("unread_text", reason, first);
    for (const { community, rules } of draft?.books ?? [])
      out.add(
        ruleSetOf(
          "mastodon",
          community,
          rules.map(({ rule }) => rule),
        ),
        first,
      );
    return out.result();
  },

  /** Appeals against strikes. Only a table row shows when one was granted. */
  toOutcomes(found) {
    const out = new Collector<ReviewOutcome>();
    const warnings = warningsIn(found);
    for (const source of found.of("report")) {
      const report = textOf(source.value.id);
      for (const status of objectsOf(source.value.statuses)) {
        const warning = warningFor(warnings, report, textOf(status.id));
        const at = utcOf(warning?.value.overruled_at);
        const state = textOf(objectOf(warning?.value.appeal).state);
        if (at !== null)
          out.add({ decision_id: idOf(report, textOf(status.id)), outcome: "overturn", source: "appeal", at }, source);
        else if (state === "approved" || state === "rejected") out.leave("undated_appeal", state, source);
      }
    }
    return out.result();
  },

  toReviewItems(found, options) {
    const out = new Collector<ReviewItem>();
    for (const source of found.of("report")) {
      const { value } = source;
      if (value.action_taken !== false) continue;
      const rules = objectsOf(value.rules);
      for (const status of objectsOf(value.statuses)) {
        const content = contentOf(status);
        if (content === null) continue;
        out.add(
          {
            ...{ id: idOf(textOf(value.id), textOf(status.id)), community: options.community ?? "mastodon", content },
            source: "report",
            ...known({ reason: textOf(value.comment), waiting_since: utcOf(value.created_at) }),
            ...known({ cited_rule: rules.length === 1 ? textOf(rules[0]!.id) : null, thread_id: `report-${value.id}` }),
          },
          source,
        );
      }
    }
    return out.result();
  },
};
