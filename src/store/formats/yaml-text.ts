import { Composer, type CST, type Document, isMap, isScalar, Lexer, LineCounter, type Node, Parser } from "yaml";
import { InputError } from "../../core/errors.js";

/** Deeper nesting than any real file has. The YAML composer is recursive, and past some 1,500 levels it takes the process down. */
const MAX_DEPTH = 200;
/** Anchors may be used, but not to blow a small file up. */
const MAX_ALIASES = 100;
/** Largest rule set or configuration, in YAML or JSON. */
export const MAX_BYTES = 16 << 20;

export interface YamlText {
  value: unknown;
  document: Document;
  /** `line:column` of the value at a path, or of the nearest thing above it that exists. */
  at(path: readonly PropertyKey[]): string;
  /** `line:column` of a key. */
  atKey(path: readonly PropertyKey[]): string;
  /** The part of the text that this document is, with the comments inside of it and right before it. */
  source(text: string): string;
}

/**
 * YAML (or JSON, which is YAML) as data that remembers where each value is.
 * @param prepare may change scalars of the document before it becomes data.
 */
export function readYaml(text: string, file: string, prepare?: (document: Document) => void): YamlText {
  const [first, second] = readYamlDocuments(text, file, prepare) as [YamlText, YamlText?];
  if (second)
    throw bad(`${file}:${second.at([])}`, "not valid YAML; source contains multiple documents", "Fix this line.");
  return first;
}

/** The documents of a YAML text, which lines of `---` divide; at least one. */
export function readYamlDocuments(text: string, file: string, prepare?: (document: Document) => void): YamlText[] {
  refuseSize(text, file);
  const lines = new LineCounter();
  const composer = new Composer({ lineCounter: lines, prettyErrors: false, logLevel: "error" });
  // One is made even of an empty text.
  const documents = [...composer.compose(tokensOf(text, file, lines), true, text.length)];
  let from = 0;
  return documents.map((document) => {
    const start = from;
    from = document.range[2];
    return readDocument(document, start, file, lines, prepare);
  });
}

function readDocument(
  document: Document.Parsed,
  start: number,
  file: string,
  lines: LineCounter,
  prepare?: (document: Document) => void,
): YamlText {
  const [wrong] = document.errors;
  if (wrong) {
    const { line, col } = lines.linePos(wrong.pos[0]);
    throw bad(`${file}:${line}:${col}`, `not valid YAML; ${sentence(wrong.message)}`, "Fix this line.");
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
  const position = (node: Node | null) => {
    const { line, col } = lines.linePos(node?.range?.[0] ?? document.range[0]);
    return `${line}:${col}`;
  };
  return {
    value,
    document,
    at: (path) => position(nodeAt(document, path)),
    atKey: (path) => position(keyAt(document, path) ?? nodeAt(document, path)),
    source: (text) =>
      `${text
        .slice(start, document.range[2])
        .replace(/^\s*---[ \t]*\r?\n/, "")
        .trimEnd()}\n`,
  };
}

export function refuseSize(text: string, file: string): void {
  if (text.length > MAX_BYTES) throw bad(file, "is larger than 16 MB", "Split it into several files.");
}

function nodeAt(document: Document, path: readonly PropertyKey[]): Node | null {
  for (let length = path.length; length > 0; length--) {
    const steps = path.slice(0, length);
    // A value that was left empty has no place of its own: its key has.
    const node = (document.getIn(steps, true) as Node | undefined) ?? keyAt(document, steps);
    if (node?.range) return node;
  }
  return document.contents;
}

function keyAt(document: Document, path: readonly PropertyKey[]): Node | null {
  const parent = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents;
  if (!isMap(parent)) return null;
  const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(path.at(-1)));
  return (pair?.key as Node | undefined) ?? null;
}

/** What the composer makes documents of. A document is whole, and refused if it is too deep, before the composer gets it. */
function* tokensOf(text: string, file: string, lines: LineCounter): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > MAX_DEPTH) {
      throw bad(
        file,
        `nested more than ${MAX_DEPTH} levels deep`,
        "A rule set or configuration needs four levels at most.",
      );
    }
  }
  yield* parser.end();
}

function sentence(message: string): string {
  return `${message.charAt(0).toLowerCase()}${message.slice(1)}`.replace(/; please use .*$/, "");
}

function bad(place: string, what: string, remedy: string): InputError {
  return new InputError("bad_yaml", `${place}: ${what}`, remedy);
}
