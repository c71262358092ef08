import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hashOf } from "./canonical.js";
import type { CertificateBasis } from "./certificate.js";
import { certificatePage } from "./certificate-page.js";
import { readPublicKey, readSigningKey } from "./signature.js";
import { buildCertificate, certificateText, verifyCertificate } from "./verify-certificate.js";

const HOSTILE = `<script>alert(1)</script><img src=x onerror=alert(2)>"'\u202e</div>`;

const BASIS: CertificateBasis = {
  format: "defensible/certificate/1",
  made_at: "2026-11-16T10:00:00.000Z",
  software: "defensible 0.1.0",
  decision: {
    ...{ id: "plants-17", community: "plants", action: "remove", opposite: "approve", restricts: true },
    ...{ decided_at: "2026-06-02T08:14:00Z", decider: "model" },
  },
  content: { text: `This feed helped my fern: https://example.org/shop ${HOSTILE}`, language: "en", kind: "post" },
  rules: {
    version: "2026-02+3",
    tier: "wiki",
    rules: [
      {
        ...{ scope: "community", id: "R2", version: "3", title: "No shop links", url: "https://example.org/rules#2" },
        text: "No shop links\nPosts may not link to shops. A shop is any page that sells goods.",
      },
      { scope: "platform", id: "P1", version: "2026-02", title: "Respect", text: "Respect\nNo insults.", url: null },
    ],
    precedents: [
      { id: "plants-p4", text: "Cheap bulbs here", decision: "remove", rule_id: "R2", rationale: "It sells bulbs." },
    ],
  },
  audit: {
    ...{ run_id: "20261115T044530Z-2121", arm: "", replicate: 0, created_at: "2026-11-15T04:45:31Z" },
    ...{ auditor: "openai:m", auditor_version: "m-1", prompt_version: "p1", template: "extended", temperature: 0.2 },
    signal: "logprobs",
    flags: ["uncalibrated"],
    trace: {
      logic_chain:
        "The post says this feed helped my fern and links a page. Posts may not link to shops, and plants-p4 agrees.",
      policy_citation: "R2: Posts may not link to shops",
      precedent_weight: "High",
      inverse_check: "No",
      inverse_citation: "P1: No insults",
      defensibility_level: 1,
      level3_reason: null,
    },
    verdict: {
      ...{ level: 1, inverse: false, level_probs: [0.75, 0.2, 0.05], inverse_yes_prob: 0.1 },
      ...{ h_weight_bits: 0.5, h_citation_bits: 0.25, samples: null },
    },
    weights: { alpha: 0.6, beta: 0.1, gamma: 0.3, component: "h_w" },
    record: hashOf({ a: 1 }),
  },
  draws: [
    { replicate: 0, level: 1, inverse: false, p_defensible: 0.95 },
    { replicate: 1, level: 3, inverse: true, p_defensible: 0.4 },
  ],
  calibration: { calibration_id: "c1", content_hash: "ab", model: { kind: "platt", slope: 1.1, intercept: 0.2 } },
  route: {
    ...{ at: "2026-11-15T05:00:00Z", route: "automate", reasons: ["community_passes"], mode: "shrunk" },
    ...{ gate_id: "g1", calibration_id: "c1", score: 0.97, threshold: 0.9 },
  },
  gate: { gate_id: "g1", content_hash: "cd", mode: "shrunk", state: "passes" },
  review: {
    appeal: "pending",
    outcomes: [{ at: "2026-11-16", outcome: "uphold", source: "review", level: 1, saw_audit: false }],
  },
};

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const CERTIFICATE = buildCertificate(BASIS, privateKey);
const TEXT = certificateText(CERTIFICATE);

/** Every member of a value, by path. */
function* members(value: unknown, path: (string | number)[] = []): Generator<(string | number)[]> {
  if (typeof value !== "object" || value === null) return;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    yield [...path, key];
    yield* members((value as Record<string | number, unknown>)[key], [...path, key]);
  }
}

/** Any member of any shape is changed here, which is what `any` is for. */
function changed(path: readonly (string | number)[], change: (parent: any, key: string | number) => void): unknown {
  const copy = structuredClone(CERTIFICATE) as any;
  const parent = path.slice(0, -1).reduce((at, key) => at[key], copy);
  change(parent, path.at(-1)!);
  return copy;
}

describe("a certificate", () => {
  it("holds as it was made, as a value and as its file", () => {
    expect(verifyCertificate(CERTIFICATE).problems).toEqual([]);
    expect(verifyCertificate(TEXT, publicKey).problems).toEqual([]);
    expect(buildCertificate(BASIS, privateKey)).toEqual(CERTIFICATE);
  });

  it("holds with content that no terminal or file takes as it is", () => {
    const content = { ...BASIS.content, text: "half \ud800 a character \u009b31m \u202e and \u0000 more" };
    const text = certificateText(buildCertificate({ ...BASIS, content }));
    expect(text).not.toMatch(/[\u0000-\u0009\u007f-\u009f]/);
    expect(verifyCertificate(Buffer.from(text).toString("utf8")).problems).toEqual([]);
  });

  it("quotes word for word, with places", () => {
    const { derivation, opposite, numbers, absent } = CERTIFICATE;
    expect(derivation.quotes).toMatchObject([{ scope: "community", id: "R2", text: "Posts may not link to shops" }]);
    expect(derivation.facts.map(({ text }) => text)).toEqual(["This feed helped my fern"]);
    for (const { start, end, text } of derivation.facts) expect(BASIS.content.text.slice(start, end)).toBe(text);
    expect(derivation.steps.map(({ quotes, facts }) => [quotes.length, facts.length])).toEqual([
      [0, 1],
      [1, 0],
    ]);
    expect(opposite).toMatchObject({ action: "approve", derivable: false, citation: { rule_id: "P1" } });
    expect(numbers).toMatchObject({ level_map: 1, draws: { n: 2, levels: [1, 0, 1], inverse_yes: 1 } });
    expect(numbers.p_defensible).toBeCloseTo(0.95, 12);
    expect(numbers.pds).toBeCloseTo(Math.exp(0.6 * Math.log(0.75) - 0.05 - 0.03), 12);
    expect(absent).toEqual([]);
  });

  it("has the case for the opposite from the audit of it, and says so", () => {
    const { inverse_citation: _, ...trace } = BASIS.audit.trace;
    const audit = { ...BASIS.audit, trace: { ...trace, inverse_citation: null } };
    const flip = { action: "approve", replicate: 0, level: 2 as const, p_defensible: 0.7, record: hashOf({ a: 2 }) };
    const texts = { logic_chain: "No insult is made.", policy_citation: "P1: No insults" };
    const made = buildCertificate({ ...BASIS, audit, other_actions: [{ ...flip, ...texts }] });
    expect(made.opposite).toMatchObject({ words: "P1: No insults", words_from: "other_actions" });
    expect(made.opposite.citation).toMatchObject({ rule_id: "P1" });
    expect(made.absent).toEqual([]);
    expect(verifyCertificate(made).ok).toBe(true);
    expect(certificatePage(made)).toContain("Audited as if <bdi>approve</bdi> had been decided: level 2");
    expect(buildCertificate({ ...BASIS, audit }).absent).toEqual(["opposite_case"]);
    // No rule supports it: that audit makes no case.
    const failed = buildCertificate({ ...BASIS, audit, other_actions: [{ ...flip, ...texts, level: 3 }] });
    expect([failed.opposite.words, failed.absent]).toEqual([null, []]);
    const { sha256: __, signature: ___, ...body } = CERTIFICATE;
    const forged = { ...body, opposite: { ...body.opposite, words_from: "other_actions" } };
    expect(verifyCertificate({ ...forged, sha256: hashOf(forged), signature: null }).problems).toEqual([
      { code: "other_value", path: "opposite.words_from" },
    ]);
  });

  it("says whether the stated rule carries the decision alone, and nothing where that was not audited", () => {
    const given = {
      cited_rule: "P1",
      rationale: null,
      rules: [{ scope: "platform", id: "P1" }],
      record: hashOf({ a: 3 }),
    };
    const texts = { logic_chain: `No insult ${HOSTILE}`, policy_citation: "No rule bears on this." };
    const made = buildCertificate({ ...BASIS, stated_reason: { ...given, ...texts, level: 3, p_defensible: 0.1 } });
    expect(made.reason).toEqual({ stated: "other_rule", audited: "only_others" });
    expect(verifyCertificate(made).ok).toBe(true);
    expect(certificatePage(made)).toContain("right for a wrong reason");
    expect(certificatePage(made)).not.toContain("<script");
    expect([CERTIFICATE.reason, certificatePage(CERTIFICATE).includes("Stated reason")]).toEqual([undefined, false]);
    for (const [level, audited] of [
      [1, "carries_alone"],
      [null, "no_verdict"],
    ] as const) {
      const other = { ...given, ...texts, level, p_defensible: null };
      expect(buildCertificate({ ...BASIS, stated_reason: other }).reason?.audited).toBe(audited);
    }
    const { sha256: _, signature: __, ...body } = made;
    const forged = { ...body, reason: { ...body.reason!, audited: "carries_alone" as const } };
    expect(verifyCertificate({ ...forged, sha256: hashOf(forged), signature: null }).problems).toEqual([
      { code: "other_value", path: "reason.audited" },
    ]);
    const { reason: ___, ...without } = body;
    expect(verifyCertificate({ ...without, sha256: hashOf(without), signature: null }).ok).toBe(false);
  });

  it("of one of several actions names no opposite", () => {
    const decision = { ...BASIS.decision, opposite: null };
    const audit = { ...BASIS.audit, verdict: { ...BASIS.audit.verdict, inverse: true } };
    const made = buildCertificate({ ...BASIS, decision, audit });
    expect(made.opposite).toMatchObject({ action: null, derivable: true });
    expect(verifyCertificate(made).ok).toBe(true);
    expect(certificatePage(made)).toContain("; another action can be derived too");
    expect(certificatePage(made)).not.toContain("opposite can be");
  });

  it("fails on any changed byte of its file", () => {
    const bytes = Buffer.from(TEXT);
    // One byte in 37: each check computes everything again.
    for (let i = 0; i < bytes.length; i += 37) {
      const copy = Buffer.from(bytes);
      copy[i] = copy[i]! ^ 1;
      expect(verifyCertificate(copy.toString("utf8"), publicKey).ok, `byte ${i}`).toBe(false);
    }
  });

  it("fails on the first, middle or last character of every field, and on every field that is removed or added", () => {
    let fields = 0;
    for (const path of members(CERTIFICATE)) {
      fields += 1;
      const name = path.join(".");
      const variants = [
        changed(path, (parent, key) => (Array.isArray(parent) ? parent.splice(Number(key), 1) : delete parent[key])),
      ];
      const value = path.reduce((at: any, key) => at[key], CERTIFICATE);
      if (typeof value === "string") {
        for (const at of [0, value.length >> 1, value.length - 1]) {
          const other = value.slice(0, at) + (value[at] === "x" ? "y" : "x") + value.slice(at + 1);
          variants.push(changed(path, (parent, key) => (parent[key] = other)));
        }
      }
      if (typeof value === "number") variants.push(changed(path, (parent, key) => (parent[key] += 1e-6)));
      if (typeof value === "boolean") variants.push(changed(path, (parent, key) => (parent[key] = !value)));
      if (value === null) variants.push(changed(path, (parent, key) => (parent[key] = "x")));
      else variants.push(changed(path, (parent, key) => (parent[key] = null)));
      if (typeof value === "object" && value !== null && !Array.isArray(value)) {
        variants.push(changed(path, (parent, key) => (parent[key].extra = 1)));
      }
      for (const variant of variants) expect(verifyCertificate(variant, publicKey).ok, name).toBe(false);
    }
    expect(fields).toBeGreaterThan(150);
  });

  it("finds a quote or a number that was changed together with the hash", () => {
    const forge = (path: (string | number)[], value: unknown) => {
      const { sha256: _, signature: __, ...body } = changed(path, (parent, key) => (parent[key] = value)) as any;
      return verifyCertificate({ ...body, sha256: hashOf(body), signature: null }).problems.map(({ path }) => path);
    };
    expect(forge(["derivation", "quotes", 0, "text"], "Posts may not link")).toEqual(["derivation.quotes.0.text"]);
    expect(forge(["numbers", "p_defensible"], 0.96)).toEqual(["numbers.p_defensible"]);
    expect(forge(["numbers", "p_calibrated"], 0.5)).toEqual(["numbers.p_calibrated"]);
    expect(forge(["content", "text"], "Another post")).toContain("hashes.content");
    expect(forge(["rules", "rules", 0, "text"], "Posts may link")).toContain("hashes.rules.0.sha256");
    expect(forge(["opposite", "derivable"], true)).toEqual(["opposite.derivable"]);
    expect(forge(["absent"], ["review"])).toEqual(["absent"]);
  });

  it("names the part that was changed, and holds if it was made before parts had hashes", () => {
    const moved = changed(["decision", "action"], (parent, key) => (parent[key] = "approve"));
    expect(verifyCertificate(moved).problems.map(({ path }) => path)).toContain("hashes.parts.decision");
    const { parts: _, ...hashes } = CERTIFICATE.hashes;
    const { sha256: __, signature: ___, ...body } = { ...CERTIFICATE, hashes };
    expect(verifyCertificate({ ...body, sha256: hashOf(body), signature: null }).problems).toEqual([]);
  });

  it("is not looked for in other files", () => {
    for (const other of ["[]", "1", "null", '{"head":{"root":"0"}}', '{"format":"defensible/report/1"}'])
      expect(verifyCertificate(other).problems).toEqual([{ code: "other_format", path: "" }]);
  });

  it("knows who signed", () => {
    const other = generateKeyPairSync("ed25519");
    const codes = (value: unknown, key = publicKey) => verifyCertificate(value, key).problems.map(({ code }) => code);
    expect(codes(CERTIFICATE, other.publicKey)).toEqual(["other_key"]);
    expect(codes(buildCertificate(BASIS))).toEqual(["unsigned"]);
    expect(verifyCertificate(buildCertificate(BASIS)).ok).toBe(true);
    const seed = Buffer.alloc(32, 7).toString("base64");
    const signed = buildCertificate(BASIS, readSigningKey(seed));
    expect(verifyCertificate(signed, readPublicKey(signed.signature!.public_key)).ok).toBe(true);
    for (const bad of ["", "secret", "-----BEGIN PRIVATE KEY-----"]) {
      expect(() => readSigningKey(bad)).toThrow(/^key: not a private Ed25519 key$/);
    }
  });

  it("is shown as a page on which hostile texts are text", () => {
    const page = certificatePage(CERTIFICATE);
    expect(page).not.toMatch(/<script|<img|\u202e/);
    expect(page).toContain("&#60;script&#62;alert(1)");
    expect(page).toContain("<mark>Posts may not link to shops</mark>");
  });
});
