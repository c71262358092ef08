import {
  closeSync,
  existsSync,
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
import { fileError } from "../../io/files.js";
import type { Workspace } from "../../store/files/workspace.js";

/** A row that was not taken, and why. */
export interface Reject {
  /** As it was named in the command. */
  file: string;
  line: number;
  /** Dotted, or "" for the row as a whole. */
  field: string;
  reason: string;
  /** The row as it was read (columns already renamed), or the text of a line that could not be read. */
  row?: unknown;
}

const BUFFER_CHARACTERS = 1 << 16;
const MAX_TEXT = 10_000;

/** The rejected rows of one file, written beside the workspace's data for somebody to mend. */
export class RejectLog {
  private readonly aside: string;
  private file: number | null = null;
  private buffer = "";

  constructor(
    private readonly workspace: Workspace,
    private readonly name: string,
    private readonly stamp: string,
  ) {
    this.aside = join(workspace.paths.rejects, `.${stamp}-${process.pid}.tmp`);
  }

  add(reject: Reject): void {
    const row = typeof reject.row === "string" ? reject.row.slice(0, MAX_TEXT) : reject.row;
    this.buffer += `${JSON.stringify({ ...reject, row })}\n`;
    if (this.buffer.length >= BUFFER_CHARACTERS) this.flush();
  }

  private flush(): void {
    try {
      if (this.file === null) {
        mkdirSync(this.workspace.paths.rejects, { recursive: true });
        this.file = openSync(this.aside, "w");
      }
      const bytes = Buffer.from(this.buffer, "utf8");
      for (let written = 0; written < bytes.length; ) written += writeSync(this.file, bytes, written);
    } catch (cause) {
      this.discard();
      throw fileError(cause, this.workspace.paths.rejects);
    }
    this.buffer = "";
  }

  /**
   * Gives the file its name, and the name (relative to the workspace). An earlier import that rejected the very same rows of a
   * file of this name has left them already: then nothing is added, so that importing a file twice changes nothing.
   */
  finish(): string | null {
    if (this.buffer) this.flush();
    if (this.file === null) return null;
    closeSync(this.file);
    this.file = null;
    const folder = this.workspace.paths.rejects;
    const suffix = `-${basename(this.name).replace(/[^\w.-]+/g, "_")}`;
    const names = readdirSync(folder).filter((name) => name.includes(suffix) && name.endsWith(".jsonl"));
    const same = names.find((name) => sameBytes(join(folder, name), this.aside));
    if (same) {
      rmSync(this.aside, { force: true });
      return `rejects/${same}`;
    }
    let name = `${this.stamp}${suffix}.jsonl`;
    for (let n = 2; existsSync(join(folder, name)); n++) name = `${this.stamp}${suffix}-${n}.jsonl`;
    renameSync(this.aside, join(folder, name));
    return `rejects/${name}`;
  }

  discard(): void {
    this.buffer = "";
    if (this.file === null) return;
    closeSync(this.file);
    this.file = null;
    rmSync(this.aside, { force: true });
  }
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

export interface ReasonCount {
  field: string;
  reason: string;
  count: number;
}

const FIRST_REJECTS = 20;
/** A reason may quote the value: then each row has its own. What comes after so many is counted together. */
const MAX_REASONS = 200;
const OTHER: ReasonCount = { field: "", reason: "other reasons", count: 0 };

/** The first rejected rows, and how many there are by reason. */
export class RejectTally {
  readonly first: Reject[] = [];
  private readonly byReason = new Map<string, ReasonCount>();

  add(reject: Reject): void {
    if (this.first.length < FIRST_REJECTS) this.first.push(reject);
    this.count({ field: reject.field, reason: reject.reason, count: 1 });
  }

  merge(other: RejectTally): void {
    this.first.push(...other.first.slice(0, FIRST_REJECTS - this.first.length));
    for (const reason of other.byReason.values()) this.count(reason);
  }

  /** Most frequent first. */
  reasons(): ReasonCount[] {
    return [...this.byReason.values()].sort((a, b) => b.count - a.count);
  }

  private count(added: ReasonCount): void {
    const known = this.byReason.get(key(added));
    const full = this.byReason.size >= MAX_REASONS;
    const entry = known ?? (full ? this.byReason.get(key(OTHER)) : undefined);
    if (entry) entry.count += added.count;
    else this.byReason.set(key(full ? OTHER : added), { ...(full ? OTHER : added), count: added.count });
  }
}

function key({ field, reason }: ReasonCount): string {
  return `${field}: ${reason}`;
}
