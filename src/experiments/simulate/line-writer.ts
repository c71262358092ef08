import { closeSync, openSync, writeSync } from "node:fs";
import { fileError } from "../../io/files.js";

const CHUNK = 1 << 20;

/** Writes a file in large pieces, so that memory stays flat and the disk is asked rarely. */
export class LineWriter {
  private readonly file: number;
  private held = "";

  constructor(private readonly path: string) {
    try {
      this.file = openSync(path, "w");
    } catch (cause) {
      throw fileError(cause, path);
    }
  }

  write(text: string): void {
    this.held += text;
    if (this.held.length >= CHUNK) this.flush();
  }

  close(): void {
    this.flush();
    closeSync(this.file);
  }

  private flush(): void {
    const bytes = Buffer.from(this.held);
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(this.file, bytes, written);
    } catch (cause) {
      throw fileError(cause, this.path);
    }
    this.held = "";
  }
}
