import type { RuleSet } from "../../core/records/rule-set.js";
import type { Lint } from "../../core/results/lint.js";

/** A file of rules, as it was read. */
export interface RuleText {
  file: string;
  text: string;
  sets: readonly RuleSet[];
}

type Finding = Lint["findings"][number];

/** The findings of the lint as SARIF 2.1.0, for code scanning. Each has the file and line of its words, or of its rule. */
export function renderSarif({ findings }: Lint, texts: readonly RuleText[], version: string): string {
  const checks = [...new Set(findings.map(({ check }) => check))];
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "defensible", semanticVersion: version, rules: checks.map((id) => ({ id })) } },
        columnKind: "utf16CodeUnits",
        results: findings.map((finding) => ({
          ruleId: finding.check,
          ruleIndex: checks.indexOf(finding.check),
          level: finding.severity,
          message: { text: `${nameOf(finding)}: ${sentence(finding.message)} ${finding.remedy}`.trim() },
          locations: [{ physicalLocation: placeOf(finding, texts) }],
          partialFingerprints: { "findingWords/v1": fingerprint(finding) },
        })),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

const nameOf = ({ community, rule_id }: Finding) => `Rule ${rule_id}${community === null ? "" : ` of ${community}`}`;

/** The same for the same words, wherever in the file they are. */
function fingerprint({ check, scope, community, rule_id, part, quote, other }: Finding): string {
  return JSON.stringify([check, scope, community, rule_id, part, quote, other?.rule_id ?? null]);
}

function placeOf(finding: Finding, texts: readonly RuleText[]) {
  const { scope, community, rule_id, quote } = finding;
  const isSet = (set: RuleSet) => set.scope === scope && (scope === "platform" || set.community === community);
  const ruleIn = ({ sets }: RuleText) =>
    sets.filter(isSet).flatMap(({ rules }) => rules.find(({ id }) => id === rule_id) ?? [])[0];
  const found = texts.find((one) => ruleIn(one) !== undefined) ?? texts[0];
  const lines = found?.text.split(/\r?\n/) ?? [];
  const has = (words: string | null | undefined, from: number) => {
    const [first] = (words ?? "").trim().split("\n", 1);
    return first ? lines.findIndex((line, i) => i >= from && line.includes(first)) : -1;
  };
  const title = has(found && ruleIn(found)?.title, 0);
  const words = has(quote, Math.max(0, title));
  const line = (words >= 0 ? words : Math.max(0, title)) + 1;
  return {
    // In the name of a file, # and ? begin neither a fragment nor a query.
    artifactLocation: {
      uri: encodeURI((found?.file ?? "rules").replaceAll("\\", "/")).replace(/[#?]/g, encodeURIComponent),
    },
    region: { startLine: line },
  };
}
