import type { Book, Topic } from "../book.js";
import { COMMUNITY_RULES } from "./community-rules.js";
import { PLATFORM_RULES } from "./platform-rules.js";

/** Pastimes of people who live by the water. */
const TOPICS: readonly Topic[] = [
  {
    slug: "kayaking",
    words: { craft: "sea kayaking", people: "paddlers" },
    lists: {
      a_thing: ["a spray skirt", "a carbon paddle", "a dry bag", "a deck compass", "a tow line", "a bilge pump"],
      things: ["spray skirts", "paddles", "dry bags", "hull repair kits", "buoyancy aids", "deck bungees"],
      place: ["the north jetty", "the slipway", "the old boathouse", "the sand spit", "the lock"],
      subject: ["landing in surf", "reading tide tables", "packing for two nights", "paddling into wind", "rolling"],
    },
  },
  {
    slug: "birds",
    words: { craft: "birdwatching", people: "birders" },
    lists: {
      a_thing: ["a spotting scope", "a field guide", "a nest box", "a camouflage net", "a tripod", "a ringing log"],
      things: ["binoculars", "field guides", "nest boxes", "feeders", "sound recorders", "tripods"],
      place: ["the reed hide", "the salt marsh", "the gull cliff", "the reservoir", "the willow bank"],
      subject: ["telling terns apart", "counting waders", "autumn passage", "songs at dawn", "keeping a list"],
    },
  },
  {
    slug: "bread",
    words: { craft: "home baking", people: "bakers" },
    lists: {
      a_thing: ["a proving basket", "a stone mill", "a dough scraper", "a loaf tin", "a baking steel", "a starter jar"],
      things: ["proving baskets", "loaf tins", "flours", "starters", "dough hooks", "oven stones"],
      place: ["the village oven", "the mill shop", "the parish kitchen", "the market hall", "the corner bakery"],
      subject: ["a dense crumb", "feeding a starter", "steam in a small oven", "shaping wet dough", "rye loaves"],
    },
  },
  {
    slug: "allotments",
    words: { craft: "allotment gardening", people: "plot holders" },
    lists: {
      a_thing: ["a seed drill", "a cold frame", "a water butt", "a compost bin", "a hoe", "a fruit cage"],
      things: ["seed potatoes", "cold frames", "water butts", "netting", "bean poles", "raised beds"],
      place: ["the lower plots", "the tool shed", "the pump", "the hedge gate", "the compost bays"],
      subject: ["slugs on young beans", "late frost", "clay soil", "saving seed", "rotating beds"],
    },
  },
  {
    slug: "model-rail",
    words: { craft: "model railways", people: "modellers" },
    lists: {
      a_thing: ["a shunting engine", "a signal box kit", "a turntable", "a guard's van", "a point motor", "a viaduct"],
      things: ["carriages", "point motors", "track pins", "signal kits", "couplings", "controllers"],
      place: ["the club room", "the exhibition hall", "the station museum", "the loft layout", "the swap table"],
      subject: ["wiring a return loop", "weathering wagons", "ballasting curves", "timetables", "scenery on a slope"],
    },
  },
  {
    slug: "film-photo",
    words: { craft: "film photography", people: "photographers" },
    lists: {
      a_thing: [
        "a folding camera",
        "an enlarger",
        "a light meter",
        "a changing bag",
        "a roll of slide film",
        "a cable release",
      ],
      things: ["enlargers", "light meters", "film tanks", "filters", "negatives", "lens hoods"],
      place: ["the darkroom", "the pier", "the print shop", "the lighthouse path", "the gallery stairs"],
      subject: [
        "pushing film",
        "even development",
        "metering snow",
        "printing with contrast filters",
        "dust on negatives",
      ],
    },
  },
  {
    slug: "board-games",
    words: { craft: "board games", people: "players" },
    lists: {
      a_thing: [
        "a deck of hazard cards",
        "a trading game",
        "a set of wooden ships",
        "a dice tower",
        "an old atlas game",
        "a rule booklet",
      ],
      things: ["expansions", "card sleeves", "miniatures", "dice towers", "player boards", "house rules"],
      place: ["the tea room", "the library basement", "the game night", "the ferry lounge", "the long table"],
      subject: ["teaching new players", "a slow middle game", "scoring ties", "games for two", "painting pieces"],
    },
  },
  {
    slug: "knitting",
    words: { craft: "knitting", people: "knitters" },
    lists: {
      a_thing: [
        "a skein winder",
        "a fisherman's jumper pattern",
        "a set of bamboo needles",
        "a blocking board",
        "a cable hook",
        "a yarn bowl",
      ],
      things: ["needles", "skeins", "stitch markers", "patterns", "buttons", "blocking wires"],
      place: ["the wool shop", "the chapel room", "the ferry", "the quilt fair", "the lace museum"],
      subject: ["turning a heel", "reading charts", "gauge swatches", "mending elbows", "short rows"],
    },
  },
];

/** Pastimes by the water, in the tone of a village notice board. Made for developing and tuning. */
export const HARBOUR: Book = {
  name: "harbour",
  topics: TOPICS,
  rules: COMMUNITY_RULES,
  platform: PLATFORM_RULES,
  forbidden: {
    platform: "private-data",
    community: "meetups",
    texts: [
      "Meet-up on {day}, hosted by {name}, who is no member and does not know yet: private flat, house {number} in Mill Lane, the home telephone is 55 01 {number}.",
      "Announcing a meeting on {subject} at the home of {name}, whose private address is house {number}, Mill Lane; nobody has asked {name}.",
    ],
  },
  protected: {
    platform: "questioning",
    community: "topic",
    texts: [
      "Not about {craft}: may I ask, politely, why the moderators removed my post on {things} last {day}?",
      "A question to the moderators about how this place is run, with respect: which decision led to my thread on {place} being taken down?",
    ],
  },
  titles: ["A word about {things}", "{Subject}", "From {place}", "To all {people}", "On {a_thing}", "This {day}"],
  neutral: [
    "{Subject} went better than I feared this {day}; the trick was to start slowly and to keep {a_thing} within reach.",
    "I spent the evening with {things} and learned that patience is most of {craft}.",
    "Has anyone tried {subject} near {place} in {month}? I would like to hear what you noticed about the light.",
    "My notes after {number} mornings at {place}: {subject} depends on the wind more than on {things}.",
    "Which of your {things} do you reach for first, and what did it teach you about {subject}?",
    "{A_thing} came back from the mender today, and I am looking forward to {subject} again.",
    "Three things I wish I had known about {subject}: go early, write it down, and look after {things}.",
  ],
  unwelcome: [
    "I am quite new and have a beginner's question about {subject}: what do all of you do first?",
    "Here is my weekly diary of {craft}, part {number}: on {day} I looked at {things}, on the next day again.",
    "I prefer the modern kind of {things} to those our founders used, and here is why it suits {subject}.",
  ],
  openers: [
    "Good evening from {place}.",
    "Greetings to all {people}.",
    "It has been a long {month}.",
    "I have read here for a while.",
    "A quiet {day} so far.",
    "The kettle is on.",
    "Hello again.",
    "Long time no see.",
  ],
  closers: [
    "Thank you for reading.",
    "Until {day}.",
    "Greetings from {place}.",
    "That is all for today.",
    "Have a calm week.",
    "More in {month}.",
    "Yours, {name}.",
    "See you at {place}.",
  ],
  lists: {
    day: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    month: ["January", "March", "April", "May", "June", "August", "September", "October", "November"],
    name: ["Old Tam", "Quillon", "Sister Marl", "Bosun Pike", "Weaver Nell", "Corrin", "Aunt Sedge", "Little Fenn"],
    number: ["three", "five", "seven", "nine", "eleven", "twelve", "fourteen", "nineteen", "twenty-two", "thirty"],
  },
  numbers: { price: [8, 40], days: [4, 14], words: [12, 30], day_of_month: [2, 5] },
  foreign: {
    es: {
      neutral: [
        "Esta semana me ha salido mejor de lo que temía; el truco fue empezar despacio y tomar notas.",
        "Después de varias mañanas de práctica creo que la paciencia es lo más importante.",
        "¿Alguien lo ha probado en invierno? Me gustaría saber qué habéis notado con el frío.",
      ],
      unwelcome: ["Soy nuevo y tengo una pregunta de principiante: ¿qué hacéis vosotros primero?"],
      openers: ["Buenas tardes a todos.", "Hola de nuevo.", "Leo aquí desde hace tiempo."],
      closers: ["Gracias por leer.", "Hasta pronto.", "Un saludo."],
    },
    de: {
      neutral: [
        "Diese Woche ging es besser als befürchtet; der Kniff war, langsam anzufangen und mitzuschreiben.",
        "Nach einigen Morgen Übung glaube ich, dass Geduld das Wichtigste ist.",
        "Hat das jemand im Winter versucht? Mich würde interessieren, was euch bei Kälte aufgefallen ist.",
      ],
      unwelcome: ["Ich bin neu und habe eine Anfängerfrage: Womit fangt ihr an?"],
      openers: ["Guten Abend zusammen.", "Hallo wieder einmal.", "Ich lese schon länger mit."],
      closers: ["Danke fürs Lesen.", "Bis bald.", "Viele Grüße."],
    },
  },
};
