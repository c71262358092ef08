import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { cli, cliOk, temporaryFolder } from "./support/cli.js";

const folder = temporaryFolder();
const workspace = join(folder, "ws");
const inside = { cwd: workspace };
const rules = join(workspace, "rules", "secondhand-bikes.yaml");
const kept = () => readFileSync(join(workspace, "experiments", "attack.json"), "utf8");

beforeAll(() => {
  cliOk(["init", workspace, "--example", "commons-hard"]);
  cliOk(["audit", "--tier", "sidebar"], inside);
  cliOk(["attack", "build", "--out", "sg.jsonl", "--clean", "60", "--flips", "20"], inside);
  cliOk(["attack", "run", "sg.jsonl"], inside);
  cliOk(["humans", "sample", "--cases", "12", "--out", "one"], inside);
  cliOk(["humans", "sample", "--cases", "12", "--seed", "9", "--out", "two"], inside);
}, 60_000);

describe("ratings of several sheets", () => {
  const filled = (sheet: string) =>
    readFileSync(join(workspace, sheet, "sheet.csv"), "utf8").replace(
      /^([^,\n]+),(C\d\d),,,,/gm,
      `$1,$2,rater of ${sheet},1,No,`,
    );

  it("go back to their own decisions, in one import, and not without their sheet's id", () => {
    for (const sheet of ["one", "two"]) writeFileSync(join(workspace, `${sheet}.csv`), filled(sheet));
    const text = cliOk(["humans", "import", "one.csv", "two.csv", "--dry-run", "--json"], inside);
    expect(JSON.parse(text)).toMatchObject({ imported: 24, raters: 2, faulty: 0, conflicting: 0 });
    const bare = filled("one").replace(/^sheet_id,/, "");
    writeFileSync(join(workspace, "bare.csv"), bare.replace(/^\d{8}T\d{6}Z-[0-9a-f]{4},(C\d\d),/gm, "$1,"));
    const refused = cli(["humans", "import", "bare.csv"], inside);
    expect(refused).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/has no sheet_id.*name it with --sheet/),
    });
    const [first, second] = readdirSync(join(workspace, "humans")).map((name) => name.replace(".key.json", ""));
    const sheets = [first!, second!].map((id) =>
      cli(["humans", "import", "bare.csv", "--sheet", id, "--dry-run"], inside),
    );
    expect(sheets.map(({ status }) => status).sort()).toEqual([0, 1]);
    expect(sheets.map(({ stderr }) => stderr).join()).toMatch(/is the file of another sheet or workspace\?/);
    expect(cli(["humans", "import", "one.csv", "--sheet", "x"], inside).stderr).toMatch(/there is no x; there are/);
  });
});

describe("what was changed since a run", () => {
  it("raters see the rules at the tier of the run", () => {
    const html = readFileSync(join(workspace, "one", "form.html"), "utf8");
    const sheet = JSON.parse(/id="sheet">(.*?)<\/script>/s.exec(html)![1]!);
    const texts = sheet.cases.flatMap((one: { rules: { text: string }[] }) => one.rules.map(({ text }) => text));
    const detail = /detail: (?:>-?|\|-?)?\s*"?([^\n"]{30})/.exec(readFileSync(rules, "utf8"))![1]!.trim();
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.join("\n")).not.toContain(detail);
    const said = cliOk(["humans", "sample", "--cases", "3", "--out", "three"], inside);
    expect(said).toContain("Raters see the rules at tier sidebar, as the auditor of this run did.");
  });

  it("is told where decisions were added, and refused where rules were changed", () => {
    const [line] = readFileSync(join(workspace, "decisions.jsonl"), "utf8").split("\n");
    const added = `${JSON.stringify({ ...JSON.parse(line!), id: "added" })}\n`;
    appendFileSync(join(workspace, "decisions.jsonl"), added);
    const more = cli(["humans", "sample", "--cases", "3", "--out", "four"], inside);
    expect(more).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/decisions were added or changed since run/),
    });
    const before = kept();
    writeFileSync(rules, readFileSync(rules, "utf8").replace(/title: [^\n]*/, "title: Quite another rule"));
    const sample = ["humans", "sample", "--cases", "3", "--out", "five"];
    expect(cli(sample, inside)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/the rules of the workspace are no longer those of run .*\n?.*--anyway/),
    });
    expect(cli([...sample, "--anyway"], inside)).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/no longer/),
    });
    const run = ["attack", "run", "sg.jsonl", "--run", "newest"];
    expect(cli(run, inside)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/the rules of the workspace are no longer those of run/),
    });
    const anyway = cli([...run, "--anyway", "--json"], inside);
    expect(anyway.status).toBe(0);
    expect(JSON.parse(anyway.stdout).warnings[0]).toMatch(/layers 2 and 3 judge by other texts/);
    expect(anyway.stderr).toMatch(/The result is not kept/);
    expect(kept()).toBe(before);
  });
});
