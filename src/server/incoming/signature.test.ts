import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { secretProblem, signatureProblem } from "./signature.js";

const NOW = new Date("2026-11-19T12:00:00Z");
const body = '{"ok":"ä"}';
const ask = (system: string, headers: Record<string, string>, secrets: string[], text = body) =>
  signatureProblem({ system, headers, body: text, now: NOW }, secrets);
const hmac = (secret: string, text = body) => `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`;

describe("the signature of a sender", () => {
  it.each([
    ["mastodon", "x-hub-signature"],
    ["discourse", "x-discourse-event-signature"],
  ])("is for %s an HMAC of the body", (system, header) => {
    const secret = "0123456789abcdef";
    expect(ask(system, { [header]: hmac(secret) }, [secret])).toBe(null);
    expect(ask(system, { [header]: hmac(secret).toUpperCase().replace("SHA256", "sha256") }, [secret])).toBe(null);
    expect(ask(system, { [header]: hmac(secret) }, ["another secret", secret])).toBe(null);
    expect(ask(system, {}, [secret])).toBe("missing");
    expect(ask(system, { [header]: hmac(secret) }, [])).toBe("missing");
    for (const wrong of [
      hmac("other"),
      hmac(secret).slice(0, -1),
      hmac(secret).slice(7),
      "sha256=",
      `sha1=${"a".repeat(64)}`,
    ])
      expect(ask(system, { [header]: wrong }, [secret]), wrong).toBe("wrong");
    expect(ask(system, { [header]: hmac(secret) }, [secret], `${body} `)).toBe("wrong");
    expect(secretProblem(system, "short")).toMatch("12 characters");
    expect(secretProblem(system, secret)).toBe(null);
  });

  it("matches a value that was worked out elsewhere", () => {
    const given = "sha256=f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8";
    const quick = "The quick brown fox jumps over the lazy dog";
    expect(ask("mastodon", { "x-hub-signature": given }, ["key"], quick)).toBe(null);
  });

  it("is for Coop one under a key pair, of which the public key is kept", () => {
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
    const signed = sign("sha256", Buffer.from(body), privateKey).toString("base64");
    expect(secretProblem("coop", pem)).toBe(null);
    expect(ask("coop", { "coop-signature": signed }, [pem])).toBe(null);
    expect(ask("coop", { "coop-signature": signed }, [pem], "{}")).toBe("wrong");
    expect(ask("coop", { "coop-signature": "AAAA" }, [pem])).toBe("wrong");
    expect(ask("coop", { "x-hub-signature": hmac(pem) }, [pem])).toBe("missing");
    // A public key is known to others: it must never be taken as a shared secret.
    expect(ask("coop", { "coop-signature": hmac(pem) }, [pem])).toBe("wrong");
    const small = generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey.export({ type: "spki", format: "pem" });
    const curve = generateKeyPairSync("ed25519").publicKey.export({ type: "spki", format: "pem" });
    const secret = privateKey.export({ type: "pkcs8", format: "pem" });
    for (const wrong of [small, curve, secret, "a text"])
      expect(secretProblem("coop", String(wrong))).toMatch("public key");
  });

  it("is for every system that of Standard Webhooks, within five minutes, where the secret is of that form", () => {
    const key = Buffer.from("0123456789abcdef0123");
    const secret = `whsec_${key.toString("base64")}`;
    const headers = (seconds: number, text = body) => ({
      "webhook-id": "msg_1",
      "webhook-timestamp": String(seconds),
      "webhook-signature": `v1a,AAAA v1,${createHmac("sha256", key).update(`msg_1.${seconds}.${text}`).digest("base64")}`,
    });
    const now = NOW.getTime() / 1000;
    for (const system of ["ozone", "reddit", "coop", "mastodon"]) {
      expect(secretProblem(system, secret)).toBe(null);
      expect(ask(system, headers(now), [secret])).toBe(null);
      expect(ask(system, headers(now - 300), [secret])).toBe(null);
      expect([ask(system, headers(now - 301), [secret]), ask(system, headers(now + 301), [secret])]).toEqual([
        "late",
        "late",
      ]);
      expect(ask(system, { ...headers(now), "webhook-timestamp": String(now - 1) }, [secret])).toBe("wrong");
      expect(ask(system, headers(now, "other"), [secret])).toBe("wrong");
      expect(ask(system, { "x-hub-signature": hmac(secret) }, [secret])).toBe("missing");
    }
    expect(secretProblem("ozone", "a long enough secret")).toMatch("does not sign");
    expect(secretProblem("ozone", "whsec_AAAA")).toMatch("16 bytes");
  });

  it("takes as long to refuse a long body where there is no secret as where there is one", () => {
    const long = "x".repeat(1_000_000);
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
    const wrong = { "x-hub-signature": hmac("other"), "coop-signature": "AAAA" };
    const standard = { "webhook-id": "a", "webhook-timestamp": "1", "webhook-signature": "v1,AAAA" };
    const took = (...asked: Parameters<typeof ask>) => {
      const times = Array.from({ length: 15 }, () => {
        const since = performance.now();
        expect(ask(...asked)).not.toBe(null);
        return performance.now() - since;
      });
      return Math.min(...times);
    };
    for (const [system, secret] of [
      ["mastodon", "0123456789abcdef"],
      ["coop", pem],
    ] as const) {
      for (const headers of [wrong, { ...wrong, ...standard }]) {
        const none = took(system, headers, [], long);
        expect(none / took(system, headers, [secret], long)).toBeGreaterThan(0.5);
      }
    }
  });
});
