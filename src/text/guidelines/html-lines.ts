import { cleanText, type Line, refuseMany, type UnreadReason, type UnreadText } from "./draft.js";
import { attribute, htmlTokens } from "./html-tokens.js";

/** An HTML page as lines of Markdown: headings, lists, tables and bold text keep their form; the rest becomes plain text. */
export interface HtmlPage {
  lines: Line[];
  /** Navigation, footers, forms and hidden text. */
  aside: UnreadText[];
  /** From the page's head. */
  title: string | null;
}

const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/;
const BLOCK =
  /^(?:address|article|aside|blockquote|body|center|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|hgroup|hr|html|legend|li|main|menu|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)$/;
const FURNITURE = /^(?:nav|footer|aside|form|button|select|dialog|menu|noscript|textarea|label|head)$/;
const FURNITURE_ROLE =
  /^(?:navigation|banner|contentinfo|search|complementary|menu|menubar|toolbar|dialog|alertdialog)$/i;
const FURNITURE_NAME =
  /(?:^|[\s_-])(?:nav|navbar|navigation|menu|breadcrumbs?|footer|cookies?|cookie-?banner|skip-?link|toc|table-of-contents|pagination|pager|share|social|newsletter|site-header|masthead|page-header-bar|ads?|advert|related-posts)(?:$|[\s_-])/i;
const HIDDEN_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i;
/** Open elements that are searched for the start of an inline element that ends. */
const NEAREST = 200;
const DEEPEST_LIST = 12;
/** Most pieces of text in one link. */
const LONGEST_LINK = 100;
/** How far into a table to look for signs that it is used for layout. */
const TABLE_AHEAD = 100_000;

interface Open {
  name: string;
  /** Why its text is set aside. */
  aside: UnreadReason | null;
  href: string | null;
  /** Index of its first piece in the paragraph. */
  from: number;
}

interface List {
  ordered: boolean;
  type: string;
  next: number;
  /** Mark of an item that has no text yet. */
  mark: string | null;
}

export function htmlLines(html: string): HtmlPage {
  return new HtmlReader(cleanText(html)).read();
}

class HtmlReader {
  private readonly lines: Line[] = [];
  private readonly aside: UnreadText[] = [];
  private readonly open: Open[] = [];
  /** Number of open elements by name. */
  private readonly opened = new Map<string, number>();
  private readonly lists: List[] = [];
  /** If a page marks its main part, everything outside it is set aside. */
  private readonly hasMain: boolean;
  private mains = 0;
  private pres = 0;
  private quotes = 0;
  private heading = 0;
  /** The table row being read; null: none. */
  private row: { cells: string[]; isHead: boolean } | null = null;
  private tables = 0;
  private rows = 0;
  /** The pieces of the paragraph being read, whether they contain more than space, and the line where it began. */
  private pieces: string[] = [];
  private hasText = false;
  private line = 1;
  private isBold = false;
  /** The next text continues the same paragraph. */
  private goesOn = false;
  private title: string | null = null;
  /** The next text set aside is unrelated to the previous one. */
  private isNewAside = true;

  constructor(private readonly html: string) {
    this.hasMain = /<main[\s>]|\srole\s*=\s*["']?main\b/i.test(html);
  }

  read(): HtmlPage {
    for (const token of htmlTokens(this.html)) {
      if (token.kind === "text") this.addText(token.text, token.line);
      else if (token.kind === "open") this.start(token.name, token.attributes, token.line, token.after);
      else this.end(token.name);
    }
    while (this.open.length > 0) this.closeTop();
    this.flush();
    return { lines: this.lines, aside: this.aside, title: this.title };
  }

  private reason(): UnreadReason | null {
    const own = this.open.at(-1)?.aside ?? null;
    return own === null && this.hasMain && this.mains === 0 ? "page_furniture" : own;
  }

  private addText(text: string, line: number): void {
    if (this.open.at(-1)?.name === "title") {
      this.title = `${this.title ?? ""}${text}`.replace(/\s+/g, " ").trim() || null;
      return;
    }
    if (this.pres > 0 && this.reason() === null) {
      this.flush();
      for (const [i, one] of text.split("\n").entries()) this.lines.push({ number: line + i, text: one.trimEnd() });
      return;
    }
    const from = text.search(/\S/);
    if (from >= 0 && !this.hasText) {
      this.hasText = true;
      this.line = line + text.slice(0, from).split("\n").length - 1;
    }
    this.pieces.push(text.replace(/\s+/g, " "));
  }

  private start(name: string, attributes: string, line: number, after: number): void {
    if (name === "br") {
      this.goesOn = this.flush() || !this.goesOn;
      return;
    }
    if (name === "img") this.addText(` ${attribute(attributes, "alt") ?? ""} `, line);
    const isBlock = BLOCK.test(name);
    if (isBlock) this.flush();
    if (VOID.test(name)) return;
    this.closeImplied(name, isBlock);
    const isMain = name === "main" || /^main$/i.test(attribute(attributes, "role") ?? "");
    if (isMain) this.mains++;
    // A menu that was never closed ends where the page's own text begins.
    const above = isMain || name === "article" ? null : (this.open.at(-1)?.aside ?? null);
    const aside = above ?? this.asideOf(name, attributes);
    if (aside !== null && above === null) {
      this.flush();
      this.isNewAside = true;
    }
    const href = name === "a" && aside === null ? attribute(attributes, "href") : null;
    const opened = isMain ? "main" : name;
    this.open.push({ name: opened, aside, href, from: this.pieces.length });
    this.opened.set(opened, (this.opened.get(opened) ?? 0) + 1);
    if (/^h[1-6]$/.test(name)) this.heading = Number(name[1]);
    else if (name === "ol" || name === "ul") this.startList(name, attributes);
    else if (name === "li") this.startItem(attributes);
    else if (name === "blockquote") this.quotes++;
    else if (name === "pre") this.pres++;
    else if (name === "table" && this.reason() === null) this.startTable(after);
    else if (name === "tr" && this.tables === 1) this.row = { cells: [], isHead: true };
    else if (name === "td" || name === "th") this.startCell(name);
    else if ((name === "b" || name === "strong") && this.heading === 0 && !this.isBold) {
      this.isBold = true;
      this.pieces.push("**");
    }
  }

  /** Why an element's text is not part of the page's own text. */
  private asideOf(name: string, attributes: string): UnreadReason | null {
    if (attributes === "" && !FURNITURE.test(name) && name !== "header") return null;
    const own = (key: string) => attribute(attributes, key) ?? "";
    const isHidden = attribute(attributes, "hidden") !== null || /^true$/i.test(own("aria-hidden"));
    if (isHidden || HIDDEN_STYLE.test(own("style"))) return "hidden";
    const inArticle =
      this.mains > 0 || this.open.slice(-NEAREST).some((one) => one.name === "article" || one.name === "section");
    const names = /^(?:html|body|main)$/.test(name) ? "" : `${own("class")} ${own("id")}`;
    const isTitle = name === "button" && this.open.slice(-3).some((one) => /^(?:h[1-6]|summary|dt)$/.test(one.name));
    const isFurniture = (FURNITURE.test(name) && !isTitle) || (name === "header" && !inArticle);
    return isFurniture || FURNITURE_ROLE.test(own("role")) || FURNITURE_NAME.test(names) ? "page_furniture" : null;
  }

  private startList(name: string, attributes: string): void {
    const next = Number.parseInt(attribute(attributes, "start") ?? "1", 10);
    this.lists.push({
      ordered: name === "ol",
      type: attribute(attributes, "type") ?? "1",
      next: Number.isInteger(next) ? next : 1,
      mark: null,
    });
  }

  private startItem(attributes: string): void {
    const list = this.lists.at(-1);
    if (!list) return;
    const value = Number.parseInt(attribute(attributes, "value") ?? "", 10);
    if (Number.isInteger(value)) list.next = value;
    list.mark = list.ordered ? ordinal(list.type, list.next++) : "-";
  }

  /** Tables that contain headings, lists or tables are only for layout, and are ignored as tables. */
  private startTable(after: number): void {
    const end = this.tables > 0 ? -1 : this.html.indexOf("</table", after);
    const inside = this.html.slice(after, Math.min(end, after + TABLE_AHEAD));
    this.tables += end < 0 || /<(?:h[1-6]|[uo]l|table)[\s>]/i.test(inside) ? 2 : 1;
    this.rows = 0;
  }

  private startCell(name: string): void {
    if (!this.row) return;
    this.row.cells.push("");
    if (name === "td") this.row.isHead = false;
  }

  private end(name: string): void {
    const isBlock = BLOCK.test(name);
    if (isBlock) this.flush();
    if ((this.opened.get(name) ?? 0) === 0) return;
    const last = isBlock ? 0 : Math.max(0, this.open.length - NEAREST);
    for (let i = this.open.length - 1; i >= last; i--) {
      if (this.open[i]!.name === name) {
        this.closeTo(i);
        return;
      }
      // A bold word does not close the paragraph around it.
      if (!isBlock && BLOCK.test(this.open[i]!.name)) return;
    }
  }

  /** Closes elements that another one ends implicitly: `<li>` ends the item before it, a block the paragraph before it. */
  private closeImplied(name: string, isBlock: boolean): void {
    const top = this.open.at(-1)?.name ?? "";
    if ((isBlock && /^(?:p|h[1-6])$/.test(top)) || (name === "a" && top === "a")) {
      this.closeTop();
      return;
    }
    const within = { li: /^[uo]l$/, dt: /^dl$/, dd: /^dl$/, td: /^tr$/, th: /^tr$/, tr: /^table$/ }[name];
    const ended = { li: /^li$/, dt: /^d[td]$/, dd: /^d[td]$/, td: /^t[dh]$/, th: /^t[dh]$/, tr: /^tr$/ }[name];
    if (!within || !ended) return;
    for (let i = this.open.length - 1; i >= Math.max(0, this.open.length - NEAREST); i--) {
      if (within.test(this.open[i]!.name)) return;
      if (ended.test(this.open[i]!.name)) {
        this.closeTo(i);
        return;
      }
    }
  }

  private closeTo(index: number): void {
    while (this.open.length > index) this.closeTop();
  }

  private closeTop(): void {
    const { name, href, from, aside } = this.open.at(-1)!;
    const endsAside = aside !== null && (this.open.at(-2)?.aside ?? null) === null;
    if (BLOCK.test(name) || endsAside) this.flush();
    else if ((name === "b" || name === "strong") && this.isBold) this.endBold(" ");
    else if (href !== null && /^(?:https?|mailto):[^\s()]+$/i.test(href) && this.heading === 0) this.link(href, from);
    this.open.pop();
    this.opened.set(name, this.opened.get(name)! - 1);
    if (/^h[1-6]$/.test(name)) this.heading = 0;
    else if (name === "ol" || name === "ul") this.lists.pop();
    else if (name === "blockquote") this.quotes--;
    else if (name === "pre") this.pres--;
    else if (name === "main") this.mains--;
    else if (name === "tr") this.endRow();
    else if (name === "table") this.tables = Math.max(0, this.tables - (this.tables === 1 ? 1 : 2));
  }

  private endBold(space: string): void {
    this.isBold = false;
    const last = this.pieces.pop()!;
    if (last !== "**") this.pieces.push(last.trimEnd(), `**${/\s$/.test(last) ? space : ""}`);
  }

  private link(href: string, from: number): void {
    if (from >= this.pieces.length || this.pieces.length - from > LONGEST_LINK) return;
    const label = this.pieces.splice(from).join("");
    const isLink = label.trim() !== "" && label.trim() !== href && !label.includes("](");
    this.pieces.push(isLink ? `[${label.trim()}](${href})` : label);
  }

  private endRow(): void {
    const { row } = this;
    this.row = null;
    if (!row || row.cells.every((cell) => cell === "")) return;
    const line = `| ${row.cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
    if (row.cells.length === 1) this.emit(row.cells[0]!, false);
    else this.emit(line, this.rows++ > 0);
    if (row.cells.length > 1 && row.isHead && this.rows === 1) this.emit(`|${" --- |".repeat(row.cells.length)}`, true);
  }

  /** Ends the paragraph being read; false: it was empty. */
  private flush(): boolean {
    if (this.isBold) this.endBold("");
    const whole = this.hasText ? this.pieces.join("") : "";
    this.pieces = [];
    this.hasText = false;
    const text = whole.replace(/\s+/g, " ").trim();
    if (text === "") return false;
    const reason = this.reason();
    if (reason !== null) this.setAside(text, reason);
    else if (this.row && this.row.cells.length > 0) this.row.cells.push(`${this.row.cells.pop()} ${text}`.trim());
    else this.emitText(text);
    this.goesOn = false;
    return true;
  }

  private setAside(text: string, reason: UnreadReason): void {
    const last = this.aside.at(-1);
    const goesOn = last?.reason === reason && !this.isNewAside && last.text.length < 2_000;
    this.isNewAside = false;
    if (goesOn) last.text += `\n${text}`;
    else this.aside.push({ line: this.line, text, reason });
  }

  private emitText(text: string): void {
    const list = this.lists.at(-1);
    const isName = this.open.slice(-3).some(({ name }) => name === "dt" || name === "summary");
    const heading = text.replaceAll("**", "").replace(/\s*(?:[¶🔗]|\[edit\])\s*$/u, "");
    const isBold = isName || (this.heading > 0 && list !== undefined);
    const own = isBold ? `**${heading}**` : text;
    const depth = Math.min(this.lists.length, DEEPEST_LIST);
    if (list?.mark) {
      this.emit(`${"    ".repeat(depth - 1)}${list.mark} ${own}`, depth > 1 || list.mark !== "1.");
      list.mark = null;
    } else if (list) this.emit(`${"    ".repeat(depth)}${own}`, this.goesOn);
    else if (this.heading > 0) this.emit(`${"#".repeat(this.heading)} ${heading}`, false);
    else this.emit(`${this.quotes > 0 ? "> " : ""}${own}`, this.goesOn);
  }

  /** `goesOn`: directly after the previous line. */
  private emit(text: string, goesOn: boolean): void {
    if (!goesOn && this.lines.length > 0) this.lines.push({ number: this.line, text: "" });
    this.lines.push({ number: this.line, text });
    refuseMany({ lines: this.lines.length });
  }
}

/** The mark of an item, by HTML's list type. */
function ordinal(type: string, n: number): string {
  if (type === "a" || type === "A") return `${String.fromCharCode((type === "a" ? 97 : 65) + ((n - 1) % 26))})`;
  if (type === "i" || type === "I") {
    const roman = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];
    const text = n > 0 && n < 40 ? `${"X".repeat(Math.floor(n / 10))}${roman[n % 10]}` : String(n);
    return `${type === "i" ? text.toLowerCase() : text})`;
  }
  return `${n}.`;
}
