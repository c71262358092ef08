import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Limits, secureHeaders } from "./guard.js";
import { sendProblem } from "./problems.js";

async function appOf(limits: Limits): Promise<FastifyInstance> {
  const app = Fastify();
  app.setErrorHandler(sendProblem);
  secureHeaders(app);
  app.get("/by-key/:key", (request, reply) => {
    limits.count(`key ${(request.params as { key: string }).key}`, reply);
    return reply.send({});
  });
  app.get("/by-address", (request, reply) => {
    limits.address(request, reply);
    return reply.header("content-security-policy", "frame-ancestors 'none'").send({});
  });
  await app.ready();
  return app;
}

describe("limits", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("refuse what is too much in a minute, for one key and not for another, and say when to come back", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const app = await appOf(new Limits(2));
    const ask = (url: string) => app.inject({ url });
    expect((await ask("/by-key/a")).headers["x-ratelimit-remaining"]).toBe("1");
    vi.advanceTimersByTime(20_000);
    expect((await ask("/by-key/a")).statusCode).toBe(200);
    const refused = await ask("/by-key/a");
    expect([refused.statusCode, refused.headers["retry-after"], refused.json().code]).toEqual([
      429,
      "40",
      "too_many_requests",
    ]);
    expect((await ask("/by-key/b")).statusCode).toBe(200);
    expect((await ask("/by-address")).statusCode).toBe(200);
    vi.advanceTimersByTime(40_000);
    expect((await ask("/by-key/a")).statusCode).toBe(200);
  });
});

describe("headers of every answer", () => {
  it("are there where a request is refused, and can be replaced by an endpoint", async () => {
    const app = await appOf(new Limits(10));
    const refused = await app.inject({ url: "/by-key/a?x=%00" });
    expect([refused.statusCode, refused.headers["x-content-type-options"], refused.headers["cache-control"]]).toEqual([
      400,
      "nosniff",
      "no-store",
    ]);
    expect(refused.headers["content-security-policy"]).toMatch(/^default-src 'none';script-src 'self';/);
    const page = await app.inject({ url: "/by-address" });
    expect(page.headers["content-security-policy"]).toBe("frame-ancestors 'none'");
  });
});
