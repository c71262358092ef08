import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "./problems.js";

/** What the workbench may load: its own script and style sheet. Everything else is data. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];

/** The headers of helmet. They are the same for every answer, so they are built once. */
export const SECURITY = {
  "content-security-policy": POLICY.join(";"),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-frame-options": "SAMEORIGIN",
  "x-permitted-cross-domain-policies": "none",
  "x-xss-protection": "0",
  "cache-control": "no-store",
};

/** Sets the headers of every answer before anything can fail. */
export function secureHeaders(app: FastifyInstance): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(SECURITY).header("x-request-id", request.id);
    // No address of this service contains a NUL, and PostgreSQL accepts none.
    if (request.url.includes("%00")) done(new Problem(400, "bad_address", "The address has a NUL (%00) in it."));
    else done();
  });
}

const WINDOW_MS = 60_000;

/** Counts requests per minute. A known key has its own count; a request whose key is not known yet counts for its address. */
export class Limits {
  private readonly counts = new Map<string, number>();
  private until = 0;

  constructor(private readonly most: number) {}

  /** @throws Problem if there were too many requests */
  count(name: string, reply: FastifyReply): void {
    const now = Date.now();
    if (now >= this.until) {
      this.counts.clear();
      this.until = now + WINDOW_MS;
    }
    const n = (this.counts.get(name) ?? 0) + 1;
    this.counts.set(name, n);
    const seconds = Math.ceil((this.until - now) / 1000);
    reply
      .header("x-ratelimit-limit", this.most)
      .header("x-ratelimit-remaining", Math.max(0, this.most - n))
      .header("x-ratelimit-reset", seconds);
    if (n <= this.most) return;
    throw new Problem(429, "too_many_requests", `Try again in ${seconds} seconds.`, { retry: seconds });
  }

  address({ ip }: FastifyRequest, reply: FastifyReply): void {
    this.count(`address ${ip}`, reply);
  }
}
