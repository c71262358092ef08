import type { Rule } from "../../core/records/rule-set.js";
import {
  type DraftOptions,
  type Line,
  type PageHeading,
  type RuleBook,
  refuseMany,
  type UnreadReason,
  type UnreadText,
} from "./draft.js";
import { asWritten, expanded, followers, itemLines, joined, linesBelow } from "./entries.js";
import {
  headsNoRule,
  headsRules,
  introduces,
  isAspect,
  isNormative,
  leadsIn,
  nameCommunities,
  readsLikeRule,
  setsPolarity,
  unnamedHeadings,
} from "./headings.js";
import { type Entry, isBelow, outline, type Section } from "./outline.js";
import { bodyText, itemText, paragraph, plain, type RuleText, slug } from "./rule-text.js";

export interface PlacedPage {
  title: string | null;
  books: RuleBook[];
  unread: UnreadText[];
  headings: PageHeading[];
}

/**
 * Finds the rules of a page. Numbered headings (`Rule 3: No spam`) are rules, with everything below them; otherwise numbered
 * items are. If there are neither, headings are rules, at the level where most have no subheadings; or, under a heading that only
 * announces rules, bullets and paragraphs that begin in bold. What belongs to no rule is listed.
 */
export function placeRules(lines: readonly Line[], options: DraftOptions): PlacedPage {
  const sections = outline(lines);
  nameCommunities(sections, options);
  const page = new Page(sections, options, false);
  const placed = (page.isEmpty() ? new Page(sections, options, true) : page).result();
  return { ...placed, headings: unnamedHeadings(sections) };
}

/** What is known about the sections of one community before its rules are chosen. */
interface Region {
  /** At least two headings have a number. */
  numbered: boolean;
  /** Items are rules, not parts of what their headings say. */
  items: boolean;
  /** A heading that only announces rules has numbered items, so other headings announce none. */
  announced: boolean;
  /** Two lists use the same numbers, so a number alone does not identify a rule. */
  collides: boolean;
  /** Most headings are followed by paragraphs that begin in bold, which are the rules. */
  bold: boolean;
}

class Page {
  private readonly books = new Map<string | null, RuleBook>();
  private readonly ids = new Map<string, number>();
  /** Headings that are a rule, or are above one. */
  private readonly used = new Set<Section>();
  private readonly ruleHeadings = new Set<Section>();
  private readonly left = new Map<Section, UnreadText[]>();
  private readonly regions = new Map<string | null, Region>();
  /** The page's title: usually one heading, seldom two. */
  private readonly titles: ReadonlySet<Section>;
  private count = 0;

  /** `anyBullets`: nothing else was found, so bullets anywhere are rules. */
  constructor(
    private readonly sections: readonly Section[],
    private readonly options: DraftOptions,
    private readonly anyBullets: boolean,
  ) {
    this.titles = new Set(titlesOf(sections));
    const of = new Map<string | null, Section[]>();
    for (const section of sections) {
      const own = of.get(this.ownerOf(section));
      if (own) own.push(section);
      else of.set(this.ownerOf(section), [section]);
    }
    for (const [owner, own] of of) this.regions.set(owner, this.regionOf(own));
    for (const section of sections) if (section.parent === null) this.place(section);
  }

  isEmpty(): boolean {
    return this.count === 0;
  }

  result(): Omit<PlacedPage, "headings"> {
    const own = this.books.get(null);
    const named = [...this.books.values()].filter(({ community }) => community !== null);
    const unread = this.sections.flatMap((section) => this.unreadOf(section)).sort((a, b) => a.line - b.line);
    return {
      title: [...this.titles].map(({ title }) => title).join(" – ") || null,
      books: own ? [own, ...named] : named,
      unread,
    };
  }

  /** The unread text of a section, with its heading unless a rule uses it. */
  private unreadOf(section: Section): UnreadText[] {
    const texts = this.left.get(section) ?? [];
    const isShown =
      section.level === 0 || this.titles.has(section) || this.namesOwner(section) || this.used.has(section);
    if (isShown) return texts;
    const [first, ...more] = texts;
    if (!first) return [{ line: section.line, text: section.title, reason: "not_a_rule" }];
    return [{ ...first, line: section.line, text: `${section.title}\n${first.text}` }, ...more];
  }

  private ownerOf(section: Section): string | null {
    if (this.options.platform) return null;
    for (let at: Section | null = section; at !== null; at = at.parent) if (at.community !== null) return at.community;
    return this.options.community ?? null;
  }

  /** Whether a heading names the owner of the rules that follow; if all rules are the platform's, it is an ordinary heading. */
  private namesOwner({ community }: Section): boolean {
    return community !== null && !this.options.platform;
  }

  private regionOf(own: readonly Section[]): Region {
    const numbered = own.filter(({ marker }) => marker !== null).length >= 2;
    const listed = own.filter(({ entries }) => entries.some(({ kind }) => kind === "item"));
    const open = listed.filter((section) => !this.isContainer(section));
    const prose = own.filter(
      (one) => this.isLeaf(one) && one.entries.length > 0 && one.entries.every(({ kind }) => kind !== "item"),
    );
    const announcing = listed.filter((section) => this.isContainer(section));
    const items = announcing.reduce(
      (sum, { entries }) => sum + entries.filter(({ kind }) => kind === "item").length,
      0,
    );
    const announced = items > 0 && items >= prose.length;
    const leaves = own.filter((one) => this.isLeaf(one) && one.marker === null && one.entries.length > 0);
    const strong = leaves.filter((one) => boldRules(one).length >= 2);
    return {
      numbered,
      items: announced || open.length >= prose.length,
      announced,
      collides: countAlike(listed),
      bold: strong.length >= 2 && strong.length > leaves.length / 2,
    };
  }

  /** A heading that is not a rule, whatever is below it. */
  private isContainer(section: Section): boolean {
    const { level, title, community, entries, children } = section;
    if (level === 0 || this.titles.has(section) || community !== null) return true;
    const listed = children.length > 0 || entries.some(({ kind }) => kind !== "text");
    return listed && (headsRules(title) || setsPolarity(title));
  }

  /** A heading that could itself be a rule. */
  private isLeaf(section: Section): boolean {
    const parts = section.children.every(({ title }) => isAspect(title));
    return parts && !this.isContainer(section) && !headsNoRule(section.title);
  }

  private place(section: Section): void {
    if (!this.placeOwn(section)) for (const child of section.children) this.place(child);
  }

  /** Places a section's own text; true: what is below it is placed too. */
  private placeOwn(section: Section): boolean {
    const region = this.regions.get(this.ownerOf(section))!;
    const { marker, title, children, entries } = section;
    const counted = entries.some(({ kind }) => kind === "item");
    if (region.numbered && marker !== null && section.community === null) return this.placeNumbered(section);
    if (this.isContainer(section)) return this.placeItems(section);
    if (headsNoRule(title) && marker === null) {
      const isRules = !region.announced && introduces(title) && listsRules(entries);
      return isRules ? this.placeItems(section) : this.leaveOut(section, entries, "not_a_rule");
    }
    const isPart = section.parent?.marker != null && !this.ruleHeadings.has(section.parent) && this.isLeaf(section);
    if (region.numbered) return isPart ? this.addHeading(section, true) : this.placeItems(section);
    if (region.bold && !counted && (boldRules(section).length > 0 || entries.every(({ kind }) => kind === "bullet"))) {
      return this.placeItems(section);
    }
    if (!region.items) return this.isRuleHeading(section) ? this.addHeading(section, true) : this.placeItems(section);
    if (children.length > 0 || counted) return this.placeItems(section);
    const says = `${title} ${entries.map(({ lines }) => paragraph(lines)).join(" ")}`;
    if (!region.announced || (entries.length > 0 && isNormative(says))) return this.addHeading(section, true);
    return this.leaveOut(section, entries, "section_text");
  }

  /** A numbered heading is a rule, unless it is a category that only contains further numbers. */
  private placeNumbered(section: Section): boolean {
    const { marker, entries, children } = section;
    if (!marker!.named && headsNoRule(marker!.rest)) return this.leaveOut(section, entries, "not_a_rule");
    const further = children.some((child) => child.marker !== null);
    const items = expanded(entries).filter(({ kind }) => kind === "item");
    const counted = items.filter(({ number }) => number !== null && isBelow(number, marker!.number)).length >= 2;
    const bare =
      entries.every(({ kind }) => kind === "item" || kind === "table") && (entries.length === 0 || items.length > 0);
    // A number without the word "rule" may count sections: the items in a section are rules if they read like rules.
    const full = items.filter(({ lines }) => paragraph(lines).split(/\s+/).length >= FULL_RULE).length;
    const isSection = !marker!.named && bare && full >= 3 && full > items.length / 2;
    const named = children.filter(({ title, entries: own }) => !isAspect(title) && own.length > 0);
    const isOver = !marker!.named && entries.length === 0 && named.length >= 2;
    if (bare && (further || counted || isSection || isOver)) return this.placeItems(section);
    return this.addHeading(section, !further);
  }

  /** At the level where most headings have no subheadings, headings are rules, with everything below them. */
  private isRuleHeading(section: Section): boolean {
    if (this.isLeaf(section)) return true;
    const all = section.parent?.children ?? this.sections.filter(({ parent }) => parent === null);
    const siblings = all.filter(
      (one) => one.level === section.level && !this.isContainer(one) && !headsNoRule(one.title),
    );
    const leaves = siblings.filter((one) => this.isLeaf(one)).length;
    return leaves > 0 && leaves >= siblings.length - leaves;
  }

  /** Adds a heading as a rule. `whole`: with the headings below it. */
  private addHeading(section: Section, whole: boolean, entries = section.entries): boolean {
    const { marker, title, line, parent } = section;
    const lines = linesBelow(whole ? section : { ...section, entries, children: [] }, (one) => this.used.add(one));
    this.used.add(section);
    const own = marker?.rest ? plain(marker.rest).replace(/\s*[.:]$/, "") : title;
    this.ruleHeadings.add(section);
    // Numbers that restart below a number are its parts.
    const above =
      parent?.marker && parent.children.some((one) => one.marker?.number === "1") ? parent.marker.number : "";
    const number =
      marker && above !== "" && !isBelow(marker.number, above) ? `${above}.${marker.number}` : marker?.number;
    this.add(section.parent, section, line, number ?? slug(title), {
      title: own,
      ...bodyText(lines),
      url: null,
    });
    return whole;
  }

  /** Adds the items of a section as rules, with the text between them. Text before and after is listed as unread. */
  private placeItems(section: Section): false {
    const entries = expanded(section.entries);
    const items = new Set(this.itemsOf(section, entries));
    const from = entries.findIndex((entry) => items.has(entry));
    if (from < 0) return this.leaveOut(section, section.entries, "section_text");
    const before = entries.slice(0, from);
    const isOwn = this.continuesCount(section, entries[from]!) && before.some(({ kind }) => kind === "text");
    if (isOwn) this.addHeading(section, false, before.splice(0));
    const lead = before.at(-1)?.kind === "text" ? paragraph(before.at(-1)!.lines) : "";
    const isLead = leadsIn(lead);
    this.leaveOut(section, isLead ? before.slice(0, -1) : before, "section_text");
    const leads = [
      ...(setsPolarity(section.title) ? [section.marker?.rest ?? section.title] : []),
      ...(isLead ? [lead] : []),
    ];
    const { of, after } = followers(entries, items);
    for (const entry of items) this.addItem(section, entry, of.get(entry)!, leads);
    this.leaveOut(section, after, "section_text");
    return false;
  }

  /** A heading in the middle of a list that continues below it is an item without a number. */
  private continuesCount(section: Section, first: Entry): boolean {
    const isCounted = first.kind === "item" && Number(first.number) > 1;
    return isCounted && !this.isContainer(section) && !headsNoRule(section.title) && section.marker === null;
  }

  private addItem(section: Section, entry: Entry, following: readonly Entry[], leads: readonly string[]): void {
    const { number, lines, heading } = entry;
    const owner = this.ownerOf(section);
    const text = itemText(itemLines(entry, following));
    if (text.title === "") text.title = number ?? section.title;
    text.description = [...leads, text.description].filter((part) => part !== "").join("\n");
    const isOwn = section.level === 0 || this.titles.has(section) || this.namesOwner(section);
    const { collides, numbered } = this.regions.get(owner)!;
    const several = !isOwn && collides;
    const above = numbered ? section.marker?.number : undefined;
    const isPlain = number !== null && !number.includes(".");
    const id =
      isPlain && above
        ? `${above}.${number}`
        : isPlain && several
          ? `${slug(section.title)}-${number}`
          : (number ?? slug(text.title));
    this.add(section, section, lines[0]!.number, id, text, heading);
  }

  /** The entries that are rules: numbered items; or, if the heading announces rules, bullets, bold paragraphs or plain paragraphs. */
  private itemsOf(section: Section, entries: readonly Entry[]): Entry[] {
    const of = (wanted: Entry["kind"]) => entries.filter(({ kind }) => kind === wanted);
    const items = of("item");
    if (items.length > 0) return items;
    const { level, community, title, children } = section;
    const announced = community !== null || headsRules(title) || setsPolarity(title);
    const isOpen = level === 0 || this.titles.has(section) ? announced && children.length === 0 : announced;
    const { bold: isBold } = this.regions.get(this.ownerOf(section))!;
    if (!isOpen && !this.anyBullets && !(isBold && level > 0)) return [];
    const bold = of("bold");
    if (bold.length >= 2 || (isBold && bold.length > 0)) return bold;
    const bullets = of("bullet");
    return bullets.length > 0 || community === null || children.length > 0 ? bullets : of("text");
  }

  /** Records text that is in no rule. */
  private leaveOut(section: Section, entries: readonly Entry[], reason: UnreadReason): false {
    const text = paragraph(joined(entries.map(asWritten)));
    if (text === "") return false;
    const early = this.count === 0 && reason === "section_text" && (section.level === 0 || this.titles.has(section));
    const line = entries.find(({ lines }) => lines.some((one) => one.text.trim() !== ""))!.lines[0]!.number;
    const left = this.left.get(section) ?? [];
    left.push({ line, text, reason: early ? "before_the_first_rule" : reason });
    this.left.set(section, left);
    return false;
  }

  /** `under`: the heading above the rule; `of`: the section in which it was found. */
  private add(under: Section | null, of: Section, line: number, id: string, text: RuleText, heading?: string): void {
    const { title, description, detail, url } = text;
    const community = this.ownerOf(of);
    const book = this.books.get(community) ?? { community, ...this.headingOf(of), rules: [] };
    this.books.set(community, book);
    const path = [...this.pathOf(under), ...(heading ? [heading] : [])].join(" › ");
    const rule: Rule = {
      id: this.ownId(community, id),
      title,
      ...(description ? { description } : {}),
      ...(detail ? { detail } : {}),
      ...(url ? { url } : {}),
      ...(path ? { x_section: path } : {}),
    };
    book.rules.push({ line, rule });
    refuseMany({ rules: ++this.count });
  }

  private headingOf(section: Section): { heading?: string } {
    let at: Section | null = section;
    while (at !== null && !this.namesOwner(at)) at = at.parent;
    return at === null || at.title.endsWith(`: ${at.community}`) || at.title === at.community
      ? {}
      : { heading: at.title };
  }

  /** The headings above a rule, except the page's title and the community's name. */
  private pathOf(under: Section | null): string[] {
    const path: string[] = [];
    for (let at = under; at !== null; at = at.parent) {
      if (this.titles.has(at) || this.namesOwner(at) || at.level === 0 || this.ruleHeadings.has(at)) continue;
      path.unshift(at.title);
      this.used.add(at);
    }
    return path;
  }

  private ownId(community: string | null, id: string): string {
    const key = JSON.stringify([community, id]);
    const n = (this.ids.get(key) ?? 0) + 1;
    this.ids.set(key, n);
    return n === 1 ? id : this.ownId(community, `${id}-${n}`);
  }
}

/** The first heading, if no other has its level and everything else is below it; also one before it at the same level with nothing of its own. */
function titlesOf(sections: readonly Section[]): Section[] {
  const [, first, ...more] = sections;
  if (first === undefined || first.marker?.named) return [];
  const bare = first.children.length === 0 && first.entries.length === 0;
  if (bare && more.length > 0 && more.some(({ level }) => level === first.level)) {
    const next = titlesOf([first, ...more]);
    return [first, ...(next[0]?.level === first.level ? next : [])];
  }
  if (more.some(({ level }) => level <= first.level)) return [];
  const listed = first.children.length > 0 || first.entries.some(({ kind }) => kind !== "text");
  return listed || first.isFirstLine || headsRules(first.title) || headsNoRule(first.title) ? [first] : [];
}

/** Whether most of the numbered items read like rules. */
function listsRules(entries: readonly Entry[]): boolean {
  const items = entries.filter(({ kind }) => kind === "item");
  return items.length >= 2 && items.filter(({ lines }) => readsLikeRule(paragraph(lines))).length > items.length / 2;
}

/** Fewest words of an item that is a rule and not part of one. */
const FULL_RULE = 6;

/** Paragraphs that begin in bold, except "**Examples:** …". */
function boldRules({ entries }: Section): Entry[] {
  return entries.filter(({ kind, lines }) => kind === "bold" && !isAspect(itemText(lines).title));
}

/** Whether items in two sections have the same number. */
function countAlike(sections: readonly Section[]): boolean {
  const seen = new Set<string>();
  for (const { entries } of sections) {
    const own = new Set(entries.flatMap(({ number }) => (number === null ? [] : [number])));
    for (const number of own) if (seen.has(number)) return true;
    for (const number of own) seen.add(number);
  }
  return false;
}
