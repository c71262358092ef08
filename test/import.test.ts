import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CLI, cli, cliOk, temporaryFolder } from "./support/cli.js";

/** A workspace with a file next to it. */
function workspaceWith(name: string, content: string): { cwd: string; file: string } {
  const folder = temporaryFolder();
  cliOk(["init", join(folder, "ws")]);
  writeFileSync(join(folder, name), content);
  return { cwd: join(folder, "ws"), file: `../${name}` };
}

const decisions = (cwd: string) =>
  readFileSync(join(cwd, "decisions.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Runs a printed command in a shell, as it would be after pasting. */
function paste(stderr: string, cwd: string) {
  const command = /^ {2}(defensible import [\s\S]*?[^\\])\n(?! {4})/m.exec(stderr)![1]!;
  const script = `defensible() { '${process.execPath}' '${CLI}' "$@"; }\n${command}`;
  return spawnSync("sh", ["-c", script], { cwd, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } });
}

const FORUM = `log_id,subreddit,title,text,action,mod_review,moderator,created_utc
9001,plants,Cheap bulbs,"Best prices, see https://example.org/shop",removelink,removelink,kim,1777888800
9002,plants,Which fern is this?,Found it by the river.,approvelink,,AutoModerator,1777894200
`;
const SHEET = `\uFEFFCase;Queue;Message from user;Our decision;QA outcome;It's "policy";Analyst;$(touch pwned)\r
TS-1;Marketplace;"Selling my bike,\r\nwrite to me";Taken down;Left up;P4;Maria Lopez;x\r
TS-2;General;I do not like this at all;No action;No action;;Tom;y\r
`;
const BOT = `${[
  {
    ts: "2026-05-01T10:00:00Z",
    guild: "gaming",
    msg: { id: 1, text: "free coins here" },
    is_spam: true,
    confidence: 0.97,
  },
  {
    ts: "2026-05-01T10:01:00Z",
    guild: "gaming",
    msg: { id: 2, text: "a raid tonight?" },
    is_spam: false,
    confidence: 0.8,
  },
]
  .map((row) => JSON.stringify(row))
  .join("\n")}\n`;

describe("a file with columns of its own", () => {
  it.each([
    [
      "modlog.csv",
      FORUM,
      {
        id: "9001",
        decision: "remove",
        human_label: "remove",
        decider: { id: "kim" },
        decided_at: "2026-05-04T10:00:00Z",
      },
    ],
    [
      "the team's sheet.csv",
      SHEET,
      { id: "TS-1", decision: "remove", human_label: "approve", content: "Selling my bike,\r\nwrite to me" },
    ],
    ["bot.jsonl", BOT, { id: "1", community: "gaming", decision: "remove", decider: { confidence: 0.97 } }],
  ])("is refused in a script with a command to paste, which takes it: %s", (name, content, first) => {
    const { cwd, file } = workspaceWith(name, content);
    const refused = cli(["import", file], { cwd });
    expect(refused.status).toBe(1);
    expect(refused.stdout).toContain("Imported 0 decisions");
    expect(refused.stderr).toMatch(/every row lacks "id".*\n\nWhat its columns seem to be:\n {2}\S.* → /);
    const pasted = paste(refused.stderr, cwd);
    expect(pasted.stderr).toBe("");
    expect(pasted.stdout).toBe("Imported 2 decisions; 0 duplicates, 0 rejected.\n");
    expect(decisions(cwd)[0]).toMatchObject(first);
  });

  it("keeps decision and second opinion apart, and is refused with --yes where values alone say which is which", () => {
    const rows = (columns: string) =>
      `post_id,section,body,${columns}\n1,Listings,"Bread knife, wooden handle",remove,keep\n2,Listings,An oak bookshelf,keep,keep\n`;
    const read = workspaceWith("log.csv", rows("mod_decision,second_opinion"));
    expect(cli(["import", read.file, "--yes"], { cwd: read.cwd }).status).toBe(0);
    expect(decisions(read.cwd)[0]).toMatchObject({ decision: "remove", human_label: "approve" });

    const unsure = workspaceWith("log.csv", rows("mod_decision,automod"));
    const refused = cli(["import", unsure.file, "--yes"], { cwd: unsure.cwd });
    expect(refused.status).toBe(1);
    expect(refused.stdout).toContain("Imported 0 decisions");
    expect(refused.stderr).toContain(
      "the decision is automod by its values alone, and mod_decision could be it by its name, so nothing was imported",
    );
    expect(refused.stderr).toMatch(
      /If mod_decision is the decision, paste:\n {2}defensible [\s\S]*If automod is:\n {2}/,
    );
    expect(paste(refused.stderr, unsure.cwd)).toMatchObject({ status: 0, stderr: "" });
    expect(decisions(unsure.cwd)[0]).toMatchObject({ decision: "remove", human_label: "approve" });
  });

  it("is taken by its guess with --yes, and by its profile the next day", () => {
    const { cwd, file } = workspaceWith("modlog.csv", FORUM);
    const settings = readFileSync(join(cwd, "defensible.yaml"), "utf8");
    const first = cli(["import", file, "--yes", "--save-profile", "daily"], { cwd });
    expect(first).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("`defensible import --profile daily FILE`"),
    });
    expect(first.stderr).toMatch(/moderator +→ decider +name\n/);
    expect(readFileSync(join(cwd, "defensible.yaml"), "utf8").startsWith(settings)).toBe(true);
    writeFileSync(join(cwd, "..", "today.csv"), FORUM.replaceAll("\n900", "\n901"));
    const next = cli(["import", "../today.csv", "--profile", "daily"], { cwd });
    expect(next).toMatchObject({ status: 0, stdout: "Imported 2 decisions; 0 duplicates, 0 rejected.\n", stderr: "" });
    const json = JSON.parse(cliOk(["import", "../today.csv", "--profile", "daily", "--json"], { cwd }));
    expect(json).toMatchObject({ imported: 0, duplicate: 2, profile: null, files: [{ guess: null, same_ids: null }] });
  });

  it("asks for what only the reader knows, and refuses the blank", () => {
    const { cwd, file } = workspaceWith("removals.csv", "text,when\nBuy my things here please,2026-01-01\n");
    const { stderr } = cli(["import", file, "--yes"], { cwd });
    expect(stderr).toContain("no column for community and decision");
    expect(stderr).toContain("--set 'community=<name>'");
    expect(paste(stderr, cwd).stderr).toContain('--set: got "community=<name>"');
    const args = [
      "--map",
      "text=content",
      "--set",
      "community=plants",
      "--set",
      "decision=remove",
      "--id-from",
      "hash",
    ];
    cliOk(["import", file, ...args], { cwd });
    expect(decisions(cwd)).toMatchObject([
      { community: "plants", decision: "remove", id: expect.stringMatching(/^h/) },
    ]);
  });

  it("that could say more is taken as before, with a note", () => {
    const { cwd, file } = workspaceWith("a.csv", "id,community,content,decision,moderator\n1,c,x,remove,kim\n");
    const { status, stderr } = cli(["import", file], { cwd });
    expect([status, decisions(cwd)[0].moderator]).toEqual([0, "kim"]);
    expect(stderr).toBe("note: ../a.csv seems to say more than was read. To read it too: --map moderator=decider\n");
  });

  it("has its command in JSON, for a program", () => {
    const { cwd, file } = workspaceWith("a.csv", "post_id,subreddit,text,action\n1,c,hello,remove\n");
    const { files } = JSON.parse(cli(["import", file, "--json"], { cwd }).stdout);
    expect(files[0].problem.remedy).toContain(
      "defensible import ../a.csv --map post_id=id --map subreddit=community --map text=content --map action=decision",
    );
    expect(files[0].guess.columns[0]).toMatchObject({ column: "post_id", fields: ["id"], by: "name" });
  });
});

describe("rejected rows", () => {
  it("are told by reason first, with three rows each, and all are in one file", () => {
    const rows = Array.from({ length: 30 }, (_, n) => `${n},c,x,${n % 2 ? "sticky" : n % 4 ? "lock" : "remove"}`);
    const { cwd, file } = workspaceWith("a.csv", `id,community,content,decision\n${rows.join("\n")}\n`);
    const { stderr, stdout } = cli(["import", file], { cwd });
    expect(stderr.split("\n").slice(0, 6)).toEqual([
      "Rejected 22 rows:",
      expect.stringMatching(/^ {2}15 rows: decision: unknown action "sticky"/),
      "    line 3: 1,c,x,sticky",
      "    line 5: 3,c,x,sticky",
      "    line 7: 5,c,x,sticky",
      expect.stringMatching(/^ {2}7 rows: decision: unknown action "lock"/),
    ]);
    const kept = /rejects\/\S+\.jsonl/.exec(stdout)![0];
    expect(readFileSync(join(cwd, kept), "utf8").trimEnd().split("\n")).toHaveLength(22);
  });

  it("need a folder: where a file has its name, nothing is imported", () => {
    const { cwd, file } = workspaceWith(
      "f.csv",
      "id,community,content,decision\na,plants,hello,remove\nb,,there,remove\n",
    );
    writeFileSync(join(cwd, "rejects"), "x");
    const { status, stderr } = cli(["import", file, "--yes"], { cwd });
    expect([status, stderr]).toEqual([1, expect.stringContaining("rejects: is not a folder")]);
    expect(stderr).toContain("Move it away or rename it");
    expect(existsSync(join(cwd, "decisions.jsonl"))).toBe(false);
    expect(readFileSync(join(cwd, "rejects"), "utf8")).toBe("x");
  });

  it("that a guess would have saved come with the command", () => {
    const { cwd, file } = workspaceWith("a.csv", "id,community,content,decision\n1,c,x,removelink\n2,c,x,approve\n");
    const { stderr } = cli(["import", file], { cwd });
    expect(stderr).not.toContain("precedents");
    const pasted = paste(stderr, cwd);
    expect(pasted.stdout).toBe("Imported 1 decision; 1 duplicate, 0 rejected.\n");
  });
});

describe("a hostile file", () => {
  it.each([
    ["a header alone", "post_id,subreddit,text,action\n", "holds no rows"],
    ["one line", "just one line", "holds no rows"],
    ["a column twice", "id,text,text,action\n1,a,b,remove\n", 'column "text" appears twice'],
    [
      "rows without a header",
      "17,plants,hello there,removelink\n18,plants,bye,removelink\n",
      "The first line looks like a row.",
    ],
    ["a page of text", "# Community guidelines\n\n## 1. No spam\nDo not post ads.\n", "This is text, not a table"],
    ["columns without names", ",,text,action\n1,c,hello world all,remove\n", "no column for community"],
  ])("ends in a sentence: %s", (_, content, message) => {
    const { cwd, file } = workspaceWith("a.csv", content);
    for (const args of [[], ["--yes"]]) {
      const { status, stderr } = cli(["import", file, ...args], { cwd });
      expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
    }
  });

  it("does nothing to the terminal, nor to a shell", () => {
    const header = "\u001b[31mpost,sub\u202ereddit,text,'; touch pwned; '\n";
    const { cwd, file } = workspaceWith(
      "a.csv",
      `${header}1,c,\u001b[2Jhello there friend,remove\n2,c,bye there friend,approve\n`,
    );
    const { stderr } = cli(["import", file], { cwd });
    expect(stderr).not.toMatch(/[\u001b\u202e]/);
    expect(stderr).toContain(`--map ''\\''; touch pwned; '\\''=decision'`);
  });

  it("of names from right to left is guessed by its values", () => {
    const { cwd, file } = workspaceWith("a.csv", "رقم,نص,x\n1,مرحبا يا صديقي العزيز,removed\n");
    expect(cli(["import", file, "--set", "community=c", "--yes"], { cwd }).stdout).toContain("Imported 1 decision");
    expect(decisions(cwd)[0].content).toBe("مرحبا يا صديقي العزيز");
  });
});

describe("words and times that are not understood", () => {
  const LOG = `nr,group,text,action
1,plants,one,approve
2,plants,two,zapped it
3,plants,three,Zapped it
4,plants,four,approve
`;

  it.each([
    ["names of its own", LOG],
    ["our names", LOG.replace("nr,group,text,action", "id,community,content,decision")],
  ])("refuse a file with --yes and %s, with the command that takes it", (_, content) => {
    const { cwd, file } = workspaceWith("log.csv", content);
    const refused = cli(["import", file, "--yes"], { cwd });
    expect(refused.status).toBe(1);
    expect(refused.stdout).toContain("Imported 0 decisions");
    expect(refused.stderr).toContain("decision: 2 words are not understood (2 rows), so nothing was imported");
    expect(refused.stderr).toContain("decision: not understood: zapped it (1 row), Zapped it (1 row)");
    expect(refused.stderr).toMatch(/--value '[zZ]apped it=<remove\|approve>'/);
    const pasted = paste(refused.stderr.replace("<remove|approve>", "remove"), cwd);
    expect([pasted.status, pasted.stderr]).toEqual([0, ""]);
    expect(decisions(cwd).map(({ decision }) => decision)).toEqual(["approve", "remove", "remove", "approve"]);
  });

  it("are fewer where words are common", () => {
    const words = ["took down", "Taken down", "locked", "hidden", "deleted", "let stand", "left up", "unlocked"];
    const rows = words.map((word, i) => `${i},plants,text ${i},${word}\n`).join("");
    const { cwd, file } = workspaceWith("log.csv", `nr,group,text,action\n${rows}`);
    cliOk(["import", file, "--yes"], { cwd });
    const [r, a] = ["remove", "approve"];
    expect(decisions(cwd).map(({ decision }) => decision)).toEqual([r, r, r, r, r, a, a, a]);
  });

  it.each(["decided_at", "when"])("are remarked on for times in the column %s", (name) => {
    const rows = "1,plants,one,approve,02/10/2026 09:00\n2,plants,two,remove,2026-10-02T09:00:00Z\n";
    const { cwd, file } = workspaceWith("log.csv", `id,community,content,decision,${name}\n${rows}`);
    const { stderr, status } = cli(["import", file, "--yes"], { cwd });
    expect(status).toBe(0);
    expect(stderr).toContain(
      'decided_at of 1 row is not ISO 8601, such as "02/10/2026 09:00": it is kept as text and ignored by rule versions, weekly figures and windows.',
    );
    expect(decisions(cwd)[0].decided_at).toBe("02/10/2026 09:00");
  });
});
