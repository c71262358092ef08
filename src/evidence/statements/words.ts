/** A sentence with its {names} filled in. */
export function filled(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? values[name]! : whole));
}

/** A text of at most so many characters, cut at a word. */
export function cutTo(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most - 2).replace(/[\ud800-\udbff]$/, "");
  return `${cut.replace(/\s+\S*$/, "")} …`;
}
