import type { Finding, KeyName, Probed } from "../../app/doctor/examine.js";
import { unusedRulesText } from "../../app/import/check-rule-sets.js";
import type { Auditor, Capabilities } from "../../auditors/auditor.js";
import { TORN_REMEDY } from "../../io/read-lines.js";
import { printable } from "../../text/printable.js";

/** A finding in words. */
export interface Check {
  what: string;
  /** `missing`: not there, and needed only for what the remedy names. */
  status: "ok" | "missing" | "wrong";
  found: string;
  remedy?: string;
}

/** Bytes that should be free on the disk. */
const ENOUGH = 1e9;

const KEY_USES: Record<KeyName, string> = {
  OPENAI_API_KEY: "auditors openai:… and protected openai-compatible servers",
  GEMINI_API_KEY: "auditors gemini:…",
  GOOGLE_CLOUD_PROJECT: "auditors vertex:… (with GOOGLE_CLOUD_LOCATION and credentials)",
};

export function checkOf(finding: Finding): Check {
  switch (finding.of) {
    case "node":
      return judged("Node", finding.recent, "wrong", finding.version, "Install Node 20.19 or newer.");
    case "engine": {
      const remedy = "Install again with `npm ci`; optional packages must not be left out.";
      return judged("DuckDB", finding.failure === null, "wrong", finding.failure ?? finding.version, remedy);
    }
    case "workspace":
      return { what: "workspace", status: "ok", found: finding.root };
    case "no_workspace": {
      const { code, message, remedy } = finding.cause;
      const status = code === "no_workspace" ? "missing" : "wrong";
      return { what: "workspace", status, found: message, ...(remedy ? { remedy } : {}) };
    }
    case "rules": {
      const found = `${finding.rules} in ${finding.sets} ${finding.sets === 1 ? "set" : "sets"}`;
      return judged("rules", finding.rules > 0, "wrong", found, "Import a rule set: `defensible import rules.yaml`.");
    }
    case "rule_versions": {
      const { message, remedy } = finding.cause;
      return wrong("rules", message.replace(/^rules: /, ""), remedy);
    }
    case "unused_rules": {
      const remedy = "Write `community:` as the decisions do, or audit with --allow-unused-rules.";
      return wrong("rules", unusedRulesText(finding.unused), remedy);
    }
    case "communities_without_rules":
      return wrong(
        "rules",
        withoutRules(finding.communities),
        "Import their rules, or those of the platform: `defensible import rules.yaml`.",
      );
    case "decisions": {
      const remedy = "Import some: `defensible import decisions.jsonl`.";
      return judged("decisions", finding.count > 0, "missing", String(finding.count), remedy);
    }
    case "torn_decisions":
      return wrong("decisions.jsonl", "torn", TORN_REMEDY);
    case "runs":
      return { what: "runs", status: "ok", found: String(finding.count) };
    case "damaged_run": {
      const remedy = `Restore the file, or delete the run: \`defensible runs delete ${finding.run}\`.`;
      return wrong("run", `${finding.run}: its manifest.json cannot be read`, remedy);
    }
    case "writable": {
      const remedy = "Reports work; audits and imports need write permission.";
      return judged("workspace writable", finding.writable, "missing", finding.writable ? "yes" : "no", remedy);
    }
    case "disk": {
      const found = `${(finding.free / 1e9).toFixed(1)} GB free`;
      const remedy = "Free some space: an audit takes about 3 kB while a run lives.";
      return judged("disk space", finding.free > ENOUGH, "wrong", found, remedy);
    }
    case "key": {
      const remedy = `For ${KEY_USES[finding.name]}; the baseline needs no key.`;
      return judged(finding.name, finding.set, "missing", finding.set ? "set" : "not set", remedy);
    }
    case "server":
      return serverCheck(finding);
  }
}

function judged(what: string, fine: boolean, otherwise: "missing" | "wrong", found: string, remedy: string): Check {
  return fine ? { what, status: "ok", found } : { what, status: otherwise, found, remedy };
}

function wrong(what: string, found: string, remedy: string | undefined): Check {
  return { what, status: "wrong", found, ...(remedy ? { remedy } : {}) };
}

function withoutRules(communities: readonly string[]): string {
  const names = communities.slice(0, 5).join(", ");
  const which = communities.length === 1 ? "community" : `${communities.length} communities`;
  return `none for ${which} ${names}${communities.length > 5 ? ", …" : ""}: their decisions are not audited`;
}

function serverCheck({ name, port, listens }: Extract<Finding, { of: "server" }>): Check {
  if (!listens) {
    return {
      what: name,
      status: "missing",
      found: `nothing on 127.0.0.1:${port}`,
      remedy: "For local models: start it, and use --auditor openai-compatible:<model> --base-url URL.",
    };
  }
  return {
    what: name,
    status: "ok",
    found: `something listens on 127.0.0.1:${port}`,
    remedy: `Try: defensible doctor --auditor openai-compatible:<model> --base-url http://127.0.0.1:${port}/v1`,
  };
}

const MARKS = { ok: "✓", missing: "–", wrong: "✗" } as const;

/** Checks as text, a line or two each. */
export function checkLines(version: string, checks: readonly Check[]): string[] {
  const lines = [`defensible ${version}   ✓ there · – not there, needed only for what it says · ✗ wrong\n`];
  for (const { what, status, found, remedy } of checks) {
    lines.push(`${MARKS[status]} ${what}: ${printable(found, 500)}`);
    if (remedy) lines.push(`    ${printable(remedy, 500)}`);
  }
  return lines;
}

/** What a probed model supports, as text. */
export function probeLines({ auditor, version, signals, capabilities, price }: Probed): string[] {
  return [
    `${printable(auditor, 120)} (${version})`,
    ...(capabilities ? capabilityLines(capabilities) : ["✓ works in this process; there is nothing to ask"]),
    `✓ signal modes: ${signals.map((mode) => `--signal ${mode}`).join(", ")}`,
    priceLine(price),
    ...(capabilities?.notes ?? []).map((note) => `  ${printable(note, 1000)}`),
  ];
}

const SPACES = {
  raw: "as the model gives them, before temperature",
  tempered: "after temperature; brought back to temperature 1",
  unknown: "unknown whether before or after temperature: every record is flagged unknown_space",
} as const;

function capabilityLines(found: Capabilities): string[] {
  const mark = (yes: boolean) => (yes ? "✓" : "✗");
  return [
    `✓ it answers as ${printable(found.model, 120)} (${printable(found.dialect, 40)})`,
    found.logprobs
      ? `✓ token probabilities: ${found.topLogprobs} candidates a token, ${SPACES[found.space]}`
      : "✗ token probabilities: none",
    `${mark(found.structuredOutput)} structured output: ${found.structuredOutput ? "keeps to a JSON schema" : "no; its JSON is read as it comes"}`,
    `✓ answers per call: ${found.answersPerCall === 1 ? "1" : `up to ${found.answersPerCall}`}`,
  ];
}

function priceLine(price: Auditor["price"]): string {
  if (price === undefined) return "✓ price: it costs nothing but time";
  if (price === null) return "– price: not known; give it in defensible.yaml under `prices`";
  const cached = price.cached_input === null ? "" : ` (${price.cached_input} from the prefix cache)`;
  const source = price.as_of === "override" ? "your own" : `as of ${price.as_of}`;
  return `✓ price: $${price.input} in${cached}, $${price.output} out per million tokens, ${source}`;
}
