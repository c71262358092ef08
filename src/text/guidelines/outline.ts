import { type Line, refuseMany } from "./draft.js";
import { communityLine } from "./headings.js";
import { bulletText, letterMarker, type Marker, numberMarker, plain } from "./rule-text.js";
import { SectionLines } from "./section-lines.js";

/** A paragraph or item at the margin of its section. Items keep their nested lines, with indentation. */
export interface Entry {
  kind: "item" | "bullet" | "bold" | "table" | "text";
  /** Only for items. */
  number: string | null;
  lines: Line[];
  /** Column where its mark begins. */
  indent: number;
  /** The category it was taken from. */
  heading?: string;
}

/** A heading with what follows up to the next one; level 0 is the text before the first heading. */
export interface Section {
  level: number;
  title: string;
  line: number;
  marker: Marker | null;
  /** The first line of a text without marked headings. */
  isFirstLine: boolean;
  /** Set if words such as `Forum: Boats` name it. */
  community: string | null;
  entries: Entry[];
  parent: Section | null;
  children: Section[];
}

const ATX = /^ {0,3}(#{1,6})\s+(\S.*?)(?:\s+#+)?$/;
const WIKI = /^(={2,6})\s*([^=\s].*?)\s*\1$/;
const FRAMED = /^([*~_=#-]{2,})\s+(\S.{0,80}?)\s+\1$/;
const RULER = /^\s*(?:[-_*=~\u2500-\u257f•·.]\s?){3,}$/;
const UNDERLINE = /^ {0,3}(=+|-{3,})$/;
const FENCE = /^\s*(```+|~~~+)/;
/** Deeper than any real heading. */
const BOLD_LEVEL = 7;
const LONGEST_HEADING = 120;
const LONGEST_RULER = 400;
/** Lines searched for the next number of a list. */
const LOOK_AHEAD = 200;

/** The headings of a page in order, including the text before the first one. */
export function outline(lines: readonly Line[]): Section[] {
  return new Outline(lines).read();
}

class Outline {
  private readonly sections: Section[] = [newSection(0, "", 1, null)];
  /** The entry that lines are added to; null: the next line begins a new one. */
  private open: Entry | null = null;
  private fence: string | null = null;
  private communityLevel: number | null = null;
  /** The latest numbered item of the section. */
  private counted: Entry | null = null;
  private blocks = 0;
  /** The latest number of a heading. */
  private headed = 0;
  /** The headings that the next one may belong to. */
  private readonly above: Section[] = [];
  /** If no heading is marked, lines in capitals and lines before lists are headings. */
  private readonly marked: boolean;
  private readonly short: SectionLines;

  constructor(private readonly lines: readonly Line[]) {
    this.marked = lines.some((line, i) => ATX.test(line.text) || WIKI.test(line.text) || this.isUnderlined(i));
    this.short = new SectionLines(lines);
  }

  read(): Section[] {
    refuseMany({ lines: this.lines.length });
    for (let i = 0; i < this.lines.length; i++) i += this.take(i);
    return this.sections;
  }

  /** Reads a line; returns how many further lines it used. */
  private take(i: number): number {
    const line = this.lines[i]!;
    const text = line.text.trim();
    if (this.fence !== null || FENCE.test(line.text)) return this.takeFenced(line);
    if (text === "") {
      this.open?.lines.push(line);
      return 0;
    }
    const indent = line.text.length - line.text.trimStart().length;
    const inside = this.open !== null && this.open.kind !== "text" && indent >= this.open.indent + 2;
    if (inside) {
      this.open!.lines.push(line);
      return 0;
    }
    if (line.text.length <= LONGEST_RULER && RULER.test(line.text)) {
      this.open = null;
      return 0;
    }
    return this.takeHeading(i, text) ?? this.takeBlock(i, text, indent);
  }

  private takeFenced(line: Line): number {
    const mark = FENCE.exec(line.text)?.[1];
    if (mark && (this.fence === null || mark.startsWith(this.fence))) this.fence = this.fence === null ? mark : null;
    if (
      this.open === null ||
      (mark && this.fence !== null && isBlank(this.open.lines.at(-1)) && !/^\s{2}/.test(line.text))
    ) {
      this.begin("text", null, line, 0);
    } else this.open.lines.push(line);
    return 0;
  }

  /** The number of further lines that belong to a heading; null: not a heading. */
  private takeHeading(i: number, text: string): number | null {
    const line = this.lines[i]!;
    const atx = ATX.exec(line.text);
    if (atx) return this.head(atx[1]!.length, atx[2]!, line, 0);
    if (this.isUnderlined(i)) return this.head(this.lines[i + 1]!.text.includes("=") ? 1 : 2, text, line, 1);
    const wiki = WIKI.exec(text) ?? FRAMED.exec(text);
    if (wiki) return this.head(wiki[1]!.startsWith("=") ? Math.min(6, wiki[1]!.length) : 2, wiki[2]!, line, 0);
    if (!this.beginsParagraph(i) || text.length > LONGEST_HEADING) return null;
    if (communityLine(text) !== null) {
      const above = this.sections.at(-1)!.level;
      this.communityLevel ??= Math.min(above, 6) + 0.5;
      return this.head(this.communityLevel, text, line, 0);
    }
    // Ignore symbols around it.
    const strong = text.replace(/^[^\p{L}\p{N}*_#[(]+|[^\p{L}\p{N}*_.:!?)\]]+$/gu, "");
    const isBold = /^(\*\*|__)[^*_].*[^*_]\1:?$/.test(strong) && !strong.slice(2, -3).includes("**");
    if (isBold && this.isBoldHeading(i, text)) return this.head(BOLD_LEVEL, text.replace(/:$/, ""), line, 0);
    if (this.marked) return null;
    const level = this.unmarkedLevel(i, text);
    if (level === null) return null;
    this.head(level, text.replace(/:$/, ""), line, 0);
    this.sections.at(-1)!.isFirstLine = level === 1;
    return 0;
  }

  /** A line in bold is a heading, unless it is inside a list that continues. */
  private isBoldHeading(i: number, text: string): boolean {
    if (numberMarker(text, this.expected()) !== null) return false;
    const next = this.expected();
    if (next === 1) return true;
    for (let ahead = i + 1; ahead < Math.min(this.lines.length, i + LOOK_AHEAD); ahead++) {
      const line = this.lines[ahead]!.text;
      if (ATX.test(line)) return true;
      if (numberMarker(line.trim(), next)?.number === String(next)) return false;
    }
    return true;
  }

  /** The level of a heading recognised only by its form: the page's title, capitals, or a line with a colon before a list. */
  private unmarkedLevel(i: number, text: string): number | null {
    if (bulletText(text) !== null || numberMarker(text, this.expected()) !== null) return null;
    const first = this.sections.length === 1 && this.sections[0]!.entries.length === 0;
    if (first && text.length <= 80 && isBlank(this.lines[i + 1]) && !/[.!?:;,]$/.test(text)) return 1;
    const letters = text.replace(/\P{L}/gu, "");
    const capitals = letters.length >= 3 && letters === letters.toUpperCase() && letters !== letters.toLowerCase();
    if (capitals && text.length <= 60 && !/[.!?;,]$/.test(text)) return 2;
    if (this.short.has(i, this.expected())) return 3;
    if (!text.endsWith(":") || text.length > 60) return null;
    const next = this.lines
      .slice(i + 1, i + 3)
      .find((line) => line.text.trim() !== "")
      ?.text.trim();
    if (next === undefined) return null;
    const number = numberMarker(next, 1)?.number;
    const isNew = this.expected() === 1 ? number !== undefined || bulletText(next) !== null : number === "1";
    return isNew ? 3 : null;
  }

  private takeBlock(i: number, text: string, indent: number): number {
    const line = this.lines[i]!;
    const { open } = this;
    const { counted } = this;
    const marker = numberMarker(text, this.expected());
    const isPart = marker !== null && counted !== null && isBelow(marker.number, counted.number!) && open === counted;
    if (marker && !isPart && (marker.rest !== "" || marker.named || /^\S+$/.test(text))) {
      this.begin("item", marker.number, { ...line, text: marker.rest }, indent);
      return 0;
    }
    const letter = marker ? null : letterMarker(text);
    if (letter && this.isLetterItem(letter.number, counted)) {
      this.begin("item", letter.number, { ...line, text: letter.rest }, indent);
      return 0;
    }
    const bullet = bulletText(text);
    // Parts of a numbered item are often not indented.
    if ((isPart || letter || bullet !== null) && open !== null && open === counted) {
      open.lines.push(line);
      return 0;
    }
    if (bullet !== null && !(open?.kind === "bullet" && indent > open.indent)) {
      this.begin("bullet", null, { ...line, text: bullet }, indent);
      return 0;
    }
    if (text.startsWith("|") && open?.kind !== "table") this.begin("table", null, line, indent);
    else if (open !== null && !isBlank(open.lines.at(-1))) open.lines.push(line);
    else if (/^(\*\*|__)[^*_\n]{2,120}\1/.test(text)) this.begin("bold", null, line, indent);
    else this.begin("text", null, line, indent);
    return 0;
  }

  /** A letter counts rules only if nothing else does, from the first rule on. */
  private isLetterItem(letter: string, counted: Entry | null): boolean {
    if (counted !== null) return /^[A-Za-z]+$/.test(counted.number!);
    return /^[AaI]$/.test(letter);
  }

  private begin(kind: Entry["kind"], number: string | null, line: Line, indent: number): void {
    this.open = { kind, number, lines: line.text === "" ? [] : [line], indent };
    // An item with only a number still needs a line for its place.
    if (this.open.lines.length === 0) this.open.lines.push({ ...line, text: "" });
    this.sections.at(-1)!.entries.push(this.open);
    if (kind === "item") this.counted = this.open;
    refuseMany({ blocks: ++this.blocks });
  }

  private head(level: number, raw: string, { number }: Line, used: number): number {
    const title = plain(raw);
    const section = newSection(level, title, number, numberMarker(title, this.headed + 1));
    section.community = communityLine(title);
    if (Number.isInteger(Number(section.marker?.number))) this.headed = Number(section.marker!.number);
    while (this.above.length > 0 && this.above.at(-1)!.level >= level) this.above.pop();
    section.parent = this.above.at(-1) ?? null;
    section.parent?.children.push(section);
    this.above.push(section);
    this.sections.push(section);
    this.open = null;
    this.counted = null;
    refuseMany({ blocks: ++this.blocks });
    return used;
  }

  /** A one-line text with a line of dashes or equals signs below it. */
  private isUnderlined(i: number): boolean {
    const text = this.lines[i]!.text.trim();
    if (text === "" || text.length > LONGEST_HEADING || !UNDERLINE.test(this.lines[i + 1]?.text ?? "")) return false;
    return (
      !/^[-*+|>=~]/.test(text) &&
      (i === 0 || isBlank(this.lines[i - 1]) || /^[-=_*~]{3,400}$/.test(this.lines[i - 1]!.text))
    );
  }

  private beginsParagraph(i: number): boolean {
    return i === 0 || isBlank(this.lines[i - 1]) || this.open === null;
  }

  private expected(): number {
    const last = Number(this.counted?.number);
    return this.counted !== null && Number.isInteger(last) ? last + 1 : 1;
  }
}

function newSection(level: number, title: string, line: number, marker: Marker | null): Section {
  return { level, title, line, marker, isFirstLine: false, community: null, entries: [], parent: null, children: [] };
}

function isBlank(line: Line | undefined): boolean {
  return line === undefined || line.text.trim() === "";
}

/** Whether 2.1 is a part of 2. */
export function isBelow(number: string, above: string): boolean {
  return number.startsWith(`${above}.`);
}
