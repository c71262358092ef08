import { createHash } from "node:crypto";
import { Document, Scalar, visit } from "yaml";
import type { RuleSet } from "../../core/records/rule-set.js";
import { safeJson } from "../../text/printable.js";

/** A rule set as YAML, in the order in which people read it. */
export function ruleSetYaml(set: RuleSet): string {
  const document = new Document(inOrder(set));
  // What would act on a terminal or an editor, such as a change of direction, is written as an escape.
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === "string" && safeJson(scalar.value) !== scalar.value)
        scalar.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return safeJson(document.toString({ lineWidth: 0 }));
}

function inOrder(set: RuleSet): Record<string, unknown> {
  const { scope, community, version, effective_from, rules, ...others } = set;
  return {
    scope,
    ...(scope === "community" && { community }),
    version,
    ...(effective_from && { effective_from }),
    ...others,
    rules: rules.map(({ id, title, kind, description, detail, ...more }) => ({
      id,
      title,
      ...(kind && { kind }),
      ...(description && { description }),
      ...(detail && { detail }),
      ...more,
    })),
  };
}

/** Drafted sets as YAML, one document each, with what is in no rule as comments: nothing of the page is lost to who edits the file. */
export function draftYaml(
  sets: readonly RuleSet[],
  source: string,
  unread: readonly { line: number; text: string; reason: string }[],
): string {
  const head = comment(
    `Drafted from ${source.split(/[\\/]/).at(-1)}. Check each rule, and give the set a version of your own.`,
  );
  const left = unread.map(({ line, text, reason }) =>
    comment(`line ${line} (${reason.replaceAll("_", " ")}): ${text}`),
  );
  const foot = left.length > 0 ? `\n${comment("Not in any rule:")}${left.join("")}` : "";
  return `${head}${sets.map(ruleSetYaml).join("---\n")}${foot}`;
}

/** Each line behind a sign, so that none of it is YAML. */
function comment(text: string): string {
  const lines = safeJson(
    text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, ""),
  ).split("\n");
  return lines.map((line, i) => `#${line.trim() === "" ? "" : ` ${i > 0 ? "  " : ""}${line.trimEnd()}`}\n`).join("");
}

/** The name of a set's file; `n`: how many have asked for it. */
export function ruleFileName(set: RuleSet, n: number): string {
  const stem = `${slug(set.scope === "community" ? set.community! : "platform", "community")}-${slug(set.version, "version")}`;
  return n === 1 ? `${stem}.yaml` : `${stem}-${n}.yaml`;
}

/** A name that every file system takes; text without a single Latin letter or digit is named by its hash. */
function slug(text: string, what: string): string {
  const ascii = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, 60);
  return ascii || `${what}-${createHash("sha256").update(text).digest("hex").slice(0, 8)}`;
}
