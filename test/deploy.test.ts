import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { migrateCommand, serveCommand, workerCommand } from "../src/cli/commands/automate/serve.js";
import { GraphileQueue } from "../src/queue/graphile-queue.js";
import { metricsOf } from "../src/server/operations.js";
import { Service } from "../src/server/service.js";
import { Database } from "../src/store/postgres/database.js";
import { vaultOf } from "../src/store/postgres/secrets.js";

const DEPLOY = join(import.meta.dirname, "..", "deploy");
const read = (name: string) => readFileSync(join(DEPLOY, name), "utf8");
const rules = parse(read("alerts.yaml")).groups.flatMap((group: { rules: object[] }) => group.rules) as {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string };
}[];
const panels = JSON.parse(read("grafana-dashboard.json")).panels as { title: string; targets: { expr: string }[] }[];

/** Names in an expression that are neither functions nor labels. */
function metricsIn(expression: string): string[] {
  const bare = expression.replace(/"[^"]*"/g, "").replace(/\b(?:by|without)\s*\([^)]*\)/g, "");
  return [...bare.matchAll(/\b([a-z][a-z0-9_]+)\b(?=\s*[{[])/g)]
    .map(([, name]) => name!)
    .filter((name) => name !== "up");
}

describe("files for operators", () => {
  it("name metrics that a process gives", async () => {
    const database = new Database("postgres://nowhere.invalid");
    const queue = new GraphileQueue(database);
    const text = await metricsOf(new Service({ database, queue, vault: vaultOf("a secret for tests") })).text();
    const known = new Set(
      [...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name, type]) =>
        type === "histogram" ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name!],
      ),
    );
    const used = [
      ...rules.map(({ expr }) => expr),
      ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ].flatMap(metricsIn);
    expect(used.length).toBeGreaterThan(25);
    expect([...new Set(used)].filter((name) => !known.has(name))).toEqual([]);
    await database.close();
  });

  it("have a severity and a first step for each alert, and each alert is in the guide", () => {
    const guide = readFileSync(join(DEPLOY, "..", "docs", "operate.md"), "utf8");
    const unlisted = ["DefensibleSlow", "DefensibleFiguresMissing"];
    for (const { alert, labels, annotations } of rules) {
      expect(["page", "ticket"], alert).toContain(labels.severity);
      expect(annotations.summary.length, alert).toBeGreaterThan(20);
      if (!unlisted.includes(alert)) expect(guide).toContain(`\`${alert}\``);
    }
  });

  it("start commands with flags that exist", () => {
    const commands = { serve: serveCommand(), worker: workerCommand(), migrate: migrateCommand() };
    const { services } = parse(read("compose.yaml"), { merge: true }) as {
      services: Record<string, { command?: string[] }>;
    };
    const started = Object.values(services).flatMap(({ command }) => (command ? [command] : []));
    for (const name of readdirSync(join(DEPLOY, "systemd"))) {
      started.push(/^ExecStart=\S+ defensible (.*)$/m.exec(read(`systemd/${name}`))![1]!.split(" "));
    }
    expect(started).toHaveLength(5);
    for (const [name, ...flags] of started) {
      const known = commands[name as keyof typeof commands].options.map(({ long }) => long);
      expect(
        flags.filter((flag) => flag.startsWith("--") && !known.includes(flag)),
        name,
      ).toEqual([]);
    }
  });

  const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
  it.skipIf(!hasSystemd)("are units that systemd understands", () => {
    const folder = mkdtempSync(join(tmpdir(), "defensible-units-"));
    const units = readdirSync(join(DEPLOY, "systemd")).map((name) => {
      const path = join(folder, name.replace("@.", "@1."));
      copyFileSync(join(DEPLOY, "systemd", name), path);
      return path;
    });
    const said = execFileSync("systemd-analyze", ["verify", "--man=no", ...units], { encoding: "utf8", stdio: "pipe" });
    rmSync(folder, { recursive: true, force: true });
    expect(said).toBe("");
  });
});
