import type { Content, Decision } from "../core/records/decision.js";
import type { ReviewOutcome } from "../core/records/label.js";
import type { RuleSet } from "../core/records/rule-set.js";
import {
  type Adapter,
  type AdapterOptions,
  Collector,
  type Foreign,
  type Found,
  type ReviewItem,
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
  objectOf,
  objectsOf,
  pick,
  ruleSetOf,
  textOf,
  textsOf,
  timeOf,
} from "./values.js";

/** Actions of an organisation have their own ids. A job that is ignored leaves the item unchanged. */
const ACTIONS: KnownActions = { IGNORE: "allow" };
const DECIDES = ["IGNORE", "CUSTOM_ACTION", "ACCEPT_APPEAL", "REJECT_APPEAL"];
const APPEALS: Readonly<Record<string, "uphold" | "overturn">> = {
  ...{ ACCEPT: "overturn", REJECT: "uphold", ACCEPT_APPEAL: "overturn", REJECT_APPEAL: "uphold" },
};

const ITEM = fields("id typeId data typeVersion typeSchemaVariant typeName __typename");
const IDENTIFIER = fields("id typeId typeName __typename");
/** Fields of an item's data that contain user text. Item types define their own field names. */
const BODY = ["text", "body", "content", "message", "comment", "caption", "description"];
const TITLE = ["title", "subject", "headline"];

const keyOf = (id: unknown, typeId: unknown) => JSON.stringify([textOf(typeId), textOf(id)]);

/** Items with their data, by id and type, from every object that contains one. The last submission wins. */
function itemsIn(found: Found): Map<string, Foreign> {
  const items = new Map<string, Foreign>();
  const put = (one: unknown) => {
    const { id, typeId, data } = objectOf(one);
    if (isObject(data) && Object.keys(data).length > 0) items.set(keyOf(id, typeId), data);
  };
  for (const { value } of found.of("report"))
    for (const one of [value.reportedItem, ...objectsOf(value.reportedItemThread), ...objectsOf(value.additionalItems)])
      put(one);
  for (const { value } of found.of("appeal"))
    for (const one of [value.actionedItem, ...objectsOf(value.additionalItems)]) put(one);
  for (const { value } of found.of("item")) put(value);
  return items;
}

const itemLink = (id: unknown, typeId: unknown) => (textOf(id) === null ? null : `item ${keyOf(id, typeId)}`);
const itemsLinks = (items: unknown) => objectsOf(items).map(({ id, typeId }) => itemLink(id, typeId));
const appealLink = (id: unknown) => (textOf(id) === null ? null : `appeal ${textOf(id)}`);

interface Entry {
  name: string;
  text: string;
}

/** Maximum depth of objects read in an item's data. */
const DEEPEST = 4;

/** The texts in a value, each with its path. `unread`: called for values that are not read. */
function entriesIn(name: string, value: unknown, unread: (name: string) => void, depth = 0): Entry[] {
  const text = typeof value === "boolean" ? String(value) : textOf(value);
  if (text !== null) return [{ name, text }];
  if (typeof value !== "object" || value === null) return [];
  const isList = Array.isArray(value);
  if (depth >= DEEPEST || (isList && value.some(Array.isArray))) {
    unread(name);
    return [];
  }
  if (isList) return value.flatMap((one) => entriesIn(name, one, unread, depth + 1));
  return Object.entries(value).flatMap(([key, one]) => entriesIn(`${name}.${key}`, one, unread, depth + 1));
}

const MEDIA = ["images", "videos", "audio"];

/** All texts of an item's data: title and body under the usual names, the rest as context, so that nothing is lost. */
function contentOf(data: Foreign, unread: (name: string) => void = () => {}): Content | null {
  const entries = Object.entries(data).flatMap(([name, value]) =>
    MEDIA.includes(name) && Array.isArray(value) ? [] : entriesIn(name, value, unread),
  );
  const named = (names: readonly string[]) =>
    names.flatMap((name) => entries.find((one) => one.name.toLowerCase() === name) ?? [])[0];
  const title = named(TITLE);
  const body = named(BODY);
  const rest = entries.filter((one) => one !== title && one !== body).map(({ name, text }) => `${name}: ${text}`);
  const media = MEDIA.flatMap((name) => {
    const list = (Array.isArray(data[name]) ? data[name] : []).filter((one) => isObject(one) || textOf(one) !== null);
    return list.map((one) => ({
      type: name,
      ...known({ description: textOf(objectOf(one).alt ?? objectOf(one).description) }),
    }));
  });
  if (entries.length === 0 && media.length === 0) return null;
  return {
    ...known({ title: title?.text }),
    body: body?.text ?? (title ? "" : rest.join("\n")),
    ...(rest.length > 0 && (body || title) ? { context: rest } : {}),
    ...(media.length > 0 ? { media } : {}),
  };
}

/** A decision of the foreign system, from any kind of object. */
interface Case {
  source: Source;
  id: string;
  item: string;
  /** Id of the action, or what was done instead. */
  action: string;
  decider: { kind?: "human" | "rule"; id: string } | null;
  policies: string[];
  rationale: string | null;
  at: string | null;
}

function casesIn(found: Found): Case[] {
  const reviewed: Case[] = found.of("review").flatMap((source) => {
    const { value } = source;
    const components = objectsOf(value.decisions).filter(
      (one) => one.type === "IGNORE" || one.type === "CUSTOM_ACTION",
    );
    const all = components.flatMap((one) =>
      one.type === "IGNORE"
        ? [{ action: "IGNORE", item: keyOf(value.itemId, value.itemTypeId), policies: [] as string[] }]
        : textsOf(one.actionIds).flatMap((action) =>
            textsOf(one.itemIds).map((id) => ({
              action,
              item: keyOf(id, one.itemTypeId),
              policies: textsOf(one.policyIds),
            })),
          ),
    );
    const reviewer = textOf(value.reviewerId);
    return all.map((one, i) => ({
      ...{ source, ...one, id: `coop-${value.id}${i === 0 ? "" : `-${i + 1}`}` },
      decider: reviewer === null ? null : { kind: "human" as const, id: reviewer },
      ...{ rationale: textOf(value.decisionReason), at: timeOf(value.createdAt) },
    }));
  });
  const ofReviews = new Set(reviewed.map(({ item, action }) => `${item} ${action}`));
  const sent = [...found.of("webhook"), ...found.of("submitted")].map((source): Case => {
    const { value } = source;
    const item = isObject(value.item) ? value.item : { id: value.itemId, typeId: value.itemTypeId };
    const action = textOf(objectOf(value.action).id ?? value.actionId) ?? "";
    const person = textOf(value.actorEmail ?? value.actorId);
    const rules = objectsOf(value.rules).flatMap(({ id, name }) => textOf(name) ?? textOf(id) ?? []);
    const rule = rules.length > 0 ? { kind: "rule" as const, id: rules.join(", ") } : null;
    return {
      ...{
        source,
        action,
        item: keyOf(item.id, item.typeId),
        id: `coop-${textOf(item.typeId)}-${textOf(item.id)}-${action}`,
      },
      decider: person === null ? rule : { kind: "human", id: person },
      policies: objectsOf(value.policies)
        .flatMap(({ id }) => textOf(id) ?? [])
        .concat(textsOf(value.policyIds)),
      rationale: textOf(value.actorNote ?? value.note ?? value.decisionReason ?? objectOf(value.custom).reason),
      at: null,
    };
  });
  return [...reviewed, ...sent.filter(({ item, action }) => !ofReviews.has(`${item} ${action}`))];
}

function actionNames(found: Found): Map<string, string> {
  return new Map(found.of("action").flatMap(({ value }) => [[String(value.id), String(value.name)] as const]));
}

function theirAction(names: ReadonlyMap<string, string>, action: string, options: AdapterOptions): string | null {
  const name = names.get(action);
  return actionOf(name === undefined ? [action] : [action, name], ACTIONS, options);
}

/** Whether an appeal is against an action: by id or name if it lists the actions taken, otherwise against every action on its item. */
function isAbout({ actionsTaken }: Foreign, action: string, names: ReadonlyMap<string, string>): boolean {
  const listed = [
    ...textsOf(actionsTaken),
    ...objectsOf(actionsTaken).flatMap(({ id, name }) => [textOf(id), textOf(name)]),
  ];
  return !Array.isArray(actionsTaken) || listed.includes(action) || listed.includes(names.get(action) ?? action);
}

export const coop: Adapter = {
  name: "coop",
  title: "ROOST Coop",
  absent: {},
  kinds: {
    graphql: {
      is: (value) => isObject(value.data) && !("typeId" in value),
      fields: fields("data extensions"),
      inside: (value) => Object.values(objectOf(value.data)).flatMap((one) => (Array.isArray(one) ? one : [one])),
    },
    review: {
      is: (value) => "jobId" in value && Array.isArray(value.decisions),
      links: (value) => [
        itemLink(value.itemId, value.itemTypeId),
        ...objectsOf(value.decisions).flatMap(({ itemIds, itemTypeId, appealId }) => [
          ...textsOf(itemIds).map((id) => itemLink(id, itemTypeId)),
          appealLink(appealId),
        ]),
      ],
      fields: {
        ...fields("__typename id jobId itemId itemTypeId queueId reviewerId relatedActions createdAt decisionReason"),
        decisions: fields(
          `__typename type itemTypeId itemIds actionIds policyIds customMrtApiParams appealId reportedMedia newJobKind originalQueueId newQueueId`,
        ),
      },
    },
    webhook: {
      is: (value) => isObject(value.item) && isObject(value.action),
      links: ({ item }) => itemsLinks([item]),
      fields: {
        ...{ item: IDENTIFIER, action: fields("id"), policies: fields("id name penalty"), rules: fields("id name") },
        ...fields("custom actorEmail actorNote creator decisionReason userStrikeCount"),
      },
    },
    submitted: {
      is: (value) => "actionId" in value && "itemId" in value,
      links: ({ itemId, itemTypeId }) => [itemLink(itemId, itemTypeId)],
      fields: fields("actionId itemId itemTypeId policyIds reportedItems actorId parameters note"),
    },
    appealDecision: {
      is: (value) => "appealId" in value && "appealDecision" in value,
      links: ({ appealId, item }) => [appealLink(appealId), ...itemsLinks([item])],
      fields: { ...fields("appealId appealDecision appealedBy custom"), item: IDENTIFIER },
    },
    appeal: {
      is: (value) => "appealId" in value && isObject(value.actionedItem),
      links: ({ appealId, actionedItem }) => [appealLink(appealId), ...itemsLinks([actionedItem])],
      fields: {
        ...fields("appealId appealedBy appealedAt actionsTaken appealReason violatingPolicies"),
        ...{ actionedItem: ITEM, additionalItems: ITEM },
      },
    },
    report: {
      is: (value) => isObject(value.reportedItem),
      links: ({ reportedItem, reportedItemThread, additionalItems }) =>
        [[reportedItem], reportedItemThread, additionalItems].flatMap(itemsLinks),
      fields: {
        ...fields("reporter reportedAt reportedItemsInThread"),
        reportedForReason: fields("policyId reason csam"),
        ...{ reportedItem: ITEM, reportedItemThread: ITEM, additionalItems: ITEM },
      },
    },
    item: {
      is: (value) => "typeId" in value && isObject(value.data),
      links: ({ id, typeId }) => [itemLink(id, typeId)],
      fields: ITEM,
    },
    page: {
      is: (value) => ["items", "policies", "actions"].some((key) => Array.isArray(value[key])),
      fields: fields("items policies actions failures __typename"),
      inside: (value) => ["items", "policies", "actions"].flatMap((key) => value[key] ?? []),
    },
    action: {
      is: (value) => "id" in value && "name" in value && "itemTypeIds" in value,
      shared: ({ id }) => String(id),
      fields: fields("id name description actionType applyUserStrikes penalty itemTypeIds parameters __typename"),
    },
    policy: {
      is: (value) => "id" in value && "name" in value && "parentId" in value,
      fields: fields(
        `__typename id name policyText enforcementGuidelines parentId policyType userStrikeCount applyUserStrikeCountConfigToChildren
        penalty semanticVersion`,
      ),
    },
  },

  toDecisions(found, options) {
    const out = new Collector<Decision>();
    const cases = casesIn(found);
    const items = itemsIn(found);
    const names = actionNames(found);
    const appeals = groupBy(found.of("appeal"), ({ value }) =>
      keyOf(objectOf(value.actionedItem).id, objectOf(value.actionedItem).typeId),
    );
    const decided = new Map(
      found.of("appealDecision").map(({ value }) => [textOf(value.appealId), textOf(value.appealDecision)]),
    );
    for (const { source, id, item, action, decider, policies, rationale, at } of cases) {
      const decision = theirAction(names, action, options);
      const data = items.get(item);
      const content =
        data === undefined
          ? null
          : contentOf(data, (name) => decision !== null && out.leave("unread_content", `item.data.${name}`, source));
      if (decision === null) out.leave("other_action", names.get(action) ?? action, source);
      else if (content === null)
        out.reject(source, "item", "the data of the item is not in the input; add its submission or report");
      else {
        if (policies.length > 1) out.leave("several_rules", `${policies.length} policies`, source);
        const appeal = appeals.get(item)?.findLast(({ value }) => isAbout(value, action, names))?.value;
        const verdict = appeal && pick(APPEALS, decided.get(textOf(appeal.appealId)) ?? "");
        const outcome =
          verdict === undefined ? ("pending" as const) : (`${verdict === "uphold" ? "upheld" : "overturned"}` as const);
        out.add(
          {
            ...{ id, community: options.community ?? "coop", content, decision },
            ...(decider === null ? {} : { decider }),
            ...known({ rationale, cited_rule: policies.length === 1 ? policies[0] : null, decided_at: at }),
            ...(appeal
              ? { appeal: known({ filed_at: timeOf(appeal.appealedAt), text: textOf(appeal.appealReason), outcome }) }
              : {}),
          },
          source,
        );
      }
    }
    for (const source of found.of("review"))
      for (const { type } of objectsOf(source.value.decisions))
        if (!DECIDES.includes(String(type))) out.leave("not_a_decision", String(type), source);
    const taken = new Set(cases.map(({ source }) => source));
    for (const source of [...found.of("webhook"), ...found.of("submitted")])
      if (!taken.has(source)) out.leave("not_a_decision", "webhook of a review that is here", source);
    return out.result();
  },

  toRuleSets(found, options) {
    const out = new Collector<RuleSet>();
    const [first] = found.of("policy");
    if (first === undefined) return out.result();
    const rules = found.of("policy").map((source) => {
      const { id, name, policyText, enforcementGuidelines, parentId, semanticVersion } = source.value;
      const [description, detail] = [textOf(policyText), textOf(enforcementGuidelines)];
      if (description === null && detail === null) out.leave("missing_text", "policy with a name alone", source);
      return {
        id: String(id),
        title: textOf(name) ?? String(id),
        ...known({ description, detail, x_parent: textOf(parentId), x_version: textOf(semanticVersion) }),
      };
    });
    out.add(ruleSetOf("coop", options.community ?? null, rules), first);
    return out.result();
  },

  /** Decisions on appeals. The callback has no time, so the review of the appeal is also needed. */
  toOutcomes(found, options) {
    const out = new Collector<ReviewOutcome>();
    const names = actionNames(found);
    const cases = groupBy(casesIn(found), ({ item }) => item);
    const dated = new Set<string | null>();
    for (const source of found.of("review")) {
      const { value } = source;
      for (const { type, appealId, actionIds } of objectsOf(value.decisions)) {
        const outcome = pick(APPEALS, String(type));
        const at = timeOf(value.createdAt);
        if (outcome === undefined || at === null) continue;
        dated.add(textOf(appealId));
        const earlier = (cases.get(keyOf(value.itemId, value.itemTypeId)) ?? []).filter(
          (one) =>
            theirAction(names, one.action, options) !== null && (one.at === null || instant(one.at) < instant(at)),
        );
        const taken = earlier.find(({ action }) => textsOf(actionIds).includes(action)) ?? earlier[0];
        if (taken) {
          const reviewer = known({ reviewer: textOf(value.reviewerId) });
          out.add({ decision_id: taken.id, outcome, source: "appeal", ...reviewer, at }, source);
        }
      }
    }
    for (const source of found.of("appealDecision"))
      if (!dated.has(textOf(source.value.appealId)))
        out.leave("undated_appeal", String(source.value.appealDecision), source);
    return out.result();
  },

  toReviewItems(found, options) {
    const out = new Collector<ReviewItem>();
    const decided = new Set(casesIn(found).map(({ item }) => item));
    const closed = new Set(found.of("appealDecision").map(({ value }) => textOf(value.appealId)));
    const add = (source: Source, kind: ReviewItem["source"], id: string, item: Foreign, more: object) => {
      const content = contentOf(objectOf(item.data));
      if (content !== null)
        out.add({ id, community: options.community ?? "coop", content, source: kind, ...more }, source);
    };
    for (const source of found.of("report")) {
      const { reportedItem, reportedAt, reportedForReason } = source.value;
      const item = objectOf(reportedItem);
      if (decided.has(keyOf(item.id, item.typeId))) continue;
      const { policyId, reason } = objectOf(reportedForReason);
      const more = known({ waiting_since: timeOf(reportedAt), cited_rule: textOf(policyId), reason: textOf(reason) });
      add(source, "report", `coop-${item.typeId}-${item.id}`, item, more);
    }
    for (const source of found.of("appeal")) {
      const { appealId, actionedItem, appealedAt, appealReason } = source.value;
      if (closed.has(textOf(appealId))) continue;
      const more = known({ waiting_since: timeOf(appealedAt), reason: textOf(appealReason) });
      add(source, "appeal", `coop-appeal-${appealId}`, objectOf(actionedItem), more);
    }
    return out.result();
  },
};
