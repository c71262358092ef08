import type { Alternative, Token } from "../../core/records/case.js";
import { CandidateLists } from "./candidate-lists.js";
import { BrokenJson, JsonCursor } from "./json-cursor.js";
import { listsText, sharedBytes } from "./token-texts.js";

/** Replaces a missing, null or infinite logprob: below every value that counts as information. */
const NO_LOGPROB = -9999;

function logprobOf(value: number | null): number {
  return value !== null && Number.isFinite(value) ? value : NO_LOGPROB;
}

/** The body in which tokens were found. They read it again when their candidates are requested. */
export interface TokenSource {
  readonly body: Buffer;
  /** The server's `bytes` are the token's own. If they are rebuilt from its text, they add nothing and are left out. */
  readonly trueBytes: boolean;
  /** Whether lists of candidates may be jumped over. */
  readonly jump: boolean;
  /** Keys that the server may repeat. */
  readonly secrets: readonly string[];
}

const NOWHERE = -1;
const NONE: readonly Alternative[] = [];

/**
 * Shared by candidates and tokens: bytes that are read only on demand. The fields are getters, so a copy by spreading has none of
 * them; `toJSON` gives them all.
 */
abstract class Scanned implements Alternative {
  private knownBytes: Uint8Array | null = null;

  constructor(
    readonly text: string,
    protected readonly source: TokenSource,
    private readonly bytesAt: number,
  ) {}

  abstract get logprob(): number;

  get bytesAreText(): boolean {
    return this.bytesAt !== NOWHERE && this.source.trueBytes && listsText(this.source.body, this.bytesAt, this.text);
  }

  get bytes(): Uint8Array | null {
    if (this.knownBytes === null && this.bytesAt !== NOWHERE && this.source.trueBytes) {
      this.knownBytes = readBytes(this.source, this.bytesAt, this.text);
    }
    return this.knownBytes;
  }

  toJSON(): object {
    const { text, logprob, bytes } = this;
    return bytes ? { text, logprob, bytes: [...bytes] } : { text, logprob };
  }
}

class ScannedAlternative extends Scanned {
  constructor(
    text: string,
    override readonly logprob: number,
    source: TokenSource,
    bytesAt: number,
  ) {
    super(text, source, bytesAt);
  }
}

/**
 * A token whose probability and candidates are read on demand: signals look at about twenty tokens of two hundred, and building
 * the 4,000 candidates of an answer costs more than everything else about it.
 */
export class ScannedToken extends Scanned implements Token {
  private knownLogprob: number | null = null;
  private knownTop: readonly Alternative[] | null = null;

  constructor(
    text: string,
    source: TokenSource,
    private readonly logprobAt: number,
    bytesAt: number,
    private readonly topAt: number,
  ) {
    super(text, source, bytesAt);
  }

  override get logprob(): number {
    this.knownLogprob ??=
      this.logprobAt === NOWHERE
        ? NO_LOGPROB
        : logprobOf(new JsonCursor(this.source.body, this.logprobAt, this.source.secrets).number());
    return this.knownLogprob;
  }

  get top(): readonly Alternative[] {
    this.knownTop ??= this.topAt === NOWHERE ? NONE : orNone(() => readCandidates(this.source, this.topAt), NONE);
    return this.knownTop;
  }

  override toJSON(): object {
    return { ...super.toJSON(), top: this.top };
  }
}

/** The tokens of a list `[{token, logprob, bytes, top_logprobs}, …]`; items that are not objects are skipped. */
export function scanTokens(cursor: JsonCursor, source: TokenSource): ScannedToken[] {
  const tokens: ScannedToken[] = [];
  const lists = new CandidateLists(cursor, source.jump);
  for (let more = cursor.firstItem(); more; more = cursor.nextItem()) {
    if (!cursor.isObject()) {
      cursor.skip();
      continue;
    }
    let text = "";
    let logprobAt = NOWHERE;
    let bytesAt = NOWHERE;
    let topAt = NOWHERE;
    for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) {
      if (key === "token") text = cursor.string() ?? "";
      else if (key === "logprob") logprobAt = cursor.pass();
      else if (key === "top_logprobs" && cursor.isList()) {
        topAt = cursor.at;
        lists.pass();
      } else if (key === "bytes" && cursor.isList()) bytesAt = cursor.pass();
      else cursor.skip();
    }
    tokens.push(new ScannedToken(text, source, logprobAt, bytesAt, topAt));
  }
  return tokens;
}

/** An error inside a list whose end was already found shows up only here, too late to report: it counts as an empty list. */
function orNone<T>(read: () => T, none: T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof BrokenJson) return none;
    throw error;
  }
}

function readBytes({ body, secrets }: TokenSource, at: number, text: string): Uint8Array | null {
  if (listsText(body, at, text)) return sharedBytes(text);
  const bytes = orNone(() => new JsonCursor(body, at).byteList(), null);
  return bytes !== null && secrets.length > 0 && isOtherAscii(bytes, text) ? null : bytes;
}

/** The candidates at a place, best first: a list of objects, or a map of token to logprob. vLLM lists the chosen token first, whatever its rank. */
function readCandidates(source: TokenSource, at: number): readonly Alternative[] {
  const cursor = new JsonCursor(source.body, at, source.secrets);
  const found = cursor.isList() ? readList(cursor, source) : cursor.isObject() ? readMap(cursor, source) : [];
  for (let i = 1; i < found.length; i++) {
    if (found[i]!.logprob > found[i - 1]!.logprob) return found.sort((a, b) => b.logprob - a.logprob);
  }
  return found;
}

function readList(cursor: JsonCursor, source: TokenSource): Alternative[] {
  const found: Alternative[] = [];
  for (let more = cursor.firstItem(); more; more = cursor.nextItem()) {
    if (!cursor.isObject()) {
      cursor.skip();
      continue;
    }
    let text = "";
    let logprob = NO_LOGPROB;
    let bytesAt = NOWHERE;
    for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) {
      if (key === "token") text = cursor.string() ?? "";
      else if (key === "logprob") logprob = logprobOf(cursor.number());
      else if (key === "bytes" && cursor.isList()) bytesAt = cursor.pass();
      else cursor.skip();
    }
    found.push(new ScannedAlternative(text, logprob, source, bytesAt));
  }
  return found;
}

function readMap(cursor: JsonCursor, source: TokenSource): Alternative[] {
  const found: Alternative[] = [];
  for (let key = cursor.firstKey(); key !== null; key = cursor.nextKey()) {
    found.push(new ScannedAlternative(key, logprobOf(cursor.number()), source, NOWHERE));
  }
  return found;
}

/** ASCII bytes that differ from the token's text are not its bytes; a key could be spelled in them. */
function isOtherAscii(bytes: Uint8Array, text: string): boolean {
  return bytes.length > 0 && bytes.every((byte) => byte < 128) && String.fromCharCode(...bytes.slice(0, 4096)) !== text;
}

/** The tokens of the flat form `{tokens: [], token_logprobs: [], top_logprobs: []}`, from the places of the lists' items. */
export function zipTokens(
  source: TokenSource,
  texts: readonly string[],
  logprobs: readonly number[],
  tops: readonly number[],
): ScannedToken[] {
  return texts.map((text, i) => new ScannedToken(text, source, logprobs[i] ?? NOWHERE, NOWHERE, tops[i] ?? NOWHERE));
}
