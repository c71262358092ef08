import type { ImportProfile } from "../../core/config.js";
import { InputError } from "../../core/errors.js";
import { type Actions, actionChoice, parseAction } from "../../core/records/actions.js";
import { nearestName } from "../../core/text-checks.js";
import { isObject } from "./fits.js";
import { type Fields, fieldAt, type KindOfRecord } from "./record-kinds.js";

/** How the columns and values of another system's file become fields: by flags, by an import profile, or by guessing. */
export interface Mapping {
  columns: readonly { column: string; field: string }[];
  /** `field` null: all fields that are actions. */
  values: readonly { field: string | null; theirs: string; ours: string }[];
  /** Constant fields, the same in every row. */
  constants: readonly { field: string; value: string }[];
  /** `hash`: ids are derived from the content of a row. */
  idFrom: IdSource | null;
}

export const ID_SOURCES = ["hash"] as const;
export type IdSource = (typeof ID_SOURCES)[number];

/** Mapping in command-line syntax. */
export interface MappingFlags {
  /** `column=field`; the field may be dotted. */
  map?: readonly string[] | undefined;
  /** `field:value=value`. */
  mapValue?: readonly string[] | undefined;
  /** `value=value`, for every field that is an action. */
  value?: readonly string[] | undefined;
  /** `field=value`, for every row. */
  set?: readonly string[] | undefined;
  idFrom?: IdSource | undefined;
}

export function parseMapping(flags: MappingFlags): Mapping {
  return {
    columns: (flags.map ?? []).map((flag) => {
      const [column, field] = halves(flag, flag.lastIndexOf("="));
      if (!column || !field) throw bad("map", flag, "column=field", "text=content");
      return { column, field };
    }),
    values: [
      ...(flags.mapValue ?? []).map((flag) => {
        const colon = flag.indexOf(":");
        const equals = flag.lastIndexOf("=");
        if (colon < 1 || equals < colon) {
          throw bad("map-value", flag, "field:value=value", "decision:removelink=remove");
        }
        const [theirs, ours] = halves(flag.slice(colon + 1), equals - colon - 1);
        return { field: flag.slice(0, colon).trim(), theirs, ours };
      }),
      ...(flags.value ?? []).map((flag) => {
        const [theirs, ours] = halves(flag, flag.lastIndexOf("="));
        if (!ours) throw bad("value", flag, "theirs=ours", "removelink=remove");
        return { field: null, theirs, ours };
      }),
    ],
    constants: (flags.set ?? []).map((flag) => {
      const [field, value] = halves(flag, flag.indexOf("="));
      if (!field || !value) throw bad("set", flag, "field=value", "community=plants");
      if (/^<.*>$/.test(value)) {
        throw new InputError("bad_set", `--set: got "${flag}"`, `Write what ${field} is in place of ${value}.`);
      }
      return { field, value };
    }),
    idFrom: flags.idFrom ?? null,
  };
}

/** The trimmed parts before and after a separator; both empty if there is no separator. */
function halves(text: string, at: number): [string, string] {
  return at < 0 ? ["", ""] : [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function bad(flag: string, got: string, expected: string, example: string): InputError {
  const code = `bad_${flag.replace("-", "_")}`;
  return new InputError(code, `--${flag}: got "${got}", expected ${expected}`, `For example: --${flag} ${example}`);
}

/** A mapping with another on top, which takes precedence where both define a field. */
export function mergeMappings(base: Mapping, over: Mapping): Mapping {
  const taken = new Set([...over.columns, ...over.constants].map(({ field }) => targetOf(field)));
  if (over.idFrom) taken.add("id");
  const isFree = ({ field }: { field: string }) => !taken.has(targetOf(field));
  return {
    columns: [...base.columns.filter(isFree), ...over.columns],
    values: [...base.values, ...over.values],
    constants: [...base.constants.filter(isFree), ...over.constants],
    idFrom: over.idFrom ?? (taken.has("id") ? null : base.idFrom),
  };
}

/** Plain content maps to its body, and a plain decider to its id. */
export function targetOf(field: string): string {
  return field === "content.body" ? "content" : field === "decider.id" ? "decider" : field;
}

/** Rejects a mapping that names unknown fields, or one field twice. `place`: of the profile, null for flags. */
export function checkMapping(
  mapping: Mapping,
  kind: KindOfRecord,
  actions: Actions,
  place: string | null = null,
): void {
  const { fields } = kind;
  const say = (flag: string) => (place === null ? `--${flag}` : `${place}: ${flag.replace("-", "_")}`);
  const sources = new Map<string, string>();
  for (const { column, field } of mapping.columns) {
    if (!fields.byName.has(field.split(".")[0]!)) throw unknownField(say("map"), field, fields);
    const other = sources.get(targetOf(field));
    if (other !== undefined && other !== column) {
      const message = `${say("map")}: "${other}" and "${column}" are both to be ${field}`;
      throw new InputError("bad_map", message, "Keep one of the two.");
    }
    sources.set(targetOf(field), column);
  }
  for (const { field, value } of mapping.constants) {
    const known = fieldAt(fields, field.split("."));
    if (!known) throw unknownField(say("set"), field, fields);
    const other = sources.get(targetOf(field));
    if (other !== undefined) {
      const message = `${say("set")}: ${field} is the column "${other}", and "${value}" in every row`;
      throw new InputError("bad_set", message, "Keep one of the two.");
    }
    checkValue(say("set"), "bad_set", known, value, actions);
  }
  for (const { field, ours } of mapping.values) {
    const flag = say(field === null ? "value" : "map-value");
    const known =
      field === null ? fields.list.find(({ type }) => type === "action") : fieldAt(fields, field.split("."));
    if (!known && field !== null) throw unknownField(flag, field, fields);
    if (!known) throw new InputError("bad_value", `${flag}: ${kind.kind} have no actions`);
    checkValue(flag, field === null ? "bad_value" : "bad_map_value", known, ours, actions);
  }
  if (mapping.idFrom === null) return;
  if (!fields.byName.has("id")) throw new InputError("bad_id_from", `${say("id-from")}: ${kind.kind} have no id`);
  const other = sources.get("id");
  if (other !== undefined) {
    const message = `${say("id-from")}: the id is the column "${other}"`;
    throw new InputError("bad_id_from", message, "Keep one of the two.");
  }
}

function checkValue(
  flag: string,
  code: string,
  field: { type: string; path: string; values: readonly string[] },
  value: string,
  actions: Actions,
): void {
  if (field.type === "action" && parseAction(actions, value) === null) {
    throw new InputError(
      code,
      `${flag}: got "${value}" for ${field.path}, expected ${actionChoice(actions)}`,
      "Other actions are named with --actions POSITIVE,NEGATIVE.",
    );
  }
  if (field.type === "choice" && !field.values.includes(value.toLowerCase())) {
    throw new InputError(code, `${flag}: got "${value}" for ${field.path}, expected ${field.values.join(", ")}`);
  }
}

function unknownField(flag: string, field: string, fields: Fields): InputError {
  const names = fields.list.map(({ name, fields: parts }) => (isObject(parts) ? `${name}[.…]` : name));
  const meant = nearestName(field, fields.byName.keys());
  const hint = meant === null ? "" : `Did you mean ${meant}? `;
  return new InputError(
    "unknown_field",
    `${flag}: there is no field "${field}"`,
    `${hint}Fields: ${names.join(", ")}.`,
  );
}

export function profileMapping(profile: ImportProfile): Mapping {
  const entries = <T>(record: Record<string, T> | undefined) => Object.entries(record ?? {});
  return {
    columns: entries(profile.map).flatMap(([column, fields]) => [fields].flat().map((field) => ({ column, field }))),
    values: [
      ...entries(profile.map_value).flatMap(([field, values]) =>
        entries(values).map(([theirs, ours]) => ({ field, theirs, ours: String(ours) })),
      ),
      ...entries(profile.value).map(([theirs, ours]) => ({ field: null, theirs, ours: String(ours) })),
    ],
    constants: entries(profile.set).map(([field, value]) => ({ field, value: String(value) })),
    idFrom: profile.id_from ?? null,
  };
}

/** A mapping as a profile, without its empty parts. */
export function mappingProfile(mapping: Mapping): ImportProfile {
  const map: Record<string, string | string[]> = Object.create(null);
  for (const { column, field } of mapping.columns) {
    const known = map[column];
    map[column] = known === undefined ? field : [...new Set([known, field].flat())];
  }
  const value: Record<string, string> = Object.create(null);
  const mapValue: Record<string, Record<string, string>> = Object.create(null);
  for (const { field, theirs, ours } of mapping.values) {
    if (field === null) value[theirs] = ours;
    else mapValue[field] = { ...mapValue[field], [theirs]: ours };
  }
  const set = Object.fromEntries(mapping.constants.map((each) => [each.field, each.value]));
  const isFilled = (record: object) => Object.keys(record).length > 0;
  return {
    ...(isFilled(map) && { map }),
    ...(isFilled(set) && { set }),
    ...(mapping.idFrom && { id_from: mapping.idFrom }),
    ...(isFilled(value) && { value }),
    ...(isFilled(mapValue) && { map_value: mapValue }),
  };
}
