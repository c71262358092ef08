import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { importInto, take } from "../../app/import/import-file.suite.js";
import { all, decision, failure, jsonLines, tempFile, tempWorkspace } from "./in-temp-folder.suite.js";
import { readDecisions } from "./records.js";
import { openWorkspace } from "./workspace.js";

describe("actions", () => {
  const rows = jsonLines([{ ...decision("1"), decision: "Deny", human_label: "GRANT" }]);
  const actions = { positive: "deny", negative: "grant" };

  it("can be named while there are no decisions, and the configuration keeps its comments", async () => {
    const { workspace, counts } = await take("a.jsonl", rows, { actions });
    expect(counts).toEqual([1, 0, 0]);
    const { config, paths } = openWorkspace(workspace.root);
    expect(config.actions).toEqual(actions);
    expect(readFileSync(paths.config, "utf8")).toContain("# The two actions");
  });

  it("can be named again, but not otherwise, once there are", async () => {
    const { workspace } = await take("a.jsonl", rows, { actions });
    const opened = openWorkspace(workspace.root);
    const file = tempFile("b.jsonl", rows);
    expect((await importInto(opened, [file], { actions })).duplicates).toBe(1);
    const error = await failure(() =>
      importInto(opened, [file], { actions: { positive: "remove", negative: "approve" } }),
    );
    expect([error.code, error.message]).toEqual([
      "actions_fixed",
      "actions: decisions.jsonl is written in deny/grant; got remove/approve",
    ]);
    expect(error.remedy).toContain("--map-value decision:remove=deny");
  });
});

describe("--map and --map-value", () => {
  it("read a moderation log as it comes, flat or nested", async () => {
    const options = {
      map: [
        "target.id=id",
        "subredditName=community",
        "target.title=content.title",
        "target.body=content.body",
        "type=decision",
        "moderatorName=decider.id",
      ],
      mapValue: ["decision:removelink=remove", "decision:ApproveLink=approve"],
    };
    const csv =
      "target.id,subredditName,target.title,target.body,type,moderatorName\nt3_1,c,T,B,removelink,\nt3_2,c,T2,,approvelink,\n";
    const rows = [
      { target: { id: "t3_1", title: "T", body: "B" }, subredditName: "c", type: "removelink" },
      { target: { id: "t3_2", title: "T2", body: null }, subredditName: "c", type: "approvelink" },
    ];
    const expected = [
      { id: "t3_1", community: "c", content: { title: "T", body: "B" }, decision: "remove" },
      { id: "t3_2", community: "c", content: { title: "T2", body: "" }, decision: "approve" },
    ];
    const flat = await take("log.csv", csv, options);
    expect(await all(readDecisions(flat.workspace))).toEqual(expected);
    const nested = await take("log.jsonl", jsonLines(rows), options);
    expect(await all(readDecisions(nested.workspace))).toEqual(expected);
    expect(nested.result.unused_maps).toEqual(["moderatorName"]);
    expect(flat.result.unused_maps).toEqual([]);
  });

  it("map numbers, and let a named column win over one that bears the field's name", async () => {
    const row = { id: "1", community: "c", content: "x", decision: "whatever", violation: 1 };
    const options = { map: ["violation=decision"], mapValue: ["decision:1=remove", "decision:0=approve"] };
    const { workspace } = await take("a.jsonl", jsonLines([row]), options);
    expect(await all(readDecisions(workspace))).toEqual([
      { id: "1", community: "c", content: "x", decision: "remove" },
    ]);
    const csv = await take("a.csv", "id,community,content,decision,violation\n1,c,x,whatever,0\n", options);
    expect((await all(readDecisions(csv.workspace)))[0]!.decision).toBe("approve");
  });

  it("can swap two columns and put a part beside plain content", async () => {
    const row = { id: "c", community: "1", content: "hola", lang: "es", decision: "remove" };
    const { workspace } = await take("a.jsonl", jsonLines([row]), {
      map: ["id=community", "community=id", "lang=content.language"],
    });
    expect(await all(readDecisions(workspace))).toEqual([
      { id: "1", community: "c", content: { body: "hola", language: "es" }, decision: "remove" },
    ]);
  });

  it("read one column into two fields", async () => {
    const options = {
      map: ["verdict=decision", "verdict=human_label"],
      mapValue: ["decision:bad=remove", "human_label:bad=remove", "decision:ok=approve", "human_label:ok=approve"],
    };
    const want = [
      { id: "1", community: "c", content: "x", decision: "remove", human_label: "remove" },
      { id: "2", community: "c", content: "y", decision: "approve", human_label: "approve" },
    ];
    const csv = await take("a.csv", "id,community,content,verdict\n1,c,x,bad\n2,c,y,ok\n", options);
    expect(await all(readDecisions(csv.workspace))).toEqual(want);
    const rows = want.map(({ id, community, content, decision: action }) => ({
      ...{ id, community, content },
      verdict: action === "remove" ? "bad" : "ok",
    }));
    const nested = await take("a.jsonl", jsonLines(rows), options);
    expect(await all(readDecisions(nested.workspace))).toEqual(want);
    const kept = await take("b.csv", "id,community,content,decision\n1,c,x,remove\n", {
      map: ["decision=decision", "decision=human_label"],
    });
    expect((await all(readDecisions(kept.workspace)))[0]).toMatchObject({ decision: "remove", human_label: "remove" });
  });

  it.each([
    [{ map: ["x"] }, '--map: got "x", expected column=field'],
    [{ map: ["x=desicion"] }, '--map: there is no field "desicion"'],
    [{ map: ["a=content", "b=content.body"] }, '--map: "a" and "b" are both to be content.body'],
    [{ map: ["a=id", "b=id"] }, '--map: "a" and "b" are both to be id'],
    [{ mapValue: ["decision=remove"] }, '--map-value: got "decision=remove", expected field:value=value'],
    [{ mapValue: ["desicion:x=remove"] }, '--map-value: there is no field "desicion"'],
    [{ mapValue: ["decision:x=delete"] }, '--map-value: got "delete" for decision, expected remove or approve'],
  ])("refuse %j", async (options, message) => {
    expect((await failure(() => importInto(tempWorkspace(), [], options))).message).toBe(message);
  });
});
