import type { Actions } from "../core/records/actions.js";
import type { Content, Decision } from "../core/records/decision.js";
import type { ReviewOutcome } from "../core/records/label.js";
import type { RuleSet } from "../core/records/rule-set.js";
import { isObject } from "./values.js";

/** An object of a foreign system. */
export type Foreign = Readonly<Record<string, unknown>>;

/** An object of a foreign system, and where it was found. */
export interface Source {
  value: Foreign;
  file: string;
  /** Counted from 1. */
  line: number;
}

export interface AdapterOptions {
  actions: Actions;
  /** The community of decisions and rules without one. Default: the name of the adapter. */
  community?: string | undefined;
  /** Mapping of their actions, in lower case, for those that the adapter does not know or that are to be overridden. */
  values?: ReadonlyMap<string, string> | undefined;
}

/**
 * Why a part of the input is missing from the result: a field or an object that the adapter does not know, an action that is neither of the two, a
 * decision about an account, an entry that decides nothing, more rules cited than a decision can hold, an appeal without a date, text outside any
 * rule, a rule without text, an outcome of a decision that was not imported, a part of content that the adapter cannot read.
 */
export type LeftOutCode =
  | "unknown_field"
  | "unknown_kind"
  | "other_action"
  | "account_decision"
  | "not_a_decision"
  | "several_rules"
  | "undated_appeal"
  | "unread_text"
  | "missing_text"
  | "no_decision"
  | "unread_content";

export interface LeftOut {
  code: LeftOutCode;
  /** The field, kind or action. */
  what: string;
  count: number;
  /** Position of the first one. */
  file: string;
  line: number;
}

/** An object that should be a record but is invalid. */
export interface Rejected {
  source: Source;
  field: string;
  reason: string;
}

export interface Adapted<T> {
  records: { record: T; source: Source }[];
  rejected: Rejected[];
  left_out: LeftOut[];
}

/** Content awaiting a decision in the foreign system. */
export interface ReviewItem {
  id: string;
  community: string;
  content: Content;
  /** A user report, an appeal against a decision, or a case escalated by a moderator. */
  source: "report" | "appeal" | "escalation" | "queue";
  waiting_since?: string;
  reason?: string;
  cited_rule?: string;
  /** Higher first, on the scale of the foreign system. */
  priority?: number;
  thread_id?: string;
}

/** Known fields. `true`: any content. For a list, the shape applies to each element. */
export interface Shape {
  readonly [field: string]: true | Shape;
}

/** A kind of object that a system gives. */
export interface Kind {
  is(value: Foreign): boolean;
  fields: Shape;
  /** The objects inside an envelope or a page of a list. An object that contains others is not a record itself. */
  inside?(value: Foreign): readonly unknown[];
  /** Names of what it is about. Objects that share a name belong together, even if they arrive separately. */
  links?(value: Foreign): readonly (string | null)[];
  /** For objects that all others refer to, such as names of actions: its own name. The last object of a name counts. */
  shared?(value: Foreign): string;
  /** What is wrong with the version of the object; null: the version is known. */
  wrongVersion?(value: Foreign): string | null;
}

/** The objects of the input by kind. */
export interface Found {
  of(kind: string): readonly Source[];
}

interface Functions {
  toDecisions(found: Found, options: AdapterOptions): Adapted<Decision>;
  toRuleSets(found: Found, options: AdapterOptions): Adapted<RuleSet>;
  toOutcomes(found: Found, options: AdapterOptions): Adapted<ReviewOutcome>;
  toReviewItems(found: Found, options: AdapterOptions): Adapted<ReviewItem>;
}

/** Converts the objects of one system into records. A missing function has its reason in `absent`. */
export interface Adapter extends Partial<Functions> {
  name: string;
  title: string;
  /** The first kind that matches counts. */
  kinds: Readonly<Record<string, Kind>>;
  absent: Partial<Record<keyof Functions, string>>;
}

/** Collects the result of one function. */
export class Collector<T> {
  private readonly records: Adapted<T>["records"] = [];
  private readonly rejected: Rejected[] = [];
  private readonly left = new Map<string, LeftOut>();

  add(record: T, source: Source): void {
    this.records.push({ record, source });
  }

  reject(source: Source, field: string, reason: string): void {
    this.rejected.push({ source, field, reason });
  }

  leave(code: LeftOut["code"], what: string, { file, line }: Source): void {
    const key = JSON.stringify([code, what]);
    const known = this.left.get(key);
    if (known) known.count++;
    else this.left.set(key, { code, what, count: 1, file, line });
  }

  result(): Adapted<T> {
    return { records: this.records, rejected: this.rejected, left_out: [...this.left.values()] };
  }
}

/** Maximum depth of nested envelopes. */
const DEEPEST = 5;

/** Sorts the objects of the input by kind. Unknown kinds and fields are reported by name as left out; unknown versions are rejected. */
export function findKinds(
  adapter: Adapter,
  sources: readonly Source[],
): { found: Found; rest: Adapted<never>; knownFiles: ReadonlySet<string> } {
  const rest = new Collector<never>();
  const byKind = new Map<string, Source[]>();
  const knownFiles = new Set<string>();
  const take = (source: Source, depth: number): void => {
    const { value } = source;
    const name = Object.keys(adapter.kinds).find((one) => adapter.kinds[one]!.is(value));
    if (name === undefined) {
      const keys = Object.keys(value).slice(0, 6).join(", ");
      rest.leave("unknown_kind", `object with ${keys === "" ? "no fields" : keys}`, source);
      return;
    }
    knownFiles.add(source.file);
    const kind = adapter.kinds[name]!;
    const wrong = kind.wrongVersion?.(value) ?? null;
    if (wrong !== null) {
      rest.reject(source, "version", wrong);
      return;
    }
    checkFields(value, kind.fields, `${name}.`, (field) => rest.leave("unknown_field", field, source));
    if (!kind.inside) {
      const same = byKind.get(name);
      if (same) same.push(source);
      else byKind.set(name, [source]);
      return;
    }
    for (const inner of kind.inside(value)) {
      if (isObject(inner) && depth < DEEPEST) take({ ...source, value: inner }, depth + 1);
      else rest.leave("unknown_kind", `${name} with something that is no object`, source);
    }
  };
  for (const source of sources) take(source, 0);
  return { found: { of: (kind) => byKind.get(kind) ?? [] }, rest: rest.result(), knownFiles };
}

/** An object without its envelope, and the objects it belongs to. */
export interface Leaf {
  value: Foreign;
  links: readonly string[];
  /** null: it is not one that all others refer to. */
  shared: string | null;
}

/** The objects inside envelopes that other objects may belong to. */
export function leavesOf(adapter: Adapter, value: Foreign, depth = 0): Leaf[] {
  const found = Object.entries(adapter.kinds).find(([, kind]) => kind.is(value));
  if (!found || (found[1].wrongVersion?.(value) ?? null) !== null) return [];
  const [name, { inside, links, shared }] = found;
  if (inside)
    return depth >= DEEPEST
      ? []
      : inside(value).flatMap((one) => (isObject(one) ? leavesOf(adapter, one, depth + 1) : []));
  const names = [...new Set((links?.(value) ?? []).filter((one) => one !== null))];
  if (names.length === 0 && !shared) return [];
  return [{ value, links: names, shared: shared ? `${name} ${shared(value)}` : null }];
}

function checkFields(value: unknown, shape: Shape, path: string, unknown: (field: string) => void): void {
  for (const one of Array.isArray(value) ? value : [value]) {
    if (!isObject(one)) continue;
    for (const [field, inner] of Object.entries(one)) {
      const known = Object.hasOwn(shape, field) ? shape[field]! : undefined;
      if (known === undefined) unknown(`${path}${field}`);
      else if (known !== true) checkFields(inner, known, `${path}${field}.`, unknown);
    }
  }
}
