/** Paths that a file imports. TypeScript 7 has no stable compiler API, so imports are found by their form. */
export function importsOf(code: string): string[] {
  const withoutComments = code.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const pattern =
    /^\s*(?:import|export)\b[^"'`;]*?\bfrom\s*["']([^"']+)["']|^\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm;
  return [...withoutComments.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? match[3]!);
}
