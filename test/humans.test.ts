import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { humansSchema, type RatingKey, ratingKeySchema } from "../src/experiments/humans/result.js";
import { createRng } from "../src/stats/random/create-rng.js";
import { cli, cliOk, temporaryFolder } from "./support/cli.js";

const folder = temporaryFolder();
const workspace = join(folder, "try");
const sheet = join(folder, "sheet");
const at = ["--workspace", workspace];
let key: RatingKey;

beforeAll(() => {
  cliOk(["init", workspace, "--example", "commons-hard"]);
  cliOk(["audit", ...at]);
  cliOk(["humans", "sample", "--cases", "24", "--out", sheet, ...at]);
  const [name] = readdirSync(join(workspace, "humans"));
  key = ratingKeySchema.parse(JSON.parse(readFileSync(join(workspace, "humans", name!), "utf8")));
});

/** Ratings of so many raters who mostly agree with the auditor. */
function ratings(raters: number): string {
  const rng = createRng(5);
  const rows = key.cases.flatMap(({ case: name, stratum }) =>
    Array.from({ length: raters }, (_, rater) => {
      const level = rng.next() < 0.75 ? Number(stratum[6]) : 1 + rng.int(3);
      return `${key.sheet_id},${name},rater ${rater},${level},${rng.next() < 0.8 === stratum.includes("Yes") ? "Yes" : "No"},`;
    }),
  );
  return `sheet_id,case,rater,level,inverse,comment\n${rows.join("\n")}\n`;
}

describe("defensible humans", () => {
  it("draws equal numbers of each stratum, and as many as asked", () => {
    expect(key.cases).toHaveLength(24);
    expect(key.strata.reduce((sum, { cases }) => sum + cases, 0)).toBe(24);
    for (const { cases, population } of key.strata) expect(cases).toBeGreaterThanOrEqual(Math.min(6, population) - 1);
    const weight = key.cases.reduce((sum, one) => sum + one.weight, 0);
    expect(weight).toBeCloseTo(key.population, 6);
  });

  it("draws from all verdicts at once with --random, and refuses two sizes", () => {
    const out = join(folder, "random");
    const drawn = JSON.parse(cliOk(["humans", "sample", "--random", "20", "--out", out, "--json", ...at]));
    expect(drawn).toMatchObject({ drawn: "random", cases: 20 });
    const own = ratingKeySchema.parse(JSON.parse(readFileSync(drawn.key, "utf8")));
    expect(new Set(own.cases.map(({ weight }) => weight))).toEqual(new Set([own.population / 20]));
    rmSync(drawn.key);
    expect(cli(["humans", "sample", "--random", "20", "--cases", "20", ...at]).stderr).toContain("got both");
  });

  it("tells raters nothing of what anybody said", () => {
    const decisions = readFileSync(join(workspace, "decisions.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: string; rationale?: string; gold?: { note?: string } });
    const byId = new Map(decisions.map((one) => [one.id, one]));
    let rationales = 0;
    for (const file of ["form.html", "sheet.csv"]) {
      const text = readFileSync(join(sheet, file), "utf8");
      expect(text).not.toMatch(/human_label|p_defensible|level_probs|"pds"|stratum|gold|decider/);
      for (const { decision_id } of key.cases) {
        expect(text).not.toContain(decision_id);
        const { rationale, gold } = byId.get(decision_id)!;
        for (const secret of [rationale, gold?.note]) {
          if (!secret) continue;
          rationales++;
          expect(text).not.toContain(secret);
        }
      }
    }
    expect(rationales).toBeGreaterThan(10);
  });

  it("shows raters what the auditor is shown: rules, precedents, and a question that fits the action", () => {
    const html = readFileSync(join(sheet, "form.html"), "utf8");
    const data = JSON.parse(/id="sheet">(.*?)<\/script>/s.exec(html)![1]!);
    const precedents = readFileSync(join(workspace, "precedents.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: string; community: string; decision: string; rule_id?: string });
    expect(new Set(data.cases.map((one: { decision: string }) => one.decision))).toEqual(
      new Set(["remove", "approve"]),
    );
    const csv = readFileSync(join(sheet, "sheet.csv"), "utf8");
    for (const { community, decision, restricts, opposite } of data.cases) {
      expect(restricts).toBe(decision === "remove");
      expect(opposite).toBe(restricts ? "approve" : "remove");
      const own = precedents.filter((one) => one.community === community);
      expect(own.length).toBeGreaterThan(0);
      expect(data.precedents[community]).toMatchObject(
        own.map(({ id, decision, rule_id }) => ({ id, decision, rule: rule_id ?? null })),
      );
      for (const { id } of own) expect(csv).toContain(id);
    }
  });

  it("says which strata the run has nothing of, and who does not see what is scrubbed", () => {
    const text = cliOk(["humans", "sample", "--cases", "6", "--out", join(folder, "other"), ...at]);
    const [newest] = readdirSync(join(workspace, "humans")).sort().reverse();
    rmSync(join(workspace, "humans", newest!));
    expect(key.strata.length).toBeLessThan(6);
    expect(text).toContain("none in the run, and so none on the sheet: level ");
    expect(cliOk(["humans", "sample", "--help"]).replace(/\s+/g, " ")).toContain("and handles from raters;");
  });

  it("refuses a sheet that nobody filled in, with the remedy", () => {
    const result = cli(["humans", "import", join(sheet, "sheet.csv"), ...at]);
    expect(result.status).toBe(1);
    expect(result.stderr).toMatch(/24 cases, none of them rated/);
    expect(result.stderr).toMatch(/fills in `level`/);
  });

  it("does not write over a sheet that raters may have", () => {
    expect(cli(["humans", "sample", "--out", sheet, ...at])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("is there already"),
    });
  });

  it("brings ratings back once, and compares them", () => {
    const file = join(folder, "ratings.csv");
    writeFileSync(file, ratings(5));
    expect(cliOk(["humans", "import", file, ...at])).toContain("Imported 120 ratings of 5 raters");
    expect(cliOk(["humans", "import", file, ...at])).toContain("Imported 0 ratings of 5 raters; 120 duplicates");
    const result = humansSchema.parse(JSON.parse(cliOk(["humans", "report", "--json", ...at])));
    expect(result.counts).toMatchObject({ cases: 24, raters: 5, ratings: 120, without_verdict: 0, anonymous: 0 });
    const level = result.correlations.find(({ signal }) => signal === "level")!;
    expect(level.spearman.estimate).toBeGreaterThan(0.5);
    expect(level.two_way!.lower).toBeLessThan(level.spearman.estimate!);
    expect(result.reliability.icc_average.estimate).toBeGreaterThan(result.reliability.icc_single.estimate!);
    expect(result.agreement.weighted).not.toBeNull();
    const words = cliOk(["humans", "report", ...at]);
    expect(words).toContain("24 cases · 5 raters · 120 ratings");
    expect(words).not.toMatch(/NaN|\bundefined\b(?!:)|Infinity/);
    expect(words).toMatch(/auditor baseline · 24 cases/);
    expect(words).toMatch(/Note: the auditor is the embedded baseline/);
    expect(words).toMatch(/Spearman's ρ of S \(PDS, equal weights\).*Rank correlations/s);
    expect(words.replace(/\s+/g, " ")).toContain("Without rater error: ρ divided by");
    const kept = JSON.parse(readFileSync(join(workspace, "experiments", "humans.json"), "utf8"));
    expect(kept).toEqual(result);
  });

  it("says line by line what cannot be used", () => {
    const [one, two] = key.cases;
    const file = join(folder, "bad.csv");
    writeFileSync(
      file,
      `case,rater,level,inverse\n${one!.case},eve,4,Yes\nC99,eve,1,No\n${two!.case},,2,Yes\n${two!.case},eve,2,maybe\n${one!.case},eve,,\n`,
    );
    const result = cli(["humans", "import", file, ...at]);
    expect(result.status).toBe(1);
    expect(result.stderr).toContain('line 2: level: got "4", expected 1, 2 or 3');
    expect(result.stderr).toContain("line 3: case C99: the key has none of that name");
    expect(result.stderr).toContain("line 4: rater: is empty");
    expect(result.stderr).toContain('line 5: inverse: got "maybe", expected Yes or No');
    expect(result.stdout).toContain("1 case left unrated, 4 rows that could not be used");
  });

  it("says what is missing", () => {
    const empty = join(temporaryFolder(), "empty");
    cliOk(["init", empty, "--example", "commons-hard"]);
    const without = ["--workspace", empty];
    expect(cli(["humans", "sample", ...without]).stderr).toContain("Run `defensible audit` first.");
    expect(cli(["humans", "import", join(folder, "ratings.csv"), ...without]).stderr).toContain("no sheet was drawn");
    cliOk(["audit", ...without]);
    expect(cli(["humans", "report", ...without])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("the workspace has no label of a person"),
    });
  });
});
