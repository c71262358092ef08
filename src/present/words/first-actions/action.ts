import type { Sentence } from "../sentence.js";

/** Where an action is done or looked at: a view, what it is about, and its filters. */
export interface ActionLink {
  view: string;
  about: readonly string[];
  query: Readonly<Record<string, string>>;
  /** What is to be seen there. */
  text: string;
}

/** Something to do about what a report says. */
export interface FirstAction {
  id: string;
  /** An order of a few words. */
  title: string;
  /** Why, with its number. */
  why: Sentence;
  link?: ActionLink;
  /** A command that does it. */
  command?: string;
}

/** What a report found: these are ordered by the decisions they concern. */
export interface FindingAction extends FirstAction {
  decisions: number;
}

export function linkTo(
  text: string,
  view: string,
  about: readonly string[] = [],
  query: Readonly<Record<string, string>> = {},
): ActionLink {
  return { text, view, about, query };
}
