import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import { InputError } from "../../core/errors.js";
import { type Actions, actionNames } from "../../core/records/actions.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import { fileError, writeFileAtomic } from "../../io/files.js";
import { ruleFileName, ruleSetYaml } from "../formats/rule-file.js";
import type { Reject, RejectSink } from "../ports.js";
import { writeActions } from "./config-file.js";
import type { Workspace } from "./workspace.js";

/** The workspace with its actions named otherwise: possible only while nothing in it has been decided in the old ones. */
export function renameActions(workspace: Workspace, actions: Actions, dryRun: boolean): Workspace {
  const { config, paths } = workspace;
  const taken = [paths.decisions, paths.decisionsParquet, paths.precedents].find(
    (path) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
  if (taken) throw actionsFixed(basename(taken), config.actions, actions);
  if (!dryRun) writeActions(paths.config, actions);
  return { ...workspace, config: { ...config, actions } };
}

export function actionsFixed(what: string, kept: Actions, asked: Actions): InputError {
  const names = (actions: Actions) => actionNames(actions).join("/");
  return new InputError(
    "actions_fixed",
    `actions: ${what} is written in ${names(kept)}; got ${names(asked)}`,
    `Leave --actions out and translate the values, such as --map-value decision:${asked.positive}=${kept.positive}, or make another workspace.`,
  );
}

/** Writes a rule set under a name of its own. What people wrote in YAML is kept to the letter, comments and all; null: nothing to keep. */
export function writeRuleSet({ paths }: Workspace, set: RuleSet, text: string | null): string {
  const { rules } = paths;
  try {
    mkdirSync(rules, { recursive: true });
  } catch (cause) {
    throw fileError(cause, rules);
  }
  let name = ruleFileName(set, 1);
  for (let n = 2; existsSync(join(rules, name)); n++) name = ruleFileName(set, n);
  const isYaml = text !== null && !/^\uFEFF?\s*\{/.test(text);
  writeFileAtomic(join(rules, name), isYaml ? text.replace(/^\uFEFF/, "") : ruleSetYaml(set));
  return `rules/${name}`;
}

const BUFFER_CHARACTERS = 1 << 16;
const MAX_TEXT = 10_000;

/** A reject as a line of JSON. */
export function rejectLine(reject: Reject): string {
  const row = typeof reject.row === "string" ? reject.row.slice(0, MAX_TEXT) : reject.row;
  return `${JSON.stringify({ ...reject, row, raw: reject.raw?.slice(0, MAX_TEXT) })}\n`;
}

/** The rejected rows of one file, written next to the workspace's data for a person to correct. */
export class RejectFile implements RejectSink {
  private readonly folder: string;
  private readonly aside: string;
  private file: number | null = null;
  private buffer = "";

  constructor(
    { paths }: Workspace,
    private readonly name: string,
    private readonly stamp: string,
  ) {
    this.folder = paths.rejects;
    refuseOtherThanFolder(this.folder);
    this.aside = join(this.folder, `.${stamp}-${process.pid}.tmp`);
  }

  add(reject: Reject): void {
    this.buffer += rejectLine(reject);
    if (this.buffer.length >= BUFFER_CHARACTERS) this.flush();
  }

  private flush(): void {
    try {
      if (this.file === null) {
        mkdirSync(this.folder, { recursive: true });
        this.file = openSync(this.aside, "w");
      }
      const bytes = Buffer.from(this.buffer, "utf8");
      for (let written = 0; written < bytes.length; ) written += writeSync(this.file, bytes, written);
    } catch (cause) {
      this.drop();
      throw fileError(cause, this.folder);
    }
    this.buffer = "";
  }

  /** Gives the file its name. Where an earlier import left the very same rows under such a name, that is the file: importing twice changes nothing. */
  async finish(): Promise<string | null> {
    if (this.buffer) this.flush();
    if (this.file === null) return null;
    closeSync(this.file);
    this.file = null;
    const suffix = `-${basename(this.name).replace(/[^\w.-]+/g, "_")}`;
    const names = readdirSync(this.folder).filter((name) => name.includes(suffix) && name.endsWith(".jsonl"));
    const same = names.find((name) => sameBytes(join(this.folder, name), this.aside));
    if (same) {
      rmSync(this.aside, { force: true });
      return `rejects/${same}`;
    }
    let name = `${this.stamp}${suffix}.jsonl`;
    for (let n = 2; existsSync(join(this.folder, name)); n++) name = `${this.stamp}${suffix}-${n}.jsonl`;
    renameSync(this.aside, join(this.folder, name));
    return `rejects/${name}`;
  }

  async discard(): Promise<void> {
    this.drop();
  }

  private drop(): void {
    this.buffer = "";
    if (this.file === null) return;
    closeSync(this.file);
    this.file = null;
    rmSync(this.aside, { force: true });
  }
}

/** Asked before the first row, so that nothing is imported whose rejected rows could not be kept. */
function refuseOtherThanFolder(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false }) || statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new InputError(
    "rejects_not_folder",
    `${path}: is not a folder, and rejected rows are kept in a folder of this name. Nothing was imported`,
    "Move it away or rename it, and repeat the command.",
  );
}

function sameBytes(a: string, b: string): boolean {
  if (statSync(a).size !== statSync(b).size) return false;
  const files = [openSync(a, "r"), openSync(b, "r")] as const;
  const buffers = [Buffer.alloc(BUFFER_CHARACTERS), Buffer.alloc(BUFFER_CHARACTERS)] as const;
  try {
    for (;;) {
      const read = readSync(files[0], buffers[0]);
      if (readSync(files[1], buffers[1]) !== read) return false;
      if (read === 0) return true;
      if (!buffers[0].subarray(0, read).equals(buffers[1].subarray(0, read))) return false;
    }
  } finally {
    for (const file of files) closeSync(file);
  }
}
