import type { Planned } from "./plan-answer.js";
import { isPlanned } from "./plan-answer.js";

/** One answer, or one for each that was asked for (used in turn if there are fewer). */
export type Answer = Planned | readonly Planned[];

/** Every way in which a server does not simply answer. */
export type Fault =
  /** An error of the server, in its own words. A `body` that is neither string nor bytes is sent as JSON. */
  | { fault: "status"; status: number; body: unknown; headers?: Readonly<Record<string, string>>; type?: string }
  /** The answer comes late. */
  | { fault: "slow"; ms: number; answer: Answer }
  /** The connection stays open and nothing more comes: before the headers, or in the middle of the body. */
  | { fault: "stall"; at: "start" | "middle"; answer: Answer }
  /** The connection breaks: before the headers, or in the middle of the body. The answer has been paid for in the second case. */
  | { fault: "torn"; at: "start" | "middle"; answer: Answer }
  /** The body comes in pieces of so many bytes, through the middle of characters and escapes. */
  | { fault: "chunked"; size: number; answer: Answer }
  /** An answer without probabilities although they were asked for. */
  | { fault: "no_logprobs"; answer: Answer };

export type Reply = Answer | Fault;

export function isFault(reply: Reply): reply is Fault {
  return !Array.isArray(reply) && !isPlanned(reply) && "fault" in reply;
}

/** A gateway's page, where JSON was expected. */
export function gatewayPage(status: 200 | 502 | 503 | 504): Fault {
  const body = `<html>\r\n<head><title>${status} Bad Gateway</title></head>\r\n<body>\r\n<center><h1>${status} Bad Gateway</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;
  return { fault: "status", status, body, type: "text/html" };
}

/** 200 and nonsense. */
export function garbage(
  body: string | Buffer = '{"id":"chatcmpl-1","object":"chat.comple',
  type = "application/json",
): Fault {
  return { fault: "status", status: 200, body, type };
}
