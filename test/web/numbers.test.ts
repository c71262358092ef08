import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Audit } from "../../src/core/records/audit.js";
import type { ReportPage } from "../../src/measures/report-page.js";
import { followHash, launchBrowser, leaveBrowser, openView, watchedContext } from "../support/browser.js";
import { cliOk, temporaryFolder } from "../support/cli.js";
import { pageData } from "../support/page-data.js";
import { type Marked, markedNumbers, mismatches, resolve } from "./marked-numbers.js";
import { demoReport, type MadeReport } from "./reports.js";
import { type Place, places } from "./views.js";

let made: MadeReport;
let data: ReportPage;
let browser: Browser;
/** Every marked number of every view, and of several single pages. */
let numbers: Marked[];
/** What the command line wrote. */
let report: { run: { run_id: string } };
let gate: unknown;
let manifest: unknown;
let decisions: Map<string, unknown>;
let precedents: { community: string }[];
let audits: Map<string, Audit[]>;
let opposites: Map<string, Audit[]>;

beforeAll(async () => {
  made = await demoReport();
  data = pageData(made.html);
  report = JSON.parse(readFileSync(made.json, "utf8"));
  const at = ["--workspace", made.workspace];
  manifest = JSON.parse(readFileSync(join(made.workspace, "runs", report.run.run_id, "manifest.json"), "utf8"));
  const asked = ["--holdout", "--slices", "language,kind,tags"];
  gate = JSON.parse(cliOk(["gate", "--run", report.run.run_id, ...asked, "--dry-run", "--json", ...at]));
  decisions = new Map(lines<{ id: string }>(join(made.workspace, "decisions.jsonl")).map((one) => [one.id, one]));
  precedents = lines(join(made.workspace, "precedents.jsonl"));
  audits = byDecision(lines<Audit>(made.audits));
  opposites = byDecision(lines<Audit>(made.opposites));
  browser = await launchBrowser();
  const watched = await watchedContext(browser);
  const page = await watched.newPage();
  await openView(page, made.html, "#/overview");
  numbers = [];
  for (const { hash } of [...places(data), ...singles(data)]) {
    await followHash(page, hash);
    numbers.push(...(await markedNumbers(page)));
  }
});

afterAll(leaveBrowser);

const lines = <Row>(file: string) =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);

function byDecision(all: readonly Audit[]): Map<string, Audit[]> {
  const groups = new Map<string, Audit[]>();
  for (const audit of all) groups.set(audit.decision_id, [...(groups.get(audit.decision_id) ?? []), audit]);
  return groups;
}

/** More pages about one thing: decisions of every kind, some communities and rules. */
function singles({ decisions, report }: ReportPage): Place[] {
  const hash = (...parts: string[]) => `#/${parts.map(encodeURIComponent).join("/")}`;
  const kinds = new Map(decisions.map((one) => [`${one.reasons[0]} ${one.human_audit !== null}`, one.id]));
  return [
    ...[...kinds.values()].map((id) => ({ name: `decision ${id}`, hash: hash("review", id) })),
    ...report.communities
      .slice(1, 3)
      .map(({ community }) => ({ name: community, hash: hash("automation", "community", community) })),
    ...report.rules.slice(1, 3).map(({ scope, community, rule_id }) => ({
      name: rule_id,
      hash: hash("rules", scope, community ?? "-", rule_id),
    })),
  ];
}

/** Verdicts of a community that cite one of its most ambiguous rules, counted in the exported audits. */
function citing(place: number, ruleAt: number, what: string): number | undefined {
  const { community, ambiguous_rules } = data.communities[place]!;
  const { scope, rule_id } = ambiguous_rules[ruleAt]!;
  const found = [...audits.values()]
    .flat()
    .filter((one) => one.arm === "" && one.outcome === "verdict" && one.community === community)
    .filter(({ citation }) => citation?.scope === scope && citation.rule_id === rule_id);
  if (what === "n") return found.length;
  if (what === "inverse_yes") return found.filter(({ inverse }) => inverse).length;
  return what === "inverse_yes_pure" ? found.filter(({ inverse, level }) => inverse && level !== 3).length : undefined;
}

/** Where the command line has what a pointer of the page names. */
function find(pointer: string): unknown {
  const [, root, place, part, ...rest] = pointer.split("/");
  // What the report took over from the gate is held against the gate's own command.
  if (place === "gate_findings" && ["holdout", "slices", "judge_error"].includes(part!)) {
    return resolve(gate, `/${[part, ...rest].join("/")}`);
  }
  if (root === "report") return resolve({ report }, pointer);
  if (root === "gate") return resolve({ gate }, pointer);
  if (root === "signal_weights") return resolve(manifest, pointer.replace("signal_", ""));
  if (root === "communities") return citing(Number(place), Number(rest[0]), rest[1]!);
  if (pointer === "/stability/identical") {
    return Number(/settled after ([\d,]+) audits/.exec(readFileSync(made.stability, "utf8"))?.[1]);
  }
  if (root !== "decisions") return undefined;
  const { id, decision, community } = data.decisions[Number(place)]!;
  const below = rest.map((one) => `/${one}`).join("");
  const own = audits.get(id) ?? [];
  if (part === "audit")
    return resolve(
      own.find(({ arm }) => arm === ""),
      below,
    );
  if (part === "human_audit")
    return resolve(
      own.find(({ arm }) => arm === "human"),
      below,
    );
  if (part === "opposite_audit")
    return resolve(
      own.find(({ arm }) => arm === "opposite") ?? opposites.get(id)?.find((one) => one.decision !== decision),
      below,
    );
  // The baseline sees all of the community.
  if (part === "precedents" && below === "/shown")
    return precedents.filter((one) => one.community === community).length;
  return resolve(decisions.get(id), `/${part}${below}`);
}

const distinct = (all: readonly Marked[]) => new Set(all.map(({ pointer }) => pointer));

describe("a result as a page of its own", () => {
  it.each([
    ["comparison", (run: string, other: string) => ["report", "compare", run, other, "--workspace", made.workspace]],
    ["rewrite", () => ["rules", "diff", "--run", "newest", "--workspace", made.workspace]],
    ["study", () => ["study", "--preset", "paper", "--quick", "--out", join(temporaryFolder(), "world")]],
    [
      "study next to the paper",
      () => ["study", "--quick", "--reference", "paper", "--out", join(temporaryFolder(), "w")],
    ],
  ] as const)("a %s shows every number as its JSON has it, without a network", async (_, command) => {
    const runs = JSON.parse(cliOk(["runs", "list", "--json", "--workspace", made.workspace])) as { run_id: string }[];
    const other = runs.find(({ run_id }) => run_id !== report.run.run_id)!.run_id;
    const folder = temporaryFolder();
    const [html, json] = [join(folder, "result.html"), join(folder, "result.json")];
    cliOk([...command(report.run.run_id, other), "--html", html, `--json=${json}`]);
    const result: unknown = JSON.parse(readFileSync(json, "utf8"));
    const watched = await watchedContext(browser);
    const page = await watched.newPage();
    await openView(page, html, "");
    const shown = await markedNumbers(page);
    expect(shown.length).toBeGreaterThan(40);
    expect(mismatches(shown, (pointer) => resolve(result, pointer))).toEqual([]);
    expect(await page.locator("h1").count()).toBe(1);
    expect([watched.faults, watched.requests]).toEqual([[], []]);
    await watched.context.close();
  });
});

describe("what the pages show", () => {
  it("is many numbers, from every part of the data", () => {
    const pointers = [...distinct(numbers)];
    expect(pointers.length).toBeGreaterThanOrEqual(200);
    for (const root of ["/report/", "/gate/", "/decisions/"]) {
      expect(pointers.filter((pointer) => pointer.startsWith(root)).length, root).toBeGreaterThan(50);
    }
    for (const part of ["settings", "holdout", "slices", "judge_error", "watch"]) {
      expect(pointers.filter((pointer) => pointer.startsWith(`/report/gate_findings/${part}/`))).not.toEqual([]);
    }
    for (const kind of ["gap", "signal", "tiers", "scopes", "diff", "attack", "dual", "humans"]) {
      expect(
        pointers.some((pointer) => pointer.startsWith(`/report/experiments/${kind}/`)),
        kind,
      ).toBe(true);
    }
  });

  it("equals what the command line says, every number of it", () => {
    expect(mismatches(numbers, find)).toEqual([]);
  });

  it("would be found out if one number were another", () => {
    const changed = structuredClone(report) as unknown as { defensibility_index: { k: number } };
    changed.defensibility_index.k += 1;
    const wrong = mismatches(numbers, (pointer) =>
      pointer.startsWith("/report/") ? resolve({ report: changed }, pointer) : find(pointer),
    );
    expect(new Set(wrong.map((text) => text.split(":")[0]))).toEqual(new Set(["/report/defensibility_index/k"]));
  });

  it("would be found out if a mark led nowhere", () => {
    const lost = { pointer: "/report/nobody/knows", form: "percent", text: "1.0%" };
    expect(mismatches([lost], find)).toEqual(["/report/nobody/knows: shown as 1.0%, the command line has undefined"]);
  });

  it("carries the report as report.json has it", () => {
    expect(JSON.parse(JSON.stringify(data.report))).toEqual(report);
  });
});
