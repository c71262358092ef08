import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileError } from "../../io/files.js";

/** One part of a batch on its way to the provider: written to a file that only we can read, and never held in memory. */
export class BatchFile {
  items = 0;
  bytes = 0;
  /** null: its requests differ. */
  temperature: number | null = null;
  private failure: Error | null = null;

  private constructor(
    private readonly folder: string,
    readonly path: string,
    private readonly stream: WriteStream,
  ) {
    // A full disk is told when the next line is added, not to the whole process.
    stream.on("error", (cause) => {
      this.failure = cause;
    });
  }

  static async create(): Promise<BatchFile> {
    const folder = await mkdtemp(join(tmpdir(), "defensible-batch-"));
    const path = join(folder, "requests.jsonl");
    return new BatchFile(folder, path, createWriteStream(path, { mode: 0o600 }));
  }

  async add(line: Buffer, temperature: number): Promise<void> {
    this.temperature = this.items === 0 || this.temperature === temperature ? temperature : null;
    this.items++;
    this.bytes += line.length;
    this.check();
    if (!this.stream.write(line)) await this.until("drain");
  }

  async finish(): Promise<void> {
    this.stream.end();
    if (!this.stream.closed) await this.until("close");
    this.check();
  }

  private async until(event: "drain" | "close"): Promise<void> {
    await once(this.stream, event).catch(() => {});
    this.check();
  }

  private check(): void {
    if (this.failure) throw fileError(this.failure, this.path);
  }

  async remove(): Promise<void> {
    this.stream.destroy();
    await rm(this.folder, { recursive: true, force: true });
  }
}
