import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { DefensibleError, EnvironmentError, InputError } from "../core/errors.js";
import { nearestName } from "../core/text-checks.js";

const BUFFER_CHARACTERS = 1 << 20;

/** Writes to a temporary file next to the target and renames it into place when complete. */
export class AsideFile {
  readonly aside: string;
  private file: number | null;
  private buffer = "";

  private readonly target: string;
  /** A pipe or device is written to directly: a file cannot be renamed onto it. */
  private readonly direct: boolean;

  constructor(name: string) {
    const { path: target, direct } = outputTarget(name);
    this.target = target;
    this.direct = direct;
    this.aside = direct ? target : `${target}.${process.pid}.${randomBytes(3).toString("hex")}.tmp`;
    try {
      this.file = openSync(this.aside, "w");
    } catch (cause) {
      throw fileError(cause, target);
    }
  }

  write(text: string): void {
    this.buffer += text;
    if (this.buffer.length >= BUFFER_CHARACTERS) this.flush();
  }

  private flush(): void {
    const bytes = Buffer.from(this.buffer, "utf8");
    this.buffer = "";
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(this.file!, bytes, written);
    } catch (cause) {
      throw fileError(cause, this.target);
    }
  }

  /** Flushes and closes. The temporary file `aside` stays until `commit` or `discard`. */
  close(): void {
    if (this.file === null) return;
    this.flush();
    if (!this.direct) fsyncSync(this.file);
    closeSync(this.file);
    this.file = null;
  }

  commit(): void {
    this.close();
    if (this.direct) return;
    try {
      renameSync(this.aside, this.target);
    } catch (cause) {
      throw fileError(cause, this.target);
    }
    syncFolder(dirname(this.target));
  }

  /** Deletes the temporary file unless it was committed. */
  discard(): void {
    if (this.file !== null) closeSync(this.file);
    this.file = null;
    if (!this.direct) rmSync(this.aside, { force: true });
  }
}

/**
 * Where output to `path` really goes: a link is followed, and a pipe or device (`/dev/stdout`) is written to directly. Renaming a
 * file onto either would destroy it.
 */
function outputTarget(path: string): { path: string; direct: boolean } {
  if (!existsSync(path)) return { path, direct: false };
  const stat = statSync(path);
  // Checked before `realpathSync`: the real path of a pipe names no file.
  if (!stat.isFile() && !stat.isDirectory()) return { path, direct: true };
  return { path: realpathSync(path), direct: false };
}

/** Most links followed to a path that does not exist yet. */
const MOST_LINKS = 40;

/** The real path of a file, or the one it would have once written, so that two names for one place compare equal. */
export function outputPlace(path: string, links = 0): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch {
    if (dirname(whole) === whole) return whole;
    const folder = outputPlace(dirname(whole));
    const target = links < MOST_LINKS ? linkedTo(join(folder, basename(whole))) : null;
    return target === null ? join(folder, basename(whole)) : outputPlace(resolve(folder, target), links + 1);
  }
}

/** The target of a link; null if `path` is not a link. */
function linkedTo(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** Whether two paths lead to the same file; false if either leads nowhere. */
export function isSameFile(a: string, b: string): boolean {
  return existsSync(a) && existsSync(b) && realpathSync(a) === realpathSync(b);
}

/** Writes a file atomically: a reader, or a crash, sees the old content or the new one, never a part. */
export function writeFileAtomic(name: string, content: string | Buffer): void {
  const { path, direct } = outputTarget(name);
  if (direct) {
    try {
      writeFileSync(path, content);
    } catch (cause) {
      throw fileError(cause, path);
    }
    return;
  }
  const aside = `${path}.${process.pid}.${randomBytes(3).toString("hex")}.tmp`;
  try {
    const file = openSync(aside, "w");
    try {
      // A nearly full disk accepts part of a write and fails only on the next part.
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(aside, path);
    syncFolder(dirname(path));
  } catch (cause) {
    rmSync(aside, { force: true });
    throw fileError(cause, path);
  }
}

export function syncFile(path: string): void {
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
}

/** Makes a rename durable. Some file systems refuse to sync a folder; only the guarantee is lost then. */
export function syncFolder(path: string): void {
  try {
    const folder = openSync(path, "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch {}
}

/**
 * A value that changes when a file is replaced, edited, created or removed. A file that cannot be examined does not count as absent:
 * reading it then fails, or closes the gate.
 */
export function markOf(path: string): string {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat) return `${stat.ino}:${stat.size}:${stat.mtimeMs}`;
    return lstatSync(path, { throwIfNoEntry: false }) ? "a link to nothing" : "absent";
  } catch (cause) {
    return `unreadable ${(cause as NodeJS.ErrnoException).code}`;
  }
}

/** No temporary file is written for this long. */
const STALE_MS = 3_600_000;

/** Deletes temporary files that killed processes have left in a folder. Never fails. */
export function sweepTemporary(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (name.endsWith(".tmp") && Date.now() - statSync(path).mtimeMs > STALE_MS) rmSync(path, { recursive: true });
    }
  } catch {}
}

const REMEDIES: Record<string, [string, string]> = {
  ENOSPC: ["no space left on the disk", "Free some space and repeat the command; what was written is kept."],
  EDQUOT: ["the disk quota is used up", "Free some space and repeat the command; what was written is kept."],
  EACCES: ["permission denied", "Check who owns the file or folder, or choose another with --workspace or --out."],
  EPERM: ["not permitted", "Check who owns the file or folder, or choose another with --workspace or --out."],
  EROFS: ["the file system is read-only", "Choose a folder that can be written to."],
  ENOENT: ["no such file or folder", "Check the path."],
  EISDIR: ["is a folder, not a file", "Name a file."],
  ENOTDIR: ["a part of the path is a file, not a folder", "Check the path."],
  EMFILE: [
    "too many open files",
    "Raise the limit (`ulimit -n 1024`) and repeat the command; what was written is kept.",
  ],
  ENFILE: [
    "the system has too many open files",
    "Close other programs and repeat the command; what was written is kept.",
  ],
  EPIPE: ["its reader has gone", "Read it to the end, or write to a file."],
  EFBIG: [
    "larger than the largest file that is allowed",
    "Raise the limit (`ulimit -f unlimited`) and repeat the command; what was written is kept.",
  ],
};

/** Turns a system error of a file operation (from Node or DuckDB) into a sentence with its remedy; other errors pass unchanged. */
export function fileError(cause: unknown, path: string): unknown {
  const duck = cause instanceof Error ? duckFailure(cause, path) : null;
  const code = (cause as NodeJS.ErrnoException | null)?.code ?? duck?.code;
  const known = code ? REMEDIES[code] : undefined;
  if (!known) return cause;
  const remedy = code === "ENOENT" ? (nearestFile(path) ?? known[1]) : known[1];
  return new EnvironmentError(`file_${code?.toLowerCase()}`, `${duck?.path ?? path}: ${known[0]}`, remedy);
}

/** The name in the folder that was probably meant. */
function nearestFile(path: string): string | null {
  try {
    const meant = nearestName(basename(path), readdirSync(dirname(path)));
    return meant === null ? null : `Did you mean ${join(dirname(path), meant)}?`;
  } catch {
    return null;
  }
}

const DUCKDB_FAILURES: Record<string, string> = {
  "No space left on device": "ENOSPC",
  "Disk quota exceeded": "EDQUOT",
  "Too many open files": "EMFILE",
  "File too large": "EFBIG",
  "Permission denied": "EACCES",
  "Read-only file system": "EROFS",
};

/** DuckDB reports only text: `IO Error: Could not write file "x": No space left on device`. The file may be one it spills to. */
function duckFailure({ message }: Error, path: string): { code: string; path: string } | null {
  if (!message.startsWith("IO Error")) return null;
  const words = Object.keys(DUCKDB_FAILURES).find((one) => message.includes(one));
  if (!words) return null;
  const file = /"([^"]+)"/.exec(message)?.[1];
  // A temporary file is reported by the name the user knows.
  return { code: DUCKDB_FAILURES[words]!, path: file && !file.startsWith(path) ? file : path };
}

/** A file that cannot be read as a whole. The command continues with its other files. */
export class FileProblem extends InputError {}

/** Turns an error thrown while reading a file into a problem of that file. */
export function fileProblem(cause: unknown, path: string): unknown {
  const known = fileError(cause, path);
  if (known instanceof FileProblem || !(known instanceof DefensibleError)) return known;
  return new FileProblem(known.code, known.message, known.remedy);
}
