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

/** Where things are; only the configuration is sure to exist. Whatever is here is never overwritten by a report. */
export interface WorkspacePaths {
  config: string;
  rules: string;
  precedents: string;
  decisions: string;
  /** Decisions that someone put there as Parquet; read together with `decisions`. */
  decisionsParquet: string;
  labels: string;
  /** What reviewers and appeals made of routed decisions. */
  outcomes: string;
  rejects: string;
  runs: string;
  calibrations: string;
  cohorts: string;
  gate: string;
  weights: string;
  /** Answers of models, kept so that the same question is not paid twice. */
  cache: string;
  /** Hashes of what the logs hold, and what was erased. */
  chain: string;
  /** Which files commands have written: an erasure looks into them. */
  outputs: string;
  /** Held while an import writes. */
  importLock: string;
  /** The newest results of experiments, and what a replication keeps between its steps. */
  experiments: string;
  /** Keys of rating sheets. */
  humans: string;
  redactionKey: string;
  /** Key of the hashes by which an audit is known to be of what is routed. */
  contentKey: string;
  /** Of a simulated workspace. */
  simulation: string;
  truth: string;
}

const FOLDERS = ["rules", "runs"] as const;

/** The nearest folder, from `from` upward, that holds a `defensible.yaml`. */
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

/** The folder of a workspace, whatever its settings say. */
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

/** Makes a workspace in a new or an existing folder. */
export function createWorkspace(dir: string, options: { actions?: Actions; config?: Config } = {}): Workspace {
  const root = resolve(dir);
  const actions = options.actions && checkActions(options.actions);
  const paths = workspacePaths(root);
  if (isFile(paths.config)) throw taken(root);
  try {
    mkdirSync(root, { recursive: true });
    for (const folder of FOLDERS) mkdirSync(paths[folder], { recursive: true });
    // `wx`: of two that make the same workspace at once, one is refused.
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

/** The workspace in a folder; made with these settings where it is missing. */
export function workspaceWith(dir: string, config: Config): Workspace {
  return isFile(workspacePaths(resolve(dir)).config) ? openWorkspace(dir) : createWorkspace(dir, { config });
}

/** Where the parts of a workspace in this folder are, or would be. */
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

/** A key of a workspace, made when it is first needed, readable by its owner alone. */
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

/** Written aside and linked into place: of two that make it at once, the first one's stays, and half a key is never read. */
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
 * Keyed by a secret of the workspace's own, in `content.key`: a plain hash of a short post is found by trying. It is another key than that of
 * redacted reports, so that one can be erased without the other. Once it is erased, nothing can be learned from the hashes of audits, and all of
 * them are other than those of the next key.
 */
export function readHasher(workspace: Pick<Workspace, "paths">): ReadHasher {
  const lost = "audits made before fit no content any longer";
  return hasherOf(secretKey(workspace.paths.contentKey, { code: "bad_content_key", what: "a key of audits", lost }));
}

/** Hashes under a key. */
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

/** H(key, H(key, text)): twice, as in HMAC, so that a text cannot be lengthened without the key. One call each, three times as fast as an HMAC object. */
function keyed(key: string): (sort: keyof ReadHashes, text: string) => string {
  return (sort, text) => {
    const inner = hash("sha256", `${key}\0${sort}\0${text}`, "hex");
    return hash("sha256", `${key}\0${inner}`, "hex").slice(0, DIGITS);
  };
}

/** Everything of a content that an auditor may see, each part with its length: no text can pretend to be another part. */
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
 * The key under which a workspace's texts are hashed in redacted reports. With one key the same text has the same hash in every report, so
 * that reports can be laid side by side. It is never part of a report.
 */
export function redactionKey(workspace: Pick<Workspace, "paths">): Buffer {
  const { redactionKey: file } = workspace.paths;
  const lost = "hashes of earlier reports fit no longer";
  return secretKey(file, { code: "bad_redaction_key", what: "a key of redacted reports", lost });
}
