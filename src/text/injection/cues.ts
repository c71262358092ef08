/**
 * What a word says towards an attempt to sway the auditor, as bits. A single cue means nothing: posts speak of rules, levels and answers all day.
 * `injection-score.ts` says which of them together do.
 */
export const CUE = {
  /** ignore, disregard */
  override: 1 << 0,
  /** skip, drop: overrides only with something to override */
  skip: 1 << 1,
  /** follow, apply: overrides when negated */
  follow: 1 << 2,
  not: 1 << 3,
  /** instructions, prompt */
  orders: 1 << 4,
  /** rules, policy */
  rules: 1 << 5,
  /** previous, above */
  prior: 1 << 6,
  /** all, any, your */
  all: 1 << 7,
  /** answer, output, rate: what an auditor does, as an order */
  say: 1 << 8,
  level: 1 << 9,
  /** 1, 2, 3, one: of a level */
  one: 1 << 10,
  /** defensible, derivable */
  result: 1 << 11,
  /** compliant, violation */
  complies: 1 << 12,
  decision: 1 << 13,
  inverse: 1 << 14,
  /** A field of the reasoning trace by its name. */
  field: 1 << 15,
  auditor: 1 << 16,
  machine: 1 << 17,
  moderator: 1 << 18,
  you: 1 << 19,
  /** are, act: what follows may be a role */
  be: 1 << 20,
  /** pretend, simulation */
  role: 1 << 21,
  /** must, should */
  must: 1 << 22,
  /** post, content */
  post: 1 << 23,
  /** approve, allow */
  approve: 1 << 24,
  /** shut down, sued, rewarded */
  threat: 1 << 25,
  /** reply, answer as a thing, JSON, format */
  format: 1 << 26,
  /** now, only, always: what makes an order of a statement */
  only: 1 << 27,
  /** developers, policy team */
  authority: 1 << 28,
  /** yes, no */
  yesNo: 1 << 29,
  /** dear, attention, note: opens an address */
  address: 1 << 30,
} as const;

export type CueName = keyof typeof CUE;
/** Words by cue, separated by spaces; `*` at the end stands for any ending, `_` joins two words that must follow each other. */
export type CueWords = Partial<Record<CueName, string>>;
