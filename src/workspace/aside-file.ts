import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { fileError, syncFolder } from "../ledger/files.js";

const BUFFER_CHARACTERS = 1 << 20;

/** A file that is written beside its place and moved there when it is complete. */
export class AsideFile {
  readonly aside: string;
  private file: number | null;
  private buffer = "";

  constructor(private readonly target: string) {
    this.aside = `${target}.${process.pid}.${randomBytes(3).toString("hex")}.tmp`;
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

  /** Everything written is in the file `aside`, which stays until `discard`. */
  close(): void {
    if (this.file === null) return;
    this.flush();
    fsyncSync(this.file);
    closeSync(this.file);
    this.file = null;
  }

  commit(): void {
    this.close();
    try {
      renameSync(this.aside, this.target);
    } catch (cause) {
      throw fileError(cause, this.target);
    }
    syncFolder(dirname(this.target));
  }

  /** Removes what was not committed. */
  discard(): void {
    if (this.file !== null) closeSync(this.file);
    this.file = null;
    rmSync(this.aside, { force: true });
  }
}
