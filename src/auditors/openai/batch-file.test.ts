import { once } from "node:events";
import { readFileSync, type WriteStream } from "node:fs";
import { describe, expect, it } from "vitest";
import { DefensibleError } from "../../core/errors.js";
import { BatchFile } from "./batch.js";

describe("a batch's file", () => {
  it("holds its lines", async () => {
    const file = await BatchFile.create();
    await file.add(Buffer.from("a\n"), 0);
    await file.add(Buffer.from("b\n"), 1);
    await file.finish();
    expect(readFileSync(file.path, "utf8")).toBe("a\nb\n");
    expect(file).toMatchObject({ items: 2, bytes: 4, temperature: null });
    await file.remove();
  });

  it("that cannot be written is an error in our words", async () => {
    const file = await BatchFile.create();
    const { stream } = file as unknown as { stream: WriteStream };
    stream.destroy(Object.assign(new Error("write ENOSPC"), { code: "ENOSPC" }));
    await once(stream, "close").catch(() => {});
    await expect(file.add(Buffer.from("a\n"), 0)).rejects.toBeInstanceOf(DefensibleError);
    await expect(file.finish()).rejects.toThrow(/no space left/);
    await file.remove();
  });
});
