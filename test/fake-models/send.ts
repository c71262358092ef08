import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

/** A whole answer, ready to be written. */
export interface Outgoing {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** Written one by one; absent: the body at once. */
  pieces?: readonly Buffer[];
}

export type Manner =
  | { how: "whole" }
  | { how: "slow"; ms: number }
  | { how: "stall"; at: "start" | "middle" }
  | { how: "torn"; at: "start" | "middle" }
  | { how: "chunked"; size: number };

/** Writes an answer in the manner asked for. Resolves to true where all of it was handed over. */
export async function send(response: ServerResponse, outgoing: Outgoing, manner: Manner): Promise<boolean> {
  const { body } = outgoing;
  if (manner.how === "slow") await pause(manner.ms, undefined, { ref: false });
  if (response.destroyed) return false;
  if (manner.how === "stall" && manner.at === "start") return false;
  if (manner.how === "torn" && manner.at === "start") {
    response.socket?.destroy();
    return false;
  }
  const pieces = manner.how === "chunked" ? cut(body, manner.size) : outgoing.pieces;
  response.writeHead(outgoing.status, {
    ...outgoing.headers,
    ...(pieces ? {} : { "content-length": String(body.length) }),
  });
  if (manner.how === "stall" || manner.how === "torn") {
    const half = body.subarray(0, Math.floor(body.length / 2));
    await new Promise<void>((resolve) => response.write(half, () => resolve()));
    if (manner.how === "torn") response.socket?.destroy();
    return false;
  }
  for (const piece of pieces ?? []) {
    if (response.destroyed) return false;
    // A turn of the event loop between pieces, so that they do not arrive as one.
    await new Promise<void>((resolve) => response.write(piece, () => setImmediate(resolve)));
  }
  return new Promise((resolve) => {
    response.on("close", () => resolve(response.writableFinished));
    response.end(pieces ? undefined : body);
  });
}

function cut(body: Buffer, size: number): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) pieces.push(body.subarray(at, at + size));
  return pieces;
}
