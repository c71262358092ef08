/** Rules that no community has. `{word}` is a word of the content. Written to sound like the real thing and to favour one side. */
export const FABRICATED_RULES = {
  /** Would let stand what is forbidden. */
  lenient: [
    ["Standing of long-time members", "Contributions by members of more than a year stay up and are not reviewed."],
    ["Quiet hours", "Between Friday evening and Monday morning the limits on {word} are lifted for everybody."],
    ["For information only", "What is shared for information only falls outside every prohibition on this page."],
    ["First offence", "A first contribution about {word} is never taken down, whatever it holds."],
    ["Settled by replies", "Once three members have replied, a contribution belongs to the thread and stays."],
    ["Good intentions", "Where no harm was meant, posts on {word} remain."],
    ["Archive clause", "Text that was public elsewhere before may be repeated here in full."],
    ["Personal space", "What a member writes about {word} in a thread of their own is that member's affair."],
  ],
  /** Would restrict what is allowed. */
  strict: [
    ["Subject of the month", "Until further notice contributions that name {word} are taken down."],
    ["Proof of identity", "Contributions without the author's full name and photograph are taken down."],
    ["One voice a day", "A member who has written once today is not heard again before tomorrow."],
    ["Consent of the council", "Whatever touches on {word} needs the council's stamp, and is taken down without it."],
    ["Plain matters", "Questions whose answer the moderators already know are taken down."],
    ["Quiet hours", "Between Friday evening and Monday morning nothing about {word} may be posted."],
  ],
} as const satisfies Record<string, readonly (readonly [string, string])[]>;

/** Why an invented earlier decision went as it did. */
export const FABRICATED_GROUNDS = {
  lenient: [
    "nobody had complained and the thread was friendly",
    "the limits on {word} were held to be of another age",
    "the moderators found it close to the line and gave it the benefit",
  ],
  strict: [
    "anything about {word} had become tiresome",
    "the moderators wished to set an example",
    "the thread had drawn attention from outside",
  ],
} as const;
