import type { ClauseDraft } from "./clause.js";

/** How far a rule leaves one kind of content out: 0 (it covers it) … 1. */
export interface Audience {
  sparesComments: number;
  sparesPosts: number;
}

const COMMENT = /\b(?:comments?|replies|comentarios?)\b/;
const POSTS_AND_COMMENTS = /\bposts? and (?:in )?comments?\b|\bpublicaci[oó]n o comentario|in comments too/;
const POSTS_ONLY = /\bcovers posts\b|\btitles only\b/;
const POST_SUBJECT = /^an? (?:\w+ )?post\b|^posts\b|^the title\b/;
const COMMENT_SUBJECT = /^(?:an? )?(?:top-level comments?|comments?|answers?|replies|critiques?|feedback|an answer)\b/;
/** Title and description: what the rule is about is said there. */
const HEAD = 3;

/** Whether a rule is meant for posts, for comments or for both, as its clauses say or as rules of its kind usually are. */
export function audienceOf(clauses: readonly ClauseDraft[], kind: string | null): Audience {
  const aboutComments = clauses.slice(0, HEAD).some(({ lower }) => COMMENT_SUBJECT.test(lower));
  return aboutComments
    ? { sparesComments: 0, sparesPosts: 0.8 }
    : { sparesComments: sparesComments(clauses, kind), sparesPosts: 0 };
}

function sparesComments(clauses: readonly ClauseDraft[], kind: string | null): number {
  const named = clauses.filter(({ lower }) => COMMENT.test(lower));
  if (named.some(({ lower }) => POSTS_AND_COMMENTS.test(lower))) return 0;
  if (clauses.some(({ lower }) => POSTS_ONLY.test(lower))) return 0.9;
  const caught = named.some(({ role }) => role === "prohibition" || role === "requirement");
  if (named.some(({ role }) => role === "exemption")) return caught ? 0.5 : 0.9;
  if (named.length > 0) return 0;
  // What posts must have, or where they belong, is seldom meant for comments, and rules seldom say so.
  if (kind === "requirement" || kind === "procedure") return 0.7;
  return clauses.some(({ lower, role }) => role !== "exemption" && POST_SUBJECT.test(lower)) ? 0.4 : 0;
}
