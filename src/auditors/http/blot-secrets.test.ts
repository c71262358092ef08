import { describe, expect, it } from "vitest";
import type { Generation } from "../../core/records/case.js";
import { blotSecrets, parseWithoutSecrets, withoutSecrets } from "./raw-response.js";

const KEY = "sk-a/b.C+9f31c2d7";
const points = [...KEY].map((character) => character.charCodeAt(0));
const hex = points.map((point) => point.toString(16).padStart(4, "0"));

const DISGUISES: Readonly<Record<string, string>> = {
  "as it is": KEY,
  "with its slash escaped": KEY.replaceAll("/", "\\/"),
  "escaped by code": hex.map((code) => `\\u${code}`).join(""),
  "escaped by code in capitals, half of it":
    KEY.slice(0, 8) +
    hex
      .slice(8)
      .map((code) => `\\u${code.toUpperCase()}`)
      .join(""),
  "escaped twice": hex.map((code) => `\\\\u${code}`).join(""),
  "as \\x": hex.map((code) => `\\x${code.slice(2)}`).join(""),
  "as HTML": points.map((point) => `&#${point};`).join(""),
  "as an address has it": encodeURIComponent(KEY),
  "as code points": JSON.stringify(points),
  "as code points on lines": points.join(",\n      "),
  "as U+": hex.map((code) => `U+${code}`).join(" "),
};

describe("blotSecrets", () => {
  it.each(Object.entries(DISGUISES))("finds a key %s", (_, text) => {
    const blotted = blotSecrets(`before ${text} after`, [KEY]);
    expect(blotted).toMatch(/^before \[?\*{17}\]? after$/);
  });

  it("leaves ordinary text and what is too short to be a key", () => {
    const text = 'none of these: \\u0073\\u006b "s" [115, 107] %73 \\/ sk-a';
    expect(blotSecrets(text, [KEY, "none", ""])).toBe(text);
  });

  it("takes time in proportion to the text, however that is made", () => {
    for (const piece of ["\\", "\\u0073", "115,", "s", "&#0", "0", " "]) {
      const started = performance.now();
      blotSecrets(piece.repeat(Math.floor(2_000_000 / piece.length)), [KEY]);
      expect(performance.now() - started, piece).toBeLessThan(3000);
    }
  });
});

describe("parseWithoutSecrets", () => {
  it("finds keys in names and values, whatever they are escaped as", () => {
    const escaped = hex.map((code) => `\\u${code}`).join("");
    const parsed = parseWithoutSecrets(`{"${escaped}":["${escaped}",{"a":"${KEY}"}],"b":1}`, [KEY]);
    expect(parsed).toEqual({ "*****************": ["*****************", { a: "*****************" }], b: 1 });
  });

  it("quotes nothing of a body that it cannot read", () => {
    for (const body of [`{"a":"${KEY}`, `${KEY}`, `{"a":${KEY}}`, `{"a":"x"} ${KEY}`]) {
      const error: unknown = (() => {
        try {
          return parseWithoutSecrets(body, [KEY]);
        } catch (thrown) {
          return thrown;
        }
      })();
      expect(error).toBeInstanceOf(SyntaxError);
      for (let at = 0; at + 4 <= KEY.length; at++) expect(String(error)).not.toContain(KEY.slice(at, at + 4));
    }
  });
});

describe("withoutSecrets", () => {
  const usage = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, cost_usd: 0 };
  const generation = (text: string, tokens: string[]): Generation => ({
    ...{ text, finish: "stop", space: "raw", temperature: 1, support: "top_k", model: "m", usage },
    tokens: tokens.map((token) => ({ text: token, logprob: 0, top: [] })),
  });

  it("leaves out tokens that spell a key, also where the text does not", () => {
    const pieces = [KEY.slice(0, 3), KEY.slice(3, 9), KEY.slice(9)];
    expect(withoutSecrets(generation(`x ${KEY}`, ["x ", ...pieces]), [KEY])).toMatchObject({
      text: "x *****************",
      tokens: null,
    });
    expect(withoutSecrets(generation("harmless", pieces), [KEY]).tokens).toBeNull();
  });

  it("gives back the same where there is none", () => {
    const clean = generation("harmless", ["harm", "less"]);
    expect(withoutSecrets(clean, [KEY])).toBe(clean);
  });
});
