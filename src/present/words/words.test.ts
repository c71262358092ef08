import { describe, expect, it } from "vitest";
import { GATE_MODES, GATE_STATES, GATE_VARIABLES } from "../../core/gate.js";
import { ERASED, NO_RULES } from "../../core/names.js";
import { CITATION_SCOPES, FLAGS, LEVEL3_REASONS, PRECEDENT_WEIGHTS, SIGNAL_MODES } from "../../core/records/audit.js";
import { RULE_KINDS, TIERS } from "../../core/records/rule-set.js";
import { LOOK_REASONS } from "../../measures/report-page.js";
import { UNSCORED_CODES } from "../../measures/signals/extract-sampled.js";
import { type Words, wordOr, wordsOf } from "./vocabulary.js";
import * as auditWords from "./words.js";
import * as otherWords from "./words.js";

const words = { ...auditWords, ...otherWords };

const TABLES: [string, Readonly<Record<string | number, Words>>, readonly (string | number)[]][] = [
  ["states", words.STATE_WORDS, GATE_STATES],
  ["levels", words.LEVEL_WORDS, [1, 2, 3]],
  ["outcomes", words.OUTCOME_WORDS, ["verdict", "unscored", "error"]],
  ["answers of the inverse check", words.INVERSE_WORDS, ["yes", "no"]],
  ["reasons to look", words.REASON_WORDS, LOOK_REASONS],
  ["flags", words.FLAG_WORDS, FLAGS],
  ["reasons for no verdict", words.UNSCORED_WORDS, [...UNSCORED_CODES, NO_RULES, ERASED]],
  ["modes", words.MODE_WORDS, GATE_MODES],
  ["variables", words.VARIABLE_WORDS, GATE_VARIABLES],
  ["limits", words.BINDING_WORDS, ["di", "ai", "both"]],
  ["kinds of rules", words.RULE_KIND_WORDS, RULE_KINDS],
  ["tiers", words.TIER_WORDS, TIERS],
  ["scopes of a citation", words.CITATION_SCOPE_WORDS, CITATION_SCOPES],
  ["signal modes", words.SIGNAL_WORDS, SIGNAL_MODES],
  ["reasons for level 3", words.LEVEL3_REASON_WORDS, LEVEL3_REASONS],
  ["precedent weights", words.WEIGHT_WORDS, PRECEDENT_WEIGHTS],
];

describe("words for people", () => {
  it.each(TABLES)("has words for every member of the %s, and for nothing else", (_, table, members) => {
    expect(Object.keys(table).sort()).toEqual(members.map(String).sort());
    for (const { name, meaning } of Object.values(table)) {
      expect(name).toMatch(/^[A-Z]\S/);
      expect(name).not.toContain("_");
      expect(meaning).toMatch(/^[A-Z].*\.$/);
    }
    const names = Object.values(table).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it("says every table that it exports", () => {
    const exported = Object.values(words).filter((value) => typeof value === "object");
    expect(new Set(TABLES.map(([, table]) => table))).toEqual(new Set(exported));
  });

  it("writes a name that it does not know in plain letters", () => {
    expect(wordsOf(words.STATE_WORDS, "made_up")).toEqual({ name: "made up", meaning: "" });
    expect(wordsOf(words.STATE_WORDS, "toString").name).toBe("toString");
    expect(wordsOf(words.LEVEL_WORDS, 3).name).toBe("Indefensible");
    const table: Record<string, string> = { kind: "kind of attack" };
    const names = ["kind", "made_up", "constructor", "a\u001b[2Jb\u202e"];
    expect(names.map((name) => wordOr(table, name))).toEqual([
      "kind of attack",
      "made up",
      "constructor",
      "a[U+001B][2Jb[U+202E]",
    ]);
  });
});

it("a precedent weight says nothing of precedents where none were given", () => {
  expect(auditWords.weightMeaning("High", 0)).toBe("No precedents were given, so this says nothing about them.");
  for (const shown of [3, null])
    expect(auditWords.weightMeaning("High", shown)).toBe("By its own account, precedents settle the case.");
});
