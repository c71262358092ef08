import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { keyBytes, keyOf, RECORD, segmentName, segmentNames, writeRecord, writeWhole } from "./segment-files.js";
import { SegmentReader } from "./segment-reader.js";

/** Segments below this size are merged, once there are so many that were not written to for so long. */
const SMALL = 16 * 2 ** 20;
const MERGE_AT = 8;
const IDLE_MS = 3_600_000;

/** Makes one segment of many small ones that are no longer written to. Never fails: what cannot be merged stays as it is. */
export async function mergeSegments(folder: string): Promise<void> {
  try {
    await sweep(folder);
    const small: string[] = [];
    for (const name of await segmentNames(folder)) {
      const { size, mtimeMs } = await stat(join(folder, `${name}.answers`));
      if (size < SMALL && Date.now() - mtimeMs > IDLE_MS) small.push(name);
    }
    if (small.length < MERGE_AT) return;
    const reader = new SegmentReader(folder);
    try {
      for (const name of small) await reader.open(name);
      await copyLines(reader, join(folder, segmentName(small[0]!.slice(0, 15))));
    } finally {
      await reader.close();
    }
    for (const name of small) {
      await rm(join(folder, `${name}.index`), { force: true });
      await rm(join(folder, `${name}.answers`), { force: true });
    }
  } catch {
    // Another process merges the same ones, or the folder is read-only.
  }
}

/** A new segment of every line that is known; its index gets its name when all of it is there. */
async function copyLines(reader: SegmentReader, target: string): Promise<void> {
  const data = await open(`${target}.answers`, "ax");
  const index = await open(`${target}.index.part`, "wx");
  let end = 0;
  for await (const line of reader.lines()) {
    const key = keyOf(line);
    if (!key) continue;
    const record = Buffer.alloc(RECORD);
    writeRecord(record, 0, keyBytes(key), end);
    await writeWhole(data, Buffer.concat([line, Buffer.from("\n")]));
    await writeWhole(index, record);
    end += line.length + 1;
  }
  await data.sync();
  await index.sync();
  await data.close();
  await index.close();
  await rename(`${target}.index.part`, `${target}.index`);
}

/** Deletes what a merge that was killed left: an index without its name, answers without an index. */
async function sweep(folder: string): Promise<void> {
  const names = new Set(await readdir(folder).catch(() => [] as string[]));
  for (const name of names) {
    const [, stem, end] = /^(\d{15}-[0-9a-f]{8})\.(answers|index\.part)$/.exec(name) ?? [];
    if (stem === undefined || (end === "answers" && names.has(`${stem}.index`))) continue;
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > IDLE_MS) await rm(path, { force: true });
  }
}
