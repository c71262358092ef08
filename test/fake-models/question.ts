import type { Dialect } from "./traits.js";

/** A request as it came over the wire. */
export interface LoggedRequest {
  method: string;
  /** Without the query. */
  path: string;
  query: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As it was sent. */
  text: string;
  /** Parsed; null: not JSON. */
  body: Json | null;
}

export type Json = { [key: string]: unknown };

/** What was asked, whatever the vendor's words for it. */
export interface Question {
  dialect: Dialect;
  /** Questions before this one, on this server. */
  index: number;
  model: string;
  system: string;
  user: string;
  temperature: number;
  logprobs: boolean;
  /** How many candidates for each token. */
  top: number;
  /** How many answers. */
  answers: number;
  /** An answer that keeps to a schema was asked for. */
  masked: boolean;
  maxTokens: number | null;
  stream: boolean;
  /** The custom id of a batch's line; null outside batches. */
  batchId: string | null;
  body: Json;
}

/** Texts of a message's content, which may be a string or a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: { text?: unknown }) => (typeof part.text === "string" ? part.text : "")).join("");
}
