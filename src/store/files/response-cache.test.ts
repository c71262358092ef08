import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { ResponseCache } from "../../audit/calls/caller.js";
import { answerOf, COMPACT } from "../../measures/signals/answer.suite.js";
import { tempFolder } from "./in-temp-folder.suite.js";
import * as responseCache from "./response-cache.js";

const opened: ResponseCache[] = [];
afterEach(() => Promise.all(opened.splice(0).map((cache) => cache.close())));

function openResponseCache(...args: Parameters<typeof responseCache.openResponseCache>): ResponseCache {
  const cache = responseCache.openResponseCache(...args);
  opened.push(cache);
  return cache;
}

const keyOf = (request: string) => createHash("sha256").update(request).digest("hex");
const KEY = keyOf("a question");
const answer = answerOf(COMPACT);
const filesIn = (folder: string, end: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(end))
    .map((name) => join(folder, name));
const linesIn = (folder: string) =>
  filesIn(folder, ".answers").flatMap((path) => readFileSync(path, "utf8").split("\n").slice(0, -1));

/** A cache of an earlier process with these questions answered. */
async function fill(folder: string, ...questions: string[]): Promise<void> {
  const cache = openResponseCache(folder);
  for (const question of questions) await cache.put(keyOf(question), answer);
  await cache.close();
}

/** As if nobody had written to these files for two hours. */
function age(folder: string): void {
  const then = Date.now() / 1000 - 7200;
  for (const path of filesIn(folder, "")) utimesSync(path, then, then);
}

describe("the response cache", () => {
  it("keeps candidates only where signals read them", async () => {
    const top = Array.from({ length: 20 }, (_, i) => ({ text: ` word${i}`, logprob: -i - 0.123456789 }));
    const dense = { ...answer, tokens: answer.tokens!.map((token) => ({ ...token, top })) };
    const folder = tempFolder();
    await openResponseCache(folder).put(KEY, dense);
    expect(statSync(filesIn(folder, ".answers")[0]!).size).toBeLessThan(JSON.stringify(dense).length / 5);
  });

  it("takes a line that is torn, foreign, of another version or under a wrong key for absent", async () => {
    const folder = tempFolder();
    await fill(folder, "a question");
    const [path] = filesIn(folder, ".answers");
    const text = readFileSync(path!, "utf8");
    const bad = ["", "\n", "\u0000".repeat(300), "null\n", "[]\n", "{}\n", text.slice(0, -1), text.slice(0, 200)];
    bad.push(text.replace('"version":1', '"version":2'), text.replace('"v":1', '"v":0'), `x${text}`);
    bad.push(text.replace('"finish":"stop"', '"finish":"length"'), text.replace('"generation":{', '"generation":[{'));
    bad.push(text.replace(KEY, keyOf("another question")));
    for (const content of bad) {
      writeFileSync(path!, content);
      expect(await openResponseCache(folder).get(KEY), content.slice(0, 40)).toBeNull();
    }
    writeFileSync(path!, text);
    expect(await openResponseCache(folder).get(KEY)).not.toBeNull();
  });

  it("finds every whole answer, wherever a kill cut the index or the answers", async () => {
    const folder = tempFolder();
    await fill(folder, "a", "b", "c");
    const [data, index] = [filesIn(folder, ".answers")[0]!, filesIn(folder, ".index")[0]!];
    const [text, records] = [readFileSync(data), readFileSync(index)];
    const found = async () => {
      const cache = openResponseCache(folder);
      const kept = await Promise.all(["a", "b", "c"].map((question) => cache.get(keyOf(question))));
      await cache.close();
      return kept.filter((generation) => generation !== null).length;
    };
    for (let cut = 0; cut <= records.length; cut += 8) {
      writeFileSync(index, records.subarray(0, cut));
      expect(await found(), `index of ${cut} bytes`).toBe(3);
    }
    const ends = [0, 1, 2].map((i) =>
      [...text].findIndex((_, at) => text.subarray(0, at + 1).filter((byte) => byte === 10).length > i),
    );
    for (const cut of [0, 1, ends[0]!, ends[0]! + 1, ends[1]!, ends[1]! + 50, ends[2]!, text.length]) {
      truncateSync(data, 0);
      writeFileSync(data, text.subarray(0, cut));
      expect(await found(), `answers of ${cut} bytes`).toBe(ends.filter((end) => end < cut).length);
    }
    writeFileSync(index, Buffer.alloc(400, 0xff));
    writeFileSync(data, text);
    expect(await found()).toBe(3);
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
    expect(filesIn(folder, ".answers")).toHaveLength(3);
    await fill(folder, "later");
    expect(await openResponseCache(folder).get(keyOf("later"))).not.toBeNull();
  });

  it("merges small segments that nobody writes to, keeps every answer once and sweeps what a killed merge left", async () => {
    const folder = tempFolder();
    for (let i = 0; i < 9; i++) await fill(folder, "everywhere", `only in ${i}`);
    expect(await openResponseCache(folder).get(KEY)).toBeNull();
    expect(filesIn(folder, ".index"), "segments just written to").toHaveLength(9);
    writeFileSync(join(folder, "000000000000001-aaaaaaaa.answers"), "half");
    writeFileSync(join(folder, "000000000000001-aaaaaaaa.index.part"), "half");
    writeFileSync(join(folder, "notes.txt"), "mine");
    age(folder);
    const open = openResponseCache(folder);
    expect(await open.get(keyOf("everywhere"))).not.toBeNull();
    expect(readdirSync(folder).filter((name) => !/^\d{15}-[0-9a-f]{8}\.(answers|index)$/.test(name))).toEqual([
      "notes.txt",
    ]);
    expect(filesIn(folder, ".index")).toHaveLength(1);
    expect(linesIn(folder)).toHaveLength(10);
    for (let i = 0; i < 9; i++) expect(await open.get(keyOf(`only in ${i}`))).not.toBeNull();
  });

  it("goes on in a new segment where its folder was deleted", async () => {
    const folder = join(tempFolder(), "cache");
    const cache = openResponseCache(folder);
    await cache.put(KEY, answer);
    rmSync(folder, { recursive: true });
    await cache.put(keyOf("b"), answer);
    expect(linesIn(folder)).toHaveLength(1);
    expect(await openResponseCache(folder).get(keyOf("b"))).not.toBeNull();
  });

  it("stops writing at the first failure, says so once, fails no audit and still reads", async () => {
    const folder = join(tempFolder(), "cache");
    const told: string[] = [];
    const cache = openResponseCache(folder, (message) => told.push(message));
    await cache.put(KEY, answer);
    // A file where a folder should be refuses every write, for root as well.
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "");
    const blocked = keyOf("blocked");
    await Promise.all([cache.put(blocked, answer), cache.put(blocked, answer), cache.put(blocked, answer)]);
    expect(told).toEqual([expect.stringMatching(/^response cache: cannot be written.*is a file, not a folder/)]);
    await cache.put(keyOf("later"), answer);
    expect(await cache.get(blocked)).toBeNull();
    expect(await cache.get(keyOf("later"))).toBeNull();
    expect(await cache.get(KEY), "the deleted segment is still open").not.toBeNull();
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
    expect(readdirSync(folder)).toEqual([]);
    await cache.close();
    expect(linesIn(folder)).toHaveLength(1);
  });

  it("refuses a key that is no hash", async () => {
    const cache = openResponseCache(tempFolder());
    for (const key of ["", "../../etc/passwd", KEY.toUpperCase(), `${KEY}0`]) {
      await expect(cache.get(key)).rejects.toThrow(RangeError);
      await expect(cache.put(key, answer)).rejects.toThrow(RangeError);
    }
  });
});
