import { extname } from "node:path";
import { InputError } from "../../core/errors.js";
import { fileProblem } from "../../io/file-problem.js";
import { readLines } from "../../io/read-lines.js";
import { Fault } from "../formats/canonical.js";
import { foreignRows } from "../formats/foreign-rows.js";
import { sniffFile } from "../formats/sniff-file.js";
import { RECORD_KINDS } from "./record-kinds.js";

/** The ids in a file: one a line, or the `id` or `decision_id` of each row of a JSONL, CSV or Parquet file. In order, each once. */
export async function readIds(path: string): Promise<string[]> {
  const sniffed = sniffFile(path);
  const plain = sniffed.format === "csv" && ![".csv", ".tsv"].includes(extname(path).toLowerCase());
  const ids = new Set<string>();
  if (plain || sniffed.format === "ruleset") {
    try {
      for await (const lines of readLines(path)) for (const line of lines) ids.add(line.text.trim());
    } catch (cause) {
      throw fileProblem(cause, path);
    }
    return [...ids];
  }
  const { fields } = RECORD_KINDS.decisions;
  for await (const batch of foreignRows(path, { fields, rename: new Map() }, sniffed)) {
    for (const { line, value } of batch.rows) {
      const id = value instanceof Fault ? undefined : (value.id ?? value.decision_id);
      if (typeof id === "string" || typeof id === "number") ids.add(String(id));
      else {
        const reason = value instanceof Fault ? value.reason : "has neither id nor decision_id";
        throw new InputError("bad_ids", `${path}, line ${line}: ${reason}`, "Give one id a line, or a column id.");
      }
    }
  }
  return [...ids];
}
