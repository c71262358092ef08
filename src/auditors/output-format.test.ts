import type { Schema } from "@google/genai";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decisionFormat } from "../audit/prompt/audit-prompt.js";
import { geminiSchema } from "./gemini/answer.js";
import { gbnf, jsonSchema, MAX_TEXT_CHARACTERS, type OutputFormat, TRACE_FORMATS } from "./output-format.js";

const NASTY = decisionFormat({ positive: 'say "no"\\ [x]', negative: "zulässig\n…" });
const FORMATS: OutputFormat[] = [TRACE_FORMATS.paper, TRACE_FORMATS.extended, NASTY];

interface Properties {
  type: string;
  properties: Record<string, { type: unknown; enum?: unknown[] }>;
  required: string[];
  additionalProperties?: boolean;
}

describe("the JSON Schema", () => {
  it.each(FORMATS)("of $name is strict and keeps the order of the fields", (format) => {
    const schema = jsonSchema(format) as Properties;
    const names = format.fields.map((field) => field.name);
    expect(Object.keys(schema.properties)).toEqual(names);
    expect(schema.required).toEqual(names);
    expect(schema.additionalProperties).toBe(false);
  });

  it("bounds every label", () => {
    const { properties } = jsonSchema(TRACE_FORMATS.extended) as Properties;
    expect(properties).toMatchObject({
      logic_chain: { type: "string" },
      precedent_weight: { type: "string", enum: ["High", "Medium", "Low"] },
      inverse_check: { type: "string", enum: ["Yes", "No"] },
      inverse_citation: { type: ["string", "null"] },
      defensibility_level: { type: "integer", enum: [1, 2, 3] },
      level3_reason: {
        type: ["string", "null"],
        enum: ["no_rule", "complies_with_cited_rule", "concept_absent", null],
      },
    });
    expect(Object.values(properties).every((property) => "description" in property)).toBe(true);
  });
});

describe("Gemini's schema", () => {
  it.each(FORMATS)("of $name says the order of the fields", (format) => {
    const schema = geminiSchema(format);
    const names = format.fields.map((field) => field.name);
    expect(schema.propertyOrdering).toEqual(names);
    expect(schema.required).toEqual(names);
    expect(Object.keys(schema.properties!)).toEqual(names);
  });

  it("bounds a level by its ends, since an enum is for texts only", () => {
    const { properties } = geminiSchema(TRACE_FORMATS.extended) as { properties: Record<string, Schema> };
    expect(properties.defensibility_level).toMatchObject({ type: "INTEGER", minimum: 1, maximum: 3 });
    expect(properties.precedent_weight).toMatchObject({ type: "STRING", enum: ["High", "Medium", "Low"] });
    expect(properties.level3_reason).toMatchObject({ type: "STRING", nullable: true });
    for (const property of Object.values(properties)) {
      if (property.type !== ("STRING" as Schema["type"])) expect(property.enum).toBeUndefined();
    }
  });
});

describe("the grammar, as llama.cpp reads it", () => {
  let accepts: (format: OutputFormat, text: string) => boolean;
  let dispose: () => Promise<void>;

  beforeAll(async () => {
    const { getLlama } = await import("node-llama-cpp");
    const llama = await getLlama({ gpu: false, build: "never", logLevel: "error" as never });
    dispose = () => llama.dispose();
    const grammars = new Map<OutputFormat, { _testText(text: string): boolean }>();
    for (const format of FORMATS) {
      const grammar: unknown = await llama.createGrammar({ grammar: gbnf(format) });
      grammars.set(format, grammar as { _testText(text: string): boolean });
    }
    accepts = (format, text) => grammars.get(format)!._testText(text);
  });
  afterAll(() => dispose());

  const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 });
  function answerTo(format: OutputFormat): fc.Arbitrary<Record<string, unknown>> {
    const values = format.fields.map((field) => {
      if (field.kind === "text") return text;
      if (field.kind === "text_or_null") return fc.option(text);
      if (field.kind === "choice_or_null") return fc.option(fc.constantFrom(...field.values));
      return fc.constantFrom<string | number>(...field.values);
    });
    return fc
      .tuple(...values)
      .map((parts) => Object.fromEntries(format.fields.map((field, index) => [field.name, parts[index]])));
  }

  it.each(FORMATS)("takes every compact answer in the form of $name", (format) => {
    fc.assert(
      fc.property(answerTo(format), (answer) => {
        expect(accepts(format, JSON.stringify(answer))).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it.each(FORMATS)("takes nothing but the one form of $name", (format) => {
    fc.assert(
      fc.property(answerTo(format), (answer) => {
        const compact = JSON.stringify(answer);
        const turned = Object.fromEntries(Object.entries(answer).reverse());
        const wrong = [
          JSON.stringify(answer, null, 1),
          `${compact} `,
          `${compact}\n`,
          ` ${compact}`,
          compact.slice(0, -1),
          JSON.stringify({ ...answer, more: 1 }),
          JSON.stringify(turned),
          JSON.stringify({ ...answer, [format.fields.at(-1)!.name]: "other" }),
        ];
        for (const one of wrong) expect([one, accepts(format, one)]).toEqual([one, false]);
      }),
      { numRuns: 50 },
    );
  });

  it("takes escapes, no raw control character and no empty text", () => {
    const format = TRACE_FORMATS.paper;
    const answer = (chain: string) =>
      `{"logic_chain":"${chain}","policy_citation":"R1","precedent_weight":"High","inverse_check":"No","defensibility_level":1}`;
    for (const fine of ['a\\n\\u00e9\\\\ \\" \\/', "é 漢 🌱"]) expect(accepts(format, answer(fine))).toBe(true);
    for (const bad of ["", "\n", "\t", "\u0000", "\u007f", "\u0085", "\\x", "\\u12", '"'])
      expect(accepts(format, answer(bad))).toBe(false);
  });

  it("ends a text that runs on", () => {
    const answer = (length: number) =>
      `{"logic_chain":"${"é".repeat(length)}","policy_citation":"R1","precedent_weight":"High","inverse_check":"No","defensibility_level":1}`;
    expect(accepts(TRACE_FORMATS.paper, answer(MAX_TEXT_CHARACTERS))).toBe(true);
    expect(accepts(TRACE_FORMATS.paper, answer(MAX_TEXT_CHARACTERS + 1))).toBe(false);
  });
});
