import { standInOf } from "../core/model-family.js";
import { wellFormed } from "../text/printable.js";
import type { Certificate, Quote, Span } from "./certificate.js";
import { AUDITED_WORDS, STAND_IN_WORDS } from "./words.js";

const STYLE = `
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: #fff; color: #1c1c1c; font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 48rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; }
h1 { font-size: 1.4rem; margin: 0 0 .25rem; }
h2 { font-size: 1.02rem; margin: 1.5rem 0 .4rem; border-bottom: 1px solid #d5d5d5; padding-bottom: .2rem; break-after: avoid; }
.verdict { font-size: 1.1rem; margin: .5rem 0 1rem; }
.soft { color: #5c5c5c; font-size: .88rem; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; background: #f6f6f4; border: 1px solid #e2e2de; border-radius: 4px; padding: .6rem .8rem; margin: .3rem 0 .8rem; }
mark { background: #ffe9a8; color: inherit; padding: 0; }
bdi, code { overflow-wrap: anywhere; }
code { font: .85em ui-monospace, monospace; }
ol { padding-left: 1.4rem; } li { margin: .25rem 0; }
table { border-collapse: collapse; width: 100%; }
td { padding: .2rem .5rem .2rem 0; vertical-align: top; border-bottom: 1px solid #ececec; overflow-wrap: anywhere; }
td:first-child { width: 14rem; color: #5c5c5c; }
@media print { main { padding: 0; max-width: none; } body { font-size: 11pt; } .text, li, tr { break-inside: avoid; } @page { margin: 18mm; } }
`;

const LEVELS = ["robustly defensible", "plausibly defensible", "indefensible"] as const;

/** Facts that the records may lack, in words. */
const ABSENT: Record<string, string> = {
  decided_at: "when the decision was made",
  verdict: "a verdict",
  citation: "a citation that is found in the rules",
  quotes: "words of a rule repeated by the citation",
  facts: "words of the content repeated by the reasoning",
  opposite_case:
    "the case for the opposite (template extended asks for it; so does an audit with --flip or --alternatives)",
  level_probs: "probabilities of the levels",
  calibration: "a calibration",
  route: "a routing",
  gate: "an active gate",
  review: "an outcome of a review",
};

/** A certificate as one printable page. It contains no script, loads nothing, and escapes all text. */
export function certificatePage(certificate: Certificate): string {
  const {
    decision,
    content,
    rules,
    audit,
    derivation,
    opposite,
    numbers,
    route,
    gate,
    review,
    calibration,
    stated_reason,
    reason,
  } = certificate;
  const level = audit.verdict.level;
  const standIn = standInOf(audit);
  const cited = rules.rules.filter(({ scope, id }) => isCited(certificate, scope, id));
  const others = rules.rules.length - cited.length;
  const spans = (scope: string, id: string) => derivation.quotes.filter((one) => one.scope === scope && one.id === id);
  const sections = [
    section("Content", quoted(content.text, derivation.facts)),
    section(
      "Rules cited",
      `${cited.map((rule) => `<p>${of(rule.id)} (${rule.scope}, version ${of(rule.version)}) <span class="soft">SHA-256 <code>${hashOfRule(certificate, rule.scope, rule.id)}</code></span></p>${quoted(rule.text, spans(rule.scope, rule.id))}`).join("")}<p class="soft">${others} other rules of version ${of(rules.version)} are in the certificate.</p>`,
    ),
    section("Citation", quoted(audit.trace.policy_citation ?? "", [])),
    section("Inference steps", `<ol>${derivation.steps.map(step).join("")}</ol>`),
    section(
      opposite.action === null ? "Another action" : `The opposite: ${of(opposite.action)}`,
      `<p>${opposite.derivable === null ? "Not assessed." : opposite.derivable ? "It can be derived too." : "It cannot be derived."}</p>${opposite.words && !opposite.words_from ? quoted(opposite.words, []) : ""}${(certificate.other_actions ?? []).map(otherAction).join("")}`,
    ),
    ...(stated_reason && reason ? [section("Stated reason", statedReason(stated_reason, reason))] : []),
    section(
      "Numbers",
      table([
        ["P(level 1), P(level 2), P(level 3)", audit.verdict.level_probs?.map(decimal).join(", ") ?? null],
        ["P(defensible)", decimal(numbers.p_defensible)],
        ["P(defensible), calibrated", decimal(numbers.p_calibrated)],
        [
          opposite.action === null ? "P(another action derivable)" : "P(opposite derivable)",
          decimal(opposite.yes_prob),
        ],
        ["Audits of this decision", `${numbers.draws.n}; levels 1, 2, 3: ${numbers.draws.levels.join(", ")}`],
        ["Draws in this audit", audit.verdict.samples === null ? null : String(audit.verdict.samples)],
      ]),
    ),
    section(
      "Provenance",
      table([
        ["Auditor", [audit.auditor, audit.auditor_version].filter(Boolean).join(" · ")],
        ["Prompt, template, temperature", [audit.prompt_version, audit.template, audit.temperature].join(" · ")],
        ["Run, audited at", `${audit.run_id} · ${audit.created_at}`],
        ["Calibration", calibration?.calibration_id ?? null],
        ["Active gate", gate && [gate.gate_id, gate.mode, gate.state].filter(Boolean).join(" · ")],
        ["Last routing", route && `${route.at} · ${route.route} · ${route.reasons.join(", ")}`],
        [
          "Review",
          [
            ...(review.appeal ? [`appeal: ${review.appeal}`] : []),
            ...review.outcomes.map(({ at, outcome, source }) => `${at} ${outcome} (${source ?? "review"})`),
          ].join("; "),
        ],
        ["Absent", absentOf(certificate).join("; ")],
      ]),
    ),
    section(
      "Check",
      `${table([
        ["SHA-256", certificate.sha256],
        ["Signed by key", certificate.signature?.key_id ?? "not signed"],
      ])}<p class="soft">This page is a view of a JSON file, which <code>defensible verify FILE</code> checks.</p>`,
    ),
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<title>Derivation certificate</title><style>${STYLE}</style></head><body><main>
<h1>Derivation certificate</h1>
<p class="soft">Decision ${of(decision.id)} in ${of(decision.community)}${decision.decided_at ? `, made ${of(decision.decided_at)}` : ""}. Certificate made ${of(certificate.made_at)} by ${of(certificate.software)}.</p>
<p class="verdict"><strong>${of(decision.action)}</strong>: ${level === null ? "no verdict" : `level ${level}, ${LEVELS[level - 1]}`}${opposite.derivable ? `; ${opposite.action === null ? "another action" : "the opposite"} can be derived too` : ""}.</p>${standIn ? `\n<p><strong>${STAND_IN_WORDS[standIn]}</strong></p>` : ""}
${sections.join("\n")}
</main></body></html>
`;
}

/** Facts that the records lack. An appeal that was decided is a review, though not in the log of outcomes. */
function absentOf({ absent, review: { appeal } }: Certificate): string[] {
  const isDecided = appeal === "upheld" || appeal === "overturned";
  return absent.filter((name) => !(name === "review" && isDecided)).map((name) => ABSENT[name] ?? name);
}

/** An audit of the decision as if this action had been taken. */
function otherAction({
  action,
  level,
  policy_citation,
  logic_chain,
}: NonNullable<Certificate["other_actions"]>[number]) {
  const verdict = level === null ? "no level" : `level ${level}, ${LEVELS[level - 1]}`;
  const texts = [policy_citation, logic_chain].map((text) => (text ? quoted(text, []) : "")).join("");
  return `<p>Audited as if ${of(action)} had been decided: ${verdict}.</p>${texts}`;
}

function statedReason(
  { cited_rule, rationale, rules, policy_citation, logic_chain }: NonNullable<Certificate["stated_reason"]>,
  { audited }: NonNullable<Certificate["reason"]>,
): string {
  const texts = [policy_citation, logic_chain].map((text) => (text ? quoted(text, []) : "")).join("");
  return `${quoted(cited_rule ?? rationale ?? "", [])}<p>${audited === null ? "" : `${AUDITED_WORDS[audited]}.`}</p><p>Audited by ${rules.map(({ id }) => of(id)).join(", ")} alone:</p>${texts}`;
}

function isCited({ derivation }: Certificate, scope: string, id: string): boolean {
  const found = derivation.citation;
  return (
    (found?.rule_id === id && (found.scope === scope || found.scope === "mixed")) ||
    derivation.quotes.some((quote) => quote.scope === scope && quote.id === id)
  );
}

function hashOfRule({ hashes }: Certificate, scope: string, id: string): string {
  return hashes.rules.find((one) => one.scope === scope && one.id === id)?.sha256.slice(0, 16) ?? "";
}

function step({ text, quotes, facts }: Span & { quotes: Quote[]; facts: Span[] }): string {
  const sources = [...new Set(quotes.map(({ id }) => id))].map(of).join(", ");
  const notes = [sources && `repeats ${sources}`, facts.length > 0 && "repeats the content"].filter(Boolean);
  return `<li>${of(text)}${notes.length > 0 ? ` <span class="soft">(${notes.join("; ")})</span>` : ""}</li>`;
}

const section = (title: string, body: string) => `<section><h2>${title}</h2>${body}</section>`;

const table = (rows: readonly (readonly [string, string | null | undefined | false])[]) =>
  `<table>${rows.map(([name, value]) => `<tr><td>${name}</td><td>${value ? of(value) : "–"}</td></tr>`).join("")}</table>`;

const decimal = (value: number | null) => (value === null ? null : value.toFixed(3)) as string;

/** A text with its spans marked; these must be sorted and must not overlap. */
function quoted(text: string, spans: readonly Span[]): string {
  let at = 0;
  let html = "";
  for (const { start, end } of spans) {
    html += `${escaped(text.slice(at, start))}<mark>${escaped(text.slice(start, end))}</mark>`;
    at = end;
  }
  return `<div class="text">${html}${escaped(text.slice(at))}</div>`;
}

const of = (text: string) => `<bdi>${escaped(text)}</bdi>`;

/** Escaped text from others. Control characters are replaced, because a parser would drop or change them. */
function escaped(text: string): string {
  return wellFormed(text)
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (c) => (c === "\n" || c === "\t" ? c : "\ufffd"))
    .replace(/[&<>"'`]/g, (c) => `&#${c.charCodeAt(0)};`);
}
