import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { makeAudit, makeManifest } from "../../../../test/support/make-audit.js";
import type { Decision } from "../../../core/records/decision.js";
import { erasedAudit } from "../../records/erased.js";
import { decision, jsonLines, tempWorkspace } from "../in-temp-folder.suite.js";
import { fileContext } from "../stores.js";
import type { Workspace } from "../workspace.js";
import { noteOutputs } from "./search-files.js";

const ERASER = { at: "2026-01-01T00:00:00Z", by: "ann", reason: "asked" };
/** As docs/statements.md has it: the same in every decision. */
const STATEMENT = { content_date: "2026-06-01", automated_detection: "No", content_type: ["CONTENT_TYPE_TEXT_OTHER"] };
const BOILERPLATE = "Posted with the app for the classified adverts of our town";
const NOTE = "The post offers goods for money and names no price, as rule R1 asks of every single offer";

function workspaceWith(decisions: readonly Decision[]): Workspace {
  const workspace = tempWorkspace();
  writeFileSync(workspace.paths.decisions, jsonLines(decisions));
  return workspace;
}

const post = (n: number, body: string) =>
  decision(`k${n}`, { content: body, rationale: NOTE, ...{ statement: STATEMENT, status: "closed" } });

const ROWS = [
  post(0, `An old bicycle with a lamp, call Karl at 0151 23456789. ${BOILERPLATE}`),
  post(1, `Two chairs made of oak, to be fetched on Sunday. ${BOILERPLATE}`),
  post(2, "No"),
  post(3, "Nobody needs this sofa any more."),
];

const linesOf = (text: string) => text.split("\n").filter(Boolean);

describe("copies in the folder", () => {
  it("lose the record of the decision alone, whatever records have in common", async () => {
    const workspace = workspaceWith(ROWS);
    const at = (name: string) => join(workspace.root, name);
    writeFileSync(at("backup.jsonl"), jsonLines(ROWS));
    writeFileSync(at("backup.jsonl.gz"), gzipSync(jsonLines(ROWS)));
    writeFileSync(at("others.jsonl"), jsonLines(ROWS.slice(1)));
    const { erasure } = fileContext(workspace);
    expect(await erasure.erase(["k0", "k2"], ERASER)).toEqual([
      { place: "decisions, content of k1", count: 1, what: "left" },
      { place: "backup.jsonl", count: 2, what: "erased" },
      { place: "backup.jsonl.gz", count: 2, what: "erased" },
      { place: "others.jsonl", count: 1, what: "erased" },
      { place: "decisions.jsonl", count: 2, what: "erased" },
    ]);
    for (const text of [
      readFileSync(at("backup.jsonl"), "utf8"),
      gunzipSync(readFileSync(at("backup.jsonl.gz"))).toString(),
      readFileSync(at("others.jsonl"), "utf8"),
    ])
      expect(linesOf(text).map((line) => JSON.parse(line))).toEqual([ROWS[1], ROWS[3]]);
  });

  it("keep answers about other decisions that use the same phrases", async () => {
    const workspace = workspaceWith(ROWS);
    const key = (n: number) => `p1${String(n).repeat(32)}`;
    const answers = [
      { key: key(0), text: JSON.stringify({ logic_chain: "The text says: call Karl at 0151 23456789." }) },
      { key: key(1), text: JSON.stringify({ logic_chain: `The post offers goods for money and names no price.` }) },
      { key: key(2), text: JSON.stringify({ logic_chain: "It is short.", inverse_check: "No" }) },
    ];
    writeFileSync(join(workspace.root, "answers.jsonl"), jsonLines(answers));
    const { erasure } = fileContext(workspace);
    expect(await erasure.erase(["k0", "k2"], ERASER)).toContainEqual({
      ...{ place: "answers.jsonl", count: 1, what: "erased" },
    });
    expect(linesOf(readFileSync(join(workspace.root, "answers.jsonl"), "utf8"))).toHaveLength(2);
  });
});

describe("what a record says besides its content", () => {
  const THREAD = "at://did:plc:user2/app.bsky.feed.post/3k2";
  const CITED = "R2, because Karla Kolumna of the Hauptstrasse 5 offers her bicycle";

  it("goes where a code is expected and a sentence or an address is found", async () => {
    const workspace = workspaceWith([
      decision("k0", { content: "Nobody needs this sofa any more.", thread_id: THREAD, cited_rule: CITED }),
      decision("k1", { content: "Two chairs made of oak, to be fetched.", thread_id: "t-881", cited_rule: "R2" }),
    ]);
    writeFileSync(join(workspace.root, "backup.jsonl"), jsonLines([{ decision_id: "k0", cited: CITED }]));
    const { erasure } = fileContext(workspace);
    await erasure.erase(["k0", "k1"], ERASER);
    const text = readFileSync(workspace.paths.decisions, "utf8");
    expect(text).not.toMatch(/Karla|did:plc/);
    const rows = linesOf(text).map((line) => JSON.parse(line));
    expect(rows[0]).toMatchObject({ thread_id: expect.stringMatching(/^erased-[0-9a-f]{16}$/) });
    expect(rows[0]).not.toHaveProperty("cited_rule");
    expect(rows[1]).toMatchObject({ thread_id: "t-881", cited_rule: "R2" });
    expect(readFileSync(join(workspace.root, "backup.jsonl"), "utf8")).toBe("");
    // Audits name the thread too, and are sealed with what an erasure leaves of them.
    const audit = makeAudit({ decision_id: "k0", thread_id: THREAD });
    expect(erasedAudit(audit).thread_id).toBe(rows[0].thread_id);
    expect(erasedAudit(erasedAudit(audit))).toEqual(erasedAudit(audit));
  });

  it("is found in the files that notes of labels and outcomes came from", async () => {
    const workspace = workspaceWith(ROWS);
    const note = "The appeal of Karla Kolumna was granted because her doctor confirmed the illness by letter";
    const outcome = { decision_id: "k3", outcome: "overturn", at: "2026-02-01T00:00:00Z", note };
    const label = {
      decision_id: "k0",
      level: 1,
      note: "The neighbour Hans Meier of number 7 told the same on the phone",
    };
    for (const [name, row] of [
      ["outcomes", outcome],
      ["appeals", outcome],
      ["labels", label],
      ["rated", label],
    ] as const)
      writeFileSync(join(workspace.root, `${name}.jsonl`), jsonLines([row]));
    const { erasure } = fileContext(workspace);
    await erasure.erase(["k0", "k3"], ERASER);
    for (const name of ["outcomes", "appeals", "labels", "rated"])
      expect(readFileSync(join(workspace.root, `${name}.jsonl`), "utf8"), name).not.toMatch(/Karla|Meier/);
    expect(readFileSync(workspace.paths.outcomes, "utf8")).toContain("overturn");
  });
});

describe("files that commands wrote", () => {
  /** Where lines are short, marks of quotation are many, or the audit says little. */
  const SECRET = 'SECRETA lives here\nHauptstr. 5\n0171-2345678\n"in SECRETA" town';
  const csv = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const html = (text: string) => text.replaceAll('"', "&#34;");
  const files = {
    "decisions.csv": `id,content\nk8,${csv(SECRET)}\n`,
    "decisions.jsonl": jsonLines([decision("k8", { content: SECRET })]),
    "certificate.html": `<h1>k9</h1><pre>${html('"A" "B" "C" "D" "E" "F" "G" "H" "I" "J"')}</pre>`,
    "audits.csv": `decision_id,logic_chain\nk7,"It has a ""number"" (0151)"\nk1,It is fine\n`,
    "numbers.csv": "decision_id,level\nk7,1\nk8,1\nk9,1\n",
  };

  it("are deleted if they name the decision and have words of it, in any spelling", async () => {
    const workspace = workspaceWith([
      ...ROWS,
      decision("k7", { content: "?" }),
      decision("k8", { content: SECRET }),
      decision("k9", { content: '"A" "B" "C" "D" "E" "F" "G" "H" "I" "J"' }),
    ]);
    const { erasure, runs } = fileContext(workspace);
    const writer = await runs.create({ ...makeManifest(), run_id: "20260101T000000Z-0001" });
    const trace = { ...makeAudit().trace, logic_chain: 'It has a "number" (0151)' };
    await writer.append([
      makeAudit({ run_id: "20260101T000000Z-0001", decision_id: "k7", trace: trace as never }),
      makeAudit({ run_id: "20260101T000000Z-0001", decision_id: "k1", trace: trace as never }),
    ]);
    await writer.close();
    mkdirSync(join(workspace.root, "out"));
    const paths = Object.keys(files).map((name) => join(workspace.root, "out", name));
    for (const [i, text] of Object.values(files).entries()) writeFileSync(paths[i]!, text);
    await noteOutputs(workspace, paths, { at: ERASER.at, command: "export" });
    const places = await erasure.erase(["k7", "k8", "k9"], ERASER);
    expect(places.filter(({ what }) => what === "left")).toEqual([]);
    expect(paths.filter((path) => existsSync(path))).toEqual([join(workspace.root, "out", "numbers.csv")]);
  });
});

describe("an id that is a number or a common word", () => {
  const RULE = "Posts with a link to a shop are removed, whoever the shop belongs to";
  const certificate = (id: string, content: string) => {
    const audit = { auditor_version: "5", at: "2026-06-02T10:00:00Z", rule: RULE };
    return `${JSON.stringify({ decision: { id }, content: { text: content }, audit }, null, 2)}\n`;
  };
  const rows = [
    decision("5", { content: "Quite another text about mosses and lichens", rationale: RULE }),
    decision("6", { content: "Karl writes about a shop with ferns and cactus today", rationale: RULE }),
    decision("2026", { content: "Anna is at the beach and has a link there", rationale: RULE }),
    decision("rule", { content: "Bea asks which rule the moderators mean by that", rationale: RULE }),
  ];

  it.each(rows.map(({ id }) => id))("deletes the certificate of %s alone", async (id) => {
    const workspace = workspaceWith(rows);
    const paths = rows.map((row) => join(workspace.root, `c-${row.id}.json`));
    for (const [i, row] of rows.entries()) writeFileSync(paths[i]!, certificate(row.id, row.content as string));
    await noteOutputs(workspace, paths, { at: ERASER.at, command: "certificate" });
    writeFileSync(join(workspace.root, "backup.jsonl"), jsonLines(rows));
    await fileContext(workspace).erasure.erase([id], ERASER);
    expect(paths.filter((path) => !existsSync(path))).toEqual([join(workspace.root, `c-${id}.json`)]);
    const kept = linesOf(readFileSync(join(workspace.root, "backup.jsonl"), "utf8"));
    expect(kept.map((line) => JSON.parse(line).id)).toEqual(rows.map((row) => row.id).filter((one) => one !== id));
  });
});

it("deletes the page of a certificate whose words are all common", async () => {
  const workspace = workspaceWith(["1", "2", "3"].map((id) => decision(id, { content: `${BOILERPLATE} ${id}` })));
  const paths = ["1", "2", "3"].map((id) => join(workspace.root, `c-${id}.html`));
  for (const [i, path] of paths.entries())
    writeFileSync(path, `<p>Decision <bdi>${i + 1}</bdi> in\n<p><bdi>3</bdi>\n<pre>${BOILERPLATE}</pre>\n`);
  await noteOutputs(workspace, paths, { at: ERASER.at, command: "certificate" });
  await fileContext(workspace).erasure.erase(["3"], ERASER);
  expect(paths.filter((path) => !existsSync(path))).toEqual([paths[2]]);
});

it("lists files of others that have the id and the whole of a short text, in whatever form", async () => {
  const workspace = workspaceWith([...ROWS, decision("post-abc-17", { content: "kys wombatface" })]);
  const write = (name: string, text: string) => writeFileSync(join(workspace.root, name), text);
  write("s.txt", "Decision post-abc-17 (plants)\n\n  kys\n  wombatface\n\nremove, level 3\n");
  write("table.md", "| id | text |\n|---|---|\n| post-abc-17 | kys wombatface |\n");
  write("notes.jsonl", '{"note": "post-abc-17 said: kys wombatface, removed"}\n');
  write("id.txt", "post-abc-17 was removed; another said: my wombatface kys.\n");
  write("text.txt", "Some say kys wombatface.\n");
  const places = await fileContext(workspace).erasure.erase(["post-abc-17"], ERASER);
  const left = places.filter(({ what }) => what === "left").map(({ place }) => place);
  expect(left.sort()).toEqual(["notes.jsonl", "s.txt", "table.md"]);
});

describe("records of other decisions", () => {
  it("that cannot be changed are listed with their decision", async () => {
    const text = "An old bicycle with a lamp, which stands in the yard behind the bakery";
    const workspace = workspaceWith([decision("k0", { content: text }), decision("k1")]);
    const { erasure, runs } = fileContext(workspace);
    const run_id = "20260101T000000Z-0001";
    const writer = await runs.create({ ...makeManifest(), run_id });
    const trace = { ...makeAudit().trace, logic_chain: `The reply is to "${text}", which is an offer.` };
    await writer.append([makeAudit({ run_id, decision_id: "k1", trace: trace as never })]);
    await writer.close();
    expect(await erasure.find(["k0"])).toContainEqual({
      place: `runs/${run_id}, audits of k1`,
      count: 1,
      what: "left",
    });
  });

  it("that a reply quotes too are erased, and the reply alone stays and is listed", async () => {
    const text = "An old bicycle with a lamp, which stands in the yard behind the bakery";
    const reply = decision("k2", { content: `> ${text}\nI disagree` });
    const workspace = workspaceWith([
      decision("k0", { content: text }),
      decision("k1", { rationale: `Compare k0, which said: ${text}` }),
      reply,
    ]);
    const copy = join(workspace.root, "copy.jsonl");
    writeFileSync(copy, jsonLines([{ row: 0, text }, { row: 1, text: "Other" }, reply]));
    const { erasure } = fileContext(workspace);
    expect(await erasure.erase(["k0"], ERASER)).toEqual([
      { place: "decisions, content of k2", count: 1, what: "left" },
      { place: "copy.jsonl", count: 1, what: "erased" },
      { place: "copy.jsonl", count: 1, what: "left" },
      { place: "decisions.jsonl", count: 2, what: "erased" },
    ]);
    expect(linesOf(readFileSync(copy, "utf8")).map((line) => JSON.parse(line))).toEqual([
      { row: 1, text: "Other" },
      reply,
    ]);
    const rows = linesOf(readFileSync(workspace.paths.decisions, "utf8")).map((line) => JSON.parse(line));
    expect(rows.slice(1)).toEqual([{ ...decision("k1"), rationale: "erased" }, reply]);
  });

  it("of which a reply quotes a part stay there and elsewhere, and all places are listed", async () => {
    const text = "An old bicycle with a lamp, which stands in the yard behind the bakery";
    const part = text.slice(0, 55);
    const reply = decision("k2", { content: `> ${part}\nIs it for sale?` });
    const about = decision("k1", { rationale: `Compare k0, which said: ${part}` });
    const workspace = workspaceWith([decision("k0", { content: text }), about, reply, decision("k3")]);
    const { erasure } = fileContext(workspace);
    const left = { place: "decisions, content of k1, k2", count: 1, what: "left" };
    for (const places of [await erasure.find(["k0"]), await erasure.erase(["k0"], ERASER)])
      expect(places).toEqual([left, { place: "decisions.jsonl", count: 1, what: "erased" }]);
    const rows = linesOf(readFileSync(workspace.paths.decisions, "utf8")).map((line) => JSON.parse(line));
    expect(rows.slice(1)).toEqual([about, reply, decision("k3")]);
  });
});
