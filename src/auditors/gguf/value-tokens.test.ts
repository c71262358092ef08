import { describe, expect, it } from "vitest";
import { TRACE_FORMATS } from "../output-format.js";
import { allTokens, valueTokens } from "./answer-prompt.js";

function read(tokens: readonly (string | number[])[]): string[] {
  const parts = tokens.map((token) => Buffer.from(token as string));
  const ends = Int32Array.from(parts, (_, i) => Buffer.concat(parts.slice(0, i + 1)).length);
  const wanted = allTokens(valueTokens(Buffer.concat(parts), ends, TRACE_FORMATS.extended));
  return wanted.map((at) => parts[at]!.toString("latin1"));
}

const HEAD = ['{"logic_chain":"', "because", '","policy_citation":"'];
const TAIL = [
  ...['"precedent_weight":"', "Med", "ium", '","inverse_check":"', "No", '","inverse_citation":', "null", ","],
  ...['"defensibility_level":', "2", ',"level3_reason":', "null", "}"],
];

describe("valueTokens", () => {
  it("wants the whole citation and the first token of each label", () => {
    expect(read([...HEAD, "R1", " no", ' links","', ...TAIL.with(0, 'precedent_weight":"')])).toEqual([
      ...'R1| no| links","|Med|No|2'.split("|"),
    ]);
  });

  it("counts bytes, not characters, and takes halves of them", () => {
    expect(read([...HEAD, [0xc3], [0xa9], "!", '",', ...TAIL])).toEqual(["\u00c3", "\u00a9", "!", "Med", "No", "2"]);
  });

  it("finds its places behind bytes that are no text", () => {
    expect(read([HEAD[0]!, [0xff, 0xfe], HEAD[2]!, "R1", '",', ...TAIL])).toEqual(["R1", "Med", "No", "2"]);
  });

  it("wants nothing of a value that was broken off, nor of an empty citation", () => {
    expect(read([...HEAD, "R1", " no"])).toEqual([]);
    expect(read([...HEAD, '",', '"precedent_weight":"', "Med", "ium", '","inverse_check":"', "N"])).toEqual(["Med"]);
    expect(read(["nothing"])).toEqual([]);
    expect(read([])).toEqual([]);
  });
});
