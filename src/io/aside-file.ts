import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { fileError, outputTarget, syncFolder } from "./files.js";

const BUFFER_CHARACTERS = 1 << 20;

/** A file that is written next to its place and moved there when it is complete. */
export class AsideFile {
  readonly aside: string;
  private file: number | null;
  private buffer = "";

  private readonly target: string;
  /** A pipe or a device is written to as it is: there is nothing to move a file onto. */
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

  /** Everything written is in the file `aside`, which stays until `discard`. */
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

  /** Removes what was not committed. */
  discard(): void {
    if (this.file !== null) closeSync(this.file);
    this.file = null;
    if (!this.direct) rmSync(this.aside, { force: true });
  }
}
