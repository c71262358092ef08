import { hash, randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ReadHasher } from "../../audit/arms.js";
import type { Config } from "../../core/config.js";
import { InputError } from "../../core/errors.js";
import { SIMULATION_FILE, TRUTH_FILE } from "../../core/names.js";
import type { Actions } from "../../core/records/actions.js";
import type { ReadHashes } from "../../core/records/audit.js";
import type { CaseFrame } from "../../core/records/case.js";
import { type Content, contentParts } from "../../core/records/decision.js";
import { checkActions } from "../../core/records/manifest.js";
import { fileError } from "../../io/files.js";
import { wellFormed } from "../../text/printable.js";
import { CONFIG_FILE, configText, newConfig, readConfig } from "./config-file.js";

export interface Workspace {
  root: string;
  config: Config;
  paths: WorkspacePaths;
}

/** Paths in a workspace; only the configuration is sure to exist. Reports never overwrite anything here. */
export interface WorkspacePaths {
  config: string;
  rules: string;
  precedents: string;
  decisions: string;
  /** Optional decisions as Parquet, read together with `decisions`. */
  decisionsParquet: string;
  labels: string;
  /** Results of reviews and appeals of routed decisions. */
  outcomes: string;
  rejects: string;
  runs: string;
  calibrations: string;
  cohorts: string;
  gate: string;
  weights: string;
  /** Model answers, stored so that the same question is not paid for twice. */
  cache: string;
  /** Hashes of the logs' contents, and the log of erasures. */
  chain: string;
  /** List of files that commands have written, which an erasure searches. */
  outputs: string;
  /** Lock file of an import. */
  importLock: string;
  /** The newest results of experiments, and files that a replication stores between its steps. */
  experiments: string;
  /** Keys of rating sheets. */
  humans: string;
  redactionKey: string;
  /** Key of the hashes by which an audit is matched with what is routed. */
  contentKey: string;
  /** Only in a simulated workspace. */
  simulation: string;
  truth: string;
}

const FOLDERS = ["rules", "runs"] as const;

/** The nearest folder, from `from` upward, that contains a `defensible.yaml`. */
export function findWorkspace(from: string = process.cwd()): string {
  const start = resolve(from);
  for (let folder = start; ; folder = dirname(folder)) {
    if (isFile(join(folder, CONFIG_FILE))) return folder;
    if (folder === dirname(folder)) {
      throw new InputError(
        "no_workspace",
        `workspace: no ${CONFIG_FILE} in ${start} or in any folder above it`,
        "Make one with `defensible init DIR`, or name one with --workspace DIR.",
      );
    }
  }
}

export function openWorkspace(dir: string): Workspace {
  const { root, paths } = workspaceAt(dir);
  return { root, config: readConfig(paths.config), paths };
}

/** The folder of a workspace, without reading its settings. */
export function workspaceAt(dir: string): Pick<Workspace, "root" | "paths"> {
  const root = resolve(dir);
  const paths = workspacePaths(root);
  if (!isFile(paths.config)) {
    throw new InputError(
      "no_workspace",
      `workspace: there is no ${CONFIG_FILE} in ${root}`,
      `Make one with \`defensible init ${dir}\`.`,
    );
  }
  return { root, paths };
}

/** Creates a workspace in a new or an existing folder. */
export function createWorkspace(dir: string, options: { actions?: Actions; config?: Config } = {}): Workspace {
  const root = resolve(dir);
  const actions = options.actions && checkActions(options.actions);
  const paths = workspacePaths(root);
  if (isFile(paths.config)) throw taken(root);
  try {
    mkdirSync(root, { recursive: true });
    for (const folder of FOLDERS) mkdirSync(paths[folder], { recursive: true });
    // `wx`: if two processes create the same workspace at once, one of them fails.
    writeFileSync(paths.config, options.config ? configText(options.config) : newConfig(actions), { flag: "wx" });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST" && isFile(paths.config)) throw taken(root);
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") {
      throw new InputError("not_a_folder", `workspace: ${root} is a file, not a folder`, "Name a folder.");
    }
    throw fileError(cause, root);
  }
  return openWorkspace(root);
}

/** The workspace in a folder; created with these settings if missing. */
export function workspaceWith(dir: string, config: Config): Workspace {
  return isFile(workspacePaths(resolve(dir)).config) ? openWorkspace(dir) : createWorkspace(dir, { config });
}

/** The paths of a workspace in this folder, existing or not. */
export function workspacePaths(root: string): WorkspacePaths {
  return {
    config: join(root, CONFIG_FILE),
    rules: join(root, "rules"),
    precedents: join(root, "precedents.jsonl"),
    decisions: join(root, "decisions.jsonl"),
    decisionsParquet: join(root, "decisions.parquet"),
    labels: join(root, "labels.jsonl"),
    outcomes: join(root, "outcomes.jsonl"),
    rejects: join(root, "rejects"),
    runs: join(root, "runs"),
    calibrations: join(root, "calibrations"),
    cohorts: join(root, "cohorts"),
    gate: join(root, "gate"),
    weights: join(root, "pds_weights.json"),
    cache: join(root, "cache"),
    chain: join(root, "chain"),
    outputs: join(root, "outputs.jsonl"),
    importLock: join(root, "import.lock"),
    experiments: join(root, "experiments"),
    humans: join(root, "humans"),
    redactionKey: join(root, "redaction.key"),
    contentKey: join(root, "content.key"),
    simulation: join(root, SIMULATION_FILE),
    truth: join(root, TRUTH_FILE),
  };
}

function taken(root: string): InputError {
  return new InputError(
    "workspace_exists",
    `workspace: ${root} already holds one`,
    "Choose another folder, or go on with the one that is there.",
  );
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const KEY_BYTES = 32;

export function newKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/** A key of a workspace, created when first needed, readable only by its owner. */
function secretKey(file: string, { code, what, lost }: { code: string; what: string; lost: string }): Buffer {
  if (!existsSync(file)) writeKey(file);
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (cause) {
    throw fileError(cause, file);
  }
  if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, "hex");
  throw new InputError(
    code,
    `${file}: is not ${what}; expected 64 hexadecimal digits`,
    `Restore it, or delete it: a new one is made then, and ${lost}.`,
  );
}

/** Written to a temporary file and linked into place: if two processes do so, the first key stays, and a partial key is never read. */
function writeKey(file: string): void {
  const aside = `${file}.${process.pid}.${randomBytes(3).toString("hex")}.tmp`;
  try {
    writeFileSync(aside, `${newKey().toString("hex")}\n`, { flag: "wx", mode: 0o600 });
    linkSync(aside, file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw fileError(cause, file);
  } finally {
    rmSync(aside, { force: true });
  }
}

/**
 * Keyed by the workspace's own secret, in `content.key`, because a plain hash of a short post could be found by trying texts. It differs from the
 * key of redacted reports, so that one can be erased without the other. Once it is erased, the hashes of audits reveal nothing, and none of them
 * matches those of the next key.
 */
export function readHasher(workspace: Pick<Workspace, "paths">): ReadHasher {
  const lost = "audits made before fit no content any longer";
  return hasherOf(secretKey(workspace.paths.contentKey, { code: "bad_content_key", what: "a key of audits", lost }));
}

export function hasherOf(key: Buffer): ReadHasher {
  const hashOf = keyed(key.toString("hex"));
  const frames = new WeakMap<CaseFrame, Omit<ReadHashes, "content">>();
  return {
    content: (content) => hashOf("content", contentText(content)),
    frame: (frame) => {
      let known = frames.get(frame);
      if (!known) {
        known = {
          rules: hashOf("rules", JSON.stringify(frame.rules)),
          precedents: hashOf("precedents", JSON.stringify(frame.precedents)),
        };
        frames.set(frame, known);
      }
      return known;
    },
  };
}

const DIGITS = 32;

/** H(key, H(key, text)): nested, as in HMAC, so that no text can be extended without the key. Three times as fast as an HMAC object. */
function keyed(key: string): (sort: keyof ReadHashes, text: string) => string {
  return (sort, text) => {
    const inner = hash("sha256", `${key}\0${sort}\0${text}`, "hex");
    return hash("sha256", `${key}\0${inner}`, "hex").slice(0, DIGITS);
  };
}

/** All content that an auditor may see, each part with its length, so that no text can imitate another part. */
function contentText(content: Content): string {
  const { title, body, kind, language, url, context, hasMedia } = contentParts(content);
  const parts = [title, body, kind ?? "", language ?? "", url ?? "", ...context];
  let text = hasMedia ? "media" : "";
  for (let i = 0; i < parts.length; i++) {
    const part = wellFormed(parts[i]!);
    text += `\0${part.length}:${part}`;
  }
  return text;
}

/**
 * The key under which a workspace's texts are hashed in redacted reports. With one key the same text has the same hash in every report, so that
 * reports can be compared. It is never part of a report.
 */
export function redactionKey(workspace: Pick<Workspace, "paths">): Buffer {
  const { redactionKey: file } = workspace.paths;
  const lost = "hashes of earlier reports fit no longer";
  return secretKey(file, { code: "bad_redaction_key", what: "a key of redacted reports", lost });
}
