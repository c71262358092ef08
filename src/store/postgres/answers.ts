import { decodeGeneration, encodeGeneration } from "../../auditors/recorded/generation-codec.js";
import type { BatchPart, BatchStore, RawStore } from "../ports.js";
import { erasedAmong } from "./chain.js";
import type { Database } from "./database.js";

/** A key as bytes that sort as JavaScript sorts strings, including NUL and lone surrogates. */
export const keyBytes = (key: string) => Buffer.from(key, "utf16le").swap16();
export const keyOf = (bytes: Buffer) => Buffer.from(bytes).swap16().toString("utf16le");

/** Model answers of one run, by key. */
export function postgresAnswers(database: Database, workspace: string, runId: string, sort: "raw" | "batch"): RawStore {
  return {
    open: () => ({
      append: async (key, generation) => {
        await database.transaction(async (queries) => {
          const [id = ""] = key.split("\u0000");
          if ((await erasedAmong(queries, workspace, [id])).size > 0) return;
          await queries.rows(
            `insert into defensible.answer (workspace_id, run_id, sort, key, answer) values ($1, $2, $3, $4, $5)
             on conflict (workspace_id, run_id, sort, key) do update set answer = excluded.answer`,
            [workspace, runId, sort, keyBytes(key), encodeGeneration(generation)],
          );
        });
      },
      close: async () => {},
    }),
    async read() {
      const rows = await database.rows<{ key: Buffer }>(
        "select key from defensible.answer where workspace_id = $1 and run_id = $2 and sort = $3 order by seq",
        [workspace, runId, sort],
      );
      if (rows.length === 0) return null;
      const keys = new Set(rows.map(({ key }) => keyOf(key)));
      return {
        keys: () => keys.values(),
        async get(key) {
          const [row] = await database.rows<{ answer: string }>(
            "select answer from defensible.answer where workspace_id = $1 and run_id = $2 and sort = $3 and key = $4",
            [workspace, runId, sort, keyBytes(key)],
          );
          return row ? decodeGeneration(row.answer) : null;
        },
        close: async () => {},
      };
    },
  };
}

export function postgresBatches(database: Database, workspace: string, runId: string): BatchStore {
  const of = [workspace, runId];
  return {
    answers: postgresAnswers(database, workspace, runId, "batch"),
    parts: async () =>
      (
        await database.rows<{ doc: BatchPart }>(
          "select doc from defensible.batch_part where workspace_id = $1 and run_id = $2 order by part",
          of,
        )
      ).map(({ doc }) => doc),
    async ids(part) {
      const [row] = await database.rows<{ ids: string[] }>(
        "select ids from defensible.batch_part where workspace_id = $1 and run_id = $2 and part = $3",
        [...of, part],
      );
      return row?.ids ?? [];
    },
    async begin(ids) {
      return database.transaction(async (queries) => {
        const [last] = await queries.rows<{ part: number }>(
          "select coalesce(max(part), 0) as part from defensible.batch_part where workspace_id = $1 and run_id = $2",
          of,
        );
        const part: BatchPart = { part: last!.part + 1, handles: [], sent: false, collected: false };
        await queries.rows(
          "insert into defensible.batch_part (workspace_id, run_id, part, doc, ids) values ($1, $2, $3, $4::json, $5::json)",
          [...of, part.part, JSON.stringify(part), JSON.stringify(ids)],
        );
        return part;
      });
    },
    async save(part) {
      await database.rows(
        "update defensible.batch_part set doc = $4::json where workspace_id = $1 and run_id = $2 and part = $3",
        [...of, part.part, JSON.stringify(part)],
      );
    },
    async forget({ part }) {
      await database.rows("delete from defensible.batch_part where workspace_id = $1 and run_id = $2 and part = $3", [
        ...of,
        part,
      ]);
    },
  };
}
