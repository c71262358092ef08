import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputError } from "../../core/errors.js";
import { testFolder, tinyModel } from "./engine.suite.js";
import { readGgufFile, readGgufMetadata } from "./gguf-file.js";

let files = 0;
function fileOf(content: string | Buffer): string {
  const path = join(testFolder, `file-${files++}.gguf`);
  writeFileSync(path, content);
  return path;
}

describe("readGgufFile", () => {
  it("finds a model by a relative path and knows its name and context", async () => {
    const path = tinyModel({ context: 1536 });
    const file = await readGgufFile(relative(process.cwd(), path));
    expect(file).toMatchObject({ path, name: "Tiny test model", trainedContext: 1536 });
    expect(file.bytes).toBe(readFileSync(path).length);
  });

  it("tells two files apart by their beginnings", async () => {
    const [one, same, other] = await Promise.all(
      [tinyModel(), tinyModel(), tinyModel({ context: 999 })].map((path) => readGgufFile(path)),
    );
    expect(one!.head).toBe(same!.head);
    expect(one!.head).not.toBe(other!.head);
  });

  it.each([
    ["a file that is not there", () => join(testFolder, "none.gguf"), /there is no such file/],
    ["a path through a file", () => join(fileOf("x"), "a.gguf"), /there is no such file/],
    ["a folder", () => testFolder, /not a file/],
    ["an empty file", () => fileOf(""), /0 bytes that do not begin with GGUF/],
    ["some other file", () => fileOf("PK\u0003\u0004 and so on"), /do not begin with GGUF/],
    ["a pointer of Git LFS", () => fileOf("version https://git-lfs.github.com/spec/v1\n"), /Git LFS pointer/],
    ["a version of long ago", () => fileOf("GGUF\u0001\0\0\0"), /version 1\), expected version 2 or 3/],
    ["a file that ends after its mark", () => fileOf("GGUF"), /version 0/],
  ])("refuses %s", async (_, path, message) => {
    const attempt = readGgufFile(path());
    await expect(attempt).rejects.toBeInstanceOf(InputError);
    await expect(attempt).rejects.toThrow(message);
    await expect(attempt).rejects.toMatchObject({ remedy: expect.any(String) });
  });

  it("knows no context where the file does not say", async () => {
    expect(await readGgufFile(fileOf("GGUF\u0003\0\0\0"))).toMatchObject({ name: null, trainedContext: null });
  });
});

describe("readGgufMetadata", () => {
  const head = readFileSync(tinyModel());
  const whole = readGgufMetadata(head);

  it("reads texts and numbers beside and behind lists", () => {
    expect(whole.get("general.architecture")).toBe("llama");
    expect(whole.get("llama.attention.layer_norm_rms_epsilon")).toBeCloseTo(1e-5);
    expect(whole.get("tokenizer.ggml.eos_token_id")).toBe(2);
  });

  it("reads the same of a beginning, as far as it goes", () => {
    for (let length = 0; length < 1000; length++) {
      for (const [key, value] of readGgufMetadata(head.subarray(0, length))) expect(value).toBe(whole.get(key));
    }
  });

  it("ends on any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat({ max: 2000 }), (noise, at) => {
        const broken = Buffer.from(head.subarray(0, 4000));
        broken.set(noise, at);
        readGgufMetadata(broken);
        readGgufMetadata(Buffer.from(noise));
      }),
    );
  });
});
