import { createHmac, createPublicKey, type KeyObject, randomBytes, timingSafeEqual, verify } from "node:crypto";

/** As received. */
type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** How systems sign their webhooks: HMAC-SHA256 of the body under a shared secret, or RSASSA-PKCS1-v1_5 under their own key pair. */
export const OWN_SIGNATURES: Readonly<Record<string, { header: string; kind: "hmac" | "rsa" }>> = {
  coop: { header: "coop-signature", kind: "rsa" },
  mastodon: { header: "x-hub-signature", kind: "hmac" },
  discourse: { header: "x-discourse-event-signature", kind: "hmac" },
};

/** Seconds by which the clocks of sender and service may differ, if the time is signed. */
const WINDOW = 300;

const STANDARD = /^whsec_[A-Za-z0-9+/]+={0,2}$/;
const SHORTEST = 12;
const SHORTEST_KEY = 16;
const SHORTEST_RSA = 2048;

/** Why a text cannot be the secret of a system; null: it can. Its form determines how the system signs. */
export function secretProblem(system: string, secret: string): string | null {
  const own = OWN_SIGNATURES[system];
  if (secret.startsWith("whsec_")) {
    const bytes = STANDARD.test(secret) ? Buffer.from(secret.slice(6), "base64").length : 0;
    return bytes >= SHORTEST_KEY ? null : "expected whsec_ and the base64 of at least 16 bytes";
  }
  if (own === undefined)
    return `${system} does not sign what it sends: a relay can, with a secret that begins with whsec_`;
  if (own.kind === "hmac") return secret.length >= SHORTEST ? null : "expected at least 12 characters";
  const key = publicKey(secret);
  const isRsa = key?.asymmetricKeyType === "rsa" && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= SHORTEST_RSA;
  return isRsa ? null : "expected the system's public key: RSA of at least 2,048 bits, as PEM";
}

export interface SignedCall {
  system: string;
  headers: Headers;
  body: string;
  /** By the clock of the service. */
  now: Date;
}

/** What is wrong with the signature of a call. null: it matches one of the secrets and, if a time is signed, is recent. */
export function signatureProblem(
  { system, headers, body, now }: SignedCall,
  secrets: readonly string[],
): "missing" | "wrong" | "late" | null {
  let worst: "missing" | "wrong" | "late" = "missing";
  const problemOf = (secret: string) =>
    secret.startsWith("whsec_")
      ? standardProblem(secret, headers, body, now)
      : ownProblem(system, secret, headers, body);
  const isStandard = (secret: string) => secret.startsWith("whsec_");
  // The time to check a long body must not reveal whether a workspace exists and has a secret.
  if (!secrets.some(isStandard)) problemOf(STAND_IN.standard);
  if (secrets.every(isStandard)) problemOf(OWN_SIGNATURES[system]?.kind === "rsa" ? STAND_IN.rsa : STAND_IN.hmac);
  // Every secret is tried, so that the time does not reveal which one matched.
  const found = secrets.map((secret) => {
    const problem = problemOf(secret);
    if (problem !== null && worst !== "late") worst = problem === "missing" ? worst : problem;
    return problem === null;
  });
  return found.includes(true) ? null : worst;
}

/** Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature`, which lists signatures with their versions. */
function standardProblem(secret: string, headers: Headers, body: string, now: Date) {
  const [id, time, list] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => headers[name]);
  if (typeof id !== "string" || typeof time !== "string" || typeof list !== "string") return "missing" as const;
  const expected = createHmac("sha256", Buffer.from(secret.slice(6), "base64"))
    .update(`${id}.${time}.${body}`)
    .digest();
  const given = list.split(" ").flatMap((one) => (one.startsWith("v1,") ? [Buffer.from(one.slice(3), "base64")] : []));
  if (!given.map((one) => isSame(one, expected)).includes(true)) return "wrong" as const;
  const seconds = /^\d{1,12}$/.test(time) ? Number(time) : Number.NaN;
  return Math.abs(now.getTime() / 1000 - seconds) <= WINDOW ? null : ("late" as const);
}

function ownProblem(system: string, secret: string, headers: Headers, body: string) {
  const own = OWN_SIGNATURES[system];
  const given = own && headers[own.header];
  if (own === undefined || typeof given !== "string") return "missing" as const;
  if (own.kind === "hmac") {
    const [, hex = ""] = /^sha256=([0-9a-f]{64})$/i.exec(given) ?? [];
    const expected = createHmac("sha256", secret).update(body).digest();
    return isSame(Buffer.from(hex, "hex"), expected) ? null : ("wrong" as const);
  }
  const key = publicKey(secret);
  const isSigned = key !== null && verify("sha256", Buffer.from(body), key, Buffer.from(given, "base64"));
  return isSigned ? null : ("wrong" as const);
}

const isSame = (given: Buffer, expected: Buffer) =>
  given.length === expected.length && timingSafeEqual(given, expected);

function publicKey(pem: string): KeyObject | null {
  // A private key would yield its public one too, but must not be stored here.
  if (!/-----BEGIN (?:RSA )?PUBLIC KEY-----/.test(pem)) return null;
  try {
    return createPublicKey(pem);
  } catch {
    return null;
  }
}

/** Checked when there is no secret, so that the response time reveals nothing. */
const STAND_IN = {
  standard: `whsec_${randomBytes(32).toString("base64")}`,
  hmac: randomBytes(32).toString("hex"),
  rsa: rsaOfNobody(),
};

/** Whoever generates a key pair could sign with it, so this public key is made without a private one. */
function rsaOfNobody(): string {
  const modulus = randomBytes(SHORTEST_RSA / 8);
  modulus[0]! |= 0x80;
  modulus[modulus.length - 1]! |= 1;
  const key = { kty: "RSA", n: modulus.toString("base64url"), e: "AQAB" };
  return createPublicKey({ key, format: "jwk" }).export({ type: "spki", format: "pem" }).toString();
}
