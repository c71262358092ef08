import { describe, expect, it } from "vitest";
import { configSchema } from "../config.js";
import {
  actionChoice,
  actionNames,
  actionSides,
  actionsText,
  isAction,
  isModeration,
  isRestricting,
  MODERATION_ACTIONS,
  nearestActions,
  oppositeAction,
  parseAction,
  readActions,
  sameActions,
  severalActions,
} from "./actions.js";
import { checkActions } from "./manifest.js";

const FIVE = severalActions(["allow", "label", "limit", "remove", "ban"], "limit");

describe("two actions", () => {
  it("are what they were", () => {
    expect(actionNames(MODERATION_ACTIONS)).toEqual(["remove", "approve"]);
    expect(actionChoice(MODERATION_ACTIONS)).toBe("remove or approve");
    expect(nearestActions(MODERATION_ACTIONS, "remove")).toEqual(["approve"]);
    expect(oppositeAction(MODERATION_ACTIONS, "approve")).toBe("remove");
    expect(isRestricting(MODERATION_ACTIONS, "anything else")).toBe(false);
    expect(actionsText(MODERATION_ACTIONS)).toBe("remove,approve");
    expect(isModeration()).toBe(true);
    expect(configSchema.parse({ version: 1 }).actions).toEqual({ positive: "remove", negative: "approve" });
  });
});

describe("several actions", () => {
  it("have two sides, of which the restricting one begins where the workspace says", () => {
    expect(actionSides(FIVE)).toEqual({ restricting: ["limit", "remove", "ban"], other: ["allow", "label"] });
    expect(actionSides(severalActions(["a", "b", "c"])).restricting).toEqual(["b", "c"]);
    expect(isModeration(severalActions(["approve", "remove", "ban"]))).toBe(false);
    expect(() => isRestricting(FIVE, "suspend")).toThrow("got suspend, expected one of allow");
  });

  it("have an opposite on the other side: the mildest there", () => {
    expect(FIVE.all!.map(({ name }) => oppositeAction(FIVE, name))).toEqual([
      "limit",
      "limit",
      "allow",
      "allow",
      "allow",
    ]);
  });

  it("have neighbours: the next milder and the next harder one before any other", () => {
    expect(nearestActions(FIVE, "limit")).toEqual(["label", "remove"]);
    expect(nearestActions(FIVE, "allow")).toEqual(["label", "limit"]);
    expect(nearestActions(FIVE, "ban", 1)).toEqual(["remove"]);
    expect(nearestActions(FIVE, "ban", 0)).toEqual([]);
    const uneven = severalActions([
      { name: "a", severity: 0 },
      { name: "b", severity: 5 },
      { name: "c", severity: 6 },
    ]);
    expect(nearestActions(uneven, "b", 1)).toEqual(["c"]);
  });

  it("are read without regard to case and space, and told apart exactly", () => {
    expect(parseAction(FIVE, " BAN ")).toBe("ban");
    expect(parseAction(FIVE, "suspend")).toBeNull();
    expect(isAction(FIVE, "BAN")).toBe(false);
    expect(isAction(FIVE, 3)).toBe(false);
    expect(sameActions(FIVE, severalActions(["allow", "label", "limit", "remove", "ban"], "limit"))).toBe(true);
    expect(sameActions(FIVE, severalActions(["allow", "label", "limit", "remove", "ban"], "remove"))).toBe(false);
  });

  it("are never called by a name that a JSON reader may drop", () => {
    for (const text of ["__proto__,approve", "allow,__proto__,ban"]) {
      expect(() => readActions(text)).toThrow('"__proto__" cannot be the name of an action');
    }
    expect(configSchema.safeParse({ version: 1, actions: { positive: "remove", negative: "__proto__" } }).success).toBe(
      false,
    );
    expect(readActions("constructor,approve")).toEqual({ positive: "constructor", negative: "approve" });
  });

  it("are written as --actions takes them", () => {
    expect(actionsText(FIVE)).toBe("allow,label/limit,remove,ban");
  });
});

describe("actions in defensible.yaml", () => {
  const read = (actions: unknown) => configSchema.safeParse({ version: 1, actions });

  it("may be a list, mildest first, or the list with the line between the sides", () => {
    expect(read(["allow", "label", "ban"]).data?.actions).toEqual({
      positive: "label",
      negative: "allow",
      all: [
        { name: "allow", severity: 0 },
        { name: "label", severity: 1 },
        { name: "ban", severity: 2 },
      ],
    });
    expect(read({ positive: "limit", all: actionNames(FIVE) }).data?.actions).toEqual(FIVE);
    expect(read(FIVE).data?.actions).toEqual(FIVE);
  });

  it.each([
    [["allow", "remove"]],
    [["allow", "label", "Allow"]],
    [["allow", 3, "ban"]],
    [{ positive: "allow", all: ["allow", "label", "ban"] }],
    [{ positive: "suspend", all: ["allow", "label", "ban"] }],
    [{ negative: "label", all: ["allow", "label", "ban"] }],
    [
      [
        { name: "allow", severity: 1 },
        { name: "label", severity: 1 },
        { name: "ban", severity: 2 },
      ],
    ],
  ])("are refused where they cannot be told apart or are out of order: %j", (actions) => {
    expect(read(actions).success).toBe(false);
  });

  it("are refused with what is wrong", () => {
    expect(() => checkActions(severalActions(["allow", "label", "Allow"]))).toThrow('"allow" is named twice');
    expect(() => checkActions({ positive: "a", negative: "A" })).toThrow("expected two different names");
  });
});
