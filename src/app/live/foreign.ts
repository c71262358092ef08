import { createHash } from "node:crypto";
import { type AdaptedInput, adaptSources } from "../../adapters/adapt.js";
import { type Foreign, type Leaf, type LeftOut, leavesOf, type Rejected, type Source } from "../../adapters/adapter.js";
import { groupBy } from "../../adapters/values.js";
import { type Actions, parseAction } from "../../core/records/actions.js";
import type { Decision } from "../../core/records/decision.js";
import type { ReviewOutcome } from "../../core/records/label.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import { canonicalValue, Fault, objectsIn } from "../../store/formats/parse-json.js";
import { columnText, type Queries } from "../../store/postgres/database.js";
import {
  type ForeignObject,
  forgetForeign,
  type KeptForeign,
  keepForeign,
  linkedForeign,
  lockChannel,
  noteDecisions,
} from "../../store/postgres/foreign.js";
import { adapterNamed, valuesFrom } from "../import/import-from.js";

export interface ForeignCall {
  system: string;
  body: unknown;
  /** Community of objects that name none. Calls that belong together use the same one. */
  community?: string;
  /** Maps their actions to ours. */
  given: Readonly<Record<string, string>>;
}

/** The records of a call, read together with earlier objects that belong to it. */
export interface Joined {
  /** `by`: whether this call brought the object for the first time, brought it again, or it came before. */
  decisions: { record: Decision; by: "new" | "again" | "before" }[];
  /** Ids of decisions from earlier calls that get another id, or are no longer decisions, when read together with this call. */
  gone: string[];
  outcomes: ReviewOutcome[];
  /** From this call alone: a call holds all rules, or no rules. */
  rule_sets: RuleSet[];
  review_items: number;
  rejected: Rejected[];
  left_out: LeftOut[];
  /** Keeps objects of this call until something arrives that they belong to. Called once the decisions are known. */
  settle(known: ReadonlySet<string>, erased: ReadonlySet<string>): Promise<{ waiting: number }>;
}

const KEPT = "kept";
const NO_RECORDS: AdaptedInput = {
  ...{ decisions: [], rule_sets: [], outcomes: [], review_items: [] },
  ...{ rejected: [], left_out: [], unknown_files: [] },
};

/** Reads a system's data in the caller's transaction: of two calls that belong together, the second finds the objects of the first. */
export async function readForeign(
  queries: Queries,
  workspace: string,
  actions: Actions,
  { system, body, community, given }: ForeignCall,
): Promise<Joined> {
  const adapter = adapterNamed(system);
  const { objects, wrong } = objectsIn(body);
  const own = objects.map(({ value, line }): Source => ({ value, file: "input", line }));
  const read = (sources: readonly Source[], values: Readonly<Record<string, string>>) =>
    sources.length === 0
      ? NO_RECORDS
      : adaptSources(adapter, sources, {
          ...{ actions, community },
          values: valuesFrom(
            Object.entries(values).map(([theirs, ours]) => ({ theirs, ours })),
            actions,
          ),
        });
  const alone = read(own, given);
  const channel = nameText(JSON.stringify([system, community ?? null]));
  const leaves = own.flatMap(({ value }) => leavesOf(adapter, value)).map((leaf) => asKept(leaf, given));
  const { fresh, kept } =
    leaves.length === 0 ? { fresh: new Set(), kept: [] } : await earlier(queries, workspace, channel, leaves);
  const before = kept.map(({ value }, i): Source => ({ value: value as Foreign, file: KEPT, line: i + 1 }));
  // The workspace's actions may have changed since these were given.
  const earlierGiven = kept.flatMap((one) => Object.entries(one.given));
  const still = earlierGiven.filter(([, ours]) => parseAction(actions, ours) !== null);
  const values = { ...Object.fromEntries(still), ...given };
  const joined = before.length === 0 ? alone : read([...before, ...own], values);
  const past = before.length === 0 ? NO_RECORDS : read(before, values);
  const isOwn = ({ source }: { source: Source }) => source.file !== KEPT;
  const decided = lastVersions(joined.decisions).map(({ record, source }) => {
    const [leaf] = leavesOf(adapter, source.value).map((one) => asKept(one, given));
    const isAgain = leaf !== undefined && !fresh.has(leaf.hash.toString("hex"));
    const by = source.file === KEPT ? ("before" as const) : isAgain ? ("again" as const) : ("new" as const);
    return { record, by, links: leaf?.links ?? [], hash: leaf?.hash ?? null };
  });
  return {
    decisions: decided.map(({ record, by }) => ({ record, by })),
    gone: past.decisions.flatMap(({ record }) =>
      decided.some((one) => one.record.id === record.id) ? [] : [record.id],
    ),
    outcomes: joined.outcomes.map(({ record }) => record),
    rule_sets: alone.rule_sets.map(({ record }) => record),
    review_items: joined.review_items.filter(isOwn).length,
    rejected: [
      ...wrong.map(({ line, reason }) => ({ source: { value: {}, file: "input", line }, field: "", reason })),
      ...joined.rejected.filter(isOwn),
    ],
    left_out: withoutPast(joined.left_out, past.left_out, alone.left_out),
    async settle(known, erased) {
      const all = [...leaves, ...kept].filter(({ shared }) => !shared);
      const groupOf = groupsOf(all);
      const objects = groupBy(all, groupOf);
      const there = groupBy(
        decided.filter(({ record: { id } }) => known.has(id) || erased.has(id)),
        groupOf,
      );
      const taken = new Set<string>();
      for (const [group, some] of there) {
        const hashes = (objects.get(group) ?? []).map(({ hash }) => hash);
        for (const hash of hashes) taken.add(hash.toString("hex"));
        const ids = [...new Set(some.map(({ record }) => record.id))];
        const read = some.flatMap(({ hash, record }): [Buffer, string][] => (hash ? [[hash, record.id]] : []));
        await noteDecisions(queries, workspace, channel, { hashes, ids, read });
      }
      if (erased.size > 0) await forgetForeign(queries, workspace, [...erased]);
      const waiting = leaves.filter(({ hash, shared }) => !shared && !taken.has(hash.toString("hex")));
      return { waiting: new Set(waiting.map(({ hash }) => hash.toString("hex"))).size };
    },
  };
}

/** Stores the objects of a call and returns linked earlier ones. A new shared object, such as names of actions, completes any that wait. */
async function earlier(
  queries: Queries,
  workspace: string,
  channel: string,
  leaves: readonly ForeignObject[],
): Promise<{ fresh: ReadonlySet<string>; kept: KeptForeign[] }> {
  await lockChannel(queries, workspace, channel);
  const fresh = await keepForeign(queries, workspace, channel, leaves);
  const own = new Set(leaves.map(({ hash }) => hash.toString("hex")));
  const links = leaves.flatMap((leaf) => leaf.links);
  const withWaiting = leaves.some(({ hash, shared }) => shared && fresh.has(hash.toString("hex")));
  const found = await linkedForeign(queries, workspace, channel, links, { withWaiting });
  return { fresh, kept: found.filter(({ hash }) => !own.has(hash.toString("hex"))) };
}

function asKept({ value, links, shared }: Leaf, given: ForeignCall["given"]): ForeignObject {
  const canonical = canonicalValue(value, "");
  const text = shared ?? JSON.stringify(canonical instanceof Fault ? value : canonical);
  const hash = createHash("sha256")
    .update(`${shared === null ? "object" : "shared"}\0${text}`)
    .digest();
  return { hash, links: links.map(nameText), shared: shared !== null, value, given };
}

/** An object may come again with more in it, such as a report before and after it was resolved. Of earlier versions, the last is used. */
function lastVersions<T extends { record: Decision; source: Source }>(all: readonly T[]): T[] {
  const place = ({ source }: T) => (source.file === KEPT ? source.line : Number.POSITIVE_INFINITY);
  const last = new Map<string, number>();
  for (const one of all) last.set(one.record.id, Math.max(place(one), last.get(one.record.id) ?? 0));
  return all.filter((one) => place(one) === last.get(one.record.id));
}

/** The group of an object: all objects connected by common names, directly or through others. null: it has no name. */
function groupsOf(
  objects: readonly Pick<ForeignObject, "links">[],
): (one: Pick<ForeignObject, "links">) => string | null {
  const parents = new Map<string, string>();
  const rootOf = (name: string): string => {
    let root = name;
    for (let above = parents.get(root); above !== undefined; above = parents.get(root)) root = above;
    for (let at = name; at !== root; ) {
      const above = parents.get(at)!;
      parents.set(at, root);
      at = above;
    }
    return root;
  };
  for (const { links } of objects)
    for (const name of links) {
      const [root, first] = [rootOf(name), rootOf(links[0]!)];
      if (root !== first) parents.set(root, first);
    }
  return ({ links: [first] }) => (first === undefined ? null : rootOf(first));
}

/** Names longer than this do not fit into an index and are stored as hashes. */
const LONGEST_NAME = 1000;

function nameText(name: string): string {
  const text = columnText(name);
  return Buffer.byteLength(text) <= LONGEST_NAME ? text : `sha256 ${createHash("sha256").update(name).digest("hex")}`;
}

/** Drops what was already reported when the earlier objects came. */
function withoutPast(all: readonly LeftOut[], past: readonly LeftOut[], alone: readonly LeftOut[]): LeftOut[] {
  const same = (a: LeftOut) => (b: LeftOut) => a.code === b.code && a.what === b.what;
  return all.flatMap((one) => {
    const count = one.count - (past.find(same(one))?.count ?? 0);
    if (count <= 0) return [];
    const place = one.file === KEPT ? alone.find(same(one)) : one;
    return [{ ...one, count, file: "input", line: place?.line ?? 0 }];
  });
}
