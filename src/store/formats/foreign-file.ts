import { statSync } from "node:fs";
import { FileProblem, fileProblem } from "../../io/files.js";
import { readText } from "../files/rule-files.js";
import { type ForeignBatch, type ForeignOptions, foreignRows } from "./foreign-rows.js";
import { type RuleFileContent, type RuleFileOptions, readRuleFile } from "./rule-file.js";
import { type FileFormat, sniffFile } from "./sniff-file.js";

/** A file that a person names. What is wrong with it as a whole is a FileProblem. */
export interface ForeignFile {
  /** As it was named. */
  readonly name: string;
  /** Of what it holds. */
  format(): FileFormat;
  /** In bytes. */
  size(): number;
  /** All of it, where it is text. */
  text(): string;
  /** Its rows, streaming, in their order. */
  rows(options: ForeignOptions, format: FileFormat): AsyncIterable<ForeignBatch>;
  /** Its rule sets, each with the text as its author wrote it; or a page's rules. */
  ruleSets(options?: RuleFileOptions): RuleFileContent;
}

/** The text of a file of rules. What is no text, or empty, is refused with what to do. */
export function readRuleText(path: string): string {
  sniffFile(path);
  return readText(path);
}

/** @param name how the file is called, where it is a copy of something else */
export function foreignFile(path: string, name = path): ForeignFile {
  const named = <T>(read: () => T): T => {
    try {
      return read();
    } catch (cause) {
      const problem = fileProblem(cause, path);
      if (name === path || !(problem instanceof FileProblem)) throw problem;
      throw new FileProblem(problem.code, problem.message.replaceAll(path, name), problem.remedy);
    }
  };
  return {
    name,
    format: () => named(() => sniffFile(path)),
    size: () => statSync(path).size,
    text: () => named(() => readText(path)),
    rows: (options, format) => foreignRows(path, options, format),
    ruleSets: (options) => named(() => readRuleFile(readText(path), name, options)),
  };
}
