import { writeFileSync } from "node:fs";

export interface TinyOptions {
  /** Added to a token's logit at every position: what makes one model babble and another end its texts. */
  bias?: (token: string) => number;
  /** Pieces beside the 256 bytes. */
  pieces?: readonly string[];
  /** Words of the vocabulary that are matched in any text. */
  userDefined?: readonly string[];
  /** Bytes as letters (GPT-2's way) instead of SentencePiece's. */
  byteLevel?: boolean;
  chatTemplate?: string;
  context?: number;
  seed?: number;
}

/** Labels whole and in pieces, delimiters glued to keys: what real vocabularies do. */
const TINY_PIECES = [
  ..."▁ ▁the ▁rule ▁no R1 R2 High Med ium L ow Yes No 1 2 3 12 logic _chain policy _c itation é ▁▁".split(" "),
  '":"',
  '","',
  '{"',
  '.","',
];
const DIM = 32;
const FEED_FORWARD = 64;
const HEADS = 4;
const LAYERS = 2;

/** Texts end soon, and bytes that can begin something else than a character are all but never drawn. */
export function briefAndValid(token: string): number {
  if (token === "<0x22>" || token === '","') return 3;
  return /^<0x(C[01]|E0|ED|F.)>$/.test(token) ? -15 : 0;
}

type Value =
  | readonly ["u32" | "f32" | "text" | "flag", number | string | boolean]
  | readonly ["list", string, readonly unknown[]];
const TYPES: Record<string, number> = { u32: 4, i32: 5, f32: 6, flag: 7, text: 8, list: 9 };

/**
 * Writes a real model of some 160 kB: the llama architecture in single precision with a SentencePiece vocabulary, its weights pseudo-random
 * and the same each time. Its first dimension is the same at every position, so that a token's logit can be given a bias.
 */
export function writeTinyGguf(path: string, options: TinyOptions = {}): void {
  const { bias = briefAndValid, userDefined = [], byteLevel = false, context = 4096, seed = 1 } = options;
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`);
  // A byte-level vocabulary has one token for a byte, as text or not; twice the same one ends the process.
  const pieces = (options.pieces ?? TINY_PIECES).filter((piece) => !byteLevel || piece.length > 1);
  const names = ["<unk>", "<s>", "</s>", ...bytes, ...pieces, ...userDefined];
  const types = [2, 3, 3, ...bytes.map(() => (byteLevel ? 1 : 6)), ...pieces.map(() => 1), ...userDefined.map(() => 4)];
  const tokens = byteLevel ? names.map((name, i) => (types[i] === 1 ? byteLevelName(name) : name)) : names;
  const metadata: Record<string, Value> = {
    "general.architecture": ["text", "llama"],
    "general.name": ["text", "Tiny test model"],
    "general.file_type": ["u32", 0],
    "llama.context_length": ["u32", context],
    "llama.embedding_length": ["u32", DIM],
    "llama.block_count": ["u32", LAYERS],
    "llama.feed_forward_length": ["u32", FEED_FORWARD],
    "llama.attention.head_count": ["u32", HEADS],
    "llama.attention.layer_norm_rms_epsilon": ["f32", 1e-5],
    "llama.rope.dimension_count": ["u32", DIM / HEADS],
    "tokenizer.ggml.model": ["text", byteLevel ? "gpt2" : "llama"],
    "tokenizer.ggml.pre": ["text", "gpt-2"],
    "tokenizer.ggml.merges": ["list", "text", ["Y e", "Ye s"]],
    "tokenizer.ggml.add_bos_token": ["flag", true],
    "tokenizer.ggml.tokens": ["list", "text", tokens],
    "tokenizer.ggml.scores": ["list", "f32", tokens.map((_, i) => -i)],
    "tokenizer.ggml.token_type": ["list", "i32", types],
    "tokenizer.ggml.bos_token_id": ["u32", 1],
    "tokenizer.ggml.eos_token_id": ["u32", 2],
    ...(options.chatTemplate === undefined ? {} : { "tokenizer.chat_template": ["text", options.chatTemplate] }),
  };
  const matrix = (name: string, columns: number, rows: number) => ({ name, shape: [columns, rows] });
  const norm = (name: string) => ({ name, shape: [DIM] });
  const layer = (at: number) => [
    norm(`blk.${at}.attn_norm.weight`),
    ...["q", "k", "v", "output"].map((part) => matrix(`blk.${at}.attn_${part}.weight`, DIM, DIM)),
    norm(`blk.${at}.ffn_norm.weight`),
    matrix(`blk.${at}.ffn_gate.weight`, DIM, FEED_FORWARD),
    matrix(`blk.${at}.ffn_up.weight`, DIM, FEED_FORWARD),
    matrix(`blk.${at}.ffn_down.weight`, FEED_FORWARD, DIM),
  ];
  const tensors = [
    matrix("token_embd.weight", DIM, tokens.length),
    norm("output_norm.weight"),
    matrix("output.weight", DIM, tokens.length),
    ...Array.from({ length: LAYERS }, (_, at) => layer(at)).flat(),
  ];

  let state = seed >>> 0;
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  const weights = tensors.map(({ name, shape }) => {
    const size = shape.reduce((product, side) => product * side, 1);
    const values = Float32Array.from({ length: size }, () => (name.endsWith("norm.weight") ? 1 : random()));
    // The constant dimension comes out of the last norm as about a third, so three times the bias go in.
    if (name === "token_embd.weight") for (let row = 0; row < size; row += DIM) values[row] = 2;
    if (name === "output.weight") for (const [row, token] of names.entries()) values[row * DIM] = bias(token) * 3;
    if (/_(output|down)\.weight$/.test(name)) values.fill(0, 0, shape[0]);
    return Buffer.from(values.buffer);
  });

  const out = new Writer();
  out.raw(Buffer.from("GGUF"));
  out.u32(3);
  out.u64(tensors.length);
  out.u64(Object.keys(metadata).length);
  for (const [key, [type, ...value]] of Object.entries(metadata)) {
    out.text(key);
    out.u32(TYPES[type]!);
    if (type === "list") out.list(value[0] as string, value[1] as readonly unknown[]);
    else out.value(type, value[0]);
  }
  let offset = 0;
  tensors.forEach(({ name, shape }, i) => {
    out.text(name);
    out.u32(shape.length);
    for (const side of shape) out.u64(side);
    out.u32(0);
    out.u64(offset);
    offset += Math.ceil(weights[i]!.length / 32) * 32;
  });
  for (const tensor of weights) {
    out.align();
    out.raw(tensor);
  }
  writeFileSync(path, Buffer.concat(out.parts));
}

/** The name of a byte (`<0x0A>`) or a piece as GPT-2 writes it: a letter for each byte, the invisible ones from U+0100 on. */
function byteLevelName(name: string): string {
  const byte = /^<0x(..)>$/.exec(name);
  const bytes = byte ? Buffer.from(byte[1]!, "hex") : Buffer.from(name.replaceAll("▁", " "));
  return Array.from(bytes, (code) => {
    const hidden =
      code <= 0x20 ? code : code >= 0x7f && code <= 0xa0 ? code - 0x7f + 0x21 : code === 0xad ? 0x43 : null;
    return String.fromCodePoint(hidden === null ? code : 0x100 + hidden);
  }).join("");
}

class Writer {
  readonly parts: Buffer[] = [];
  private length = 0;

  raw(bytes: Buffer): void {
    this.parts.push(bytes);
    this.length += bytes.length;
  }
  u32(value: number): void {
    this.raw(Buffer.from(Uint32Array.of(value).buffer));
  }
  u64(value: number): void {
    this.raw(Buffer.from(BigUint64Array.of(BigInt(value)).buffer));
  }
  text(value: string): void {
    const bytes = Buffer.from(value);
    this.u64(bytes.length);
    this.raw(bytes);
  }
  value(type: string, value: unknown): void {
    if (type === "text") this.text(value as string);
    else if (type === "f32") this.raw(Buffer.from(Float32Array.of(value as number).buffer));
    else if (type === "flag") this.raw(Buffer.of(value ? 1 : 0));
    else this.u32(value as number);
  }
  list(type: string, values: readonly unknown[]): void {
    this.u32(TYPES[type]!);
    this.u64(values.length);
    for (const value of values) this.value(type, value);
  }
  align(): void {
    this.raw(Buffer.alloc((32 - (this.length % 32)) % 32));
  }
}
