import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ratingKeySchema } from "../../src/experiments/humans/result.js";
import { createRng } from "../../src/stats/random/create-rng.js";
import { cli, cliOk } from "../support/cli.js";
import { prepared } from "../support/prepared.js";

/** A report as a reader gets it, and what the command line says of the same workspace. */
export interface MadeReport {
  workspace: string;
  html: string;
  /** `report --json`. */
  json: string;
  /** `export --what audits` of the run. */
  audits: string;
  /** The same of the run in which every decision has its opposite (the demo's alone). */
  opposites: string;
  /** What `stability` said while it ran (the demo's alone). */
  stability: string;
}

const files = (folder: string): MadeReport => ({
  workspace: join(folder, "ws"),
  html: join(folder, "report.html"),
  json: join(folder, "report.json"),
  audits: join(folder, "audits.jsonl"),
  opposites: join(folder, "opposites.jsonl"),
  stability: join(folder, "stability.txt"),
});

/** The sample platform with everything that can be done to it without a model. */
export async function demoReport(): Promise<MadeReport> {
  return files(
    await prepared("demo-report", (folder) => {
      const { workspace } = files(folder);
      cliOk(["init", workspace, "--example", "commons-hard"]);
      const run = (...args: string[]) => cliOk([...args, "--workspace", workspace]);
      const quietly = (...args: string[]) => run(...args, `--json=${join(folder, "ignored.json")}`);
      run("audit", "--humans");
      const audited = JSON.parse(run("runs", "list", "--json"))[0].run_id as string;
      rate(workspace, folder, run);
      quietly("calibrate");
      quietly("gate", "apply");
      quietly("gate", "watch");
      quietly("rules", "tiers");
      quietly("rules", "scopes");
      quietly("rules", "diff", "--precedents", "off");
      for (const name of ["gap", "signal", "dual", "circularity"]) quietly("experiment", name);
      const dual = JSON.parse(readFileSync(join(workspace, "experiments", "dual.json"), "utf8")) as { runs: [string] };
      run("export", "--run", dual.runs[0], "--out", files(folder).opposites);
      writeFileSync(
        files(folder).stability,
        cli(["stability", "--replicates", "30", "--sample", "20", "--json=/dev/null", "--workspace", workspace]).stderr,
      );
      const cases = join(folder, "attacks.jsonl");
      run("attack", "build", "--out", cases);
      quietly("attack", "run", cases);
      write(folder, audited);
    }),
  );
}

/** A simulated fleet of 300 communities, of whose decisions 2,000 are listed. */
export async function fleetReport(): Promise<MadeReport> {
  return files(
    await prepared("fleet-report", (folder) => {
      const { workspace } = files(folder);
      const size = ["--set", "cohorts.fleet.communities=300", "--set", "cohorts.fleet.decisions=9000"];
      cliOk(["simulate", workspace, "--preset", "fleet", "--seed", "3", ...size]);
      cliOk(["audit", "--workspace", workspace, "--auditor", "simulated"]);
      const [{ run_id }] = JSON.parse(cliOk(["runs", "list", "--json", "--workspace", workspace])) as [
        { run_id: string },
      ];
      write(folder, run_id, "--decisions", "2000");
    }),
  );
}

/** The report of a run, which need not be the newest: experiments have runs too. */
function write(folder: string, run: string, ...flags: string[]): void {
  const { workspace, html, json, audits } = files(folder);
  const at = ["--run", run, "--workspace", workspace];
  cliOk(["report", ...at, "--html", html, `--json=${json}`, ...flags]);
  cliOk(["export", ...at, "--out", audits]);
}

/** Five raters who mostly agree with the auditor. */
function rate(workspace: string, folder: string, run: (...args: string[]) => string): void {
  const sheet = join(folder, "sheet");
  run("humans", "sample", "--cases", "24", "--out", sheet);
  const key = ratingKeySchema.parse(
    JSON.parse(readFileSync(join(workspace, "humans", readdirSync(join(workspace, "humans"))[0]!), "utf8")),
  );
  const rng = createRng(5);
  const rows = key.cases.flatMap(({ case: name, stratum }) =>
    Array.from({ length: 5 }, (_, rater) => {
      const level = rng.next() < 0.75 ? Number(stratum[6]) : 1 + rng.int(3);
      const inverse = rng.next() < 0.8 === stratum.includes("Yes") ? "Yes" : "No";
      return `${key.sheet_id},${name},rater ${rater},${level},${inverse},`;
    }),
  );
  const csv = join(folder, "ratings.csv");
  writeFileSync(csv, `sheet_id,case,rater,level,inverse,comment\n${rows.join("\n")}\n`);
  run("humans", "import", csv);
  run("humans", "report", `--json=${join(folder, "humans.json")}`);
}
