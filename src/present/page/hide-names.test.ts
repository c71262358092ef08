import { describe, expect, it } from "vitest";
import { hideNames } from "./redact-report.js";

const names = ["film", "jane_doe said so", "level", "12", "😀", "a language that has a rather long name", "c++ (old)"];
const hidden = new Map(names.map((name) => [name, `redacted ${`${name.length}`.padStart(8, "0")}`]));
const without = <Value>(value: Value) => hideNames(value, hidden);

describe("names that people chose", () => {
  it("are replaced, alone and inside a sentence", () => {
    expect(without("film")).toBe("redacted 00000004");
    expect(without("tags = film: 12% of 8")).toBe("tags = redacted 00000004: 12% of 8");
    expect(without("(Film), film")).toBe("(redacted 00000004), redacted 00000004");
    expect(without("under 😀")).toBe("under redacted 00000002");
    expect(without("by c++ (old), 3")).toBe("by redacted 00000009, 3");
  });

  it("are found in other forms: case, spaces for underscores, cut short", () => {
    expect(without("Most under Jane doe said so, 3 of 4")).toBe("Most under redacted 00000016, 3 of 4");
    expect(without("by a language that has a ra…: 3")).toBe("by redacted 00000038: 3");
  });

  it("are not found inside other words, nor in names that stay", () => {
    expect(hideNames("film-club and film", hidden, ["film-club"])).toBe("film-club and redacted 00000004");
    expect(without("film-club filmed microfilm old_film")).toBe("film-club filmed microfilm old_film");
  });

  it("are left where the program uses the same word or number itself", () => {
    const own = new Map([
      ["earned_autonomy", "redacted"],
      ["12", "redacted"],
      ["a", "redacted"],
    ]);
    expect(hideNames("earned_autonomy in 12 of a", own)).toBe("earned_autonomy in 12 of a");
  });

  it("are replaced in lists, and ids stay", () => {
    expect(without({ rows: [{ id: "film", group: "film" }], n: 3, none: null })).toEqual({
      rows: [{ id: "film", group: "redacted 00000004" }],
      n: 3,
      none: null,
    });
  });
});
