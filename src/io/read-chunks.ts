import { open } from "node:fs/promises";

const CHUNK_BYTES = 1 << 20;

/** The bytes of a file, a mebibyte at a time; each buffer is the caller's to keep. */
export async function* readChunks(path: string): AsyncGenerator<Buffer> {
  const file = await open(path, "r");
  try {
    for (let offset = 0; ; ) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, offset);
      if (bytesRead === 0) return;
      offset += bytesRead;
      yield chunk.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
