import { describe, expect, it } from "vitest";
import { MODERATION_ACTIONS } from "../../core/records/actions.js";
import { Fault } from "../formats/parse-json.js";
import { normalise } from "./normalise.js";
import { RECORD_KINDS } from "./record-kinds.js";

const decision = (row: Record<string, unknown>) => normalise(RECORD_KINDS.decisions.fields, row, MODERATION_ACTIONS);
const label = (row: Record<string, unknown>) => normalise(RECORD_KINDS.labels.fields, row, MODERATION_ACTIONS);
const plain = { id: "1", community: "c", content: "x", decision: "remove" };

describe("normalise", () => {
  it("writes keys in the order of the format, then others sorted, also inside objects", () => {
    const row = {
      zebra: 1,
      decision: "remove",
      apple: { b: 1, a: null, c: [{ y: 1, x: 2 }] },
      content: { zoo: 1, body: "b", title: "t" },
      community: "c",
      id: "1",
    };
    expect(JSON.stringify(decision(row))).toBe(
      '{"id":"1","community":"c","content":{"title":"t","body":"b","zoo":1},"decision":"remove","apple":{"b":1,"c":[{"x":2,"y":1}]},"zebra":1}',
    );
  });

  it("takes numbers for ids, and actions in any case", () => {
    const row = { ...plain, id: 17, community: 4, thread_id: 1.5, decision: " REMOVE ", human_label: "Approve" };
    expect(decision(row)).toMatchObject({
      id: "17",
      community: "4",
      thread_id: "1.5",
      decision: "remove",
      human_label: "approve",
    });
  });

  it("leaves out null, empty text and objects of nulls, but not an empty body or content", () => {
    expect(
      decision({ ...plain, rationale: "", human_label: "", decider: { kind: null, id: null }, tags: null }),
    ).toEqual(plain);
    expect(decision({ ...plain, content: "" })).toEqual({ ...plain, content: "" });
    expect(decision({ ...plain, content: { title: "t", body: null } })).toEqual({
      ...plain,
      content: { title: "t", body: "" },
    });
    expect(decision({ ...plain, appeal: {} })).toEqual({ ...plain, appeal: {} });
  });

  it.each(["true", "Yes", "1", 1, true, "TRUE"])("reads inverse %j as true", (inverse) => {
    expect(label({ decision_id: "1", level: "2", source: "Human", inverse })).toEqual({
      decision_id: "1",
      level: 2,
      inverse: true,
      source: "human",
    });
  });

  it.each(["false", "No", "0", 0, false])("reads inverse %j as false", (inverse) => {
    expect(label({ decision_id: "1", level: 3, source: "gold", inverse })).toMatchObject({ inverse: false, level: 3 });
  });

  it("reads lists and objects from JSON text", () => {
    const row = {
      ...plain,
      tags: '["a","b"]',
      decider: '{"kind":"model","confidence":"0.5"}',
      gold: '{"level":"1","inverse":"No","rule_ids":[3]}',
    };
    expect(decision(row)).toMatchObject({
      tags: ["a", "b"],
      decider: { kind: "model", confidence: 0.5 },
      gold: { level: 1, inverse: false, rule_ids: ["3"] },
    });
  });

  it("makes text well-formed wherever it stands", () => {
    const bad = "a\ud800b";
    const row = { ...plain, id: bad, content: { body: bad, context: [bad], extra: [bad] }, other: { [bad]: bad } };
    expect(JSON.stringify(decision(row))).not.toContain("ud800");
  });

  it("keeps a key called __proto__ as data", () => {
    const row = JSON.parse(
      '{"id":"1","community":"c","content":"x","decision":"remove","__proto__":{"polluted":true}}',
    );
    expect(JSON.stringify(decision(row))).toContain('"__proto__":{"polluted":true}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each([
    [{ ...plain, id: undefined }, "id", "is missing"],
    [{ ...plain, community: "" }, "community", "is missing"],
    [{ ...plain, content: null }, "content", "is missing"],
    [{ ...plain, content: 5 }, "content", "got 5, expected text, or an object with a body"],
    [{ ...plain, content: { title: "t" } }, "content.body", "is missing"],
    [{ ...plain, content: { body: ["x"] } }, "content.body", "got a list, expected text"],
    [
      { ...plain, decision: "removelink" },
      "decision",
      'unknown action "removelink"; expected remove or approve; --map-value decision:removelink=remove, or =approve',
    ],
    [
      { ...plain, human_label: "a b" },
      "human_label",
      "unknown action \"a b\"; expected remove or approve; --map-value 'human_label:a b=remove', or =approve",
    ],
    [
      { ...plain, decision: 1 },
      "decision",
      "unknown action 1; expected remove or approve; --map-value decision:1=remove, or =approve",
    ],
    [{ ...plain, decider: ["kim"] }, "decider", "got a list, expected an object"],
    [{ ...plain, decider: { kind: "robot" } }, "decider.kind", 'got "robot", expected model, human, rule'],
    [
      { ...plain, decider: { kind: "model", confidence: 90 } },
      "decider.confidence",
      "got 90, expected a number from 0 to 1",
    ],
    [{ ...plain, gold: { level: 4, inverse: false, rule_ids: [] } }, "gold.level", "got 4, expected 1, 2 or 3"],
    [{ ...plain, tags: "appeal" }, "tags", 'got "appeal", expected a list, such as ["a","b"]'],
    [{ ...plain, tags: [null] }, "tags", "got null, expected a list of texts"],
    [{ ...plain, rationale: 5 }, "rationale", "got 5, expected text"],
  ])("tells what is wrong with %j", (row, field, reason) => {
    expect(decision(row)).toEqual(new Fault(field, reason));
  });

  it("refuses a value nested past all sense instead of overflowing the stack", () => {
    const deep = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
    expect(decision({ ...plain, extra: deep })).toEqual(new Fault("extra", "is nested more than 100 levels deep"));
  });
});
