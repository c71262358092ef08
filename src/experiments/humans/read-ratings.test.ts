import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { RaterNames, RatingKeys, readRatings } from "./read-ratings.js";
import type { RatingKey } from "./result.js";
import { contentCell, contentMark, type SheetCase } from "./sheet.js";
import { sheetCsv } from "./sheet-html.js";

const folder = mkdtempSync(join(tmpdir(), "defensible-ratings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const shown = (name: string, decision: string, content: string): SheetCase => ({
  case: name,
  community: "c",
  decision,
  opposite: decision === "remove" ? "approve" : "remove",
  restricts: decision === "remove",
  title: "",
  content,
  context: [],
  media: false,
  rules: [],
  precedents: [],
});

function keyOf(sheetId: string, cases: readonly SheetCase[]): RatingKey {
  return {
    format: 1,
    sheet_id: sheetId,
    run_id: "r",
    seed: 1,
    created_at: "",
    population: cases.length,
    strata: [],
    cases: cases.map((one) => ({
      case: one.case,
      decision_id: `${sheetId}-${one.case}`,
      stratum: "level 1, inverse No",
      weight: 1,
      decision: one.decision,
      content_mark: contentMark(contentCell(one)),
    })),
  };
}

let files = 0;
function file(text: string, extension = "csv"): string {
  const path = join(folder, `${files++}.${extension}`);
  writeFileSync(path, text);
  return path;
}

/** A sheet as a rater sends it back. */
const filled = (csv: string) => csv.replace(/^([^,\n]*),(C\d),,,,/gm, "$1,$2,ana,1,Yes,");

const one = [shown("C1", "remove", "first\ncontent\u0000 \u0007here"), shown("C2", "approve", "=1+1")];
const two = [shown("C1", "remove", "quite another text"), shown("C2", "remove", "=1+1")];
const keys = RatingKeys.of(keyOf("S1", one), keyOf("S2", two));

describe("readRatings", () => {
  it("fills in how each case was drawn; a key that does not say is of a sheet", async () => {
    const key = keyOf("s1", one);
    key.cases[0]!.weight = 8;
    const rated = file(filled(sheetCsv("s1", one)));
    const bySheet = await readRatings([rated], RatingKeys.of(key));
    expect(bySheet.labels[0]).toMatchObject({
      drawn: "sheet",
      inclusion: 0.125,
      stratum: "level 1, inverse No",
      frame: "r",
    });
    const { labels } = await readRatings([rated], RatingKeys.of({ ...key, drawn: "random" }));
    expect(labels[0]).toMatchObject({ drawn: "random", inclusion: 0.125, frame: "r" });
    expect(labels[0]).not.toHaveProperty("stratum");
  });

  it("finds the key of each row by its sheet id, so that files of two sheets go together", async () => {
    const read = await readRatings([file(filled(sheetCsv("S1", one))), file(filled(sheetCsv("S2", two)))], keys);
    expect(read.faults).toEqual([]);
    expect(read.labels.map(({ decision_id, sheet_id }) => [decision_id, sheet_id])).toEqual([
      ["S1-C1", "S1"],
      ["S1-C2", "S1"],
      ["S2-C1", "S2"],
      ["S2-C2", "S2"],
    ]);
  });

  it("refuses rows of a sheet that it has no key of, and rows that could be of several", async () => {
    const other = await readRatings([file(filled(sheetCsv("S3", one)))], keys);
    expect(other).toMatchObject({ labels: [], faults: [{ reason: expect.stringContaining("is of sheet S3") }, {}] });
    const rows = "case,rater,level,inverse\nC1,ana,1,Yes\n";
    const unnamed = await readRatings([file(rows)], keys);
    expect(unnamed).toMatchObject({ labels: [], faults: [{ reason: expect.stringMatching(/no sheet_id.*--sheet/) }] });
    expect((await readRatings([file(rows)], RatingKeys.of(keyOf("S1", one)))).labels).toHaveLength(1);
  });

  it("refuses a row that shows another decision or content than the key's", async () => {
    const only = RatingKeys.of(keyOf("S1", one));
    const read = await readRatings([file(filled(sheetCsv("", two)))], only);
    expect(read.labels).toEqual([]);
    expect(read.faults.map(({ reason }) => reason)).toEqual([
      "case C1: the row's content is not that of the key's decision; is the file of another sheet or workspace?",
      "case C2: the row says remove, the key's decision is approve; is the file of another sheet or workspace?",
    ]);
  });

  it("knows content again after a spreadsheet has changed line breaks, quotes and spaces", async () => {
    const csv = filled(sheetCsv("S1", [shown("C1", "remove", "first\ncontent here"), one[1]!]));
    const read = await readRatings(
      [file(csv.replace("first\ncontent here", " first\r\n\r\ncontent\u00a0here "))],
      keys,
    );
    expect(read).toMatchObject({ faults: [], labels: [{}, {}] });
  });

  it("takes a rater's spellings for one, under the first, also one of earlier ratings", async () => {
    const rows = "sheet_id,case,rater,level,inverse\nS1,C1, Ana ,1,Yes\nS1,C2,ANA,1,Yes\nS2,C1,ana  b,2,No\n";
    const fresh = await readRatings([file(rows)], keys);
    expect(fresh.labels.map(({ rater }) => rater)).toEqual(["Ana", "Ana", "ana b"]);
    const names = new RaterNames(["aNa"]);
    expect((await readRatings([file(rows)], keys, { names })).labels[1]).toMatchObject({ rater: "aNa" });
  });

  it("refuses a rater that is no text, and takes 1.0 for 1", async () => {
    const row = (rater: unknown, level: unknown) =>
      JSON.stringify({ sheet_id: "S1", case: "C1", rater, level, inverse: "No" });
    const read = await readRatings([file(`${row({ a: 1 }, 1)}\n${row(7, 1)}\n${row("x", "1.0")}\n`, "jsonl")], keys);
    expect(read.faults.map(({ reason }) => reason)).toEqual([
      'rater: got {"a":1}, expected text',
      "rater: got 7, expected text",
    ]);
    expect(read.labels).toMatchObject([{ rater: "x", level: 1 }]);
    const csv = await readRatings([file("sheet_id,case,rater,level,inverse\nS1,C1,x,2.0,No\nS1,C2,x,1.5,No\n")], keys);
    expect(csv.labels).toMatchObject([{ level: 2 }]);
    expect(csv.faults).toMatchObject([{ reason: 'level: got "1.5", expected 1, 2 or 3' }]);
  });
});

describe("sheetCsv", () => {
  it("has the sheet's id in each row and no control characters in any cell", () => {
    const csv = sheetCsv("S1", one);
    expect(csv).toMatch(/^sheet_id,case,rater,/);
    expect(csv.match(/^S1,C\d,/gm)).toHaveLength(2);
    expect(csv).toContain("first\ncontent here");
    expect(csv).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/);
  });
});
