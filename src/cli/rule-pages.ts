import type { Command } from "commander";
import { InputError } from "../core/errors.js";
import { MISSING_COMMUNITY } from "../present/document/rules-document.js";
import type { RuleFileOptions } from "../store/formats/rule-file.js";
import { integer } from "./options.js";

/** The owner of a page's rules, if the page does not say. */
export interface PageRuleFlags {
  community?: string;
  platform?: boolean;
  communityLevel?: number;
}

export function withPageRuleOptions(command: Command): Command {
  return command
    .option("--community <name>", "community of the rules of a page that names none (default: the platform)")
    .option("--platform", "treat all rules of a page as platform rules, whatever its headings say")
    .option("--community-level <n>", "headings of this level (1 to 6) name communities", integer(1, 6));
}

export function pageRules({ community, platform, communityLevel }: PageRuleFlags): RuleFileOptions {
  if (community !== undefined && platform) {
    throw new InputError("two_owners", "--platform: got --community too", "Give one of them.");
  }
  if (community?.trim() === "")
    throw new InputError("bad_flag", "--community: is empty", "Name the community as the decisions do.");
  return { community, platform, communityLevel };
}

/** Refuses a page that does not say whose rules it has, and names the flags that do. */
export function namingCommunity<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof InputError) || cause.code !== "community_missing") throw cause;
    throw new InputError(cause.code, cause.message, MISSING_COMMUNITY);
  }
}
