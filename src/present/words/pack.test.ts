import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pack, unpack } from "./pack.js";

/** As it comes out of a file: through JSON. */
function throughFile(value: unknown): unknown {
  return unpack(JSON.parse(JSON.stringify(pack(value))));
}

describe("pack", () => {
  it("gives back any JSON value, down to the order of members", () => {
    const value = fc.jsonValue({ maxDepth: 5 });
    fc.assert(
      fc.property(value, fc.array(value, { maxLength: 6 }), (one, several) => {
        for (const data of [one, several, { one, several }]) {
          // By way of JSON: it writes −0 as 0.
          const plain = JSON.stringify(data);
          expect(JSON.stringify(throughFile(JSON.parse(plain)))).toBe(plain);
        }
      }),
    );
  });

  it("gives back lists of objects of several shapes, with nulls between them", () => {
    const estimate = { estimate: 0.5, lower: 0.4, n: 3 };
    const rows = [{ a: estimate }, null, { a: { estimate: null, reason: "none", n: 0 } }, {}, { b: [1], a: null }];
    expect(JSON.stringify(throughFile(rows))).toBe(JSON.stringify(rows));
  });

  it("gives back lists of lists: empty ones, nulls, even and uneven ones", () => {
    const lists = [
      [[0.1, 0.2, 0.7], null, [0.3, 0.3, 0.4]],
      [
        ["a", 1],
        ["b", 2],
        ["c", 3],
      ],
      [[], [], []],
      [[[1], [2], [3]], [], [[4]]],
    ];
    for (const list of [...lists, lists]) expect(throughFile(list)).toEqual(list);
  });

  it("keeps members with names that mean something to the language or to itself", () => {
    const odd = '{"__proto__":{"x":1},"constructor":2,"$rows":{"x":[1,2]},"$$rows":4}';
    const text = `{"one":${odd},"many":[${odd},${odd},{"__proto__":3}]}`;
    expect(JSON.stringify(throughFile(JSON.parse(text)))).toBe(text);
  });

  it("writes the names of members once for a whole list", () => {
    const rows = Array.from({ length: 100 }, (_, n) => ({ community: `c${n}`, n }));
    expect(JSON.stringify(pack(rows)).match(/community/g)).toHaveLength(1);
  });
});
