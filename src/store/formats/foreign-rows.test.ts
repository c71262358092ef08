import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvRow } from "../../core/records/csv-row.js";
import { withDuckDB } from "../files/duckdb.js";
import { failure, jsonLines, tempFile, tempFolder } from "../files/in-temp-folder.suite.js";
import { RECORD_KINDS } from "../records/record-kinds.js";
import { foreignRows } from "./foreign-rows.js";
import { Fault, parseJson } from "./parse-json.js";

const { fields } = RECORD_KINDS.decisions;

/** Line and value (or reason) of every row. */
async function rows(path: string, rename = new Map<string, string[]>()): Promise<[number, unknown][]> {
  const found: [number, unknown][] = [];
  for await (const batch of foreignRows(path, { fields, rename })) {
    for (const row of batch.rows) found.push([row.line, row.value instanceof Fault ? row.value.reason : row.value]);
  }
  return found;
}

describe("CSV", () => {
  it("counts lines as an editor does: quoted line breaks, blank lines, CRLF, a BOM", async () => {
    const text = '\uFEFFid,content\r\n1,"a\r\nb\nc"\r\n\r\n2,x\r\n"3","y"';
    expect(await rows(tempFile("a.csv", text))).toEqual([
      [2, { id: "1", content: "a\r\nb\nc" }],
      [6, { id: "2", content: "x" }],
      [7, { id: "3", content: "y" }],
    ]);
  });

  it("reads files whose lines end in a lone CR", async () => {
    expect(await rows(tempFile("a.csv", "id,content\r1,x\r2,y\r"))).toEqual([
      [2, { id: "1", content: "x" }],
      [3, { id: "2", content: "y" }],
    ]);
  });

  it("nests dotted columns, leaves empty cells out and ignores columns without a name", async () => {
    const text = ",id,content.title,content.body,decider.kind,meta.a.b\n0,1,t,b,,5\n1,2,,b,human,\n";
    expect(await rows(tempFile("a.csv", text))).toEqual([
      [2, { id: "1", content: { title: "t", body: "b" }, meta: { a: { b: 5 } } }],
      [3, { id: "2", content: { body: "b" }, decider: { kind: "human" } }],
    ]);
  });

  it("removes exactly one quote mark of the formula guard", async () => {
    const text = "id,content\n'=1,''=1\n'x,'''-\n-5,'\n";
    expect((await rows(tempFile("a.csv", text))).map(([, row]) => row)).toEqual([
      { id: "=1", content: "'=1" },
      { id: "'x", content: "''-" },
      { id: "-5", content: "'" },
    ]);
  });

  it("reads JSON in a lone content column as content with parts, and as text beside columns of parts", async () => {
    const json = csvRow(["1", '{"body":"b"}', ""]);
    expect(await rows(tempFile("a.csv", `id,content,x\n${json}`))).toEqual([
      [2, { id: "1", content: { body: "b" }, x: "" }],
    ]);
    expect(await rows(tempFile("a.csv", `id,content,content.title\n1,"{""body"":""b""}",\n`))).toEqual([
      [2, { id: "1", content: '{"body":"b"}' }],
    ]);
  });

  it("joins content with its parts, and tells where both are filled", async () => {
    const text = 'id,content,content.language,content.body\n1,hola,es,\n2,a,,b\n3,,es,\n4,"",,\n';
    expect(await rows(tempFile("a.csv", text))).toEqual([
      [2, { id: "1", content: { language: "es", body: "hola" } }],
      [3, "is filled twice: as a whole and in parts"],
      [4, { id: "3", content: { language: "es", body: null } }],
      [5, { id: "4", content: "" }],
    ]);
  });

  it("takes semicolons and tabs", async () => {
    expect(await rows(tempFile("a.csv", "id;content\n1;a,b\n"))).toEqual([[2, { id: "1", content: "a,b" }]]);
    expect(await rows(tempFile("a.tsv", "id\tcontent\n1\ta,b\n"))).toEqual([[2, { id: "1", content: "a,b" }]]);
  });

  it("rejects ragged rows, unclosed quotes and text after a quote, each at its line", async () => {
    const text = 'id,content\n1\n2,x,y\n3,"a"b\n4,x\n5,"open\nto the end\n';
    expect(await rows(tempFile("a.csv", text))).toEqual([
      [2, "has 1 cells where the header has 2"],
      [3, "has 3 cells where the header has 2"],
      [4, "there is text after a closing quote"],
      [5, { id: "4", content: "x" }],
      [6, "a quote is opened and never closed"],
    ]);
  });

  it("tells a row that is not UTF-8 from its neighbours", async () => {
    const found = await rows(tempFile("a.csv", Buffer.from("id,content\n1,caf\xe9\n2,x\n", "latin1")));
    expect(found[0]).toEqual([2, expect.stringContaining("is not UTF-8 text")]);
    expect(found[1]).toEqual([3, { id: "2", content: "x" }]);
  });

  it("refuses a header with a column twice, or in another encoding", async () => {
    expect((await failure(() => rows(tempFile("a.csv", "id,id\n1,2\n")))).message).toContain(
      'column "id" appears twice',
    );
    const latin = Buffer.from("id,caf\xe9\n1,2\n", "latin1");
    expect((await failure(() => rows(tempFile("a.csv", latin)))).message).toContain("the header line: is not UTF-8");
  });

  it("does not let a column reach the prototype", async () => {
    await rows(tempFile("a.csv", "id,__proto__.polluted,constructor.prototype.polluted\n1,yes,yes\n"));
    expect(({} as { polluted?: string }).polluted).toBeUndefined();
  });

  it("finds the same rows wherever the chunks of reading end", async () => {
    // 3 MB of rows with quotes, line breaks and characters of two to four bytes: every kind of boundary comes up.
    const cells = ["é\r\n", '"', "😀,", "\r", "\n\n", "x".repeat(37), "’"];
    const expected = Array.from({ length: 60_000 }, (_, n) => ({
      id: `${n}`,
      content: `${cells[n % 7]}${cells[(n * 3) % 7]}${n}`,
    }));
    const text = `id,content\n${expected.map(({ id, content }) => `${id},"${content.replaceAll('"', '""')}"\r\n`).join("")}`;
    const found = await rows(tempFile("a.csv", text));
    expect(found.map(([, row]) => row)).toEqual(expected);
    expect(found.at(-1)![0]).toBe(text.slice(0, text.lastIndexOf("59999,")).split("\n").length);
  });

  it("gives up on a quote that is not closed within 16 MB instead of holding the file", async () => {
    const path = tempFile("a.csv", `id,content\n1,"${"x\n".repeat(9 << 20)}`);
    expect((await failure(() => rows(path))).message).toContain("starts in line 2 is longer than 16 MB");
  });
});

describe("JSONL", () => {
  it("tells bad lines by number and goes on", async () => {
    const text = '\uFEFF{"id":1}\r\n\n[1]\n{"id":\n"x"\n{"id":2}';
    expect(await rows(tempFile("a.jsonl", text))).toEqual([
      [1, { id: 1 }],
      [3, "is not a JSON object"],
      [4, "is not valid JSON"],
      [5, "is not a JSON object"],
      [6, { id: 2 }],
    ]);
  });

  it("says of a torn last line that the file ends in it", async () => {
    const found = await rows(tempFile("a.jsonl", '{"id":1}\n{"id":2,"con'));
    expect(found[1]).toEqual([2, "is not valid JSON; the file ends in the middle of it"]);
  });

  it("is recognised under any name", async () => {
    for (const name of ["a.json", "a.txt", "a"]) {
      expect(await rows(tempFile(name, '{"id":1}\n{"id":2}\n'))).toHaveLength(2);
    }
  });
});

describe("a JSON array", () => {
  it("streams its elements with their lines", async () => {
    const text = '[\n  {"id": 1,\n   "content": "a]\\"}[,"},\n\n  {"id": 2},{"id": 3}\n, 4, "x,y"]\n';
    expect(await rows(tempFile("a.json", text))).toEqual([
      [2, { id: 1, content: 'a]"}[,' }],
      [5, { id: 2 }],
      [5, { id: 3 }],
      [6, "is not a JSON object"],
      [6, "is not a JSON object"],
    ]);
  });

  it("gives what JSON.parse gives, however it is laid out", async () => {
    const folder = tempFolder();
    let n = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), fc.nat(3), async (list, indent) => {
        const path = join(folder, `${n++}.json`);
        writeFileSync(path, JSON.stringify(list, null, indent));
        const expected = parseJson(JSON.stringify(list));
        expect(JSON.stringify((await rows(path)).map(([, row]) => row))).toBe(JSON.stringify(expected));
      }),
    );
  });

  it("says that the end is missing", async () => {
    const torn = "is not valid JSON; the file ends in the middle of it";
    expect(await rows(tempFile("a.json", '[{"id":1},\n{"id":2,"con'))).toEqual([
      [1, { id: 1 }],
      [2, torn],
    ]);
    expect((await rows(tempFile("a.json", '[{"id":1},{"id":2}')))[2]).toEqual([1, torn]);
  });

  it("takes one record written over several lines", async () => {
    expect(await rows(tempFile("a.json", '{\n "id": 1\n}\n'))).toEqual([[1, { id: 1 }]]);
  });
});

describe("Parquet", () => {
  const parquet = async (select: string) => {
    const path = join(tempFolder(), "a.parquet");
    await withDuckDB((db) => db.run(`COPY (${select}) TO '${path}' (FORMAT parquet)`));
    return path;
  };

  it("reads structs, lists, long ids, times in UTC, bytes that are text, and NaN as null", async () => {
    const path =
      await parquet(`SELECT 1234567890123456789 AS id, {'title': 't', 'body': NULL} AS content, ['a'] AS tags, 'NaN'::DOUBLE AS x,
      TIMESTAMPTZ '2024-01-01 02:00:00+02' AS decided_at, encode('é') AS bytes, '\\xFF'::BLOB AS junk, 'v' AS row`);
    expect(await rows(path)).toEqual([
      [
        1,
        {
          id: "1234567890123456789",
          content: { title: "t", body: null },
          tags: ["a"],
          x: null,
          decided_at: "2024-01-01 00:00:00+00",
          bytes: "é",
          junk: null,
          row: "v",
        },
      ],
    ]);
  });

  it("is recognised by its content, and told when it is torn", async () => {
    const path = tempFile("a.csv", "PAR1 and then nothing of the kind");
    expect((await failure(() => rows(path))).message).toContain("not a readable Parquet file");
  });

  it("reads text of JSON as content with parts", async () => {
    const path = await parquet(`SELECT * FROM (VALUES ('1', '{"body":"b"}'), ('2', 'plain {')) AS t(id, content)`);
    expect((await rows(path)).map(([, row]) => row)).toEqual([
      { id: "1", content: { body: "b" } },
      { id: "2", content: "plain {" },
    ]);
  });
});

it("reads the same rows from every format", async () => {
  const expected = [
    { id: "1", content: "a", decision: "remove" },
    { id: "2", content: 'b,\n"c"', decision: "approve" },
  ];
  const csv = `id,content,decision\n${expected.map((row) => csvRow(Object.values(row))).join("")}`;
  const files = [
    tempFile("a.csv", csv),
    tempFile("a.jsonl", jsonLines(expected)),
    tempFile("a.json", JSON.stringify(expected)),
  ];
  for (const file of files) expect((await rows(file)).map(([, row]) => row)).toEqual(expected);
});
