/** A text is known again by this many characters in a row. */
const PIECE = 24;

/**
 * Finds where texts are quoted, in whole or in part, as they are or in the spelling of JSON or HTML. A quotation of fewer than 24 characters is found
 * only where it is a whole value of JSON.
 */
export class Quotes {
  private readonly pieces = new Set<string>();
  /** Values of JSON. */
  private readonly values = new Set<string>();

  /** @param whole texts that are found only as a whole value of JSON: parts of them are nothing of their own */
  constructor(texts: Iterable<string>, whole: Iterable<string> = []) {
    for (const text of texts) this.add(text);
    for (const text of whole) if (text.length >= PIECE) for (const form of jsonForms(text)) this.values.add(form);
  }

  get size(): number {
    return this.pieces.size + this.values.size;
  }

  private add(text: string): void {
    if (text.length < PIECE) for (const form of jsonForms(text)) this.values.add(form);
    // Lines, because prompts and pages put their own words between them.
    for (const line of text.split(/[\r\n]+/)) {
      for (const form of lineForms(line)) {
        for (let at = 0; at + PIECE <= form.length; at++) this.pieces.add(form.slice(at, at + PIECE));
      }
    }
  }

  /** What this text has too is no quotation. */
  except(text: string): void {
    for (const form of lineForms(text)) {
      for (let at = 0; at + PIECE <= form.length; at++) this.pieces.delete(form.slice(at, at + PIECE));
    }
  }

  /** @param least characters that are quoted in a row, where it is not a whole value */
  in(text: string, least = PIECE): boolean {
    for (const one of this.values) if (text.includes(one)) return true;
    if (this.pieces.size === 0) return false;
    let run = PIECE - 1;
    for (let at = 0; at + PIECE <= text.length; at++) {
      run = this.pieces.has(text.slice(at, at + PIECE)) ? run + 1 : PIECE - 1;
      if (run >= least) return true;
    }
    return false;
  }

  /** The value with every text that quotes replaced. Names of members stay. The same value if nothing is replaced. */
  without<T>(value: T, mark: string): T {
    if (typeof value === "string")
      return (this.in(value) || this.values.has(JSON.stringify(value)) ? mark : value) as T;
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const list = value.map((one) => this.without(one, mark));
      return (list.some((one, i) => one !== value[i]) ? list : value) as T;
    }
    const members = Object.entries(value).map(([name, one]) => [name, this.without(one, mark)] as const);
    const same = members.every(([name, one]) => one === (value as Record<string, unknown>)[name]);
    return same ? value : (Object.fromEntries(members) as T);
  }
}

const json = (text: string) => JSON.stringify(text).slice(1, -1);

const ascii = (text: string) =>
  json(text).replace(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Also as JSON in a text of JSON, as answers of models are kept. */
const lineForms = (line: string) => new Set([line, json(line), ascii(line), json(json(line)), html(line)]);

const jsonForms = (text: string) => {
  const forms = [`"${json(text)}"`, `"${ascii(text)}"`];
  return new Set([...forms, ...forms.map(json)]);
};

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const html = (text: string) => text.replace(/[&<>"']/g, (one) => ENTITIES[one]!);
