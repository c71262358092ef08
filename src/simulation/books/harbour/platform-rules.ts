import type { BookRule } from "../book.js";

export const PLATFORM_RULES: readonly BookRule[] = [
  {
    key: "private-data",
    kind: "prohibition",
    titles: ["No private details of other people"],
    description:
      "Home addresses, private telephone numbers and the like of another person are removed, whoever posts them. A person's name alone, or a public office's address, is no private detail.",
    detail:
      "It makes no difference whether a community allows it. Number plates and photographs of a front door count as well. Exception: what the person has published under their own name, with a statement that it may be passed on, may be repeated.",
    cases: {
      core: [
        "Private details of a neighbour, since he will not answer: {name}, house {number} in Mill Lane, ring him at night.",
      ],
      described: [
        "If you want {a_thing} back from {name}, the telephone by the bed is 55 01 {number}; I have it from a cousin.",
      ],
      detailed: [
        "This is the front door of the person who moved {a_thing}; the number plate of the car beside it can be read well.",
      ],
      implied: ["I shall not write where {name} lives. Third street after {place}, blue fence, the dog is loud."],
      cleared: [
        "Write to the harbour office at 1 Quay Street, they keep the keys to {place}.",
        "{Name} taught me {subject}; ask for that name at any club.",
      ],
      excepted: [
        "{Name} gives a home address on the poster, with the words 'pass this on': house {number}, Mill Lane.",
      ],
      open: ["You will find {name} most evenings at the same table at {place}, back to the wall, around seven."],
    },
    foreign: {
      es: {
        core: [
          "Datos privados de un vecino que no contesta: vive en la casa {number} de la calle del Molino, llamadle de noche.",
        ],
      },
      de: {
        core: ["Private Angaben über einen Nachbarn, der nicht antwortet: Mühlgasse {number}, ruft ihn nachts an."],
      },
    },
  },
  {
    key: "bulk",
    kind: "prohibition",
    titles: ["No bulk posting"],
    description:
      "The same or nearly the same text in more than three communities within a day is removed everywhere. Answering several people in one thread is not bulk posting.",
    detail:
      "Texts written by a program for many threads are bulk even if each is a little different. Exception: warnings of danger (ice, storm, a recall) by an authority may be posted everywhere.",
    cases: {
      core: [
        "Bulk notice, posted to every community on this platform: {name} is the best name for a boat, pass it on!",
      ],
      described: [
        "I put this same text into eleven communities this morning, sorry if you read it twice: who knows {place}?",
      ],
      detailed: [
        "Dear community of insert-topic, I have long admired your threads on insert-topic and would like to say hello.",
      ],
      implied: [
        "You may have met this question in other corners of the platform today, each time with a different first word: which {things}?",
      ],
      cleared: [
        "To all four who answered me in this thread about {subject}: thank you, thank you, thank you, and thank you.",
      ],
      excepted: ["The harbour authority, in all communities at once: thin ice at {place}, do not step on it."],
      open: ["Asked in two or three places that know different things about it: how old is {a_thing} of this shape?"],
    },
  },
  {
    key: "impersonation",
    kind: "prohibition",
    titles: ["Do not pass yourself off as somebody else"],
    description:
      "Posting as if one were another real member, a moderator or an authority is removed. Using an invented name is not.",
    detail:
      "It counts as well to imitate another member's signature or way of writing so that readers are misled. Exception: imitations in threads that are plainly marked as a game.",
    cases: {
      core: ["I pass myself off as the moderator today: by order, all threads on {things} are closed."],
      described: [
        "This is the coast guard speaking: {people} must stay away from {place} until we say otherwise. (Posted from my kitchen.)",
      ],
      detailed: ["Signed as {name} always signs, three stars and a wave, though I am somebody else, about {subject}."],
      implied: [
        "Those of us who look after order here, and I need not say who that is, would prefer no more talk of {things}.",
      ],
      cleared: ["I call myself Captain Turnip here, which is nobody's name, and ask about {subject}."],
      excepted: [
        "In the guessing game, marked as such: I am {name} today, and I say as {name} would: buy no {things}!",
      ],
      open: ["Speaking as one who knows how the office at {place} thinks: do not bring {a_thing} this year."],
    },
  },
  {
    key: "danger",
    kind: "subjective_content",
    titles: ["Nothing that endangers others"],
    description:
      "Instructions or dares that a reader could copy and that would put people at serious risk are removed. Reporting that one took a risk oneself is not an instruction.",
    detail:
      "Turning off safety equipment is always covered. Exception: instructors may describe a risky exercise if they name the supervision that it needs.",
    cases: {
      core: ["A dare that endangers you, so be it: go to {place} alone at night in a storm, all of you, and film it."],
      described: [
        "How to do it: shut your eyes, run along the wall at {place}, and jump when you hear the water. Copy me and report.",
      ],
      detailed: ["The safety cut-out only gets in the way. Bridge it with a hairpin, as I do with {a_thing}."],
      implied: [
        "They say nobody does {subject} without a second person near. They also say that nobody is brave any more.",
      ],
      cleared: [
        "I went out to {place} alone in fog last {day}, and I would not do it again. It was cold and I was frightened.",
      ],
      excepted: [
        "As an instructor: capsizing on purpose in cold water, only with two helpers and a boat beside you, goes like this.",
      ],
      open: [
        "After some years one does not need a helper for {subject}, I find, as long as one is not silly about it.",
      ],
    },
  },
  {
    key: "ownership",
    kind: "procedure",
    titles: ["Disputes over who owns something are for the stewards alone"],
    description:
      "A post in which two people claim the same thing is neither kept nor removed by a community: it is passed to the stewards, who decide.",
    detail:
      "This holds for things, names and places at a stall. Until the stewards have spoken, no decision on such a post, to keep it or to remove it, has a ground in these rules.",
    cases: {
      void: [
        "{A_thing} that {name} shows here is mine and was taken from {place}; {name} says it was bought. Who owns it?",
        "Both of us claim the name of our club at {place}. I say that it belongs to us, {name} says to them.",
        "The stall at {place} is ours since {month}, whatever {name} writes above about owning it.",
      ],
    },
  },
  {
    key: "questioning",
    kind: "permission",
    titles: ["Everyone may question a moderator's decision in public"],
    description:
      "A post that asks politely why something was removed is protected: communities may not remove it, whatever their own rules say.",
    detail: "The protection covers one post for each decision. It does not cover insults.",
    cases: {},
  },
];
