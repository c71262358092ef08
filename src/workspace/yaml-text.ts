import { type Document, isMap, isScalar, Lexer, LineCounter, type Node, Parser, parseDocument } from "yaml";
import { InputError } from "../errors.js";

/** Deeper nesting than any real file has. The YAML composer is recursive, and past some 1,500 levels it takes the process down. */
const MAX_DEPTH = 200;
/** Anchors may be used, but not to blow a small file up. */
const MAX_ALIASES = 100;
const MAX_BYTES = 16 << 20;

export interface YamlText {
  value: unknown;
  document: Document;
  /** `line:column` of the value at a path, or of the nearest thing above it that exists. */
  at(path: readonly PropertyKey[]): string;
  line(path: readonly PropertyKey[]): number;
}

/**
 * YAML (or JSON, which is YAML) as data that remembers where each value stands.
 * @param prepare may change scalars of the document before it becomes data.
 */
export function readYaml(text: string, file: string, prepare?: (document: Document) => void): YamlText {
  if (text.length > MAX_BYTES) throw bad(file, "is larger than 16 MB", "Split it into several files.");
  refuseDepth(text, file);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "silent" });
  const [error] = document.errors;
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    throw bad(`${file}:${line}:${col}`, `not valid YAML; ${sentence(error.message)}`, "Mend this line.");
  }
  prepare?.(document);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (cause) {
    if (!(cause instanceof ReferenceError)) throw cause;
    const excessive = /excessive/i.test(cause.message);
    throw bad(
      file,
      excessive ? `its aliases unfold to more than ${MAX_ALIASES} times its size` : sentence(cause.message),
      excessive ? "Write the repeated parts out." : "Define the anchor (&name) before its alias (*name).",
    );
  }
  const position = (path: readonly PropertyKey[]) => lines.linePos(offsetOf(document, path));
  return {
    value,
    document,
    at(path) {
      const { line, col } = position(path);
      return `${line}:${col}`;
    },
    line: (path) => position(path).line,
  };
}

function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const steps = path.slice(0, length);
    const parent = document.getIn(steps.slice(0, -1), true);
    const pair = isMap(parent)
      ? parent.items.find((item) => isScalar(item.key) && String(item.key.value) === String(steps.at(-1)))
      : undefined;
    // A value that was left empty has no place of its own: its key has.
    const node = (document.getIn(steps, true) ?? pair?.key) as Node | undefined;
    if (node?.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}

function refuseDepth(text: string, file: string): void {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    if (parser.stack.length > MAX_DEPTH) {
      throw bad(
        file,
        `nested more than ${MAX_DEPTH} levels deep`,
        "A rule set or configuration needs four levels at most.",
      );
    }
  }
}

function sentence(message: string): string {
  return `${message.charAt(0).toLowerCase()}${message.slice(1)}`.replace(/; please use .*$/, "");
}

function bad(place: string, what: string, remedy: string): InputError {
  return new InputError("bad_yaml", `${place}: ${what}`, remedy);
}
