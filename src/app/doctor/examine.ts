import { probePatiently } from "../../audit/calls/patience.js";
import type { Auditor, Capabilities } from "../../auditors/auditor.js";
import { DefensibleError } from "../../core/errors.js";
import type { SignalMode } from "../../core/records/audit.js";
import { freeBytes, isListening, isWritable } from "../../io/machine.js";
import { hasTornTail } from "../../io/read-lines.js";
import { engineVersion } from "../../store/files/duckdb.js";
import type { FileContext } from "../../store/files/stores.js";
import type { RuleFile } from "../../store/ports.js";
import { checkVersions, findUnusedRules, type UnusedRules } from "../import/check-rule-sets.js";

/** One check and its result. */
export type Finding =
  | { of: "node"; version: string; recent: boolean }
  /** `failure`: why the engine cannot be used. */
  | { of: "engine"; version: string; failure: string | null }
  | { of: "workspace"; root: string }
  /** No workspace, or an unreadable one; nothing else is known about it. */
  | { of: "no_workspace"; cause: DefensibleError }
  | { of: "rules"; rules: number; sets: number }
  | { of: "rule_versions"; cause: DefensibleError }
  | { of: "unused_rules"; unused: UnusedRules[] }
  | { of: "communities_without_rules"; communities: string[] }
  | { of: "decisions"; count: number }
  | { of: "torn_decisions" }
  | { of: "runs"; count: number }
  | { of: "damaged_run"; run: string }
  | { of: "writable"; writable: boolean }
  | { of: "disk"; free: number }
  | { of: "key"; name: KeyName; set: boolean }
  | { of: "server"; name: string; port: number; listens: boolean };

/** Environment variables with keys that auditors use. */
export type KeyName = (typeof KEYS)[number];
const KEYS = ["OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_CLOUD_PROJECT"] as const;

/** Local model servers and their default ports. */
const SERVERS = [
  ["Ollama", 11434],
  ["vLLM", 8000],
  ["llama.cpp server", 8080],
  ["LM Studio", 1234],
] as const;

export interface Surroundings {
  node: string;
  /** Whether a key is set; its value is never shown. */
  hasKey: (name: KeyName) => boolean;
  /** Opens the workspace; fails if there is no workspace. */
  open: () => Promise<FileContext>;
}

/** Checks everything that an audit needs. */
export async function examine({ node, hasKey, open }: Surroundings): Promise<Finding[]> {
  return [
    nodeFinding(node),
    await engineFinding(),
    ...(await workspaceFindings(open)),
    ...KEYS.map((name): Finding => ({ of: "key", name, set: hasKey(name) })),
    ...(await Promise.all(
      SERVERS.map(async ([name, port]): Promise<Finding> => {
        return { of: "server", name, port, listens: await isListening(port) };
      }),
    )),
  ];
}

function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return { of: "node", version, recent: major > 20 || (major === 20 && minor >= 19) };
}

async function engineFinding(): Promise<Finding> {
  try {
    return { of: "engine", version: await engineVersion(), failure: null };
  } catch (cause) {
    return { of: "engine", version: "", failure: cause instanceof Error ? cause.message : String(cause) };
  }
}

async function workspaceFindings(open: Surroundings["open"]): Promise<Finding[]> {
  try {
    const context = await open();
    const { root, paths } = context.workspace;
    const findings: Finding[] = [{ of: "workspace", root }];
    const sets = await context.records.rules();
    const rules = sets.reduce((sum, { set }) => sum + set.rules.length, 0);
    findings.push({ of: "rules", rules, sets: sets.length });
    let decisions = 0;
    const communities = new Set<string>();
    for await (const batch of context.records.decisions()) {
      decisions += batch.length;
      for (const { community } of batch) communities.add(community);
    }
    findings.push(...(await ruleFindings(context, sets, communities)), { of: "decisions", count: decisions });
    if (hasTornTail(paths.decisions)) findings.push({ of: "torn_decisions" });
    findings.push({ of: "runs", count: (await context.runs.list()).length });
    for (const run of await context.runs.damaged()) findings.push({ of: "damaged_run", run });
    findings.push({ of: "writable", writable: isWritable(root) }, { of: "disk", free: freeBytes(root) });
    return findings;
  } catch (cause) {
    if (!(cause instanceof DefensibleError)) throw cause;
    return [{ of: "no_workspace", cause }];
  }
}

/** What `audit` will refuse, and decisions that it will skip. */
async function ruleFindings(
  { records }: FileContext,
  files: RuleFile[],
  communities: ReadonlySet<string>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const sets = files.map(({ set }) => set);
  try {
    checkVersions(files);
  } catch (cause) {
    if (!(cause instanceof DefensibleError)) throw cause;
    findings.push({ of: "rule_versions", cause });
  }
  const unused = await findUnusedRules(records, sets, communities);
  if (unused.length > 0) findings.push({ of: "unused_rules", unused });
  const ruled = new Set(sets.filter(({ rules }) => rules.length > 0).map((set) => set.community ?? ""));
  const bare = [...communities].filter((community) => !ruled.has("") && !ruled.has(community));
  if (sets.length > 0 && bare.length > 0) findings.push({ of: "communities_without_rules", communities: bare });
  return findings;
}

/** What a model can do. */
export interface Probed {
  auditor: string;
  version: string;
  signals: SignalMode[];
  /** null: it runs in this process, so there is no server to ask. */
  capabilities: Capabilities | null;
  price: Auditor["price"];
}

/** Asks a model in one cheap call what it can do. */
export async function probe(name: string, auditor: Auditor): Promise<Probed> {
  const found = await probePatiently(auditor, new AbortController().signal);
  const signals = auditor.signals.filter((mode) => mode !== "logprobs" || found === null || found.logprobs);
  return { auditor: name, version: auditor.version, signals, capabilities: found, price: auditor.price };
}
