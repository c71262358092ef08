import type { BookRule } from "../book.js";

/** Rules about tone and taste, and what stands open by its nature. */
export const CONDUCT_RULES: readonly BookRule[] = [
  {
    key: "kind",
    kind: "vague_directive",
    titles: ["Be kind", "Be good company"],
    description:
      "Insults, mockery of beginners and sneering at what others can afford are removed. Disagreeing about the matter, also firmly, is welcome.",
    detail:
      "Quoting somebody's mistake from another thread to amuse readers counts as mockery. Exception: between members who both say that they are friends, rough teasing stays as long as neither objects.",
    cases: {
      core: [
        "You are an idiot and your {things} look as stupid as you do. Be kind? Not to you.",
        "Nobody likes you here, take {a_thing} and get lost.",
      ],
      described: [
        "Another beginner who cannot tell {things} from firewood. How sweet. Do they let you cross the road alone?",
        "With {things} from the bargain bin like yours I would keep quiet about {subject}.",
      ],
      detailed: ["For your amusement, a line that {name} wrote elsewhere about {subject}, spelling and all. Enjoy."],
      implied: [
        "Let us all wait for {name} to explain it a fourth time, it gets richer with every telling.",
        "Some people here should hold {a_thing} for a year before they hold an opinion.",
      ],
      cleared: [
        "I think {name} is plainly wrong about {subject}: the last two seasons at {place} show the opposite. Here are my numbers.",
        "No, that method with {things} does not work, and I say so firmly because I lost a week to it.",
      ],
      excepted: [
        "You old fool, {name}, you could not find {place} with a map and a guide! (We have been friends for thirty years, and {name} gives as good.)",
        "Listen, you hopeless case, as your friend, which you confirmed above: give back {a_thing} and stick to tea.",
      ],
      spared: ["I laughed at my own first try at {subject} for a week; here it is, laugh with me."],
      open: [
        "Well, that is certainly one way to treat {things}.",
        "With respect, {name}, I stopped reading after the second line about {subject}.",
        "I admire the confidence of this post more than its contents.",
      ],
    },
    foreign: {
      es: {
        core: ["Eres un idiota y todo lo que enseñas es tan tonto como tú."],
        excepted: [
          "¡Viejo tonto, no encontrarías el puerto ni con un mapa! (Somos amigos desde hace treinta años y él me responde igual.)",
        ],
        open: ["Bueno, desde luego es una manera de hacerlo."],
      },
      de: {
        core: ["Du bist ein Idiot, und was du hier zeigst, ist genauso dumm wie du."],
        excepted: [
          "Du alter Esel fändest den Hafen nicht einmal mit Karte! (Wir sind seit dreißig Jahren Freunde, und er gibt es zurück.)",
        ],
        open: ["Nun, so kann man es natürlich auch machen."],
      },
    },
  },
  {
    key: "quality",
    kind: "subjective_content",
    titles: ["Worthwhile posts only", "No low-effort posts"],
    description:
      "A post should give readers something to work with. A bare picture, a single exclamation or a question without any detail is removed.",
    detail:
      "At least {words} words of your own are expected under a picture. Lists copied from elsewhere are removed whatever their length. Exception: the first post of a new member who introduces themselves stays, however short.",
    cases: {
      core: ["lol", "First!!! Low effort, I know, and that is all I have.", "This."],
      described: ["Look at this! [picture of {a_thing}]", "{Things}. Thoughts?", "Help with {subject}."],
      detailed: [
        "[picture] Copied from a calendar, with thanks to whoever wrote it: ten things that {people} say, ten things that they do, ten that they never will.",
        "[picture of {a_thing}] Found it, cleaned it, kept it.",
      ],
      implied: [
        "So, {craft}. What a thing it is. Some days one way, some days the other, and one goes on, as one does, with {things} and without.",
      ],
      cleared: [
        "My {subject} notes from {place}: wind from the west, {number} tries, two of them good, and the third failed because {a_thing} was wet. Next time I go earlier.",
        "I measured {things} of three makers for a month; the table with dates and failures is below, with what I would change.",
      ],
      excepted: [
        "Hello! New here, my first post.",
        "Hi, {name} from near {place}, just joined, first post, happy to be here.",
      ],
      spared: [
        "Two lines only, since the rest is in the drawing: {a_thing} taken apart, each part named, in the order in which it goes back.",
      ],
      open: [
        "A small thing about {subject}: I changed my mind about it, and cannot quite say why.",
        "A poem for {people}: grey water, grey gull, and {a_thing} that waits.",
        "Does anyone else have a favourite among {things} that they never use?",
      ],
    },
    foreign: {
      es: {
        core: ["jajaja"],
        excepted: ["¡Hola! Soy nueva, este es mi primer mensaje."],
        open: ["Un poema para el grupo: agua gris, gaviota gris, y algo que espera."],
      },
      de: {
        core: ["haha"],
        excepted: ["Hallo! Neu hier, mein erster Beitrag."],
        open: ["Ein Gedicht für die Gruppe: graues Wasser, graue Möwe, und etwas, das wartet."],
      },
    },
  },
  {
    key: "upsetting",
    kind: "subjective_content",
    titles: ["Nothing upsetting", "No distressing material"],
    description:
      "Pictures or detailed accounts of injury, of dead animals or of accidents are removed. Saying in a sentence that something went wrong is not.",
    detail:
      "A warning in the title does not make such a picture acceptable. Exception: accounts of an accident that say what others can learn from it stay if they leave out the injuries, and a memorial for a member who died stays.",
    cases: {
      core: [
        "A distressing story, and I will spare you nothing of the wound: the hook went in here, and then",
        "Warning, this will upset you: close picture of the bird that the cat brought to {place}.",
      ],
      described: [
        "The full account of last week, with every stitch that the surgeon counted and the pictures my cousin took of the leg.",
        "Pictures of what the storm left on the beach at {place}, mostly seals, not for weak stomachs.",
      ],
      detailed: ["[warning in the title] Under the fold, the picture of my thumb and {a_thing} that did it."],
      implied: [
        "The sound it made when it broke, and it was not {a_thing} that broke, is with me every night, and I will describe that sound.",
      ],
      cleared: [
        "It went wrong at {place} last {day}, I was unlucky and am well again. Now to {subject}.",
        "I cut myself on {a_thing}, nothing serious. Which gloves do you use?",
      ],
      excepted: [
        "What others can learn from our accident at {place}, without the injuries: we had no second line, nobody knew when to expect us, and {a_thing} was packed last.",
        "In memory of {name}, who died on {day} and taught half of us {subject}. There will be soup at {place}.",
      ],
      spared: [
        "My old dog, who came along to {place} for eleven years, stayed at home for the first time today. I write about {subject} with half a heart.",
      ],
      open: [
        "An old photograph of {place} after the flood of my grandfather's year; one can see how high the water stood, and what it left.",
        "My father told this one about {a_thing} and a finger at every supper, and I tell it here as he did, softly.",
      ],
    },
  },
  {
    key: "claims",
    kind: "subjective_content",
    titles: ["No tall tales sold as fact", "Honest claims only"],
    description:
      "Claims about what a thing or a method can do must be such that a reader could check them. Miracle results without any way to check are removed. Opinions that call themselves opinions stay.",
    detail:
      "A number needs a word on how it was measured. Second-hand records ('somebody told me of a man who') are removed. Exception: the yearly Liars' Evening thread, in which everything is exaggerated on purpose.",
    cases: {
      core: [
        "A tall tale and yet a fact, believe me or not: {a_thing} of mine never wears out, not in a thousand years.",
        "Fact: my way of {subject} works every time for everyone, no honest person can doubt it.",
      ],
      described: [
        "With {things} from my valley the results are ten times better, and there is no way to test it, one simply feels it.",
        "This method cured every problem with {subject} overnight. How it does so is my secret.",
      ],
      detailed: [
        "Somebody at {place} told me of a man who did {subject} for forty hours without a pause.",
        "{Number} per cent better than {things} from the shop, that is what mine are.",
      ],
      implied: [
        "I do not say that {a_thing} brings luck. I only say that since I have it, I have never once failed, and you may draw your conclusion.",
      ],
      cleared: [
        "In my opinion, and it is no more than that, {a_thing} is the nicest thing one can own.",
        "I counted over {number} days at {place}: {things} of the new kind failed twice, the old kind five times. Count along with me.",
      ],
      excepted: [
        "For the Liars' Evening thread: with {a_thing} I crossed to the moon and was back for tea.",
        "Liars' Evening: my grandmother did {subject} with one hand while fighting off a whale.",
      ],
      spared: ["I may be wrong, and tell me if I am: {things} seem to keep better in the dark, at least in my shed."],
      open: [
        "Everyone at {place} swears that {subject} is easier at high water. I have come to think that they are right.",
        "This is the best {craft} summer since people keep notes, if you ask the notes I keep.",
        "{Things} made before the year of the big storm are simply better.",
      ],
    },
  },
  {
    key: "advice",
    kind: "prohibition",
    titles: ["No medical or legal advice", "Do not ask for professional advice"],
    description:
      "Questions whose answer belongs to a doctor, a lawyer or an insurer are removed, and so are such answers. Where to find such a person may be asked.",
    detail:
      "Doses, contracts, claims for damages and liability are always covered. Exception: telling what your own doctor or lawyer told you stays, if you recommend nothing to others.",
    cases: {
      core: [
        "Legal advice wanted: can I sue the keeper of {place} because {a_thing} was stolen there?",
        "Medical advice please: what should I take against the rash that I get from {things}?",
      ],
      described: [
        "The insurer refuses to pay for {a_thing}. What does the policy have to say for them to pay?",
        "My wrist tingles after {subject}. What do I have, and how long must it rest?",
      ],
      detailed: [
        "How many of the white tablets do {people} of my weight take before a rough day at {place}?",
        "Who is liable if a guest of mine drops {a_thing} on a stranger?",
      ],
      implied: [
        "Asking for a friend whose knee would like to know, in general and without obligation, whether a knee like his should go on with {craft}.",
      ],
      cleared: [
        "Which doctor near {place} knows about {craft}? I only want the address.",
        "Is there a lawyer among the members of other clubs whom I could ring about a lease at {place}?",
      ],
      excepted: [
        "My own doctor told me to rest the shoulder for six weeks, so no {subject} for me. That is my case and no recommendation.",
        "What my lawyer told me about the lease at {place}, for my case alone and without advice to anyone: it ends in {month}.",
      ],
      spared: ["How do you carry {a_thing} so that your back does not complain in the evening?"],
      open: [
        "Do {people} here eat anything particular before a cold morning at {place}, so as to feel well?",
        "Is it usual to sign something when one borrows {a_thing} from the club, and does anyone know what the paper means?",
      ],
    },
  },
  {
    key: "meetups",
    kind: "permission",
    titles: ["Meet-ups are welcome", "You may announce meet-ups"],
    description:
      "Members may announce meetings at any place, and may say who hosts them and where. Announcements of paid events are removed.",
    detail:
      "Time, place and host may be named in full, also when the host is not a member. A collection for tea does not make an event a paid one; an entrance fee does. Exception: the club's yearly fair charges an entrance fee and may be announced.",
    cases: {
      described: ["Come to my evening on {subject} at {place} on {day}; you pay {price} crowns at the door."],
      detailed: ["Meet-up at {place} on {day}, entrance fee {price} crowns, tea included."],
      cleared: [
        "Meet-up on {day} at {place}, free for all, bring {a_thing}.",
        "We meet on {day} to talk about {subject} at {place}; a tin for tea goes round.",
      ],
      excepted: [
        "The club's yearly fair is on {day} at {place}, you pay {price} crowns at the door, and there are {things} to look at.",
      ],
      open: [
        "A meeting at {place} on {day}; those who can give something for the hall, and those who cannot will hardly be turned away.",
      ],
    },
  },
];
