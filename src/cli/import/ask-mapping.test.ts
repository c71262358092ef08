import { describe, expect, it } from "vitest";
import { take } from "../../app/import/import-file.suite.js";
import { all } from "../../store/files/in-temp-folder.suite.js";
import { readDecisions } from "../../store/files/records.js";
import { RECORD_KINDS } from "../../store/records/record-kinds.js";
import { MappingQuestions } from "./ask-mapping.js";

const LOG = "when,who,room,what,msg\n2026-01-01,kim,lobby,zap,buy my stuff\n2026-01-02,lee,lobby,warn,hello there\n";

/** An import whose questions get these answers; then nothing is there any more. */
async function answered(csv: string, answers: readonly string[]) {
  const asked: string[] = [];
  const said: string[] = [];
  const given = [...answers];
  const ask = async (question: string) => {
    asked.push(question);
    return given.shift() ?? null;
  };
  const { fields } = RECORD_KINDS.decisions;
  const words = { fields, actions: { positive: "remove", negative: "approve" } };
  const imported = await take("log.csv", csv, {
    choose: (file, guess, again) =>
      new MappingQuestions(guess, again, words, ask, (line) => said.push(line)).answer(file, true),
  });
  return { ...imported, asked, said: said.join("\n") };
}

describe("questions about a file", () => {
  it("end in an import after one Enter where the guess is complete", async () => {
    const { counts, said, asked } = await answered("nr,group,text,action\n1,c,hello,hide\n2,c,bye,keep\n", ["", ""]);
    expect(counts).toEqual([2, 0, 0]);
    expect(said).toMatch(/nr +→ id +name\n.*action +→ decision +name; values hide, keep/s);
    expect(asked).toHaveLength(2);
  });

  it("ask for what is missing and for words that are not known, and keep the name", async () => {
    const { workspace, counts, result, asked } = await answered(LOG, ["what", "r", "", "", "daily"]);
    expect(asked.map((question) => question.slice(0, 18))).toEqual([
      "Which column is de",
      '"zap" (1 row) is r',
      '"warn" (1 row) is ',
      "Import like this? ",
      "Name to keep this ",
    ]);
    expect(counts).toEqual([1, 0, 1]);
    expect(result.profile!.name).toBe("daily");
    expect((await all(readDecisions(workspace)))[0]).toMatchObject({ decision: "remove", decider: { id: "kim" } });
  });

  it("take changes, and say what is wrong with one", async () => {
    const answers = ["nothing", "=ban", "=remove", "x=y", "who=deciders", "hm", "who=", "room=thread_id", "=lobby"];
    const { said, workspace } = await answered(LOG, [...answers, "", ""]);
    expect(said).toContain("Columns: when, who, room, what, msg");
    expect(said).toContain('There is no column "x".');
    expect(said).toContain('There is no field "deciders". Fields: id, community,');
    expect(said).toContain("Write COLUMN=FIELD");
    expect(said).toContain("no column for community");
    expect((await all(readDecisions(workspace)))[0]).toMatchObject({
      community: "lobby",
      thread_id: "lobby",
      who: "kim",
    });
  });

  it.each([[[]], [["n"]], [["=remove", "n"]]])("leave the file out after %j", async (answers) => {
    const { problem, counts } = await answered(LOG, answers);
    expect([problem!.code, counts]).toEqual(["not_confirmed", [0, 0, 0]]);
  });
});
