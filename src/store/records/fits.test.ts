import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MODERATION_ACTIONS } from "../../core/records/actions.js";
import { Fault } from "../formats/parse-json.js";
import { explainRecord, fits } from "./fits.js";
import { normalise } from "./normalise.js";
import { type Field, type Fields, RECORD_KINDS } from "./record-kinds.js";

/** Values that a field of a type may have, and some that it may not. */
function anyValue(field: Field): fc.Arbitrary<unknown> {
  const fitting: Record<Field["type"], () => fc.Arbitrary<unknown>> = {
    text: () => fc.string(),
    moment: () => fc.oneof(fc.string(), fc.constantFrom("1714816800", "1714816800123", "2026-11-15")),
    time: () => fc.constantFrom("2026-11-15", "2026-11-15T04:00:00Z"),
    id: () => fc.string(),
    action: () => fc.constantFrom("remove", "approve"),
    choice: () => fc.constantFrom(...field.values),
    share: () => fc.double({ min: 0, max: 1, noNaN: true }),
    chance: () => fc.double({ min: 0, max: 1, minExcluded: true, noNaN: true }),
    boolean: () => fc.boolean(),
    level: () => fc.constantFrom(1, 2, 3),
    texts: () => fc.array(fc.string(), { maxLength: 2 }),
    list: () => fc.array(fc.jsonValue(), { maxLength: 2 }),
    content: () => fc.oneof(fc.string(), anyRecord(field.fields!)),
    object: () => anyRecord(field.fields!),
  };
  return fc.oneof(
    { weight: 12, arbitrary: fitting[field.type]() },
    { weight: 1, arbitrary: fc.constantFrom(null, undefined, "", 0, 4, 1.5, -1, true, [], {}, [1], ["a", null], "x") },
  );
}

function anyRecord(fields: Fields): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(Object.fromEntries(fields.list.map((field) => [field.name, anyValue(field)])), {
    requiredKeys: fields.list.filter((field) => field.required).map((field) => field.name),
  });
}

describe.each(Object.values(RECORD_KINDS))("fits, for $kind", (kind) => {
  const actions = MODERATION_ACTIONS;

  it("knows the fields that the schema knows, in its order", () => {
    const shape = (kind.schema as unknown as { shape: Record<string, unknown> }).shape;
    expect(kind.fields.list.map((field) => field.name)).toEqual(Object.keys(shape));
  });

  it("says what the schema says, and that actions are known", () => {
    let fitting = 0;
    fc.assert(
      fc.property(anyRecord(kind.fields), (record) => {
        const known = [record.decision, record.human_label].every((action) =>
          ["remove", "approve", null, undefined].includes(action as string),
        );
        const expected = kind.schema.safeParse(record).success && known;
        if (expected) fitting++;
        expect(fits(kind.fields, record, actions)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
    // The property says something only if both sides of it come up.
    expect(fitting).toBeGreaterThan(100);
    expect(fitting).toBeLessThan(1900);
  });

  it("can say of every record that does not fit which field is to blame", () => {
    fc.assert(
      fc.property(anyRecord(kind.fields), (record) => {
        if (fits(kind.fields, record, actions)) return;
        const fault = explainRecord(kind, record, actions);
        expect(fault.field).not.toBe("");
        expect(fault.reason).toMatch(/^(got .+, expected .+|is missing; expected .+|is empty)$/s);
      }),
    );
  });

  it("accepts whatever normalise makes of a row, and normalise leaves that as it is", () => {
    fc.assert(
      fc.property(anyRecord(kind.fields), (row) => {
        const record = normalise(kind.fields, row, actions);
        if (record instanceof Fault) return;
        expect(fits(kind.fields, record, actions)).toBe(true);
        expect(kind.schema.safeParse(record).success).toBe(true);
        expect(JSON.stringify(normalise(kind.fields, record, actions))).toBe(JSON.stringify(record));
      }),
      { numRuns: 500 },
    );
  });

  it("refuses what is no object", () => {
    for (const value of [null, undefined, 1, "x", [], true]) expect(fits(kind.fields, value, actions)).toBe(false);
  });
});
