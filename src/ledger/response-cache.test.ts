import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerOf, COMPACT } from "../signals/answer.suite.js";
import { extractSignals } from "../signals/extract-signals.js";
import { anyGeneration } from "../signals/generation.suite.js";
import { PAPER_WEIGHTS } from "../signals/weights.js";
import { snapshot, tempFolder } from "../workspace/in-temp-folder.suite.js";
import { openResponseCache } from "./response-cache.js";

const keyOf = (request: string) => createHash("sha256").update(request).digest("hex");
const KEY = keyOf("a question");
const answer = answerOf(COMPACT);
const entryOf = (folder: string, key = KEY) => join(folder, key.slice(0, 2), `${key.slice(2)}.json`);

describe("the response cache", () => {
  it("gives back an answer with the same signals, in this process and in the next", async () => {
    const folder = join(tempFolder(), "cache");
    const cache = openResponseCache(folder);
    expect(await cache.get(KEY)).toBeNull();
    await cache.put(KEY, answer);
    for (const reader of [cache, openResponseCache(folder)]) {
      const kept = await reader.get(KEY);
      expect(extractSignals(kept!, { weights: PAPER_WEIGHTS })).toEqual(
        extractSignals(answer, { weights: PAPER_WEIGHTS }),
      );
      expect(kept).toMatchObject({ text: answer.text, model: answer.model, usage: answer.usage });
    }
    expect(await cache.get(keyOf("another question"))).toBeNull();
  });

  it("keeps signals, whatever the answer, and nothing that did not end by itself", async () => {
    const cache = openResponseCache(tempFolder());
    for (const [i, generation] of fc.sample(anyGeneration, { numRuns: 200, seed: 11 }).entries()) {
      await cache.put(keyOf(`${i}`), generation);
      const kept = await cache.get(keyOf(`${i}`));
      if (generation.finish !== "stop") expect(kept).toBeNull();
      else {
        const weights = PAPER_WEIGHTS;
        expect(extractSignals(kept!, { weights })).toEqual(extractSignals(generation, { weights }));
      }
    }
  });

  it("keeps candidates only where signals read them", async () => {
    const top = Array.from({ length: 20 }, (_, i) => ({ text: ` word${i}`, logprob: -i - 0.123456789 }));
    const dense = { ...answer, tokens: answer.tokens!.map((token) => ({ ...token, top })) };
    const folder = tempFolder();
    await openResponseCache(folder).put(KEY, dense);
    expect(statSync(entryOf(folder)).size).toBeLessThan(JSON.stringify(dense).length / 5);
  });

  it("takes an entry that is torn, foreign, of another version or under a wrong name for absent", async () => {
    const folder = tempFolder();
    const cache = openResponseCache(folder);
    await cache.put(KEY, answer);
    const path = entryOf(folder);
    const text = readFileSync(path, "utf8");
    const bad = ["", "\u0000".repeat(300), "null", "[]", "{}", text.slice(0, -1), text.slice(0, 200)];
    bad.push(text.replace('"version":1', '"version":2'), text.replace('"v":1', '"v":0'));
    bad.push(text.replace('"finish":"stop"', '"finish":"length"'), text.replace('"generation":{', '"generation":[{'));
    for (const content of bad) {
      writeFileSync(path, content);
      expect(await cache.get(KEY), content.slice(0, 40)).toBeNull();
    }
    writeFileSync(path, text);
    expect(await cache.get(KEY)).not.toBeNull();
    const other = keyOf("other");
    mkdirSync(dirname(entryOf(folder, other)), { recursive: true });
    renameSync(path, entryOf(folder, other));
    expect(await cache.get(other)).toBeNull();
    rmSync(entryOf(folder, other));
    mkdirSync(entryOf(folder, other));
    expect(await cache.get(other)).toBeNull();
  });

  it("can be filled by many at once, under the same keys too, and never shows half an answer", async () => {
    const folder = join(tempFolder(), "cache");
    const caches = [openResponseCache(folder), openResponseCache(folder), openResponseCache(folder)];
    const keys = Array.from({ length: 20 }, (_, i) => keyOf(`question ${i % 7}`));
    let seen = 0;
    await Promise.all(
      caches.flatMap((cache) =>
        keys.map(async (key) => {
          await cache.put(key, answer);
          if ((await cache.get(key)) !== null) seen++;
        }),
      ),
    );
    expect(seen).toBe(60);
    expect(await caches[0]!.size()).toMatchObject({ entries: 7 });
    expect(Object.keys(snapshot(folder)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("stops writing at the first failure, says so once, fails no audit and still reads", async () => {
    const folder = tempFolder();
    const told: string[] = [];
    const cache = openResponseCache(folder, (message) => told.push(message));
    await cache.put(KEY, answer);
    // A file where a folder should be refuses every write, for root as well.
    const blocked = keyOf("blocked");
    writeFileSync(join(folder, blocked.slice(0, 2)), "");
    await Promise.all([cache.put(blocked, answer), cache.put(blocked, answer), cache.put(blocked, answer)]);
    expect(told).toEqual([expect.stringMatching(/^response cache: cannot be written.*is a file, not a folder/)]);
    const later = keyOf("later");
    await cache.put(later, answer);
    expect(existsSync(entryOf(folder, later))).toBe(false);
    expect(await cache.get(blocked)).toBeNull();
    expect(await cache.get(KEY)).not.toBeNull();
    expect(told).toHaveLength(1);
  });

  it("does not fail over an answer it cannot write down", async () => {
    const told: string[] = [];
    const cache = openResponseCache(tempFolder(), (message) => told.push(message));
    await expect(cache.put(KEY, { ...answer, usage: null as never })).resolves.toBeUndefined();
    expect(told).toHaveLength(1);
  });

  it("waits for writes under way when it is closed", async () => {
    const folder = tempFolder();
    const cache = openResponseCache(folder);
    void cache.put(KEY, answer);
    expect(existsSync(entryOf(folder))).toBe(false);
    await cache.close();
    expect(existsSync(entryOf(folder))).toBe(true);
  });

  it("counts and clears what it wrote, also what a kill left aside, and nothing else", async () => {
    const folder = tempFolder();
    const cache = openResponseCache(folder);
    expect(await openResponseCache(join(folder, "none")).size()).toEqual({ entries: 0, bytes: 0 });
    await cache.put(KEY, answer);
    await cache.put(keyOf("b"), answer);
    writeFileSync(`${entryOf(folder)}.123.abcdef.tmp`, "half");
    writeFileSync(join(folder, "notes.txt"), "mine");
    writeFileSync(join(dirname(entryOf(folder)), "notes.txt"), "mine");
    const size = await cache.size();
    expect(size).toEqual({ entries: 2, bytes: 2 * statSync(entryOf(folder)).size });
    expect(await cache.clear()).toEqual(size);
    expect(await cache.size()).toEqual({ entries: 0, bytes: 0 });
    expect(readdirSync(dirname(entryOf(folder)))).toEqual(["notes.txt"]);
    expect(readFileSync(join(folder, "notes.txt"), "utf8")).toBe("mine");
  });

  it("refuses a key that is no hash, which would be a way out of its folder", async () => {
    const cache = openResponseCache(tempFolder());
    for (const key of ["", "../../etc/passwd", KEY.toUpperCase(), `${KEY}0`]) {
      await expect(cache.get(key)).rejects.toThrow(RangeError);
      await expect(cache.put(key, answer)).rejects.toThrow(RangeError);
    }
  });
});
