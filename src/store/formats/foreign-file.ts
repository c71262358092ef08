import { statSync } from "node:fs";
import type { RuleSet } from "../../core/records/rule-set.js";
import { fileProblem } from "../../io/files.js";
import { readText } from "../files/rule-files.js";
import { parseRuleSet } from "../records/parse-rule-set.js";
import { type ForeignBatch, type ForeignOptions, foreignRows } from "./foreign-rows.js";
import { type FileFormat, sniffFile } from "./sniff-file.js";

/** A file that a person names. What is wrong with it as a whole is a FileProblem. */
export interface ForeignFile {
  /** As it was named. */
  readonly name: string;
  /** Of what it holds. */
  format(): FileFormat;
  /** In bytes. */
  size(): number;
  /** Its rows, streaming, in their order. */
  rows(options: ForeignOptions, format: FileFormat): AsyncIterable<ForeignBatch>;
  /** Its rule set, and the text as its author wrote it. */
  ruleSet(): { text: string; set: RuleSet };
}

export function foreignFile(path: string): ForeignFile {
  return {
    name: path,
    format: () => sniffFile(path),
    size: () => statSync(path).size,
    rows: (options, format) => foreignRows(path, options, format),
    ruleSet() {
      try {
        const text = readText(path);
        return { text, set: parseRuleSet(text, path) };
      } catch (cause) {
        throw fileProblem(cause, path);
      }
    },
  };
}
