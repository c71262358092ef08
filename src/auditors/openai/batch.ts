import { once } from "node:events";
import { createReadStream, createWriteStream, type WriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Batch } from "openai/resources/batches";
import type { Generation } from "../../core/records/case.js";
import { fileError } from "../../io/files.js";
import type { Ask, BatchClient, BatchHandle, BatchItem, BatchResult, BatchStatus, Price } from "../auditor.js";
import { printable, type RawResponse, readLines } from "../http/raw-response.js";
import { type BatchReading, readBatchLine } from "./batch-line.js";
import type { OpenAIClient } from "./client.js";

/** One part of a batch before it is sent: written to a file that only we can read, and never held in memory. */
export class BatchFile {
  items = 0;
  bytes = 0;
  /** null: the requests differ in it. */
  temperature: number | null = null;
  private failure: Error | null = null;

  private constructor(
    private readonly folder: string,
    readonly path: string,
    private readonly stream: WriteStream,
  ) {
    // A full disk is reported when the next line is added, not to the whole process.
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

/** OpenAI's limits for one part. */
const MAX_REQUESTS = 50_000;
const MAX_BYTES = 200_000_000;
/** A part of 200 MB takes long on a slow connection. */
const UPLOAD_TIMEOUT_MS = 60 * 60_000;
/** Our runs are among the newest. An account with more batches than this has to wait for the receipt. */
const MAX_LISTED = 2000;

export interface BatchOptions {
  price: Price | null;
  space: Generation["space"];
  trueBytes: boolean;
  /** The path each line of a part is sent to, as the provider names it. */
  url: "/v1/chat/completions" | "/chat/completions";
  request(ask: Ask): Record<string, unknown>;
}

const STATES: Readonly<Record<Batch["status"], BatchStatus["state"]>> = {
  validating: "running",
  in_progress: "running",
  finalizing: "running",
  cancelling: "running",
  completed: "finished",
  failed: "failed",
  expired: "expired",
  cancelled: "cancelled",
};

/** OpenAI's batch service: a file of requests, answered within a day for half the price. */
export class OpenAIBatch implements BatchClient {
  constructor(
    private readonly client: OpenAIClient,
    private readonly options: BatchOptions,
  ) {}

  async *submit(items: AsyncIterable<BatchItem>, label: string): AsyncIterable<BatchHandle> {
    let file: BatchFile | null = null;
    try {
      for await (const item of items) {
        const line = this.lineOf(item);
        if (file !== null && (file.items === MAX_REQUESTS || file.bytes + line.length > MAX_BYTES)) {
          yield await this.send(file, label);
          await file.remove();
          file = null;
        }
        file ??= await BatchFile.create();
        await file.add(line, item.ask.temperature);
      }
      if (file !== null) yield await this.send(file, label);
    } finally {
      await file?.remove();
    }
  }

  async find(label: string): Promise<BatchHandle[]> {
    return this.client.run(async (sdk) => {
      const found: BatchHandle[] = [];
      let listed = 0;
      for await (const batch of sdk.batches.list({ limit: 100 })) {
        if (batch.metadata?.defensible_run === label) found.push(handleOf(batch));
        if (++listed === MAX_LISTED) break;
      }
      return found;
    });
  }

  async status(handle: BatchHandle): Promise<BatchStatus> {
    const batch = await this.retrieve(handle);
    const errors = (batch.errors?.data ?? []).map(({ message, line }) =>
      line ? `line ${line}: ${message ?? ""}` : (message ?? ""),
    );
    return {
      state: STATES[batch.status] ?? "running",
      done: batch.request_counts?.completed ?? 0,
      failed: batch.request_counts?.failed ?? 0,
      message: errors.length === 0 ? null : printable(errors.slice(0, 5).join("; "), 500),
    };
  }

  async *results(handle: BatchHandle): AsyncIterable<BatchResult> {
    const batch = await this.retrieve(handle);
    const temperature = Number(batch.metadata?.temperature);
    const reading: BatchReading = {
      context: this.client.context(),
      trueBytes: this.options.trueBytes,
      generation: {
        model: this.client.model,
        space: this.options.space,
        temperature: Number.isFinite(temperature) ? temperature : 1,
        // The ordinary price: the code that collects a batch applies the batch share.
        price: this.options.price,
        secrets: this.client.access.secrets(),
      },
      lineBytes: this.client.answerBytes,
    };
    for (const fileId of [batch.output_file_id, batch.error_file_id]) {
      if (!fileId) continue;
      for await (const line of this.download(fileId)) {
        const result = readBatchLine(line, reading);
        if (result !== null) yield result;
      }
    }
  }

  private lineOf({ id, ask }: BatchItem): Buffer {
    const line = { custom_id: id, method: "POST", url: this.options.url, body: this.options.request(ask) };
    return Buffer.from(`${JSON.stringify(line)}\n`);
  }

  private async send(file: BatchFile, label: string): Promise<BatchHandle> {
    await file.finish();
    return this.client.run(async (sdk) => {
      const uploaded = await sdk.files.create(
        { file: createReadStream(file.path), purpose: "batch" },
        { timeout: UPLOAD_TIMEOUT_MS },
      );
      const batch = await sdk.batches.create({
        input_file_id: uploaded.id,
        endpoint: this.options.url as "/v1/chat/completions",
        completion_window: "24h",
        // The number of requests is not known before the part has been read through; no answer states the temperature.
        metadata: {
          defensible_run: label,
          items: String(file.items),
          ...(file.temperature === null ? {} : { temperature: String(file.temperature) }),
        },
      });
      return { ...handleOf(batch), items: file.items };
    });
  }

  private retrieve(handle: BatchHandle): Promise<Batch> {
    return this.client.run(async (sdk) => await sdk.batches.retrieve(handle.id));
  }

  private async *download(fileId: string): AsyncIterable<Buffer> {
    const response = await this.client.run(async (sdk) => await sdk.files.content(fileId));
    const { stream, bytes } = response as unknown as RawResponse;
    try {
      yield* readLines(stream ?? [bytes], this.client.answerBytes);
    } catch (error) {
      // A broken download is reported as a network failure.
      await this.client.run(() => Promise.reject(error));
    } finally {
      stream?.destroy();
    }
  }
}

function handleOf(batch: Batch): BatchHandle {
  const counted = Number(batch.metadata?.items);
  return {
    id: batch.id,
    items: Number.isInteger(counted) && counted > 0 ? counted : (batch.request_counts?.total ?? 0),
    submitted_at: new Date(batch.created_at * 1000).toISOString(),
  };
}
