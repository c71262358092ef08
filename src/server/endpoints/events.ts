import { PassThrough } from "node:stream";
import { z } from "zod";
import { HINT_SUBJECTS, type Hint } from "../hints.js";
import { Problem } from "../problems.js";
import { endpoint } from "./endpoint.js";

const HEARTBEAT_MS = 15_000;
const RETRY_MS = 2000;
/** Streams that one key or person may have open on one process. */
const MOST_STREAMS = 20;
const MOST_WAITING = 1 << 16;

const open = new Map<string, number>();

export const EVENTS = [
  endpoint({
    method: "GET",
    url: "/v1/events",
    summary:
      "Server-sent events `hint`: something of a subject may have changed. They carry no content; fetch what you show. `all`: events were missed.",
    scope: "reports:read",
    type: "text/event-stream",
    headers: { "last-event-id": "The id of the last event that was heard: brings what was missed." },
    answer: z.object({ subject: z.enum(HINT_SUBJECTS) }),
    async handle({ service: { hints }, actor, request, reply, recheck }) {
      const owner = JSON.stringify([actor.workspace, actor.by, actor.id]);
      const streams = open.get(owner) ?? 0;
      if (streams >= MOST_STREAMS) {
        throw new Problem(429, "too_many_streams", `There are ${MOST_STREAMS} open streams already.`, { retry: 15 });
      }
      open.set(owner, streams + 1);
      const stream = new PassThrough();
      const write = ({ id, subject }: Pick<Hint, "id" | "subject">) => {
        // A reader that has stopped reading must not fill the memory.
        if (stream.writableLength > MOST_WAITING) stream.destroy();
        else stream.write(`id: ${id}\nevent: hint\ndata: ${JSON.stringify({ subject })}\n\n`);
      };
      stream.write(`retry: ${RETRY_MS}\n\n`);
      const last = request.headers["last-event-id"];
      if (typeof last === "string") {
        const missed = hints.since(actor.workspace, last);
        if (missed === null) stream.write(`event: hint\ndata: {"subject":"all"}\n\n`);
        else missed.forEach(write);
      }
      const unsubscribe = hints.subscribe(actor.workspace, write, () => stream.end());
      // A comment keeps proxies from closing the stream. A revoked key or an ended session ends it.
      const heartbeat = setInterval(() => {
        recheck().then(
          () => stream.write(": still here\n\n"),
          () => stream.end(),
        );
      }, HEARTBEAT_MS);
      heartbeat.unref();
      stream.once("close", () => {
        clearInterval(heartbeat);
        unsubscribe();
        const left = open.get(owner)! - 1;
        if (left > 0) open.set(owner, left);
        else open.delete(owner);
      });
      reply.type("text/event-stream").header("x-accel-buffering", "no");
      return stream;
    },
  }),
];
