import { createHash, createPublicKey, type JsonWebKey, type KeyObject, randomBytes, verify } from "node:crypto";
import { z } from "zod";
import { EnvironmentError } from "../core/errors.js";
import { columnText } from "../store/postgres/database.js";
import { ROLES, type Role } from "./auth.js";
import { Outgoing } from "./outgoing.js";
import { Problem } from "./problems.js";

export interface OidcSettings {
  issuer: string;
  clientId: string;
  /** Absent: a public client. */
  clientSecret?: string;
  /** The claim that lists the person's groups. */
  claim: string;
  /** Requested scopes, including `openid`. Some providers reveal groups only when one of their own scopes is requested. */
  scope: string;
  grants: readonly { group: string; workspace: string; role: Role }[];
  /** The origin at which browsers reach this service. */
  publicUrl: string;
  /** How long a session lasts, and so how long a person keeps a role after leaving its group. */
  sessionMinutes: number;
}

const SESSION_MINUTES = 60;
const LONGEST_SESSION = 1440;

const SCOPE = "openid email profile";
const SKEW_SECONDS = 60;
const DISCOVERY_MS = 3_600_000;
const KEYS_MS = 30_000;
const RSA_BITS = 2048;

/** Reads the settings of OpenID Connect from the environment. null: it is not used. */
export function oidcSettings(env: NodeJS.ProcessEnv, publicUrl: string): OidcSettings | null {
  const { DEFENSIBLE_OIDC_ISSUER: issuer, DEFENSIBLE_OIDC_CLIENT_ID: clientId } = env;
  if (!issuer) return null;
  const bad = (name: string, expected: string) =>
    new EnvironmentError("bad_oidc", `${name}: expected ${expected}`, "docs/operate.md has an example.");
  if (!isSafe(issuer)) throw bad("DEFENSIBLE_OIDC_ISSUER", "an https address");
  if (!clientId) throw bad("DEFENSIBLE_OIDC_CLIENT_ID", "the id of this service at the provider");
  const grants = (env.DEFENSIBLE_OIDC_ROLES ?? "").split(",").flatMap((entry) => {
    const [, group, workspace, role] = /^\s*(.+)=([^:=]+):(\w+)\s*$/.exec(entry) ?? [];
    return group && workspace && ROLES.includes(role as Role) ? [{ group, workspace, role: role as Role }] : [];
  });
  if (grants.length === 0 || grants.length !== (env.DEFENSIBLE_OIDC_ROLES ?? "").split(",").length) {
    throw bad("DEFENSIBLE_OIDC_ROLES", `group=workspace:role, separated by commas; roles are ${ROLES.join(", ")}`);
  }
  const secret = env.DEFENSIBLE_OIDC_CLIENT_SECRET;
  const sessionMinutes = Number(env.DEFENSIBLE_OIDC_SESSION_MINUTES || SESSION_MINUTES);
  if (!Number.isInteger(sessionMinutes) || sessionMinutes < 1 || sessionMinutes > LONGEST_SESSION) {
    throw bad("DEFENSIBLE_OIDC_SESSION_MINUTES", `1 to ${LONGEST_SESSION}`);
  }
  const scope = env.DEFENSIBLE_OIDC_SCOPE?.trim() || SCOPE;
  if (!scope.split(/\s+/).includes("openid"))
    throw bad("DEFENSIBLE_OIDC_SCOPE", `scopes with openid, as in "${SCOPE} groups"`);
  return {
    sessionMinutes,
    scope,
    ...{ issuer, clientId, grants, publicUrl },
    claim: env.DEFENSIBLE_OIDC_CLAIM || "groups",
    ...(secret ? { clientSecret: secret } : {}),
  };
}

/** https, or http on this machine. */
function isSafe(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
}

export const isLoopback = (host: string) => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/i.test(host);

const metadataSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string().refine(isSafe),
  token_endpoint: z.string().refine(isSafe),
  jwks_uri: z.string().refine(isSafe),
  userinfo_endpoint: z.string().refine(isSafe).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});
type Metadata = z.infer<typeof metadataSchema>;

/** Kept between leaving for the provider and coming back. */
export interface Flow {
  state: string;
  nonce: string;
  verifier: string;
}

interface Tokens {
  identity: string;
  access: string | null;
}

export interface Person {
  name: string;
  workspace: string;
  role: Role;
}

/** Signs people in at an OpenID provider: the code flow with PKCE. Any failed check refuses. */
export class OidcClient {
  private metadata: { value: Metadata; at: number } | null = null;
  private keys: { value: JsonWebKey[]; at: number } | null = null;
  private readonly outgoing: Outgoing;

  constructor(
    private readonly settings: OidcSettings,
    private readonly now: () => number = Date.now,
  ) {
    // The operator names the provider, so it may be an internal host.
    this.outgoing = new Outgoing({ allow: [new URL(settings.issuer).hostname.replace(/^\[|\]$/g, "")] });
  }

  get redirectUri(): string {
    return new URL("/sign-in/callback", this.settings.publicUrl).href;
  }

  async start(): Promise<{ url: string; flow: Flow }> {
    const { authorization_endpoint } = await this.discovered();
    const [state, nonce, verifier] = [random(), random(), random()];
    const url = new URL(authorization_endpoint);
    const parameters = {
      response_type: "code",
      client_id: this.settings.clientId,
      redirect_uri: this.redirectUri,
      scope: this.settings.scope,
      ...{ state, nonce },
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return { url: url.href, flow: { state, nonce, verifier } };
  }

  /** @param answer the parameters with which the provider sent the browser back */
  async finish(flow: Flow, answer: Readonly<Record<string, unknown>>): Promise<Person> {
    const metadata = await this.discovered();
    if (answer.state !== flow.state) throw refused("The answer does not belong to this sign-in.");
    const issues = metadata.authorization_response_iss_parameter_supported ? true : answer.iss !== undefined;
    if (issues && answer.iss !== this.settings.issuer) throw refused("The answer is from another provider.");
    if (typeof answer.code !== "string") throw refused("The provider refused.");
    const { identity, access } = await this.exchange(metadata, answer.code, flow.verifier);
    const claims = await this.verified(metadata, identity, flow.nonce);
    const info = await this.userinfo(metadata, claims, access);
    // `email_verified` counts only when it comes from the same source as `email`.
    const { email, email_verified } = claims.email === undefined ? info : claims;
    return this.personOf({ ...info, ...claims, email, email_verified });
  }

  close(): Promise<void> {
    return this.outgoing.close();
  }

  private async discovered(): Promise<Metadata> {
    if (this.metadata && this.now() - this.metadata.at < DISCOVERY_MS) return this.metadata.value;
    const { issuer } = this.settings;
    const found = await this.fetched(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
    const parsed = metadataSchema.safeParse(found);
    if (!parsed.success || parsed.data.issuer !== issuer) throw unavailable();
    this.metadata = { value: parsed.data, at: this.now() };
    return parsed.data;
  }

  private async exchange(metadata: Metadata, code: string, verifier: string): Promise<Tokens> {
    const { clientId, clientSecret } = this.settings;
    const form = new URLSearchParams({
      grant_type: "authorization_code",
      ...{ code, code_verifier: verifier, redirect_uri: this.redirectUri, client_id: clientId },
    });
    const headers: Record<string, string> = { "content-type": "application/x-www-form-urlencoded" };
    const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    if (clientSecret && methods.includes("client_secret_basic")) {
      const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
      headers.authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
    } else if (clientSecret) form.set("client_secret", clientSecret);
    const answer = await this.send(metadata.token_endpoint, { method: "POST", headers, body: form.toString() });
    const tokens = answer.status === 200 ? (json(answer.text) as Record<string, unknown> | null) : null;
    const { id_token: identity, access_token: access } = tokens ?? {};
    if (typeof identity !== "string") throw refused("The provider gave no identity.");
    return { identity, access: typeof access === "string" ? access : null };
  }

  /** Providers that follow the standard literally put a person's email and groups here and not in the identity token. */
  private async userinfo(
    { userinfo_endpoint: endpoint }: Metadata,
    claims: Record<string, unknown>,
    access: string | null,
  ): Promise<Record<string, unknown>> {
    const complete = claims[this.settings.claim] !== undefined && claims.email !== undefined;
    if (complete || !endpoint || access === null) return {};
    const info = await this.fetched(endpoint, { authorization: `Bearer ${access}` });
    if (typeof info !== "object" || info === null) throw unavailable();
    if ((info as { sub?: unknown }).sub !== claims.sub) throw refused("The provider named another person.");
    return info as Record<string, unknown>;
  }

  private async verified(metadata: Metadata, token: string, nonce: string): Promise<Record<string, unknown>> {
    const [head = "", body = "", signature = "", more] = token.split(".");
    const header = json(Buffer.from(head, "base64url").toString()) as Record<string, unknown> | null;
    const claims = json(Buffer.from(body, "base64url").toString()) as Record<string, unknown> | null;
    if (!header || !claims || more !== undefined || header.crit !== undefined)
      throw refused("The identity is not readable.");
    const key = await this.keyOf(metadata, header);
    const signed = Buffer.from(`${head}.${body}`);
    const proof = Buffer.from(signature, "base64url");
    // JOSE encodes ES256 signatures as two concatenated numbers, not as ASN.1.
    if (!key || !verify("sha256", signed, { key, dsaEncoding: "ieee-p1363" }, proof))
      throw refused("The signature is wrong.");
    const { iss, sub, aud, azp, exp, iat, nbf } = claims;
    const audiences = Array.isArray(aud) ? aud : [aud];
    const { issuer, clientId } = this.settings;
    const now = this.now() / 1000;
    const valid =
      iss === issuer &&
      typeof sub === "string" &&
      sub !== "" &&
      audiences.includes(clientId) &&
      (azp === undefined ? audiences.length === 1 : azp === clientId) &&
      typeof exp === "number" &&
      exp > now - SKEW_SECONDS &&
      typeof iat === "number" &&
      iat < now + SKEW_SECONDS &&
      (nbf === undefined || (typeof nbf === "number" && nbf < now + SKEW_SECONDS)) &&
      claims.nonce === nonce;
    if (!valid) throw refused("The identity is for another service, another sign-in or another time.");
    return claims;
  }

  /** The key that a header names, if its type matches the algorithm. An unknown key makes the key list be read again. */
  private async keyOf(metadata: Metadata, { alg, kid }: Record<string, unknown>): Promise<KeyObject | null> {
    if (alg !== "RS256" && alg !== "ES256") return null;
    const find = () =>
      this.keys?.value.find(
        (key) =>
          (kid === undefined || key.kid === kid) &&
          (key.use === undefined || key.use === "sig") &&
          (key.alg === undefined || key.alg === alg) &&
          (alg === "RS256" ? key.kty === "RSA" : key.kty === "EC" && key.crv === "P-256"),
      );
    if (!find() && (!this.keys || this.now() - this.keys.at > KEYS_MS)) {
      const found = (await this.fetched(metadata.jwks_uri)) as { keys?: unknown } | null;
      if (!Array.isArray(found?.keys)) throw unavailable();
      this.keys = { value: found.keys.filter((key) => typeof key === "object" && key !== null), at: this.now() };
    }
    const jwk = find();
    if (!jwk) return null;
    try {
      const key = createPublicKey({ key: jwk, format: "jwk" });
      return alg === "RS256" && (key.asymmetricKeyDetails?.modulusLength ?? 0) < RSA_BITS ? null : key;
    } catch {
      return null;
    }
  }

  /** The strongest role that the person's groups grant, in the first workspace named. */
  private personOf(claims: Record<string, unknown>): Person {
    const { claim, grants } = this.settings;
    const value = claims[claim];
    const groups = Array.isArray(value) ? value : [value];
    const held = grants.filter(({ group }) => groups.includes(group));
    const workspace = held[0]?.workspace;
    const role = [...ROLES]
      .reverse()
      .find((one) => held.some((grant) => grant.workspace === workspace && grant.role === one));
    if (!workspace || !role)
      throw new Problem(
        403,
        "no_role",
        value === undefined
          ? `The provider does not name your groups: it sent no "${claim}".`
          : "You are signed in at the provider, but have no role here.",
      );
    // An address that the provider has not verified could be another person's.
    const name = claims.email_verified === true ? claims.email : claims.sub;
    if (typeof name !== "string" || name === "") throw refused("The identity has no name.");
    return { name: columnText(name).slice(0, 200), workspace, role };
  }

  private async fetched(url: string, headers: Record<string, string> = {}): Promise<unknown> {
    const { status, text } = await this.send(url, { method: "GET", headers });
    if (status !== 200) throw unavailable();
    return json(text);
  }

  private async send(...args: Parameters<Outgoing["send"]>) {
    return this.outgoing.send(...args).catch(() => {
      throw unavailable();
    });
  }
}

const random = () => randomBytes(32).toString("base64url");

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const refused = (detail: string) => new Problem(403, "sign_in_refused", detail);
const unavailable = () =>
  new Problem(503, "provider_away", "The identity provider cannot be reached, or is set up differently.");
