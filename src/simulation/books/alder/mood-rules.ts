import type { BookRule, Topic } from "../book.js";

export const MOOD_RULES: readonly BookRule[] = [
  {
    key: "neighbourly",
    kind: "vague_directive",
    titles: ["Be neighbourly", "Act like a good neighbour"],
    description: "Meant: name-calling, and telling tales about people who live here. Not meant: saying no to somebody.",
    detail:
      "'No offence, but' does not help. Still fine: old neighbours who swap insults in their own birthday thread.",
    cases: {
      core: ["{Resident} is a lazy toad. Neighbourly enough?"],
      described: ["Shall I tell you what {resident} puts out with the bins at night? It will surprise you."],
      detailed: ["No offence, but {resident} has the manners of a gate."],
      implied: [
        "In our street lives somebody who thinks that {bits} clean themselves. Warm greetings to the second floor.",
      ],
      cleared: ["No, {resident}, I cannot lend {a_bit} this week, I need it myself."],
      excepted: [
        "{Resident}'s own birthday thread: congratulations, you old toad! (I had 'mouldy turnip' from {resident} in spring.)",
      ],
      spared: ["I was the one who snored at {spot}. Tell everyone."],
      open: [
        "Some of us would have said good morning.",
        "How nice that {resident} has so much time for the rest of us.",
      ],
    },
    foreign: {
      es: {
        core: ["Mi vecino es un sapo perezoso. ¿Bastante amable?"],
        excepted: [
          "En su propio hilo de cumpleaños: ¡felicidades, viejo sapo! (Él me llamó nabo mohoso en primavera.)",
        ],
        open: ["Algunos habríamos dado los buenos días."],
      },
      de: {
        core: ["Mein Nachbar ist eine faule Kröte. Nachbarschaftlich genug?"],
        excepted: [
          "In seinem eigenen Geburtstagsfaden: Glückwunsch, alte Kröte! (Ich war bei ihm im Frühjahr die schimmlige Rübe.)",
        ],
        open: ["Einige von uns hätten Guten Morgen gesagt."],
      },
    },
  },
  {
    key: "gloomy",
    kind: "subjective_content",
    titles: ["Nothing gloomy, please", "Keep gloom away"],
    description: "Meant: messages that only want to spread fear or despair. Not meant: sad news that people must know.",
    detail: "Lists of crimes are gloom. Still fine: the yearly evening for those who died, in its thread.",
    cases: {
      core: ["Nothing but gloom from me: it all ends badly, for all of us, soon."],
      described: ["Be afraid. Of {spot}, of the dark, of each other. That is my whole message."],
      detailed: ["Every theft since spring, street by street, with the hour: a list of {amount} entries."],
      implied: ["I counted the lamps at {spot} that no longer burn. Then I counted us."],
      cleared: ["Sad news that you need to know: the baker at {spot} closes for good on {weekday}."],
      excepted: ["In the thread of the yearly evening: I think of {resident}, and of how short it all is."],
      spared: ["It rains, {a_bit} is broken and I have a cold. Soup recipes?"],
      open: ["{Spot} is not what it was, and neither are we.", "A poem about {weekday}, with fog in each line."],
    },
  },
  {
    key: "useful",
    kind: "subjective_content",
    titles: ["Say something useful", "Useful messages only"],
    description: "Meant: a message of which no neighbour is wiser, such as a lone smile. Not meant: short ones.",
    detail: "Horoscopes are useless by decision of the board. Still fine: birthdays, on the day.",
    cases: {
      core: ["Useless message: mm.", ":)"],
      described: ["So. {Weekday}, then.", "{Bits} :) :) :)"],
      detailed: ["Horoscope for {folk}: a stranger at {spot} will smile at you, and {a_bit} will cost you nerves."],
      implied: ["I just wanted to write something under the word {bits} because nobody has."],
      cleared: ["Left of {spot} there is a tap that works.", "{Task}: start ten minutes earlier, it is empty then."],
      excepted: ["It is {resident}'s birthday today: hooray!"],
      spared: ["Map attached, no words needed: the dry way to {spot}."],
      open: ["At {spot} a robin sat on {a_bit} for the whole of lunch.", "Funny how {bits} always come in threes."],
    },
  },
  {
    key: "opinions",
    kind: "discretion",
    titles: ["Party politics go elsewhere", "No party politics"],
    description: "Meant: praise or blame of a party or candidate. Not meant: telling when the council meets.",
    detail:
      "Badges in pictures count. Still fine: candidates may introduce themselves once, in the week named by the town.",
    cases: {
      core: ["Party politics, here they are: vote for my party and against all others."],
      described: ["The candidate from the hill could not run {spot}, let alone a town."],
      detailed: ["My photo of {spot}, with the party badge on my coat well in view."],
      implied: [
        "When the right people sit in the right chairs again, {bits} will mend themselves. You know the day and you know the colour.",
      ],
      cleared: ["The council meets on {weekday} at seven; {bits} are on the list."],
      excepted: ["In the week named by the town, once: I am {resident}, I stand for my party, and this is who I am."],
      spared: ["Which form does one need to speak at the council about {spot}?"],
      open: [
        "It was the old council that gave us {bits}, one should not forget that.",
        "Some promises about {spot} have a long beard by now.",
      ],
    },
  },
  {
    key: "polls",
    kind: "procedure",
    titles: ["Meetings and lists: ask the board first", "Ask first before you make a list"],
    description:
      "Meant: sign-up lists and rounds of names started without leave. Not meant: answering somebody else's list.",
    detail:
      "A list with fewer than {list_size} names is still a list. Still fine: lists for the same day, such as who brings cake.",
    cases: {
      core: ["I make a list and have not asked the board first: names below, please."],
      described: ["Write your name and street under this if you come along to {spot} on {weekday} next month."],
      detailed: ["Just two names are needed for {task}; number one and number two, sign here."],
      implied: ["I do not start a list. I only note that mine is the first name, and there is room below."],
      cleared: ["On {resident}'s list from last week: yes, I am coming to {spot}."],
      excepted: ["For today, who brings cake? List: me, apple."],
      spared: ["Could the board tell me whether lists are allowed at {spot}?"],
      open: [
        "Raise a hand, whoever would walk to {spot} with me some {weekday}.",
        "I wonder who else is interested in {task}. Tell me, and I shall remember.",
      ],
    },
  },
  {
    key: "events",
    kind: "permission",
    titles: ["Event photos are welcome", "You may show our events"],
    description:
      "The board likes pictures of its events, also with people in them. Pictures from private parties are deleted.",
    detail:
      "Everybody who comes to an event may be shown. A party with more than {guests} guests is still a private one. Still fine: the mayor's garden party.",
    cases: {
      described: ["Pictures from my cousin's wedding dinner, the whole family and the dog."],
      detailed: ["A big private party with half the street as guests: here are the pictures."],
      cleared: ["From our board's evening at {spot}: the four of us who organised it."],
      excepted: ["Pictures from the mayor's garden party, which is private, but known to all."],
      open: ["From the evening after the event, at somebody's house, when the event was not quite over."],
    },
  },
  {
    key: "services",
    kind: "prohibition",
    titles: ["Nothing about how services run", "Services are not for this board"],
    description:
      "Meant: talk about water, light, bins, roads and who runs them. Not meant: saying that one came by road.",
    detail: "Praise counts as well. Still fine: in the week of the town's open day.",
    cases: {
      core: ["About how services run, though not for this board: who is in charge of anything?"],
      described: ["Who decides when the bins are emptied, and why never on {weekday}?"],
      detailed: ["A big hand for those who light the street lamps at {spot}!"],
      implied: ["Some things in this town flow and some do not, and I have a bucket."],
      cleared: ["I came to {spot} by the new road, which is why I was early for {task}."],
      excepted: ["Open day week: how do you do it at the waterworks, and who pays?"],
      open: ["It is dark at {spot} in the evenings, which has its charm."],
    },
  },
];

/** Boards of a small town. */
export const TOPICS: readonly Topic[] = [
  {
    slug: "night-bus",
    words: { board: "the night bus", folk: "passengers" },
    lists: {
      a_bit: ["a season ticket", "a folded pram", "a lost umbrella", "a wet seat", "a paper timetable"],
      bits: ["tickets", "timetables", "seats", "stops", "transfers"],
      task: ["catching the last connection", "finding the new stop", "travelling with a pram", "claiming a refund"],
      spot: ["Alder Cross", "the depot", "the hospital stop", "Tanner Street"],
    },
  },
  {
    slug: "street-market",
    words: { board: "the street market", folk: "stallholders" },
    lists: {
      a_bit: ["a cheese wheel", "a folding table", "a till roll", "a crate of pears", "an awning"],
      bits: ["awnings", "crates", "scales", "pears", "pitches"],
      task: ["keeping greens fresh", "packing up in rain", "labelling cheese", "giving change"],
      spot: ["the fountain", "row four", "the corn hall", "the car park"],
    },
  },
  {
    slug: "flat-share",
    words: { board: "flat sharing", folk: "flatmates" },
    lists: {
      a_bit: ["a fridge shelf", "a cleaning rota", "a spare key", "a loud washing machine", "a broken blind"],
      bits: ["rotas", "keys", "bins", "shelves", "bills"],
      task: ["splitting the gas bill", "keeping a rota", "sharing one bathroom", "moving out fairly"],
      spot: ["the landing", "the kitchen", "the back yard", "Brewer's Court"],
    },
  },
  {
    slug: "mending",
    words: { board: "mending things", folk: "menders" },
    lists: {
      a_bit: ["a toaster", "a wobbly chair", "a zip", "a standing lamp", "a bread slicer"],
      bits: ["toasters", "zips", "chairs", "plugs", "hinges"],
      task: ["freeing a stuck zip", "gluing a chair leg", "changing a plug", "finding a spare part"],
      spot: ["the repair table", "the church hall", "the tip", "the tool library"],
    },
  },
  {
    slug: "town-pets",
    words: { board: "pets in town", folk: "pet keepers" },
    lists: {
      a_bit: ["a nervous spaniel", "a cat flap", "a rabbit hutch", "a chewed lead", "an old tortoise"],
      bits: ["leads", "hutches", "cat flaps", "feed bowls", "collars"],
      task: ["walking two dogs", "settling a kitten", "trimming claws", "leaving a cat for a weekend"],
      spot: ["the dog meadow", "the mill pond", "the vet's corner", "Orchard Rise"],
    },
  },
  {
    slug: "school-run",
    words: { board: "the school run", folk: "parents" },
    lists: {
      a_bit: ["a scooter", "a lunch box", "a lost mitten", "a walking bus", "a rain cover"],
      bits: ["scooters", "mittens", "lunch boxes", "bike seats", "lollipops"],
      task: ["crossing Mill Road", "getting out of the house", "sharing lifts", "packing for sports day"],
      spot: ["the lower gate", "the crossing", "the bicycle shed", "the lay-by"],
    },
  },
  {
    slug: "town-choir",
    words: { board: "the town choir", folk: "singers" },
    lists: {
      a_bit: ["a second alto part", "a pencilled score", "a music stand", "a high entry", "a pitch pipe"],
      bits: ["scores", "parts", "stands", "entries", "robes"],
      task: ["counting long rests", "learning a part at home", "singing in Latin", "warming up"],
      spot: ["the vestry", "the school hall", "the back row", "the bandstand"],
    },
  },
  {
    slug: "baths",
    words: { board: "the town baths", folk: "swimmers" },
    lists: {
      a_bit: ["a locker key", "a fast lane", "a verruca sock", "a kickboard", "a cold shower"],
      bits: ["lockers", "lanes", "goggles", "kickboards", "showers"],
      task: ["sharing a lane", "learning to dive", "swimming before work", "drying hair quickly"],
      spot: ["the shallow end", "the foyer", "lane three", "the sauna door"],
    },
  },
];
