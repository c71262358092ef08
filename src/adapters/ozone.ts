import { isRestricting } from "../core/records/actions.js";
import type { Content, Decision } from "../core/records/decision.js";
import type { ReviewOutcome } from "../core/records/label.js";
import type { Rule, RuleSet } from "../core/records/rule-set.js";
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
  ruleSetOf,
  textOf,
  textsOf,
  timeOf,
} from "./values.js";

const ACTIONS: KnownActions = {
  takedown: "restrict",
  acknowledge: "allow",
  "label:!takedown": "restrict",
  "label:!hide": "restrict",
};

const POLICIES = "tools.ozone.setting.policyList";

/** Fields of events, for all types combined. */
const EVENT: Shape = fields(
  `$type comment durationInHours acknowledgeAccountSubjects policies severityLevel targetServices strikeCount strikeExpiresAt
  createLabelVals negateLabelVals reportType isReporterMuted sticky subjectLine content add remove score active status timestamp handle
  pdsHost tombstone op cid`,
);

/** Events that decide something about content, with the decision, and those that do not. */
const TYPES: Readonly<Record<string, string>> = {
  modEventTakedown: "takedown",
  modEventAcknowledge: "acknowledge",
  modEventReverseTakedown: "reverse",
  modEventResolveAppeal: "resolveAppeal",
  modEventReport: "report",
  modEventLabel: "label",
};

interface Event {
  source: Source;
  id: string | null;
  type: string;
  event: Foreign;
  /** AT URI of the record; null for an account or a message. */
  uri: string | null;
  cid: string | null;
  by: string | null;
  at: string | null;
  inline: Foreign | null;
}

function eventsIn(found: Found): Event[] {
  const all = found.of("event").map((source): Event => {
    const { value } = source;
    const event = objectOf(value.event);
    const subject = objectOf(value.subject);
    const name = textOf(event.$type)?.split("#")[1] ?? "";
    return {
      source,
      id: textOf(value.id),
      type: TYPES[name] ?? name,
      event,
      uri: textOf(subject.uri),
      cid: textOf(subject.cid),
      by: textOf(value.createdBy),
      at: timeOf(value.createdAt),
      // The detailed view of an event has the record in its subject.
      inline: isObject(subject.value) ? subject.value : null,
    };
  });
  return all.sort((a, b) => instant(a.at) - instant(b.at));
}

/** The text of a record, such as a post, a profile or a list. */
function contentOf(record: Foreign, uri: string | null, find: Find): Content | null {
  const body = textOf(record.text ?? record.description);
  const title = textOf(record.displayName ?? record.name);
  const embed = objectOf(record.embed);
  const images = objectsOf(embed.images ?? objectOf(embed.media).images);
  const hasMedia = images.length > 0 || "video" in embed || "video" in objectOf(embed.media);
  const context = contextOf(embed, find);
  if (body === null && title === null && !hasMedia && context.length === 0) return null;
  const alt =
    images.length > 0
      ? images.map((image) => known({ type: "image", description: textOf(image.alt) }))
      : [{ type: "video" }];
  return {
    ...known({ title }),
    body: body ?? "",
    ...listed("context", context),
    ...known({ kind: uri?.split("/")[3] ?? null, language: textsOf(record.langs)[0], url: uri }),
    ...(hasMedia ? { media: alt } : {}),
  };
}

/** What a record shows in addition to its text: the card of a link, and the quoted record if that is in the input. */
function contextOf(embed: Foreign, find: Find): string[] {
  const { title, description, uri } = objectOf(embed.external ?? objectOf(embed.media).external);
  const quoted = quotedIn(embed, find);
  return [
    ...labelled("link", title, description, uri),
    ...labelled("quote", quoted?.displayName ?? quoted?.name, quoted?.text ?? quoted?.description),
  ];
}

/** The record that an embed quotes; null: it is not in the input; undefined: the embed quotes nothing. */
function quotedIn({ record }: Foreign, find: Find): Foreign | null | undefined {
  if (!isObject(record)) return undefined;
  // With media, the record is nested one level deeper.
  const { uri, cid } = isObject(record.record) ? record.record : record;
  const address = textOf(uri);
  return address === null ? null : find(address, textOf(cid));
}

function quotedUri({ record }: Foreign): string | null {
  const outer = objectOf(record);
  return textOf((isObject(outer.record) ? outer.record : outer).uri);
}

const EMBED = fields("$type images video external record media alt captions aspectRatio presentation");

/** Parts of a record that are not read. */
function unreadIn(record: Foreign, find: Find): string[] {
  const embed = objectOf(record.embed);
  const unknown = Object.keys(embed).filter((name) => !Object.hasOwn(EMBED, name));
  return [...(quotedIn(embed, find) === null ? ["quoted record"] : []), ...unknown.map((name) => `embed.${name}`)];
}

type Find = (uri: string, cid: string | null) => Foreign | null;

/** Records by AT URI; the version that an event names takes precedence. */
function recordsIn(found: Found): Find {
  const byUri = groupBy(found.of("record"), ({ value }) => textOf(value.uri));
  return (uri, cid) => {
    const all = byUri.get(uri) ?? [];
    const same = cid === null ? undefined : all.find(({ value }) => value.cid === cid);
    const one = same ?? (cid === null ? all.at(-1) : undefined);
    return one ? objectOf(one.value.value) : null;
  };
}

const threadOf = (record: Foreign, uri: string) => textOf(objectOf(objectOf(record.reply).root).uri) ?? uri;

/** Policy keys by key or name, in lower case. */
function policyKeys(found: Found): Map<string, string> {
  const names = new Map<string, string>();
  for (const { value } of found.of("policies"))
    for (const [key, policy] of Object.entries(objectOf(value.value))) {
      names.set(key.toLowerCase(), key);
      const name = textOf(objectOf(policy).name);
      if (name !== null) names.set(name.toLowerCase(), key);
    }
  return names;
}

/** The end of a restriction for a statement of reasons: the day (UTC) after the given hours. Without hours the end is unknown. */
function endOf(at: string | null, hours: unknown): { statement?: object } {
  const end = at !== null && typeof hours === "number" && hours > 0 ? Date.parse(at) + hours * 3_600_000 : Number.NaN;
  if (!(end < Date.UTC(2038, 0, 2))) return {};
  return { statement: { end_date_visibility_restriction: new Date(end).toISOString().slice(0, 10) } };
}

const labelId = (value: Foreign) => `label-${value.src}-${value.uri}-${value.val}-${value.cts}`;

export const ozone: Adapter = {
  name: "ozone",
  title: "Bluesky Ozone",
  absent: {},
  kinds: {
    event: {
      is: (value) => isObject(value.event) && isObject(value.subject),
      links: ({ subject }) => [textOf(objectOf(subject).uri)],
      fields: {
        ...fields(
          "$type id subjectBlobCids subjectBlobs createdBy createdAt creatorHandle subjectHandle modTool externalId",
        ),
        event: EVENT,
        subject: fields(
          "$type did uri cid convoId messageId value blobCids blobs indexedAt moderation repo labels handle email relatedRecords",
        ),
      },
    },
    status: {
      is: (value) => "reviewState" in value && isObject(value.subject),
      fields: fields(
        `$type id subject hosting subjectBlobCids subjectRepoHandle updatedAt createdAt reviewState comment priorityScore muteUntil
        muteReportingUntil lastReviewedBy lastReviewedAt lastReportedAt lastAppealedAt takendown appealed suspendUntil tags accountStats
        recordsStats accountStrike ageAssuranceState ageAssuranceUpdatedBy`,
      ),
    },
    label: {
      is: (value) => ["src", "uri", "val", "cts"].every((key) => typeof value[key] === "string"),
      links: ({ uri }) => [textOf(uri)],
      fields: fields("$type ver src uri cid val neg cts exp sig"),
      wrongVersion: ({ ver }) =>
        ver === undefined || ver === 1 ? null : `labels of version ${ver} are not known; known: 1`,
    },
    record: {
      is: (value) => typeof value.uri === "string" && isObject(value.value),
      links: ({ uri, value }) => [textOf(uri), quotedUri(objectOf(objectOf(value).embed))],
      fields: fields("$type uri cid value blobCids blobs labels indexedAt moderation repo"),
    },
    policies: {
      is: (value) => value.key === POLICIES && isObject(value.value),
      shared: ({ did }) => textOf(did) ?? "",
      fields: {
        ...fields("key did description scope managerRole createdAt updatedAt createdBy lastUpdatedBy"),
        value: true,
      },
    },
    page: {
      is: (value) =>
        ["events", "subjectStatuses", "labels", "records", "options"].some((key) => Array.isArray(value[key])),
      fields: fields("events subjectStatuses labels records options cursor"),
      inside: (value) =>
        ["events", "subjectStatuses", "labels", "records", "options"].flatMap((key) => value[key] ?? []),
    },
  },

  toDecisions(found, options) {
    const out = new Collector<Decision>();
    const find = recordsIn(found);
    const policies = policyKeys(found);
    const add = (
      base: Pick<Event, "source" | "uri" | "cid" | "by" | "at" | "inline">,
      id: string,
      theirs: string,
      event: Foreign,
    ) => {
      const { source, uri, cid, by, at, inline } = base;
      const decision = actionOf([theirs], ACTIONS, options);
      if (decision === null) return out.leave("other_action", theirs, source);
      if (uri === null) return out.leave("account_decision", theirs, source);
      const record = inline ?? find(uri, cid);
      const content = record === null ? null : contentOf(record, uri, find);
      if (record === null) return out.reject(source, "subject", "the record is not in the input; add the view of it");
      if (content === null) return out.reject(source, "subject", "the record has neither text nor media");
      for (const what of unreadIn(record, find)) out.leave("unread_content", what, source);
      const cited = textsOf(event.policies);
      if (cited.length > 1) out.leave("several_rules", `${cited.length} policies`, source);
      out.add(
        {
          ...{ id, community: options.community ?? "ozone", content, decision },
          // A DID does not show whether it belongs to a person or a program.
          ...(by === null ? {} : { decider: { id: by } }),
          ...known({ rationale: textOf(event.comment), decided_at: at }),
          ...known({ cited_rule: cited.length === 1 ? (policies.get(cited[0]!.toLowerCase()) ?? cited[0]) : null }),
          thread_id: threadOf(record, uri),
          ...(isRestricting(options.actions, decision) ? endOf(at, event.durationInHours) : {}),
        },
        source,
      );
    };
    for (const one of eventsIn(found)) {
      const { type, source, event, id } = one;
      if (type === "takedown" || type === "acknowledge" || type === "label") {
        if (id === null) out.reject(source, "id", "an event has an id once it was emitted");
        else if (type !== "label") add(one, `ozone-${id}`, type, event);
        else for (const val of textsOf(event.createLabelVals)) add(one, `ozone-${id}-${val}`, `label:${val}`, event);
      } else if (type !== "reverse" && type !== "resolveAppeal")
        out.leave("not_a_decision", type === "" ? "event without a type" : type, source);
    }
    for (const source of found.of("label")) {
      const { value } = source;
      if (value.neg === true) continue;
      const uri = String(value.uri).startsWith("at://") ? String(value.uri) : null;
      const base = { source, uri, cid: textOf(value.cid), by: textOf(value.src), at: timeOf(value.cts), inline: null };
      add(base, labelId(value), `label:${value.val}`, {});
    }
    return out.result();
  },

  toRuleSets(found, options) {
    const out = new Collector<RuleSet>();
    for (const source of found.of("policies")) {
      const rules: Rule[] = [];
      for (const [key, one] of Object.entries(objectOf(source.value.value))) {
        const policy = objectOf(one);
        const title = textOf(policy.name) ?? key;
        const detail = [textOf(policy.emailSummary), ...textsOf(policy.emailBullets), textOf(policy.emailExtraNotes)];
        rules.push({
          ...{ id: key, title },
          ...known({
            description: textOf(policy.description),
            detail: detail.filter(Boolean).join("\n"),
            url: textOf(policy.url),
          }),
        });
        const seen = [
          "name",
          "description",
          "url",
          "emailSummary",
          "emailBullets",
          "emailExtraNotes",
          "severityLevels",
        ];
        for (const field of Object.keys(policy))
          if (!seen.includes(field)) out.leave("unknown_field", `policy.${field}`, source);
      }
      out.add(ruleSetOf("ozone", options.community ?? null, rules), source);
    }
    return out.result();
  },

  /** Takedowns that were reversed or survived an appeal, and labels that were negated. */
  toOutcomes(found) {
    const out = new Collector<ReviewOutcome>();
    for (const events of groupBy(eventsIn(found), ({ uri }) => uri).values()) {
      let takedown: Event | null = null;
      let appealed = false;
      const labelled = new Map<string, string>();
      for (const one of events) {
        for (const val of textsOf(one.event.createLabelVals)) labelled.set(val, `ozone-${one.id}-${val}`);
        for (const val of textsOf(one.event.negateLabelVals)) {
          const id = labelled.get(val);
          if (id === undefined || one.at === null)
            out.leave("not_a_decision", "negation of an earlier label", one.source);
          else
            out.add({ decision_id: id, outcome: "overturn", ...known({ reviewer: one.by }), at: one.at }, one.source);
          labelled.delete(val);
        }
        if (one.type === "takedown") [takedown, appealed] = [one, false];
        else if (one.type === "report") appealed ||= /appeal/i.test(textOf(one.event.reportType) ?? "");
        else if ((one.type === "reverse" || one.type === "resolveAppeal") && takedown?.id && one.at !== null) {
          const outcome = one.type === "reverse" ? ("overturn" as const) : ("uphold" as const);
          const source = appealed || outcome === "uphold" ? ("appeal" as const) : ("review" as const);
          out.add(
            { decision_id: `ozone-${takedown.id}`, outcome, source, ...known({ reviewer: one.by }), at: one.at },
            one.source,
          );
          takedown = null;
        } else if (one.type === "reverse" || one.type === "resolveAppeal")
          out.leave("not_a_decision", `${one.type} of an earlier takedown`, one.source);
      }
    }
    const labels = groupBy(found.of("label"), ({ value }) => `${value.src} ${value.uri} ${value.val}`);
    for (const versions of labels.values()) {
      let standing: Foreign | null = null;
      for (const source of [...versions].sort((a, b) => instant(timeOf(a.value.cts)) - instant(timeOf(b.value.cts)))) {
        const at = timeOf(source.value.cts);
        if (source.value.neg === true && standing !== null && at !== null)
          out.add({ decision_id: labelId(standing), outcome: "overturn", source: "review", at }, source);
        standing = source.value.neg === true ? null : source.value;
      }
    }
    return out.result();
  },

  toReviewItems(found, options) {
    const out = new Collector<ReviewItem>();
    const find = recordsIn(found);
    for (const source of found.of("status")) {
      const { value } = source;
      const state = textOf(value.reviewState)?.split("#").at(-1);
      const uri = textOf(objectOf(value.subject).uri);
      if (value.appealed !== true && state !== "reviewOpen" && state !== "reviewEscalated") continue;
      if (uri === null) out.leave("account_decision", "subject without a record", source);
      const record = uri === null ? null : find(uri, null);
      const content = record === null ? null : contentOf(record, uri, find);
      if (uri === null || record === null || content === null) continue;
      out.add(
        {
          ...{ id: `subject-${value.id}`, community: options.community ?? "ozone", content },
          source: value.appealed === true ? "appeal" : state === "reviewEscalated" ? "escalation" : "report",
          ...known({ reason: textOf(value.comment), waiting_since: timeOf(value.lastReportedAt ?? value.updatedAt) }),
          ...(typeof value.priorityScore === "number" ? { priority: value.priorityScore } : {}),
          thread_id: threadOf(record, uri),
        },
        source,
      );
    }
    return out.result();
  },
};
