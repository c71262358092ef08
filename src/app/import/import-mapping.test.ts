import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { all, failure, jsonLines, tempFile, tempWorkspace } from "../../store/files/in-temp-folder.suite.js";
import { readDecisions, readLabels } from "../../store/files/records.js";
import { openWorkspace } from "../../store/files/workspace.js";
import { importInto, take } from "./import-file.suite.js";

const LOG = "post,group,text,verdict\n1,c,hello,bad\n2,c,bye,fine\n";
const MAP = ["post=id", "group=community", "text=content", "verdict=decision"];

const PROFILE_NAMES = "expected letters (A to Z), digits, dots, dashes and underscores, a letter or digit first";

describe("what is the same in every row", () => {
  it("fills a field, also a part of one, and takes the place of a column", async () => {
    const { workspace } = await take("a.csv", "id,content,decision,decider\n1,hello,whatever,kim\n", {
      set: ["community=plants", "decision=Remove", "decider.kind=human", "content.language=en"],
    });
    expect(await all(readDecisions(workspace))).toEqual([
      {
        id: "1",
        community: "plants",
        content: { body: "hello", language: "en" },
        decision: "remove",
        decider: { kind: "human", id: "kim" },
      },
    ]);
    const labels = await take("l.jsonl", jsonLines([{ decision_id: 1, level: 2 }]), {
      as: "labels",
      set: ["source=gold"],
    });
    expect(await all(readLabels(labels.workspace))).toEqual([{ decision_id: "1", level: 2, source: "gold" }]);
  });

  it.each([
    [{ set: ["community"] }, '--set: got "community", expected field=value'],
    [{ set: ["comunity=x"] }, '--set: there is no field "comunity"'],
    [{ set: ["decision=ban"] }, '--set: got "ban" for decision, expected remove or approve'],
    [{ set: ["decider.kind=robot"] }, '--set: got "robot" for decider.kind, expected model, human, rule'],
    [{ set: ["community=<name>"] }, '--set: got "community=<name>"'],
    [{ map: ["a=id"], set: ["id=1"] }, '--set: id is the column "a", and "1" in every row'],
    [{ value: ["x=ban"] }, '--value: got "ban" for decision, expected remove or approve'],
    [{ value: ["x"] }, '--value: got "x", expected theirs=ours'],
    [{ value: ["x=remove"], as: "labels" as const }, "--value: labels have no actions"],
    [{ idFrom: "hash" as const, map: ["a=id"] }, '--id-from: the id is the column "a"'],
    [{ idFrom: "hash" as const, as: "labels" as const }, "--id-from: labels have no id"],
    [{ profile: "daily" }, 'there is no import profile "daily"'],
    [{ saveProfile: "a b" }, `profile: got "a b", ${PROFILE_NAMES}`],
    [{ saveProfile: "__proto__" }, `profile: got "__proto__", ${PROFILE_NAMES}`],
    [{ profile: "__proto__" }, 'there is no import profile "__proto__"'],
  ])("refuses %j", async (options, message) => {
    expect((await failure(() => importInto(tempWorkspace(), [], options))).message).toBe(message);
  });
});

describe("words for actions", () => {
  it("count in decision and label, and what is said of one field goes first", async () => {
    const { workspace } = await take(
      "a.csv",
      "id,community,content,decision,human_label\n1,c,x,bad,BAD\n2,c,x,fine,bad\n",
      {
        value: ["bad=remove", "fine=approve"],
        mapValue: ["human_label:bad=approve"],
      },
    );
    expect((await all(readDecisions(workspace))).map((one) => [one.decision, one.human_label])).toEqual([
      ["remove", "approve"],
      ["approve", "approve"],
    ]);
  });
});

describe("a decider", () => {
  it("can be a name alone, next to its other parts, in CSV and JSON", async () => {
    const map = ["mod=decider", "sure=decider.confidence"];
    const want = [{ id: "kim", confidence: 0.5 }, { id: "7" }, undefined];
    const csv = await take(
      "a.csv",
      "id,community,content,decision,mod,sure\n1,c,x,remove,kim,0.5\n2,c,x,remove,7,\n3,c,x,remove,,\n",
      { map },
    );
    expect((await all(readDecisions(csv.workspace))).map(({ decider }) => decider)).toEqual(want);
    const rows = ["kim", 7, null].map((mod, n) => ({
      id: n,
      community: "c",
      content: "x",
      decision: "remove",
      mod,
      sure: n ? null : 0.5,
    }));
    const json = await take("a.jsonl", jsonLines(rows), { map });
    expect((await all(readDecisions(json.workspace))).map(({ decider }) => decider)).toEqual(want);
  });
});

it("reads Unix time where a decision was made", async () => {
  const { workspace } = await take(
    "a.jsonl",
    jsonLines(
      [1777888800, "1777888800.0", 1777888800123, "2026-05-04", 20260504].map((at, id) => ({
        id,
        community: "c",
        content: "x",
        decision: "remove",
        decided_at: at,
      })),
    ),
  );
  expect((await all(readDecisions(workspace))).map(({ decided_at }) => decided_at)).toEqual([
    "2026-05-04T10:00:00Z",
    "2026-05-04T10:00:00Z",
    "2026-05-04T10:00:00.123Z",
    "2026-05-04",
  ]);
});

describe("generated ids", () => {
  const options = { idFrom: "hash" as const };

  it("are the same in every file, whatever its form, and do not depend on a label", async () => {
    const csv = await take("a.csv", "community,content,decision\nc,hello,REMOVE\nc,bye,approve\n", options);
    const rows = [
      { content: { body: "hello" }, decision: "remove", human_label: "approve", community: "c", id: "mine" },
    ];
    const json = await take("b.jsonl", jsonLines(rows), options);
    const [first, second] = await all(readDecisions(csv.workspace));
    expect(first!.id).toMatch(/^h[0-9a-f]{16}$/);
    expect(second!.id).not.toBe(first!.id);
    expect((await all(readDecisions(json.workspace)))[0]!.id).toBe(first!.id);
    expect(
      (await importInto(csv.workspace, [tempFile("a.csv", "community,content,decision\nc,hello,remove\n")], options))
        .duplicates,
    ).toBe(1);
  });

  it("that two rows share are told with their lines", async () => {
    const { result, counts } = await take(
      "a.csv",
      "community,content,decision,x\nc,hello,remove,1\nc,bye,remove,1\nc,hello,remove,1\nc,hello,remove,2\n",
      options,
    );
    expect(counts).toEqual([2, 1, 1]);
    expect(result.files[0]!.same_ids).toEqual({
      rows: 2,
      examples: [
        { line: 4, first_line: 2 },
        { line: 5, first_line: 2 },
      ],
    });
  });

  it("do not hide what else a row lacks", async () => {
    const { problem } = await take("a.csv", "content,decision\nx,remove\n", options);
    expect(problem!.message).toContain('every row lacks "community"; columns found');
  });
});

describe("a guess", () => {
  it("is not used unless it is chosen", async () => {
    const left = await take("a.csv", LOG);
    expect(left.counts).toEqual([0, 0, 2]);
    const taken = await take("a.csv", LOG, { choose: async (_, guess) => ({ mapping: guess.mapping }) });
    expect(taken.counts).toEqual([2, 0, 0]);
    expect(taken.result.files[0]!.guess).toBe(null);
    const declined = await take("a.csv", LOG, { choose: async () => null });
    expect(declined.problem!.code).toBe("not_confirmed");
  });

  it("is made again with what was said", async () => {
    const { counts, result } = await take(
      "a.csv",
      "a,b,c,d\n1,room,hello there all of you,zap\n2,room,and so on and on it goes,zap\n",
      {
        choose: async (_, __, again) => {
          const said = {
            columns: [{ column: "d", field: "decision" }],
            values: [{ field: null, theirs: "zap", ours: "remove" }],
            constants: [{ field: "community", value: "x" }],
            idFrom: null,
          };
          return { mapping: again(said, new Set(["a"])).mapping };
        },
      },
    );
    expect([counts, result.reasons, result.files[0]!.problem]).toEqual([[2, 0, 0], [], null]);
  });

  it("is not needed for names in other letters", async () => {
    const { counts, workspace } = await take(
      "a.csv",
      "ID,Community,Content,Decision,Human Label\n1,c,x,remove,approve\n",
    );
    expect(counts).toEqual([1, 0, 0]);
    expect((await all(readDecisions(workspace)))[0]!.human_label).toBe("approve");
  });
});

describe("a profile", () => {
  const choose = async (_: string, guess: { mapping: never }) => ({ mapping: guess.mapping });
  const kept = async (options: object) => {
    const workspace = tempWorkspace();
    const before = `${readFileSync(workspace.paths.config, "utf8")}\n# my own remark\n`;
    writeFileSync(workspace.paths.config, before);
    const result = await importInto(workspace, [tempFile("a.csv", LOG)], options);
    return { workspace: openWorkspace(workspace.root), before, result };
  };

  it("keeps what was given, for tomorrow, and leaves every line of the settings as it is", async () => {
    const options = {
      map: MAP,
      value: ["bad=remove", "fine=approve"],
      set: ["content.language=en"],
      saveProfile: "daily",
    };
    const { workspace, before, result } = await kept(options);
    expect(result.profile!.name).toBe("daily");
    expect(readFileSync(workspace.paths.config, "utf8").startsWith(before)).toBe(true);
    expect(workspace.config.import).toEqual({
      daily: {
        map: { post: "id", group: "community", text: "content", verdict: "decision" },
        set: { "content.language": "en" },
        value: { bad: "remove", fine: "approve" },
      },
    });
    const later = await importInto(workspace, [tempFile("b.csv", LOG.replace("1,c", "3,c"))], { profile: "daily" });
    expect([later.accepted, later.duplicates, later.rejected]).toEqual([1, 1, 0]);
  });

  it("keeps what was guessed, and a second one next to the first with its comments", async () => {
    const { workspace } = await kept({ choose, saveProfile: "guessed" });
    const text = readFileSync(workspace.paths.config, "utf8").replace("  guessed:", "  # from the queue\n  guessed:");
    writeFileSync(workspace.paths.config, text);
    const again = openWorkspace(workspace.root);
    const second = await importInto(again, [tempFile("a.csv", "text,verdict\nhello,bad\n")], {
      idFrom: "hash",
      set: ["community=c"],
      map: ["text=content", "verdict=decision", "verdict=human_label"],
      mapValue: ["decision:bad=remove", "human_label:bad=approve"],
      saveProfile: "two",
    });
    expect([second.accepted, second.reasons, second.files[0]!.problem]).toEqual([1, [], null]);
    const after = readFileSync(workspace.paths.config, "utf8");
    expect(after.startsWith(text.trimEnd())).toBe(true);
    expect(openWorkspace(workspace.root).config.import!.two).toEqual({
      map: { text: "content", verdict: ["decision", "human_label"] },
      set: { community: "c" },
      id_from: "hash",
      map_value: { decision: { bad: "remove" }, human_label: { bad: "approve" } },
    });
  });

  it("gives way to what is said on top of it", async () => {
    const { workspace } = await kept({ map: MAP, value: ["bad=remove", "fine=approve"], saveProfile: "daily" });
    const file = tempFile("b.csv", "nr,group,text,verdict\n9,c,x,bad\n");
    const result = await importInto(workspace, [file], { profile: "daily", map: ["nr=id"], value: ["bad=approve"] });
    expect(result.accepted).toBe(1);
    expect((await all(readDecisions(workspace))).at(-1)).toMatchObject({ id: "9", decision: "approve" });
  });

  it("is not kept by a dry run, nor where no row fits it", async () => {
    for (const options of [{ map: MAP, value: ["bad=remove"], dryRun: true }, { map: ["post=id"] }]) {
      const { workspace, result } = await kept({ ...options, saveProfile: "x" });
      expect([result.profile, workspace.config.import]).toEqual([null, undefined]);
    }
  });

  it("with a fault names it by its place", async () => {
    const workspace = tempWorkspace();
    const config = readFileSync(workspace.paths.config, "utf8");
    writeFileSync(workspace.paths.config, `${config}import:\n  daily:\n    map: {text: contents}\n`);
    const error = await failure(() => importInto(openWorkspace(workspace.root), [], { profile: "daily" }));
    expect(error.message).toBe('import.daily: map: there is no field "contents"');
    expect((await failure(() => importInto(openWorkspace(workspace.root), [], { profile: "dayly" }))).remedy).toBe(
      "Did you mean daily? Profiles: daily.",
    );
  });
});

describe("rejected rows", () => {
  it("are counted by reason with three examples, and kept with the text of their lines", async () => {
    const rows = Array.from({ length: 12 }, (_, n) => `${n},c,x,${n % 3 ? "sticky" : "remove"}`);
    const { workspace, result } = await take("a.csv", `id,community,content,decision\n${rows.join("\n")}\n`);
    expect(result.reasons).toMatchObject([
      { field: "decision", count: 8, examples: [{ line: 3, text: "1,c,x,sticky" }, { line: 4 }, { line: 6 }] },
    ]);
    const [first] = readFileSync(join(workspace.root, result.files[0]!.rejects_file!), "utf8").split("\n");
    expect(JSON.parse(first!)).toMatchObject({ line: 3, row: { decision: "sticky" }, raw: "1,c,x,sticky" });
  });
});
