/** One line of a JUnit report: a thing that was checked. */
export interface TestCase {
  /** Group of the case, without content. */
  suite: string;
  name: string;
  /** Why it does not hold; null: it does. */
  failure: string | null;
  /** Why it was not looked at; null: it was. */
  skipped?: string | null;
}

/** JUnit XML, which every CI system reads. Names may be anybody's text: they are escaped, and what XML 1.0 cannot hold is left out. */
export function junitXml(name: string, cases: readonly TestCase[]): string {
  const suites = new Map<string, TestCase[]>();
  for (const one of cases) suites.set(one.suite, [...(suites.get(one.suite) ?? []), one]);
  const lines = [`<?xml version="1.0" encoding="UTF-8"?>`, `<testsuites ${attributes(name, cases)}>`];
  for (const [suite, members] of suites) {
    lines.push(`  <testsuite ${attributes(suite, members)}>`, ...members.map(caseXml), "  </testsuite>");
  }
  return `${[...lines, "</testsuites>"].join("\n")}\n`;
}

function attributes(name: string, cases: readonly TestCase[]): string {
  const failures = cases.filter((one) => one.failure !== null).length;
  const skipped = cases.filter((one) => one.skipped).length;
  return `name="${escapeXml(name)}" tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
}

function caseXml({ suite, name, failure, skipped }: TestCase): string {
  const head = `    <testcase classname="${escapeXml(suite)}" name="${escapeXml(name)}"`;
  if (failure !== null) return `${head}><failure message="${escapeXml(failure)}"/></testcase>`;
  if (skipped) return `${head}><skipped message="${escapeXml(skipped)}"/></testcase>`;
  return `${head}/>`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/** Text for an attribute. Control characters, lone surrogates and U+FFFE/U+FFFF are no XML at all; newlines would become spaces. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/\s+/g, " ")
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/g, "")
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}
