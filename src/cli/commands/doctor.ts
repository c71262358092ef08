import { accessSync, constants, statfsSync } from "node:fs";
import { connect } from "node:net";
import { Command } from "commander";
import type { ModelSettings } from "../../app/audit/configured-auditor.js";
import { checkVersions, findUnusedRules, unusedRulesText } from "../../app/import/check-rule-sets.js";
import { DefensibleError } from "../../core/errors.js";
import { VERSION } from "../../io/package-file.js";
import { hasTornTail, TORN_REMEDY } from "../../io/read-lines.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { readDecisions } from "../../store/files/records.js";
import { loadRuleSets } from "../../store/files/rule-files.js";
import { fileStores } from "../../store/files/stores.js";
import type { Workspace } from "../../store/files/workspace.js";
import type { RuleFile } from "../../store/ports.js";
import { printable } from "../../text/printable.js";
import { EXIT } from "../exit-code.js";
import { type CommonOptions, examples, withCommonOptions, withModelOptions, workspaceOf } from "../options.js";
import { print, printJson } from "../output.js";
import { probeAuditor } from "../probe-auditor.js";

interface Check {
  what: string;
  status: "ok" | "missing" | "wrong";
  found: string;
  /** What to do about it. */
  remedy?: string;
}

interface DoctorOptions extends CommonOptions, ModelSettings {
  auditor?: string;
}

export function doctorCommand(): Command {
  return withModelOptions(withCommonOptions(new Command("doctor")))
    .option(
      "--auditor <name>",
      "ask a model in one cheap call what it gives: probabilities, how many, answers per call",
    )
    .addHelpText(
      "after",
      examples(
        "defensible doctor",
        "defensible doctor --auditor openai:gpt-4.1-mini",
        "defensible doctor --auditor openai-compatible:llama3.1 --base-url http://127.0.0.1:11434/v1",
      ),
    )
    .action(doctor);
}

async function doctor(options: DoctorOptions): Promise<void> {
  if (options.auditor) return probeAuditor(options.auditor, options);
  const checks = [node(), await duckdb(), ...(await workspace(options)), ...keys(), ...(await servers())];
  if (checks.some((check) => check.status === "wrong")) process.exitCode = EXIT.user;
  if (printJson({ version: VERSION, checks }, options)) return;
  const marks = { ok: "✓", missing: "–", wrong: "✗" };
  print(`defensible ${VERSION}   ✓ there · – not there, needed only for what it says · ✗ wrong\n`);
  for (const check of checks) {
    print(`${marks[check.status]} ${check.what}: ${printable(check.found, 500)}`);
    if (check.remedy) print(`    ${printable(check.remedy, 500)}`);
  }
}

function node(): Check {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const fine = major > 20 || (major === 20 && minor >= 19);
  return {
    what: "Node",
    status: fine ? "ok" : "wrong",
    found: process.versions.node,
    ...(fine ? {} : { remedy: "Install Node 20.19 or newer." }),
  };
}

async function duckdb(): Promise<Check> {
  try {
    const [row] = await withDuckDB((db) => db.rows<{ v: string }>("SELECT version() AS v"));
    return { what: "DuckDB", status: "ok", found: row?.v ?? "" };
  } catch (cause) {
    return {
      what: "DuckDB",
      status: "wrong",
      found: cause instanceof Error ? cause.message : String(cause),
      remedy: "Install again with `npm ci`; optional packages must not be left out.",
    };
  }
}

async function workspace(options: CommonOptions): Promise<Check[]> {
  try {
    const found = await workspaceOf(options);
    const checks: Check[] = [{ what: "workspace", status: "ok", found: found.root }];
    const sets = loadRuleSets(found);
    const rules = sets.reduce((sum, { set }) => sum + set.rules.length, 0);
    checks.push({
      what: "rules",
      status: rules > 0 ? "ok" : "wrong",
      found: `${rules} in ${sets.length} ${sets.length === 1 ? "set" : "sets"}`,
      ...(rules > 0 ? {} : { remedy: "Import a rule set: `defensible import rules.yaml`." }),
    });
    let decisions = 0;
    const communities = new Set<string>();
    for await (const batch of readDecisions(found)) {
      decisions += batch.length;
      for (const { community } of batch) communities.add(community);
    }
    checks.push(...(await ruleChecks(found, sets, communities)));
    checks.push({
      what: "decisions",
      status: decisions > 0 ? "ok" : "missing",
      found: String(decisions),
      ...(decisions > 0 ? {} : { remedy: "Import some: `defensible import decisions.jsonl`." }),
    });
    if (hasTornTail(found.paths.decisions)) {
      checks.push({ what: "decisions.jsonl", status: "wrong", found: "torn", remedy: TORN_REMEDY });
    }
    const ledger = fileStores(found).runs;
    checks.push({ what: "runs", status: "ok", found: String((await ledger.list()).length) });
    for (const name of await ledger.damaged()) {
      const remedy = `Restore the file, or delete the run: \`defensible runs delete ${name}\`.`;
      checks.push({ what: "run", status: "wrong", found: `${name}: its manifest.json cannot be read`, remedy });
    }
    checks.push(writable(found.root), space(found.root));
    return checks;
  } catch (cause) {
    if (!(cause instanceof DefensibleError)) throw cause;
    const absent = cause.code === "no_workspace";
    return [
      {
        what: "workspace",
        status: absent ? "missing" : "wrong",
        found: cause.message,
        ...(cause.remedy ? { remedy: cause.remedy } : {}),
      },
    ];
  }
}

/** What `audit` will refuse, and decisions that it will pass over. */
async function ruleChecks(workspace: Workspace, files: RuleFile[], communities: ReadonlySet<string>): Promise<Check[]> {
  const checks: Check[] = [];
  const sets = files.map(({ set }) => set);
  const wrong = (found: string, remedy: string | undefined): void => {
    checks.push({ what: "rules", status: "wrong", found, ...(remedy ? { remedy } : {}) });
  };
  try {
    checkVersions(files);
  } catch (cause) {
    if (!(cause instanceof DefensibleError)) throw cause;
    wrong(cause.message.replace(/^rules: /, ""), cause.remedy);
  }
  const unused = await findUnusedRules(workspace, sets, communities);
  if (unused.length > 0) {
    wrong(unusedRulesText(unused), "Write `community:` as the decisions do, or audit with --allow-unused-rules.");
  }
  const ruled = new Set(sets.filter(({ rules }) => rules.length > 0).map((set) => set.community ?? ""));
  const bare = [...communities].filter((community) => !ruled.has("") && !ruled.has(community));
  if (sets.length > 0 && bare.length > 0) {
    const names = bare.slice(0, 5).join(", ");
    wrong(
      `none for ${bare.length === 1 ? "community" : `${bare.length} communities`} ${names}${bare.length > 5 ? ", …" : ""}: their decisions are not audited`,
      "Import their rules, or those of the platform: `defensible import rules.yaml`.",
    );
  }
  return checks;
}

function writable(path: string): Check {
  try {
    accessSync(path, constants.W_OK);
    return { what: "workspace writable", status: "ok", found: "yes" };
  } catch {
    return {
      what: "workspace writable",
      status: "missing",
      found: "no",
      remedy: "Reports work; audits and imports need write permission.",
    };
  }
}

function space(path: string): Check {
  const { bavail, bsize } = statfsSync(path);
  const free = (bavail * bsize) / 1e9;
  return {
    what: "disk space",
    status: free > 1 ? "ok" : "wrong",
    found: `${free.toFixed(1)} GB free`,
    ...(free > 1 ? {} : { remedy: "Free some space: an audit takes about 3 kB while a run lives." }),
  };
}

const KEYS = [
  ["OPENAI_API_KEY", "auditors openai:… and protected openai-compatible servers"],
  ["GEMINI_API_KEY", "auditors gemini:…"],
  ["GOOGLE_CLOUD_PROJECT", "auditors vertex:… (with GOOGLE_CLOUD_LOCATION and credentials)"],
] as const;

/** Only whether a key is set; keys are never read out. */
function keys(): Check[] {
  return KEYS.map(([name, use]) =>
    process.env[name]
      ? { what: name, status: "ok", found: "set" }
      : {
          what: name,
          status: "missing",
          found: "not set",
          remedy: `For ${use}; the baseline needs no key.`,
        },
  );
}

const SERVERS = [
  ["Ollama", 11434],
  ["vLLM", 8000],
  ["llama.cpp server", 8080],
  ["LM Studio", 1234],
] as const;

async function servers(): Promise<Check[]> {
  return Promise.all(
    SERVERS.map(async ([name, port]): Promise<Check> => {
      const open = await listens(port);
      return open
        ? {
            what: name,
            status: "ok",
            found: `something listens on 127.0.0.1:${port}`,
            remedy: `Try: defensible doctor --auditor openai-compatible:<model> --base-url http://127.0.0.1:${port}/v1`,
          }
        : {
            what: name,
            status: "missing",
            found: `nothing on 127.0.0.1:${port}`,
            remedy: "For local models: start it, and use --auditor openai-compatible:<model> --base-url URL.",
          };
    }),
  );
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(300, () => end(false));
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}
