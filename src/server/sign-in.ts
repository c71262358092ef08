import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { noteActivity, openSession, type SessionInfo, signIn, signOut } from "../store/postgres/access.js";
import { refuseOtherSites, sessionCookie } from "./auth.js";
import { type Flow, isLoopback, OidcClient, type OidcSettings } from "./oidc.js";
import { Problem } from "./problems.js";
import type { Service } from "./service.js";

export interface SignInOptions {
  oidc?: OidcSettings | null;
  /** The address at which browsers reach this service. Default: the one the request names. */
  publicUrl?: string;
}

/** The `__Host-` prefix keeps neighbouring sites from setting it. */
const flowCookie = (secure: boolean) => (secure ? "__Host-defensible_sign_in" : "defensible_sign_in");
const FLOW_SECONDS = 600;

/** Whether cookies must travel encrypted: everywhere but on this machine. */
export function isSecure({ publicUrl }: SignInOptions, { hostname }: FastifyRequest): boolean {
  return publicUrl ? publicUrl.startsWith("https:") : !isLoopback(hostname);
}

/** Only a path of this service is returned to after signing in. */
export function ownPath(to: unknown): string {
  const base = "http://own.invalid";
  if (typeof to !== "string" || !to.startsWith("/") || !URL.canParse(to, base)) return "/";
  const { origin, pathname, search, hash } = new URL(to, base);
  return origin === base && !pathname.startsWith("//") ? `${pathname}${search}${hash}` : "/";
}

/** Sign-in by a one-time link or at an OpenID provider, and sign-out. */
export function signInRoutes(app: FastifyInstance, service: Service, options: SignInOptions): void {
  const hidden = { schema: { hide: true } };
  const { database, vault } = service;
  const client = options.oidc ? new OidcClient(options.oidc) : null;
  if (client) app.addHook("onClose", () => client.close());
  const cookie = (request: FastifyRequest) =>
    ({ httpOnly: true, sameSite: "lax", secure: isSecure(options, request) }) as const;
  const enter = async (request: FastifyRequest, reply: FastifyReply, session: SessionInfo, to: string | null) => {
    const { id, minutes, workspace, person, role } = session;
    await noteActivity(database, workspace, { actor: person, action: "person.sign_in", subject: role });
    const secure = isSecure(options, request);
    reply.setCookie(sessionCookie(secure), id, { ...cookie(request), path: "/", maxAge: minutes * 60 });
    return to === null ? reply.send({}) : reply.redirect(to);
  };
  // The one-time link leads to a page with a button: mail scanners follow links, and would use it up.
  app.get("/sign-in", { ...hidden, exposeHeadRoute: false }, async (request, reply) => {
    const { token, to } = request.query as { token?: unknown; to?: unknown };
    if (typeof token === "string") return reply.redirect(`/#/sign-in?token=${encodeURIComponent(token)}`);
    if (!client) return reply.redirect("/#/sign-in");
    const { url, flow } = await client.start();
    const kept = vault.seal(Buffer.from(JSON.stringify({ ...flow, to: ownPath(to), at: Date.now() })));
    reply.setCookie(flowCookie(isSecure(options, request)), kept.toString("base64url"), {
      ...cookie(request),
      ...{ path: "/", maxAge: FLOW_SECONDS },
    });
    return reply.redirect(url);
  });
  app.post("/sign-in", hidden, async (request, reply) => {
    refuseOtherSites(request);
    const { token } = (request.body ?? {}) as { token?: unknown };
    const session = typeof token === "string" ? await signIn(database, token) : null;
    if (!session) throw badToken();
    return enter(request, reply, session, null);
  });
  app.get("/sign-in/methods", hidden, async () => ({ provider: client !== null }));
  app.get("/sign-in/callback", { ...hidden, exposeHeadRoute: false }, async (request, reply) => {
    if (!client) throw new Problem(404, "not_found", "There is no such address.");
    const name = flowCookie(isSecure(options, request));
    const flow = openFlow(service, request.cookies[name]);
    reply.clearCookie(name, { ...cookie(request), path: "/" });
    const person = await client.finish(flow, request.query as Record<string, unknown>);
    const session = await openSession(database, {
      ...person,
      person: person.name,
      minutes: options.oidc!.sessionMinutes,
    });
    return enter(request, reply, session, flow.to);
  });
  app.post("/sign-out", hidden, async (request, reply) => {
    refuseOtherSites(request);
    const name = sessionCookie(isSecure(options, request));
    const id = request.cookies[name];
    if (id) await signOut(database, id);
    return reply.clearCookie(name, { ...cookie(request), path: "/" }).send({});
  });
}

/** Opens the sealed cookie that was set when the browser left for the provider. */
function openFlow({ vault }: Service, cookie: string | undefined): Flow & { to: string } {
  try {
    const { at, ...flow } = JSON.parse(vault.open(Buffer.from(cookie!, "base64url")).toString());
    if (Date.now() - at < FLOW_SECONDS * 1000) return flow;
  } catch {}
  throw new Problem(403, "sign_in_refused", "The sign-in began elsewhere, or too long ago. Begin again.");
}

function badToken(): Problem {
  return new Problem(401, "bad_token", "The address or token was used before, or is too old.");
}
